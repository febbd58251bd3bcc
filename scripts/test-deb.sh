#!/usr/bin/env bash
# Builds the Debian packages, and installs them with apt in fresh roots of Debian releases, without
# Swift. There, the programs of the documentation and the photo browsers must show their images, and
# purging the packages must leave no file. The roots require the root user and a Debian mirror.
# Without them, the script reports this and succeeds, unless REQUIRE_ROOTS is set.
#
#   scripts/test-deb.sh [bookworm|trixie|unstable]...    all three by default
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/roots.sh

releases=("$@")
[ $# -gt 0 ] || releases=(bookworm trixie unstable)
scripts/deb.sh
require_roots

failed=()
for release in "${releases[@]}"; do
  printf '\n== %s\n' "$release"
  output=$PWD/.build-deb/$release
  mkdir -p "$output"
  make_root "$release" "$roots/$release-fresh" || { failed+=("$release"); continue; }
  inside_copy "$roots/$release-fresh" env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    sh -c "cd '$PWD' && scripts/test-deb-in-root.sh .build-deb '$output'" || failed+=("$release")
done
[ ${#failed[@]} -eq 0 ] || { echo "Failed: ${failed[*]}"; exit 1; }
echo "The screenshots are in .build-deb."
