#!/usr/bin/env bash
# Prints the version of the package, such as 1.0.0-rc.1; with `deb`, in Debian's form, which sorts a
# release candidate before the release: 1.0.0~rc.1.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/.*static let string = "\(.*\)"$/\1/p' Sources/RemoteImageCore/LibraryVersion.swift)
[ -n "$version" ] || { echo "Sources/RemoteImageCore/LibraryVersion.swift contains no version." >&2; exit 1; }
if [ "${1:-}" = deb ]; then echo "${version/-/\~}"; else echo "$version"; fi
