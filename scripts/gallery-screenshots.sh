#!/usr/bin/env bash
# Makes screenshots of every page of the gallery, without a display: light and dark, at scale 1 and
# 2, in a narrow window, and laid out from right to left. With "keep", the sets that docs/gallery.md
# shows are copied to docs/gallery.
set -euo pipefail
cd "$(dirname "$0")/.."

gallery=$(scripts/build-release.sh Examples Gallery)/Gallery
output=.build/gallery-screenshots

# A new store, so that all images are loaded from the server.
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT

# make_set NAME SCALE ARGUMENT…
make_set() {
  local folder="$output/$1" scale=$2
  shift 2
  rm -rf "$folder"
  mkdir -p "$folder"
  echo "$folder"
  # GDK_SCALE sets the scale; with-display.sh sets everything else.
  GDK_SCALE=$scale scripts/with-display.sh "$gallery" --screenshots "$folder" "$@" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    return 1
  }
  # Warnings of GTK are errors.
  if grep -E 'WARNING|CRITICAL' "$folder/log"; then return 1; fi
  rm "$folder/log"
}

make_set light 1
make_set light-2 2
make_set dark 1 --dark
make_set dark-2 2 --dark
make_set narrow 1 --width 360
make_set right-to-left 1 --right-to-left
make_set right-to-left-dark-2 2 --right-to-left --dark

if [ "${1:-}" = keep ]; then
  for set in light dark-2 narrow right-to-left; do
    rm -rf "docs/gallery/$set"
    mkdir -p "docs/gallery/$set"
    cp "$output/$set"/*.jpg "docs/gallery/$set"
  done
  du -sh docs/gallery
fi
