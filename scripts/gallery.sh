#!/usr/bin/env bash
# Builds the gallery and shows it in a window. Without a display, it writes a screenshot.
#
# URLS    a file with addresses, one per line
# FOLDER  a folder of images
# OUTPUT  the path of the screenshot, gallery.png by default
set -euo pipefail
cd "$(dirname "$0")/.."

# make does not expand a tilde.
for name in URLS FOLDER; do
  value=${!name:-}
  case "$value" in "~/"*) printf -v "$name" '%s' "$HOME/${value#"~/"}" ;; esac
done

arguments=()
if [ -n "${URLS:-}" ]; then arguments+=(--urls "$URLS"); fi
if [ -n "${FOLDER:-}" ]; then arguments+=(--folder "$FOLDER"); fi

gallery=$(scripts/build-release.sh Examples Gallery)/Gallery

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec "$gallery" "${arguments[@]}"
fi
echo "There is no display; the gallery runs under Xvfb."
exec scripts/with-display.sh "$gallery" "${arguments[@]}" --screenshot "${OUTPUT:-$PWD/gallery.png}"
