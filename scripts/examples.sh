# The photo browsers in C, Python, Vala and JavaScript: functions for the scripts that source this
# file. They use the library that pkg-config, the typelib path and the linker find.
# shellcheck shell=bash

# Compiles the browsers into a folder; the one in Vala only if valac is installed.
build_browsers() { # folder, options of valac
  # shellcheck disable=SC2046
  cc -Wall -Werror Examples/Embedding/c/browser.c -o "$1/browser-c" $(pkg-config --cflags --libs remote-image-1)
  if command -v valac >/dev/null; then
    valac --quiet "${@:2}" --pkg remote-image-1 -X -w --directory "$1" --output browser-vala Examples/Embedding/vala/browser.vala
  fi
}

screenshot() { python3 Tests/EmbeddingTests/screenshot.py "$@"; }

# Makes the screenshots c.png, python.png, vala.png and, if gjs is installed, javascript.png; checks
# that they are equal, and that every image is visible.
draw_browsers() { # folder of the browsers, folder of the screenshots, end of the screenshots' names
  local images=(@1 @2 @3 @4 @5 @6) others=("$2/python${3:-}.png")
  screenshot take "$2/c${3:-}.png" "$1/browser-c" "${images[@]}"
  screenshot take "$2/python${3:-}.png" python3 Examples/Embedding/python/browser.py "${images[@]}"
  if [ -e "$1/browser-vala" ]; then
    screenshot take "$2/vala${3:-}.png" "$1/browser-vala" "${images[@]}"
    others+=("$2/vala${3:-}.png")
  fi
  if command -v gjs >/dev/null; then
    screenshot take "$2/javascript${3:-}.png" gjs -m Examples/Embedding/javascript/browser.js "${images[@]}"
    others+=("$2/javascript${3:-}.png")
  fi
  screenshot compare "$2/c${3:-}.png" "${others[@]}"
  screenshot find "$2/c${3:-}.png"
}
