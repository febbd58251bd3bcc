#!/usr/bin/env bash
# Runs a command on a display of its own: Xvfb, 3200 × 2400
# pixels: room for large windows at scale 2.
set -euo pipefail

# Drawn by the processor, so that the same comes out on every machine.
export GDK_BACKEND=x11 GSK_RENDERER="${GSK_RENDERER:-cairo}"
# No session bus, no screen reader: GTK keeps what it would tell them for the tests to read.
export GTK_A11Y="${GTK_A11Y:-test}"
# The desktop's settings are neither read nor changed.
export GSETTINGS_BACKEND=memory
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
exec xvfb-run --auto-servernum --server-args="-screen 0 3200x2400x24 -nolisten tcp" "$@"
