#!/usr/bin/env bash
# Runs a command on a private Xvfb display. Its 3200 × 2400 pixels fit large windows at scale 2.
set -euo pipefail

# Software rendering produces the same pixels on every machine.
export GDK_BACKEND=x11 GSK_RENDERER="${GSK_RENDERER:-cairo}"
# GTK's test backend stores the accessibility information in the process, where the tests read it.
export GTK_A11Y="${GTK_A11Y:-test}"
# The desktop's settings are neither read nor changed.
export GSETTINGS_BACKEND=memory
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
exec xvfb-run --auto-servernum --server-args="-screen 0 3200x2400x24 -nolisten tcp" "$@"
