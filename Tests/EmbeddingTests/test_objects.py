"""The paintable and the properties of the pipeline."""

import gc
import threading
import unittest

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gdk, Gio, Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()
server = images.serve()

PAINTABLE = {
    "uri": "https://example.org/1.jpg",
    "source": RemoteImage.Source.new_for_uri("https://example.org/1.jpg", None),
    "low-data-uri": "https://example.org/small.jpg",
    "fallback-uris": ["https://example.org/2.jpg"],
    "identity": "one",
    "headers": ["X-Key: open"],
    "pipeline": RemoteImage.Pipeline.new(),
    "authorization": RemoteImage.Authorization.new("anna"),
    "cache-policy": RemoteImage.CachePolicy.STORED_ONLY,
    "stored-sizes": False,
    "priority": RemoteImage.Priority.HIGH,
    "max-pixel-size": 512,
    "keep-while-loading": True,
    "thumb-hash": "FfYC9Kh4jD+Ah4h3d5ePePiIiA==",
    "blur-hash": "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
    "aspect-ratio": 1.5,
    "previews": RemoteImage.PreviewOptions.PROGRESSIVE,
    "processor": RemoteImage.Processor.new_circle(),
    "image-scale": 2.0,
    "expiry": 60,
    "show-stored-while-loading": True,
    "timeout": 5,
    "max-retries": 0,
    "wait-for-network": True,
    "release-delay": -1,
}
PIPELINE = {
    "cache-directory": "/nowhere",
    "disk-cache-limit": 1 << 40,
    "memory-cache-limit": 1 << 20,
    "user-agent": "Photos/1.0",
    "headers": ["Accept-Language: de"],
    "authorization": RemoteImage.Authorization.new("anna"),
    "max-transfers": 3,
    "max-transfers-per-host": 2,
    "max-body-size": 1 << 20,
    "max-pixels": 1 << 20,
    "timeout": 5,
    "block-private-networks": True,
    "isolation": RemoteImage.Isolation.REQUIRED,
    "stored-sizes": False,
    "proxy": "none",
}
SIZE_OPTIONS = {
    "crop": RemoteImage.ServerCrop.SMART,
    "aspect-ratio": 1.5,
    "largest": 1000,
    "dpr": 2,
    "format": "webp",
    "quality": "gray",
    "filters": ["format(webp)"],
    "plain-address": True,
}
OUTCOME = {"phase", "progress", "error", "status", "texture", "image-width", "image-height", "animated"}


class Properties(unittest.TestCase):
    def test_each_property_is_set_read_and_notified_once(self):
        for kind, values in (
            (RemoteImage.Paintable, PAINTABLE), (RemoteImage.Pipeline, PIPELINE),
            (RemoteImage.SizeOptions, SIZE_OPTIONS),
        ):  # fmt: skip
            for name, value in values.items():
                with self.subTest(f"{kind.__name__}.{name}"):
                    owner, notified = kind(), []
                    owner.connect(f"notify::{name}", lambda *_: notified.append(1))
                    self.assertNotEqual(owner.get_property(name), value)
                    owner.set_property(name, value)
                    owner.set_property(name, value)
                    self.assertEqual(owner.get_property(name), value)
                    self.assertEqual(len(notified), 1)

    def test_there_are_no_other_properties(self):
        for kind, names in (
            (RemoteImage.Paintable, set(PAINTABLE) | OUTCOME), (RemoteImage.Pipeline, set(PIPELINE)),
            (RemoteImage.SizeOptions, set(SIZE_OPTIONS)),
        ):  # fmt: skip
            own = {p.name for p in kind.list_properties() if p.owner_type == kind.__gtype__}
            self.assertEqual(own, names)


