#!/usr/bin/env python3
"""Shows a window that a .ui file describes. Nothing here knows of images but the line that loads their library."""

import sys

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import GLib, GObject, Gtk, RemoteImage

if len(sys.argv) != 2:
    sys.exit(f"usage: {sys.argv[0]} FILE.ui")
GObject.type_ensure(RemoteImage.View)
builder = Gtk.Builder.new_from_file(sys.argv[1])
window = builder.get_object("window")
loop = GLib.MainLoop()
window.connect("close-request", lambda _: loop.quit())
window.present()
loop.run()
