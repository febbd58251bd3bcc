"""The shared helpers of the tests in Python: running the main loop, and windows."""

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk

try:
    gi.require_version("Adw", "1")
    from gi.repository import Adw
except (ImportError, ValueError):
    Adw = None

context = GLib.MainContext.default()


def turn_until(condition, seconds=20):
    timer = GLib.timeout_add(5, lambda: True)
    end = GLib.get_monotonic_time() + seconds * 1_000_000
    while not condition():
        if GLib.get_monotonic_time() > end:
            GLib.source_remove(timer)
            raise AssertionError("the condition was not met in time")
        context.iteration(True)
    GLib.source_remove(timer)


def settle():
    while context.iteration(False):
        pass


class Shown:
    """A window that shows a widget while the block runs."""

    def __init__(self, widget):
        self.window = Gtk.Window(child=widget, default_width=300, default_height=200)

    def __enter__(self):
        self.window.present()
        return self.window

    def __exit__(self, *_):
        self.window.destroy()
        settle()
