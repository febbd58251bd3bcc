#!/usr/bin/env bash
# Installs the gallery with its desktop entry, metadata and icon; `uninstall` removes them.
#
#   PREFIX   /usr/local by default
#   DESTDIR  prepended to each path, for packaging
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
id=org.remoteimage.Gallery
share=$root$prefix/share
# The decoder program is beside the gallery, which does not depend on an installed library.
programs=$prefix/libexec/remote-image-gallery

if [ "${1:-}" = uninstall ]; then
  rm -rf "$root$programs"
  rm -f "$root$prefix/bin/remote-image-gallery" "$share/applications/$id.desktop" \
    "$share/metainfo/$id.metainfo.xml" "$share/icons/hicolor/scalable/apps/$id.svg"
  exit 0
fi

build=(swift build --package-path Examples --configuration release --scratch-path .build-gallery --static-swift-stdlib)
"${build[@]}" --product Gallery
built=$("${build[@]}" --show-bin-path)
install -d "$root$programs" "$root$prefix/bin"
install -s -m 755 "$built/Gallery" "$root$programs/remote-image-gallery"
install -s -m 755 "$built/remote-image-decoder" "$root$programs/remote-image-decoder"
ln -sf ../libexec/remote-image-gallery/remote-image-gallery "$root$prefix/bin/remote-image-gallery"
scripts/gallery-metadata.sh "$share"
echo "Installed below $root$prefix."
