#!/usr/bin/env bash
# Checks what screen readers receive from the gallery, through AT-SPI, on a private display and a
# private message bus.
set -euo pipefail
cd "$(dirname "$0")/.."

gallery=$(scripts/build-release.sh Examples Gallery)/Gallery
# The test expects English texts, and needs Debian's own Python for its packages.
GTK_A11Y=atspi LC_ALL=C.UTF-8 LANGUAGE=en exec scripts/with-display.sh dbus-run-session -- \
  /usr/bin/python3 Tests/Accessibility/read_tree.py "$gallery" --page accessibility --count 3
