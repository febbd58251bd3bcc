#!/usr/bin/env bash
# Builds the gallery and shows it: in a window, or without a display as a screenshot.
#
# URLS    a file with addresses, one a line
# FOLDER  a folder of images
# OUTPUT  where the screenshot goes without a display, gallery.png by default
set -euo pipefail
cd "$(dirname "$0")/.."

# make passes a tilde on as it is.
for name in URLS FOLDER; do
  value=${!name:-}
  case "$value" in "~/"*) printf -v "$name" '%s' "$HOME/${value#"~/"}" ;; esac
done

arguments=()
if [ -n "${URLS:-}" ]; then arguments+=(--urls "$URLS"); fi
if [ -n "${FOLDER:-}" ]; then arguments+=(--folder "$FOLDER"); fi

swift build --package-path Examples --configuration release --product Gallery
gallery="$(swift build --package-path Examples --configuration release --show-bin-path)/Gallery"

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec "$gallery" "${arguments[@]}"
fi
echo "There is no display: the gallery is drawn under Xvfb."
exec scripts/with-display.sh "$gallery" "${arguments[@]}" --screenshot "${OUTPUT:-$PWD/gallery.png}"
