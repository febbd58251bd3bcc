#!/usr/bin/env bash
# Prints the time of the sources, in seconds since 1970: that of the commit, or in an unpacked
# archive, whose files have the time of the commit, that of a file.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -e .git ]; then git log -1 --format=%ct; else stat --format=%Y Package.swift; fi
