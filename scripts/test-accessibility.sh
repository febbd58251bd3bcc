#!/usr/bin/env bash
# Lets a reader look at the gallery as screen readers do, through AT-SPI: on a display and a message
# bus of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --package-path Examples --product Gallery
gallery="$(swift build --package-path Examples --show-bin-path)/Gallery"
# The words that are looked for are English; the Python is the one that Debian's packages are for.
GTK_A11Y=atspi LC_ALL=C.UTF-8 LANGUAGE=en exec scripts/with-display.sh dbus-run-session -- \
  /usr/bin/python3 Tests/Accessibility/read_tree.py "$gallery" --page accessibility --count 3
