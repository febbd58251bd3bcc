"""The zooming viewer from Python: its fit, its zoom factor, and another image."""

import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()
SUCCESS = RemoteImage.Phase.SUCCESS


class Viewer(unittest.TestCase):
    def setUp(self):
        self.server = images.serve()
        self.viewer = RemoteImage.Viewer.new(self.server.base + "/1.png")
        self.view = self.viewer.get_view()
        self.view.props.pipeline = RemoteImage.Pipeline(disk_cache_limit=0)

    def until_width(self, width):
        turn_until(lambda: self.view.props.phase == SUCCESS and self.view.get_width() == width)

    def test_an_image_has_the_size_of_the_fit(self):
        self.assertEqual(self.viewer.props.fit, RemoteImage.ViewerFit.WHOLE)
        with Shown(self.viewer) as window:
            # The window is 300 points wide and 200 high, the image 320 × 240.
            turn_until(lambda: self.view.props.phase == SUCCESS and self.view.get_height() == window.get_height())
            self.viewer.props.fit = RemoteImage.ViewerFit.WIDTH
            turn_until(lambda: self.view.get_width() == window.get_width())
            self.viewer.set_fit(RemoteImage.ViewerFit.NATURAL_SIZE)
            self.until_width(images.WIDTH)
            self.assertEqual(self.viewer.get_fit(), RemoteImage.ViewerFit.NATURAL_SIZE)

    def test_each_fit_is_read_as_it_was_set(self):
        fits = RemoteImage.ViewerFit
        for fit in (fits.NATURAL_SIZE, fits.COVER, fits.HEIGHT, fits.WIDTH, fits.WHOLE):
            self.viewer.set_fit(fit)
            self.assertEqual(self.viewer.get_fit(), fit)
        settle()

    def test_a_zoom_factor_is_limited_and_reported(self):
        notified = []
        self.viewer.connect("notify::zoom", lambda viewer, _: notified.append(viewer.props.zoom))
        self.assertEqual((self.viewer.props.zoom, self.viewer.props.max_zoom), (0, 8))
        with Shown(self.viewer):
            turn_until(lambda: self.view.props.phase == SUCCESS)
            self.viewer.props.zoom = 2
            self.until_width(2 * images.WIDTH)
            self.viewer.props.max_zoom = 3
            self.viewer.props.zoom = 100
            self.assertEqual(self.viewer.get_zoom(), 3)
            self.until_width(3 * images.WIDTH)
            # A lower maximum applies to the shown image.
            self.viewer.props.max_zoom = 1.5
            self.assertEqual(self.viewer.get_zoom(), 1.5)
            self.until_width(1.5 * images.WIDTH)
            self.viewer.set_zoom(0)
            self.assertEqual(notified, [2, 3, 1.5, 0])

    def test_another_image_has_no_zoom_factor(self):
        with Shown(self.viewer):
            turn_until(lambda: self.view.props.phase == SUCCESS)
            self.viewer.props.zoom = 2
            self.view.props.uri = self.server.base + "/2.png"
            self.assertEqual(self.viewer.props.zoom, 0)
            # A factor that is set for the new image holds.
            self.viewer.props.zoom = 1.5
            self.until_width(1.5 * images.WIDTH)
            self.assertEqual(self.server.served[-1], "/2.png")

    def test_a_viewer_in_a_ui_file(self):
        builder = Gtk.Builder.new_from_string(
            "<interface><object class='RemoteImageViewer' id='viewer'><property name='fit'>natural-size</property>"
            "<property name='max-zoom'>4</property></object></interface>", -1)  # fmt: skip
        viewer = builder.get_object("viewer")
        self.assertEqual((viewer.props.fit, viewer.props.max_zoom), (RemoteImage.ViewerFit.NATURAL_SIZE, 4))
        viewer.props.view.props.uri = self.server.base + "/3.png"
        with Shown(viewer):
            turn_until(lambda: viewer.props.view.get_width() == images.WIDTH)
        settle()


if __name__ == "__main__":
    unittest.main(verbosity=2)
