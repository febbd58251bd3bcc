"""The signal of a pipeline for the failures of all its images."""

import tempfile
import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gio, GLib, Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()
MISSING, NO_IMAGE = RemoteImage.Error.HTTP_STATUS, RemoteImage.Error.NOT_AN_IMAGE


class Failures(unittest.TestCase):
    def setUp(self):
        self.server = images.serve()
        # The pipeline may still write.
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(self.folder.cleanup)
        self.pipeline = RemoteImage.Pipeline(cache_directory=self.folder.name)
        self.failures = []

    def listen(self, pipeline):
        pipeline.connect("failed", self.receive)

    def receive(self, _pipeline, uri, is_visible, error):
        self.assertTrue(error.matches(RemoteImage.Error.quark(), error.code))
        self.failures.append((uri and uri.removeprefix(self.server.base), is_visible, error.code))

    def view(self, path, **properties):
        return RemoteImage.View(uri=self.server.base + path, pipeline=self.pipeline, **properties)

    def load(self, path):
        """Loads an image that is not there, which ends after the failures of all earlier requests."""
        ended = []
        self.pipeline.load_texture_async(self.server.base + path, 0, None, lambda *_: ended.append(1))
        turn_until(lambda: ended)

    def test_failures_of_visible_and_of_prefetched_images_are_told_apart(self):
        self.listen(self.pipeline)
        with Shown(self.view("/missing")):
            turn_until(lambda: self.failures)
        self.pipeline.prefetch([f"{self.server.base}/text"])
        turn_until(lambda: len(self.failures) == 2)
        self.assertEqual(self.failures, [("/missing", True, MISSING), ("/text", False, NO_IMAGE)])

    def test_a_damaged_image_is_reported(self):
        self.listen(self.pipeline)
        with Shown(self.view("/damaged.png")):
            turn_until(lambda: self.failures)
        self.assertEqual(self.failures, [("/damaged.png", True, RemoteImage.Error.CORRUPT)])

    def test_each_request_of_a_shared_load_is_reported(self):
        self.listen(self.pipeline)
        box = Gtk.Box()
        for _ in range(3):
            box.append(self.view("/missing"))
        with Shown(box):
            turn_until(lambda: len(self.failures) == 3)
        self.assertEqual(self.failures, [("/missing", True, MISSING)] * 3)

    def test_a_loaded_and_a_cancelled_image_are_not_reported(self):
        self.listen(self.pipeline)
        with Shown(self.view("/1.png")) as window:
            turn_until(lambda: window.get_child().get_phase() == RemoteImage.Phase.SUCCESS)
        view = self.view("/never")
        with Shown(view):
            turn_until(lambda: self.server.waiting)
            view.cancel()
        cancellable, ended = Gio.Cancellable(), []
        uri = f"{self.server.base}/never?call"
        self.pipeline.load_texture_async(uri, 0, cancellable, lambda *_: ended.append(1))
        turn_until(lambda: len(self.server.waiting) == 2)
        cancellable.cancel()
        turn_until(lambda: ended)
        self.pipeline.prefetch([f"{self.server.base}/never?prefetch"])
        turn_until(lambda: len(self.server.waiting) == 3)
        self.pipeline.cancel_prefetch()
        self.load("/missing")
        self.assertEqual(self.failures, [("/missing", False, MISSING)])

    def test_a_handler_may_be_connected_after_the_first_load(self):
        self.load("/missing?first")
        self.listen(self.pipeline)
        settle()
        self.load("/missing?second")
        self.assertEqual(self.failures, [("/missing?second", False, MISSING)])

    def test_the_first_look_of_a_view_that_shows_stored_images_is_no_failure(self):
        self.listen(self.pipeline)
        policy = RemoteImage.CachePolicy.STALE_WHILE_REVALIDATE
        view = self.view("/1.png", cache_policy=policy)
        with Shown(view):
            turn_until(lambda: view.get_phase() == RemoteImage.Phase.SUCCESS)
        with Shown(self.view("/missing", cache_policy=policy)):
            turn_until(lambda: self.failures)
        self.load("/missing?last")
        self.assertEqual(self.failures, [("/missing", True, MISSING), ("/missing?last", False, MISSING)])

    def test_addresses_have_no_password(self):
        self.listen(self.pipeline)
        uri = self.server.base.replace("//", "//anna:secret@") + "/missing"
        self.pipeline.prefetch([uri])
        turn_until(lambda: self.failures)
        self.assertEqual(self.failures, [("/missing", False, MISSING)])

    def test_the_first_address_of_several_is_reported(self):
        self.listen(self.pipeline)
        with Shown(self.view("/missing", fallback_uris=[f"{self.server.base}/text"])):
            turn_until(lambda: self.failures)
        self.assertEqual([uri for uri, _, _ in self.failures], ["/missing"])

    def test_texts_that_are_no_addresses_and_sources_without_one(self):
        self.listen(self.pipeline)
        self.pipeline.prefetch(["photo.jpg"])
        turn_until(lambda: self.failures)
        source = RemoteImage.Source.new_for_bytes("mine", GLib.Bytes.new(b"This is no image."))
        self.pipeline.prefetch_sources([source], 0)
        turn_until(lambda: len(self.failures) == 2)
        self.assertEqual(
            self.failures, [("photo.jpg", False, RemoteImage.Error.INVALID_URL), (None, False, NO_IMAGE)]
        )

    def test_the_default_pipeline_reports_the_failures_of_views(self):
        default = RemoteImage.Pipeline.get_default()
        self.listen(default)
        with Shown(RemoteImage.View(uri=f"{self.server.base}/missing")):
            turn_until(lambda: self.failures)
        self.assertEqual(self.failures, [("/missing", True, MISSING)])


if __name__ == "__main__":
    unittest.main(verbosity=2)
