"""Resized images in the store: who stores them, who uses them, and their removal."""

import os
import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import GLib, Gtk, RemoteImage

import images
from fixture import Shown, turn_until

Gtk.init()
server = images.serve()


class StoredSizes(unittest.TestCase):
    # Properties of the pipeline and of the view, one of which turns stored sizes off.
    CASES = [({}, {"stored_sizes": False}), ({"stored_sizes": False}, {})]

    def setUp(self):
        self.folder = GLib.dir_make_tmp("remote-image-XXXXXX")

    def pipeline(self, **properties):
        """A pipeline without images in memory."""
        return RemoteImage.Pipeline(cache_directory=self.folder, **properties)

    def show(self, number, pipeline, **properties):
        """Shows a server's image in a tenth of its size."""
        view = RemoteImage.View(
            uri=f"{server.base}/{number}.png?{self.id()}", pipeline=pipeline, max_pixel_size=32, **properties
        )
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.SUCCESS)

    def call(self, start, finish):
        results = []
        start(None, lambda _, result: results.append(result))
        turn_until(lambda: results)
        return finish(results[0])

    def files(self, suffix):
        """The files of the store with originals, `.b`, or resized images, `.s`."""
        return {
            os.path.join(path, name)
            for path, _, names in os.walk(self.folder) for name in names if name.endswith(suffix)
        }  # fmt: skip

    def requests(self, number):
        return server.served.count(f"/{number}.png?{self.id()}")

    def test_without_stored_sizes_no_resized_image_is_stored(self):
        for of_pipeline, of_view in self.CASES:
            with self.subTest(pipeline=of_pipeline, view=of_view):
                self.setUp()
                pipeline = self.pipeline()
                first = self.pipeline(**of_pipeline) if of_pipeline else pipeline
                self.show(1, first, **of_view)
                # Reports the size after everything is written.
                self.call(first.get_disk_usage_async, first.get_disk_usage_finish)
                [original] = self.files(".b")
                # Resized images are stored in the order in which their originals were loaded.
                self.show(2, pipeline)
                turn_until(lambda: self.files(".s"))
                self.assertNotIn(original.removesuffix(".b") + ".s", self.files(".s"))

    def test_without_stored_sizes_no_resized_image_is_used(self):
        for number, (of_pipeline, of_view) in enumerate(self.CASES):
            with self.subTest(pipeline=of_pipeline, view=of_view):
                self.setUp()
                # A pipeline stores resized images only while it exists.
                pipeline = self.pipeline()
                self.show(number, pipeline)
                turn_until(lambda: self.files(".s"))
                # A damaged original is loaded again when it is read.
                [original] = self.files(".b")
                with open(original, "r+b") as file:
                    file.write(bytes(os.path.getsize(original)))
                self.show(number, self.pipeline())
                self.assertEqual(self.requests(number), 1)
                self.show(number, self.pipeline(**of_pipeline), **of_view)
                self.assertEqual(self.requests(number), 2)

    def test_removing_stored_sizes_keeps_the_originals(self):
        pipeline = self.pipeline()
        self.show(1, pipeline)
        turn_until(lambda: self.files(".s"))
        self.assertTrue(self.call(pipeline.remove_stored_sizes_async, pipeline.remove_stored_sizes_finish))
        self.assertEqual(self.files(".s"), set())
        self.show(1, self.pipeline())
        self.assertEqual(self.requests(1), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
