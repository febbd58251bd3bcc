#!/usr/bin/env python3
"""Shows the window of a .ui file. Only the line that loads the library is specific to remote images."""

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
