"""Lists with models of the program: rows near the visible ones, and prefetching of the next page."""

import gc
import os
import tempfile
import unittest
import weakref

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gio, GObject, Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()

# Images are stored under the names that the tests give them, so each run needs a cache of its own.
cache = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = cache.name

server = images.serve()


class Photo(GObject.Object):
    def __init__(self, series, number):
        super().__init__()
        self.number = number
        self.uri = f"{server.base}/1.png?{series}-{number}"


def source_of(photo):
    return RemoteImage.Source.new_for_uri(photo.uri, None)


def requested(series):
    """The numbers of the photos that the server was asked for, in order."""
    prefix = f"/1.png?{series}-"
    return [int(path.removeprefix(prefix)) for path in server.served if path.startswith(prefix)]


def new_list(kind, model, margin=0):
    def set_up(_, row):
        view = RemoteImage.View(reserved_width=60, reserved_height=40)
        # With the default of 200 points, rows would load that only prefetching should load.
        view.props.viewport_margin = margin
        row.set_child(view)

    def bind(_, row):
        row.get_child().props.uri = row.get_item().uri

    factory = Gtk.SignalListItemFactory()
    factory.connect("setup", set_up)
    factory.connect("bind", bind)
    view = kind(model=Gtk.NoSelection(model=model), factory=factory)
    return view, Gtk.ScrolledWindow(child=view)


def photos(series, count=300):
    model = Gio.ListStore.new(Photo)
    model.splice(0, 0, [Photo(series, number) for number in range(count)])
    return model


class Margin(unittest.TestCase):
    def test_rows_near_the_visible_ones_load(self):
        _, scrolled = new_list(Gtk.ListView, photos("margin"), margin=300)
        with Shown(scrolled):
            # 200 points are visible, and 40 are a row.
            turn_until(lambda: 10 in requested("margin"))
            self.assertNotIn(40, requested("margin"))


class Prefetching(unittest.TestCase):
    def assertPrefetches(self, kind, series, last):
        view, scrolled = new_list(kind, photos(series))
        RemoteImage.list_prefetch(view, None, 0, source_of)
        with Shown(scrolled):
            turn_until(lambda: last in requested(series))
            self.assertNotIn(250, requested(series))

    def test_the_next_page_of_a_list(self):
        self.assertPrefetches(Gtk.ListView, "list", 7)

    def test_the_next_page_of_a_grid(self):
        self.assertPrefetches(Gtk.GridView, "grid", 30)

    def test_the_size_can_be_given(self):
        view, scrolled = new_list(Gtk.ListView, photos("size"))
        pipeline = RemoteImage.Pipeline.new()
        RemoteImage.list_prefetch(view, pipeline, 16, source_of)
        with Shown(scrolled):
            turn_until(lambda: pipeline.get_memory_usage() > 0 and 7 in requested("size"))
            # Images of 320 × 240 pixels, at most 16 pixels wide.
            self.assertLess(pipeline.get_memory_usage(), 20 * 16 * 12 * 4)

    def test_it_follows_filters_and_orders_of_the_model(self):
        even = Gtk.CustomFilter.new(lambda photo: photo.number % 2 == 0)
        model = Gtk.FilterListModel(model=photos("filtered"))
        view, scrolled = new_list(Gtk.ListView, model)
        RemoteImage.list_prefetch(view, None, 0, source_of)
        with Shown(scrolled):
            turn_until(lambda: 7 in requested("filtered"))
            model.props.filter = even
            turn_until(lambda: 16 in requested("filtered"))
            reverse = Gtk.CustomSorter.new(lambda a, b, _: (a.number < b.number) - (a.number > b.number))
            view.props.model = Gtk.NoSelection(model=Gtk.SortListModel(model=photos("sorted"), sorter=reverse))
            turn_until(lambda: 292 in requested("sorted"))
            self.assertNotIn(7, requested("sorted"))
            view.props.model = None
            settle()
            self.assertNotIn(150, requested("sorted"))

    def test_none_is_no_image_and_ends_prefetching(self):
        asked = []
        view, scrolled = new_list(Gtk.ListView, photos("none"))
        RemoteImage.list_prefetch(view, None, 0, lambda photo: asked.append(photo.number))
        with Shown(scrolled):
            turn_until(lambda: 7 in asked)
            self.assertNotIn(7, requested("none"))
            RemoteImage.list_prefetch(view, None, 0, None)
            count = len(asked)
            scrolled.get_vadjustment().set_value(4000)
            turn_until(lambda: any(number > 50 for number in requested("none")))
            self.assertEqual(len(asked), count)

    def test_the_function_is_released_with_the_list(self):
        class Function:
            def __call__(self, photo):
                return source_of(photo)

        function = Function()
        released = weakref.ref(function)
        view, scrolled = new_list(Gtk.ListView, photos("released"))
        RemoteImage.list_prefetch(view, None, 0, function)
        with Shown(scrolled):
            turn_until(lambda: 7 in requested("released"))
        del function, view, scrolled

        def is_released():
            gc.collect()
            return released() is None

        turn_until(is_released)


if __name__ == "__main__":
    unittest.main()
