#!/usr/bin/env bash
# Installs the gallery with its desktop entry, metadata and icon; `uninstall` removes them. The
# build runs as the calling user, and only the copying uses sudo, if it is needed.
#
#   PREFIX   /usr/local by default
#   DESTDIR  prepended to each path, for packaging
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/privileges.sh

prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
id=org.remoteimage.Gallery
share=$root$prefix/share
# The decoder program is beside the gallery, which does not depend on an installed library.
programs=$prefix/libexec/remote-image-gallery

if [ "${1:-}" = uninstall ]; then
  become_root "Removing from" "$root$prefix" "$root$programs" "$share"
  "${as[@]}" rm -rf "$root$programs"
  "${as[@]}" rm -f "$root$prefix/bin/remote-image-gallery" "$share/applications/$id.desktop" \
    "$share/metainfo/$id.metainfo.xml" "$share/icons/hicolor/scalable/apps/$id.svg"
  exit 0
fi

built=$(scripts/build-release.sh Examples Gallery)
metadata=.build-release/share
rm -rf "$metadata"
scripts/gallery-metadata.sh "$metadata"
become_root "Installing below" "$root$prefix" "$root$programs" "$share"
"${as[@]}" install -d "$root$programs" "$root$prefix/bin" "$share"
"${as[@]}" install -s -m 755 "$built/Gallery" "$root$programs/remote-image-gallery"
"${as[@]}" install -s -m 755 "$built/remote-image-decoder" "$root$programs/remote-image-decoder"
"${as[@]}" ln -sf ../libexec/remote-image-gallery/remote-image-gallery "$root$prefix/bin/remote-image-gallery"
(cd "$metadata" && find . -type f) | while read -r file; do
  "${as[@]}" install -D -m 644 "$metadata/$file" "$share/$file"
done
echo "Installed below $root$prefix."
