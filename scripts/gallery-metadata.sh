#!/usr/bin/env bash
# Writes the gallery's desktop entry, AppStream metadata and icon into a folder, and validates them
# if the tools are installed.
#
#   scripts/gallery-metadata.sh SHARE    the folder, such as /usr/local/share
set -euo pipefail
cd "$(dirname "$0")/.."

share=${1:?usage: scripts/gallery-metadata.sh SHARE}
id=org.remoteimage.Gallery
entry=$share/applications/$id.desktop
metadata=$share/metainfo/$id.metainfo.xml
install -D -m 644 "data/gallery/$id.desktop" "$entry"
install -D -m 644 "data/gallery/$id.svg" "$share/icons/hicolor/scalable/apps/$id.svg"
install -D -m 644 "data/gallery/$id.metainfo.xml.in" "$metadata"
sed -i -e "s|@VERSION@|$(scripts/version.sh deb)|" -e "s|@DATE@|$(date --utc --date="@$(scripts/source-date.sh)" +%F)|" "$metadata"
if command -v desktop-file-validate >/dev/null; then desktop-file-validate "$entry"; fi
if command -v appstreamcli >/dev/null; then appstreamcli validate --no-net "$metadata"; fi
