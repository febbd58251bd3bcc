"""Metrics of loaded images from Python."""

import tempfile
import unittest

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gtk, RemoteImage

import images
from fixture import Shown, turn_until

Gtk.init()


class Metrics(unittest.TestCase):
    def setUp(self):
        self.server = images.serve()
        self.uri = f"{self.server.base}/1.png"
        self.folder = tempfile.mkdtemp()

    def paintable(self, pipeline, **properties):
        paintable = RemoteImage.Paintable(uri=self.uri, pipeline=pipeline, **properties)
        turn_until(lambda: paintable.get_phase() == RemoteImage.Phase.SUCCESS)
        return paintable

    def test_a_view_knows_where_its_image_came_from(self):
        view = RemoteImage.View(uri=self.uri)
        self.assertIsNone(view.get_metrics())
        with Shown(view):
            turn_until(lambda: view.get_phase() == RemoteImage.Phase.SUCCESS)
            metrics = view.get_metrics()
            self.assertEqual(metrics.get_origin(), RemoteImage.Origin.NETWORK)
            self.assertEqual(metrics.get_uri(), self.uri)
            self.assertEqual(metrics.get_status(), 200)
            self.assertEqual(metrics.get_byte_count(), len(images.image(1)))
            self.assertEqual(metrics.get_decoder(), "png")
            self.assertEqual(metrics.get_frame_count(), 1)
            for time in (metrics.get_queue_time(), metrics.get_transfer_time(), metrics.get_decode_time()):
                self.assertGreaterEqual(time, 0)
                self.assertLess(time, 60)
        self.assertIsNone(RemoteImage.View().get_metrics())

    def test_an_image_from_memory_has_no_times(self):
        pipeline = RemoteImage.Pipeline(cache_directory=self.folder)
        self.paintable(pipeline)
        metrics = self.paintable(pipeline).get_metrics()
        self.assertEqual(metrics.get_origin(), RemoteImage.Origin.MEMORY)
        self.assertEqual((metrics.get_queue_time(), metrics.get_transfer_time()), (-1, -1))

    def test_an_image_from_disk_is_decoded_at_the_size_that_is_needed(self):
        pipeline = RemoteImage.Pipeline(cache_directory=self.folder)
        self.paintable(pipeline)
        sizes = []
        pipeline.get_disk_usage_async(None, lambda _, result: sizes.append(pipeline.get_disk_usage_finish(result)))
        turn_until(lambda: sizes)
        again = RemoteImage.Pipeline(cache_directory=self.folder, isolation=RemoteImage.Isolation.NONE)
        metrics = self.paintable(again, max_pixel_size=80).get_metrics()
        self.assertEqual(metrics.get_origin(), RemoteImage.Origin.DISK)
        self.assertEqual((metrics.get_decoded_width(), metrics.get_decoded_height()), (80, 60))
        self.assertFalse(metrics.is_isolated())
        self.assertFalse(metrics.is_truncated())

    def test_metrics_of_the_program_are_empty(self):
        metrics = RemoteImage.Metrics()
        self.assertIsNone(metrics.get_uri())
        self.assertEqual((metrics.get_byte_count(), metrics.get_decode_time()), (0, -1))


if __name__ == "__main__":
    unittest.main(verbosity=2)
