#!/usr/bin/env python3
"""A photo browser: the images of the command line in a grid."""

import sys

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gio, Gtk, RemoteImage


def image(uri):
    return RemoteImage.View(
        uri=uri,
        content_fit=Gtk.ContentFit.COVER,
        corner_radius=12,
        placeholder_icon_name="image-loading-symbolic",
        width_request=160,
        height_request=120,
    )


def open_window(application, uris):
    box = Gtk.FlowBox(
        selection_mode=Gtk.SelectionMode.NONE,
        min_children_per_line=3,
        max_children_per_line=3,
        valign=Gtk.Align.START,
    )
    for uri in uris:
        box.append(image(uri))
    window = Gtk.ApplicationWindow(
        application=application,
        title="Photos",
        default_width=560,
        default_height=420,
        child=Gtk.ScrolledWindow(child=box),
    )
    window.present()


if len(sys.argv) < 2:
    sys.exit(f"usage: {sys.argv[0]} URI…")
application = Gtk.Application(
    application_id="org.example.Photos", flags=Gio.ApplicationFlags.NON_UNIQUE
)
application.connect("activate", open_window, sys.argv[1:])
application.run()