class Paintable(unittest.TestCase):
    def test_a_loaded_image_has_its_size_and_texture(self):
        paintable, sizes = RemoteImage.Paintable(uri=f"{server.base}/6.png"), []
        paintable.connect("invalidate-size", lambda *_: sizes.append(paintable.get_intrinsic_width()))
        turn_until(lambda: paintable.props.phase == RemoteImage.Phase.SUCCESS)
        self.assertEqual(sizes[-1], 320)
        self.assertIsInstance(paintable.get_current_image(), Gdk.Texture)
        self.assertEqual((paintable.props.image_width, paintable.props.image_height), (320, 240))

    def test_a_gtk_picture_has_the_size_of_the_paintable(self):
        paintable = RemoteImage.Paintable(uri=f"{server.base}/7.png")
        image = Gtk.Picture(paintable=paintable, can_shrink=False)
        with Shown(image):
            turn_until(lambda: image.measure(Gtk.Orientation.HORIZONTAL, -1).minimum == 320)

    def test_a_failed_load_sets_the_error(self):
        paintable, notified = RemoteImage.Paintable(uri=f"{server.base}/missing?paintable"), []
        paintable.connect("notify::error", lambda *_: notified.append(paintable.props.error))
        turn_until(lambda: notified)
        self.assertTrue(notified[0].matches(RemoteImage.error_quark(), RemoteImage.Error.HTTP_STATUS))
        self.assertEqual(paintable.props.phase, RemoteImage.Phase.FAILURE)

    def test_a_cancelled_paintable_can_be_reloaded(self):
        paintable = RemoteImage.Paintable(uri=f"{server.base}/never?paintable")
        turn_until(lambda: paintable.props.phase == RemoteImage.Phase.LOADING)
        paintable.cancel()
        settle()
        self.assertEqual(paintable.props.phase, RemoteImage.Phase.EMPTY)
        self.assertIsNone(paintable.props.error)
        paintable.reload()
        self.assertEqual(paintable.props.phase, RemoteImage.Phase.LOADING)

    def test_unchanged_properties_are_not_notified(self):
        paintable, notified = RemoteImage.Paintable(uri=f"{server.base}/8.png?paintable"), []
        turn_until(lambda: paintable.props.phase == RemoteImage.Phase.SUCCESS)
        paintable.connect("notify", lambda _, spec: notified.append(spec.name))
        paintable.props.priority = RemoteImage.Priority.HIGH
        self.assertEqual(notified, ["priority"])


class LastReference(unittest.TestCase):
    """Python's cycle collector runs on any thread that allocates."""

    def test_an_object_collected_on_another_thread_is_freed_on_the_main_thread(self):
        for kind in (
            RemoteImage.Paintable, RemoteImage.Pipeline, RemoteImage.Processor, RemoteImage.View, RemoteImage.Source,
            RemoteImage.SizeOptions, RemoteImage.ByteRequest,
        ):  # fmt: skip
            with self.subTest(kind.__name__):
                owner, ended = kind(), []
                if kind in (RemoteImage.Paintable, RemoteImage.View):
                    owner.props.uri = f"{server.base}/never?collected"
                owner.weak_ref(lambda: ended.append(threading.current_thread()))
                cycle = [owner]
                cycle.append(cycle)
                gc.disable()
                del owner, cycle
                collector = threading.Thread(target=gc.collect)
                collector.start()
                collector.join()
                gc.enable()
                turn_until(lambda: ended)
                self.assertIs(ended[0], threading.main_thread())


class Version(unittest.TestCase):
    def test_the_numbers_are_those_of_the_library(self):
        numbers = RemoteImage.MAJOR_VERSION, RemoteImage.MINOR_VERSION, RemoteImage.MICRO_VERSION
        # As in `program RemoteImage/VERSION`, where VERSION may have a part after a hyphen.
        used = RemoteImage.Pipeline().props.user_agent.split("RemoteImage/")[1].split("-")[0]
        self.assertEqual(".".join(map(str, numbers)), used)


class Pipeline(unittest.TestCase):
    def test_properties_read_as_the_values_in_use(self):
        pipeline = RemoteImage.Pipeline()
        self.assertRegex(pipeline.props.cache_directory, "^/.*/remote-images$")
        used = pipeline.props.user_agent
        self.assertIn("RemoteImage/", used)
        pipeline.props.user_agent = "Photos/1.0"
        pipeline.props.cache_directory = "/nowhere"
        self.assertEqual((pipeline.props.user_agent, pipeline.props.cache_directory), ("Photos/1.0", "/nowhere"))
        pipeline.props.user_agent = None
        self.assertEqual(pipeline.props.user_agent, used)

    def test_max_transfers_sets_the_number_of_concurrent_transfers(self):
        pipeline = RemoteImage.Pipeline(max_transfers=20, max_transfers_per_host=20)
        cancellable, ended = Gio.Cancellable(), []
        paths = {f"/never?transfer={number}" for number in range(24)}
        for path in paths:
            pipeline.load_bytes_async(server.base + path, cancellable, lambda _, result: ended.append(result))
        turn_until(lambda: len(paths & set(server.waiting)) >= 20)
        cancellable.cancel()
        turn_until(lambda: len(ended) == len(paths))


if __name__ == "__main__":
    unittest.main(verbosity=2)
