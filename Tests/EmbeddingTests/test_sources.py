"""Sources: addresses, files, bytes, and images in several sizes."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gio, GLib, Gtk, RemoteImage

import images
from fixture import Shown, turn_until

Gtk.init()

# Images are stored under the names that the tests give them, so each run needs a cache of its own.
cache = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = cache.name

LYING = {"@context": "", "protocol": "http://iiif.io/api/image", "width": 600, "height": 400, "profile": "level0"}


class Handler(images.Handler):
    """Answers with images, and with descriptions of images of the IIIF Image API."""

    def do_GET(self):
        if self.path == "/iiif/page/info.json":
            return self.answer(
                200, "application/json",
                json.dumps(LYING | {"id": "http://evil.example", "sizes": [{"width": 150, "height": 100}]}).encode(),
            )  # fmt: skip
        if self.path == "/iiif/liar/info.json":
            return self.answer(
                200, "application/json", json.dumps(LYING | {"sizes": [{"width": 900, "height": 600}]}).encode()
            )
        if self.path.startswith("/iiif/"):
            return self.answer(200, "image/png", images.image(1))
        super().do_GET()


server = images.serve(Handler)
Source = RemoteImage.Source


def result_of(start, *arguments, finish):
    """The result of an asynchronous function, or its error."""
    results = []
    start(*arguments, None, lambda _, result: results.append(result))
    turn_until(lambda: results)
    return finish(results[0])


def load(source, pixels=0, pipeline=None):
    pipeline = pipeline or RemoteImage.Pipeline.new()
    return result_of(
        pipeline.load_source_texture_async, source, pixels, finish=pipeline.load_source_texture_finish
    )


def requested(source, pixels=0):
    """The path that the server is asked for, whatever its response."""
    before = len(server.served)
    try:
        load(source, pixels)
    except GLib.Error as error:
        assert error.matches(RemoteImage.error_quark(), RemoteImage.Error.HTTP_STATUS), error
    return server.served[before:]


class Origins(unittest.TestCase):
    def assertFails(self, code, source):
        with self.assertRaises(GLib.Error) as caught:
            load(source)
        error = caught.exception
        self.assertTrue(error.matches(RemoteImage.error_quark(), code), error)

    def test_bytes_are_an_image(self):
        source = Source.new_for_bytes("picture 1", GLib.Bytes.new(images.image(1)))
        self.assertEqual(source.get_identity(), "picture 1")
        self.assertEqual(load(source).get_width(), 320)

    def test_bytes_that_are_no_image_fail(self):
        self.assertFails(RemoteImage.Error.NOT_AN_IMAGE, Source.new_for_bytes("none", GLib.Bytes.new(b"none")))
        self.assertFails(RemoteImage.Error.EMPTY_BODY, Source.new_for_bytes("empty", GLib.Bytes.new(b"")))

    def test_a_file_is_an_image(self):
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            file.write(images.image(2))
            file.flush()
            self.assertEqual(load(Source.new_for_file(Gio.File.new_for_path(file.name))).get_height(), 240)

    def test_the_name_of_a_file_need_not_be_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder.encode() + b"/\xe4.png"
            with open(path, "wb") as file:
                file.write(images.image(2))
            source = Source.new_for_file(Gio.File.new_for_uri(f"file://{folder}/%E4.png"))
            self.assertEqual(load(source).get_height(), 240)

    def test_a_file_without_a_local_path_fails(self):
        self.assertFails(
            RemoteImage.Error.FORBIDDEN_SCHEME, Source.new_for_file(Gio.File.new_for_uri("nowhere://a/b"))
        )

    def test_an_invalid_address_fails(self):
        for uri, code in (("", "INVALID_URL"), ("no address", "INVALID_URL"), ("file:///etc/passwd", "FORBIDDEN_SCHEME")):
            self.assertFails(getattr(RemoteImage.Error, code), Source.new_for_uri(uri, None))

    def test_sources_with_one_identity_share_an_image(self):
        pipeline = RemoteImage.Pipeline.new()
        for signature in (1, 2):
            load(Source.new_for_uri(f"{server.base}/2.png?shared={signature}", "shared"), pipeline=pipeline)
            plain = Source.new_for_uri(f"{server.base}/3.png?a=b&shared={signature}", None)
            load(plain.ignoring_query_items(["shared"]), pipeline=pipeline)
        self.assertEqual([path for path in server.served if "shared=2" in path], [])

    def test_the_identity_of_an_address_hides_its_password(self):
        source = Source.new_for_uri("https://ann:secret@example.org/a.png", None)
        self.assertNotIn("secret", source.get_identity() + source.to_string())

    def test_fallbacks_are_tried_in_order(self):
        sources = [Source.new_for_uri(f"{server.base}/{name}", None) for name in ("missing?fallback", "4.png?fallback")]
        self.assertEqual(requested(Source.new_fallbacks(sources)), ["/missing?fallback", "/4.png?fallback"])
        self.assertFails(RemoteImage.Error.HTTP_STATUS, Source.new_fallbacks(sources[:1]))

    def test_an_adaptive_source_loads_its_regular_image(self):
        sources = [Source.new_for_uri(f"{server.base}/5.png?{name}", None) for name in ("regular", "low")]
        self.assertEqual(requested(Source.new_adaptive(*sources)), ["/5.png?regular"])

    def test_the_bytes_of_a_source_are_loaded(self):
        pipeline = RemoteImage.Pipeline.new()
        source = Source.new_for_uri(f"{server.base}/6.png?bytes", None)
        loaded = result_of(
            pipeline.load_source_bytes_async, source, finish=pipeline.load_source_bytes_finish
        )
        self.assertEqual(loaded.get_data(), images.image(6))

    def test_a_view_shows_a_prefetched_source_immediately(self):
        pipeline = RemoteImage.Pipeline.new()
        uri = f"{server.base}/7.png?prefetched-source"
        pipeline.prefetch_sources([Source.new_for_uri(uri, None)], 0)
        turn_until(lambda: pipeline.get_cached_texture(uri, 0))
        view = RemoteImage.View(pipeline=pipeline, source=Source.new_for_uri(uri, None))
        with Shown(view):
            self.assertEqual(view.props.phase, RemoteImage.Phase.SUCCESS)


class Properties(unittest.TestCase):
    def test_a_source_and_an_address_replace_each_other(self):
        for kind in (RemoteImage.View, RemoteImage.Paintable):
            owner, notified = kind(), []
            for name in ("uri", "source"):
                owner.connect(f"notify::{name}", lambda _, spec: notified.append(spec.name))
            source = Source.new_for_uri(f"{server.base}/1.png?replaced", None)
            owner.props.uri = f"{server.base}/2.png"
            owner.props.source = source
            self.assertIsNone(owner.props.uri)
            self.assertIs(owner.props.source, source)
            owner.props.uri = f"{server.base}/2.png"
            self.assertIsNone(owner.props.source)
            owner.props.source = None
            self.assertEqual(owner.props.uri, f"{server.base}/2.png")
            self.assertEqual(sorted(notified), ["source"] * 2 + ["uri"] * 3)

    def test_a_view_and_a_paintable_show_their_source(self):
        source = Source.new_for_bytes("shown", GLib.Bytes.new(images.image(3)))
        view, paintable = RemoteImage.View(source=source), RemoteImage.Paintable(source=source)
        with Shown(view):
            turn_until(lambda: RemoteImage.Phase.SUCCESS == view.props.phase == paintable.props.phase)
            view.props.source = None
            self.assertEqual(view.props.phase, RemoteImage.Phase.EMPTY)


class Sizes(unittest.TestCase):
    def test_the_function_is_called_once_for_each_step(self):
        steps = []
        Source.new_sized("steps", None, lambda pixels: steps.append(pixels))
        self.assertEqual(steps, [64, 96, 144, 216, 324, 486, 729, 1094, 1641, 2462, 3693])
        steps.clear()
        Source.new_sized("steps", RemoteImage.SizeOptions(largest=100), lambda pixels: steps.append(pixels))
        self.assertEqual(steps, [64, 96, 100])

    def test_the_pixels_choose_the_step(self):
        # Each image has its own name, since a step that is stored is not requested again.
        for wanted, step in ((1, 64), (64, 64), (200, 216), (5000, 3693), (0, 3693)):
            name = f"/1.png?wanted={wanted}&pixels="
            source = Source.new_sized(name, None, lambda pixels: f"{server.base}{name}{pixels}")
            self.assertEqual(requested(source, wanted), [f"{name}{step}"])

    def test_a_size_without_an_address_fails(self):
        source = Source.new_sized("none", None, lambda pixels: None)
        with self.assertRaises(GLib.Error) as caught:
            load(source, 100)
        self.assertTrue(caught.exception.matches(RemoteImage.error_quark(), RemoteImage.Error.SOURCE))

    def test_a_view_loads_more_pixels_at_a_larger_scale(self):
        for scale, step in ((1, 216), (2, 324)):
            environment = os.environ | {"GDK_SCALE": str(scale)}
            done = subprocess.run(
                [sys.executable, __file__, "scale"], capture_output=True, text=True, timeout=60, env=environment
            )
            self.assertEqual(done.stdout.strip(), f"/1.png?scale={step}", done.stderr)

    def test_a_template_has_the_size_and_the_pixels_per_point(self):
        options = RemoteImage.SizeOptions(aspect_ratio=2, dpr=2, largest=216)
        source = Source.new_template(server.base + "/1.png?w={width}&h={height}&d={dpr}", None, options)
        self.assertEqual(requested(source), ["/1.png?w=108&h=54&d=2"])
        with self.assertRaises(GLib.Error):
            load(Source.new_template(server.base + "/1.png", None, None))

    def test_candidates_are_chosen_by_their_width(self):
        uris = [f"{server.base}/1.png?width={width}" for width in (100, 200, 400)]
        source = Source.new_candidates(uris, [100, 200, 400], 1)
        for wanted, width in ((90, 100), (150, 200), (0, 400)):
            self.assertEqual(requested(source, wanted), [f"/1.png?width={width}"])

    def test_a_srcset_refers_to_its_document(self):
        source = Source.new_srcset("1.png?set=100 100w, /1.png?set=200 200w", None, f"{server.base}/page.html", 0, 1)
        self.assertEqual(requested(source, 90), ["/1.png?set=100"])
        self.assertEqual(requested(source, 150), ["/1.png?set=200"])
        dense = Source.new_srcset("2.png 2x", "1.png", f"{server.base}/", 100, 1)
        self.assertEqual(requested(dense, 90), ["/1.png"])
        self.assertEqual(requested(dense, 190), ["/2.png"])

    def test_a_srcset_of_a_megabyte_loads(self):
        text = ", ".join(f"{server.base}/1.png?huge={number} {number}w" for number in range(1, 30_000))
        self.assertGreater(len(text), 1_000_000)
        self.assertEqual(requested(Source.new_srcset(text, None, None, 0, 1), 150), ["/1.png?huge=150"])
        with self.assertRaises(GLib.Error):
            load(Source.new_srcset("(" * 1_000_000, None, None, 0, 0))

    def test_the_sizes_attribute_gives_a_width(self):
        self.assertEqual(Source.get_sizes_width("(max-width: 600px) 100vw, 50vw", 800, 600), 400)
        self.assertEqual(Source.get_sizes_width("", 800, 600), 800)


class Services(unittest.TestCase):
    """The same addresses as in the tests of the Swift types."""

    def test_thumbor(self):
        options = RemoteImage.SizeOptions(filters=["format(webp)", "quality(80)"], largest=64)
        source = Source.new_thumbor(server.base, None, "a.jpg", options)
        self.assertEqual(requested(source), ["/unsafe/fit-in/64x64/filters:format(webp):quality(80)/a.jpg"])
        options = RemoteImage.SizeOptions(crop=RemoteImage.ServerCrop.CENTER, aspect_ratio=1.5, largest=300)
        path = "my.server.com/some/path/to/image.jpg"
        signed = Source.new_thumbor(server.base, "my-security-key", path, options)
        self.assertEqual(requested(signed), [f"/8ammJH8D-7tXy6kU3lTvoXlhu4o=/300x200/{path}"])

    def test_imgproxy(self):
        key = "943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881"
        salt = "520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5"
        original = "http://img.example.com/pretty/image.jpg"
        options = RemoteImage.SizeOptions(plain_address=True, largest=300)
        self.assertEqual(
            requested(Source.new_imgproxy(server.base, key, salt, original, options)),
            [f"/kwECrnj4MalTJxzMPlMh5eedH79nZ_UP42PfCaotoQk/rs:fit:300:300:0/plain/{original}"],
        )
        options = RemoteImage.SizeOptions(format="webp", largest=216)
        self.assertEqual(
            requested(Source.new_imgproxy(server.base, None, None, original, options)),
            ["/unsafe/rs:fit:216:216:0/aHR0cDovL2ltZy5leGFtcGxlLmNvbS9wcmV0dHkvaW1hZ2UuanBn.webp"],
        )

    def test_iiif(self):
        options = RemoteImage.SizeOptions(quality="gray", format="png", largest=64)
        source = Source.new_iiif(f"{server.base}/iiif/page-7/", options)
        self.assertEqual(requested(source), ["/iiif/page-7/full/!64,64/0/gray.png"])

    def test_matrix(self):
        options = RemoteImage.SizeOptions(crop=RemoteImage.ServerCrop.CENTER, aspect_ratio=2)
        source = Source.new_matrix(server.base, "mxc://example.org/a", options)
        media = "/_matrix/client/v1/media"
        self.assertEqual(
            requested(source, 160), [f"{media}/thumbnail/example.org/a?width=216&height=108&method=crop"]
        )
        self.assertEqual(requested(source), [f"{media}/download/example.org/a"])
        original = Source.new_matrix_original(server.base, "mxc://example.org/b")
        self.assertEqual(requested(original), [f"{media}/download/example.org/b"])
        with self.assertRaises(GLib.Error) as caught:
            load(Source.new_matrix(server.base, "mxc://../..", None))
        self.assertTrue(caught.exception.matches(RemoteImage.error_quark(), RemoteImage.Error.INVALID_URL))


class Descriptions(unittest.TestCase):
    """Sources for which `info.json` is loaded."""

    def describe(self, name):
        pipeline = RemoteImage.Pipeline.new()
        return result_of(
            pipeline.load_iiif_source_async, f"{server.base}/iiif/{name}", None,
            finish=pipeline.load_iiif_source_finish,
        )  # fmt: skip

    def test_the_sizes_of_a_description_are_used_and_its_address_is_not(self):
        source = self.describe("page")
        self.assertEqual(requested(source, 90), ["/iiif/page/full/150,100/0/default.jpg"])
        self.assertEqual(requested(source), ["/iiif/page/full/max/0/default.jpg"])

    def test_a_description_that_contradicts_itself_fails(self):
        for name, code in (("liar", RemoteImage.Error.PROTOCOL), ("none", RemoteImage.Error.PROTOCOL)):
            with self.assertRaises(GLib.Error) as caught:
                self.describe(name)
            self.assertTrue(caught.exception.matches(RemoteImage.error_quark(), code), caught.exception)


def show_at_scale():
    """Prints the first path that a view of 160 points requests."""
    source = Source.new_sized("scale", None, lambda pixels: f"{server.base}/1.png?scale={pixels}")
    view = RemoteImage.View(
        source=source, width_request=160, height_request=160, halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER
    )
    with Shown(view):
        turn_until(lambda: server.served)
    print(server.served[0])


if __name__ == "__main__":
    if sys.argv[1:] == ["scale"]:
        show_at_scale()
    else:
        unittest.main(verbosity=2)
