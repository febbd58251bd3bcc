"""The filters of a pipeline from Python: requests that are changed, and responses that are refused."""

import gc
import shutil
import tempfile
import unittest
import weakref

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gio, GLib, Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()


class Filters(unittest.TestCase):
    def setUp(self):
        self.server = images.serve()
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.pipeline = RemoteImage.Pipeline(cache_directory=folder)

    def load(self, path, max_pixel_size=0):
        """Loads an image. Returns its texture or its error."""
        results = []

        def done(pipeline, result):
            try:
                results.append(pipeline.load_texture_finish(result))
            except GLib.Error as error:
                results.append(error)

        self.pipeline.load_texture_async(self.server.base + path, max_pixel_size, None, done)
        turn_until(lambda: results)
        return results[0]

    def assert_fails(self, path, code):
        error = self.load(path)
        self.assertIsInstance(error, GLib.Error)
        self.assertTrue(error.matches(RemoteImage.error_quark(), code), error)
        return error

    def test_a_filter_changes_the_address_and_a_header_later(self):
        seen = []

        def sign(request):
            seen.append((request.get_uri(), request.get_attempt(), request.get_target_width(), request.get_target_height()))
            GLib.timeout_add(20, proceed, request)

        def proceed(request):
            request.set_uri(f"{self.server.base}/secret?signature=1")
            self.assertEqual(request.get_uri(), f"{self.server.base}/secret?signature=1")
            request.set_header("x-key", "open")
            self.assertEqual(request.get_header("X-Key"), "open")
            request.set_header("X-Other", "1")
            request.set_header("X-Other", None)
            self.assertIsNone(request.get_header("X-Other"))
            request.proceed()

        self.pipeline.set_request_filter("signature", "", sign)
        self.assertEqual(self.load("/unsigned", 64).get_width(), 64)
        self.assertEqual(seen, [(f"{self.server.base}/unsigned", 1, 64, 64)])
        self.assertEqual(self.server.served, ["/secret?signature=1"])
        # The image is stored under its own address.
        self.assertIsNotNone(self.pipeline.get_cached_texture(f"{self.server.base}/unsigned", 64))

    def test_an_invalid_address_fails_the_request(self):
        def change(request):
            request.set_uri("no address")
            request.proceed()

        self.pipeline.set_request_filter("address", "", change)
        self.assert_fails("/1.png", RemoteImage.Error.INVALID_URL)
        self.assertEqual(self.server.served, [])

    def test_a_header_with_a_line_break_is_not_set(self):
        def change(request):
            request.set_header("X-Other", "1\r\nX-Key: open")
            self.assertIsNone(request.get_header("X-Other"))
            request.proceed()

        self.pipeline.set_request_filter("header", "", change)
        self.assert_fails("/secret", RemoteImage.Error.HTTP_STATUS)

    def test_an_error_of_a_request_filter_is_the_failure(self):
        def fail(request):
            request.fail(GLib.Error.new_literal(Gio.io_error_quark(), "token hunter2", Gio.IOErrorEnum.FAILED))

        self.pipeline.set_request_filter("failing", "", fail)
        self.assertNotIn("hunter2", self.assert_fails("/1.png", RemoteImage.Error.SOURCE).message)

    def test_a_request_that_is_not_answered_fails(self):
        self.pipeline.set_request_filter("silent", "", lambda request: None)
        self.assert_fails("/1.png", RemoteImage.Error.SOURCE)

    def test_a_filter_learns_the_size_of_the_view(self):
        sizes = []
        self.pipeline.set_request_filter(
            "size", "", lambda request: sizes.append((request.get_target_width(), request.get_target_height())))
        view = RemoteImage.View(
            uri=f"{self.server.base}/1.png", pipeline=self.pipeline, width_request=96, height_request=32,
            halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER)  # fmt: skip
        with Shown(view):
            turn_until(lambda: sizes)
            scale = view.get_scale_factor()
            self.assertEqual(sizes, [(96 * scale, 32 * scale)])

    def test_a_cancelled_load_cancels_its_request(self):
        requests = []
        self.pipeline.set_request_filter("slow", "", requests.append)
        view = RemoteImage.View(uri=f"{self.server.base}/1.png", pipeline=self.pipeline)
        with Shown(view):
            turn_until(lambda: requests)
            view.cancel()
            turn_until(requests[0].get_cancellable().is_cancelled)
            requests[0].proceed()
            settle()
            self.assertEqual(self.server.served, [])

    def test_a_response_is_refused_with_an_error(self):
        def check(response):
            self.assertEqual(response.get_status(), 200)
            self.assertEqual(response.get_attempt(), 1)
            self.assertEqual(response.get_header("content-type"), "image/png")
            self.assertIsNone(response.get_header("X-Missing"))
            self.assertEqual(response.get_bytes().get_data()[1:4], b"PNG")
            if response.get_uri().endswith("/2.png"):
                raise GLib.Error.new_literal(RemoteImage.error_quark(), "", RemoteImage.Error.NOT_AN_IMAGE)
            return True

        self.pipeline.set_response_filter("check", check)
        self.assertEqual(self.load("/1.png").get_width(), images.WIDTH)
        self.assert_fails("/2.png", RemoteImage.Error.NOT_AN_IMAGE)
        # The refused response is not stored.
        self.assert_fails("/2.png", RemoteImage.Error.NOT_AN_IMAGE)
        self.assertEqual(self.server.served, ["/1.png", "/2.png", "/2.png"])

    def test_a_response_that_is_refused_without_an_error_fails(self):
        self.pipeline.set_response_filter("refusal", lambda response: False)
        self.assert_fails("/1.png", RemoteImage.Error.SOURCE)

    def test_filters_are_set_before_the_first_use_and_are_released(self):
        class Filter:
            def __call__(self, request):
                request.proceed()

        released = []
        filters = [Filter(), Filter()]
        for filter in filters:
            weakref.finalize(filter, released.append, True)
        self.pipeline.set_request_filter("first", "", filters[0])
        self.assertEqual(self.load("/1.png").get_width(), images.WIDTH)
        self.pipeline.set_request_filter("second", "", filters[1])
        del filter, filters
        gc.collect()
        turn_until(lambda: len(released) == 1)
        self.pipeline = None
        gc.collect()
        turn_until(lambda: len(released) == 2)

    def test_the_message_of_a_refusal_reaches_the_view(self):
        def refuse(response):
            raise GLib.Error("This picture is not for you", "example-quark", 1)

        self.pipeline.set_response_filter("taste", refuse)
        view = RemoteImage.View(uri=self.server.base + "/1.png", pipeline=self.pipeline)
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.FAILURE)
            self.assertEqual(view.props.error.message, "This picture is not for you")
            self.assertTrue(view.props.error.matches(RemoteImage.error_quark(), RemoteImage.Error.SOURCE))

    def test_a_filter_that_comes_too_late_stops_all_loads(self):
        self.assertEqual(self.load("/1.png").get_width(), images.WIDTH)
        self.pipeline.set_response_filter("late", lambda response: True)
        error = self.assert_fails("/2.png", RemoteImage.Error.SOURCE)
        self.assertEqual(error.message, "The image could not be provided")
        # Neither the server nor the disk cache.
        self.pipeline.clear_memory()
        self.assert_fails("/1.png", RemoteImage.Error.SOURCE)
        self.assertEqual(self.server.served, ["/1.png"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
