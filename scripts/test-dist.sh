#!/usr/bin/env bash
# Checks the archive of `make dist`: it is complete in another folder, and two builds of the commit
# in different folders give the same bytes. The second build starts from nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/examples.sh

step() { printf '\n-- %s\n' "$*"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step "The archive"
scripts/dist.sh
archive=$(echo .build-dist/*.tar.xz)

step "The photo browsers with the unpacked tree"
mkdir "$work/elsewhere"
tar --extract --file="$archive" --directory="$work/elsewhere" --strip-components=1
(
  export PATH=$work/elsewhere/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1
  export PKG_CONFIG_PATH=$work/elsewhere/lib/pkgconfig LD_LIBRARY_PATH=$work/elsewhere/lib
  export GI_TYPELIB_PATH=$work/elsewhere/lib/girepository-1.0
  remote-image --version
  build_browsers "$work" --vapidir "$work/elsewhere/share/vala/vapi"
  draw_browsers "$work" "$work"
  scripts/with-display.sh python3 Tests/EmbeddingTests/test_isolation.py
)

step "A second build in another folder"
git clone --quiet . "$work/another-folder"
# The versions of the dependencies are part of the build.
cp Package.resolved "$work/another-folder/"
"$work/another-folder/scripts/dist.sh"
cmp "$archive" "$work/another-folder/.build-dist/$(basename "$archive")"
echo "Both builds produced the same bytes."
