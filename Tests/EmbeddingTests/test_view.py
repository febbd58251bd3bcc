"""The widget from Python: properties, signals, .ui files, errors, lists, asynchronous calls, leaks."""

import gc
import os
import shutil
import unittest

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk, RemoteImage

import images
from fixture import Shown, context, settle, turn_until

Gtk.init()
server = images.serve()


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Properties(unittest.TestCase):
    VALUES = {
        "uri": "https://example.org/1.jpg",
        "source": RemoteImage.Source.new_for_uri("https://example.org/1.jpg", None),
        "low-data-uri": "https://example.org/small.jpg",
        "fallback-uris": ["https://example.org/2.jpg", "https://example.org/3.jpg"],
        "identity": "one",
        "headers": ["X-Key: open"],
        "pipeline": RemoteImage.Pipeline.new(),
        "authorization": RemoteImage.Authorization.new("anna"),
        "load-options": RemoteImage.LoadOptions.ON_APPEAR,
        "cache-policy": RemoteImage.CachePolicy.STORED,
        "stored-sizes": False,
        "priority": RemoteImage.Priority.HIGH,
        "max-pixel-size": 512,
        "keep-while-loading": True,
        "transition-duration": 200,
        "content-fit": Gtk.ContentFit.COVER,
        "corner-radius": 8,
        "alternative-text": "A cat",
        "decorative": True,
        "placeholder": Gtk.Label(label="…"),
        "failure": Gtk.Label(label="!"),
        "placeholder-icon-name": "image-x-generic-symbolic",
        "placeholder-icon-size": 24,
        "thumb-hash": "FfYC9Kh4jD+Ah4h3d5ePePiIiA==",
        "blur-hash": "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
        "previews": RemoteImage.PreviewOptions.PROGRESSIVE,
        "aspect-ratio": 1.5,
        "reserved-width": 320,
        "reserved-height": 240,
        "transition-cached": True,
        "processor": RemoteImage.Processor.new_grayscale(),
        "image-scale": 2.0,
        "xalign": 0.0,
        "yalign": 1.0,
        "focus-x": 0.5,
        "focus-y": -0.5,
        "playing": False,
        "context-menu": True,
        "extra-menu": Gio.Menu(),
        "delay": 100,
        "viewport-margin": 0,
        "disappear-delay": 0,
        "release-delay": -1,
        "expiry": 0,
        "show-stored-while-loading": True,
        "timeout": 5,
        "max-retries": 0,
        "wait-for-network": True,
    }

    def test_each_property_is_set_read_and_notified_once(self):
        for name, value in self.VALUES.items():
            with self.subTest(name):
                view, notified = RemoteImage.View(), []
                view.connect(f"notify::{name}", lambda *_: notified.append(1))
                self.assertNotEqual(view.get_property(name), value)
                view.set_property(name, value)
                view.set_property(name, value)
                self.assertEqual(view.get_property(name), value)
                self.assertEqual(len(notified), 1)

    def test_there_are_no_other_properties(self):
        read_only = {"phase", "progress", "error", "status", "texture", "image-width", "image-height", "animated"}
        own = {p.name for p in RemoteImage.View.list_properties() if p.owner_type == RemoteImage.View.__gtype__}
        self.assertEqual(own, set(self.VALUES) | read_only)

    def test_a_focal_point_is_an_alignment(self):
        view, notified = RemoteImage.View(), []
        for name in ("xalign", "yalign", "focus-x", "focus-y"):
            view.connect(f"notify::{name}", lambda _, s: notified.append(s.name))
        # As Mastodon has it: to the right, and near the top.
        view.set_focus_x(0.5)
        view.set_focus_y(0.75)
        self.assertEqual((view.props.xalign, view.props.yalign), (0.75, 0.125))
        self.assertEqual(sorted(notified), ["focus-x", "focus-y", "xalign", "yalign"])
        view.props.xalign = 0
        view.props.yalign = 1
        self.assertEqual((view.props.focus_x, view.props.focus_y), (-1, -1))

    def test_accessors_agree_with_properties(self):
        for name, value in self.VALUES.items():
            with self.subTest(name):
                view, method = RemoteImage.View(), name.replace("-", "_")
                getattr(view, f"set_{method}")(value)
                self.assertEqual(getattr(view, f"get_{method}")(), value)
                self.assertEqual(view.get_property(name), value)


class Loading(unittest.TestCase):
    def test_properties_and_signals_report_a_load(self):
        view = RemoteImage.View(uri=f"{server.base}/1.png")
        phases, loaded, told = [], [], {}
        view.connect("notify::phase", lambda *_: phases.append(view.props.phase))
        for name in ("progress", "error", "status", "texture", "image-width", "image-height"):
            view.connect(f"notify::{name}", lambda _, s: told.setdefault(s.name, []).append(view.get_property(s.name)))
        view.connect("loaded", lambda *_: loaded.append(1))
        self.assertTrue(view.has_css_class("empty"))
        with Shown(view):
            turn_until(lambda: loaded)
            self.assertEqual(phases, [RemoteImage.Phase.LOADING, RemoteImage.Phase.SUCCESS])
            self.assertTrue(view.has_css_class("success") and not view.has_css_class("loading"))
            self.assertEqual((view.props.image_width, view.props.image_height), (320, 240))
            self.assertIsInstance(view.props.texture, Gdk.Texture)
            self.assertEqual(told["texture"], [view.props.texture])
            self.assertEqual((told["image-width"], told["image-height"]), ([320], [240]))
            self.assertEqual((view.props.progress, told["progress"][-1]), (1, 1))
            self.assertNotIn("error", told)
            self.assertEqual(told["status"], [200])
            self.assertIsNone(view.props.error)
            self.assertEqual(view.get_css_name(), "remoteimage")
            view.uri = None
            view.set_uri(None)
            self.assertEqual(view.props.phase, RemoteImage.Phase.EMPTY)
            self.assertEqual((told["texture"][1:], told["image-width"][1:], told["progress"][-1]), ([None], [0], 0))
            view.set_uri(f"{server.base}/missing?told")
            turn_until(lambda: "error" in told)
            self.assertTrue(told["error"][0].matches(RemoteImage.error_quark(), RemoteImage.Error.HTTP_STATUS))
            self.assertEqual(view.get_status(), 404)
            view.set_uri(None)
            self.assertEqual(told["error"][1:], [None])
            self.assertEqual(told["status"], [200, 0, 404, 0])

    def test_a_failure_has_a_domain_a_code_and_a_message(self):
        codes = {"/missing": RemoteImage.Error.HTTP_STATUS, "/text": RemoteImage.Error.NOT_AN_IMAGE}
        for path, code in codes.items():
            view, errors = RemoteImage.View(uri=server.base + path), []
            view.connect("failed", lambda _, error: errors.append(error))
            with Shown(view):
                turn_until(lambda: errors)
                self.assertTrue(errors[0].matches(RemoteImage.error_quark(), code), errors[0])
                self.assertEqual(view.props.error.message, errors[0].message)
                self.assertTrue(view.has_css_class("failure"))

    def test_invalid_and_forbidden_addresses_fail(self):
        for uri, code in (
            ("no address at all", RemoteImage.Error.INVALID_URL),
            ("file:///etc/passwd", RemoteImage.Error.FORBIDDEN_SCHEME),
        ):
            view = RemoteImage.View(uri=uri)
            with Shown(view):
                turn_until(lambda: view.props.error is not None)
                self.assertTrue(view.props.error.matches(RemoteImage.error_quark(), code), uri)

    def test_cancelling_empties_the_view_without_a_failure(self):
        view, failures = RemoteImage.View(uri=f"{server.base}/never"), []
        view.connect("failed", lambda *_: failures.append(1))
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.LOADING)
            view.cancel()
            self.assertEqual(view.props.phase, RemoteImage.Phase.EMPTY)
            settle()
            self.assertEqual(failures, [])

    def test_headers_and_fallbacks(self):
        view = RemoteImage.View(uri=f"{server.base}/secret", headers=["X-Key: open"])
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.SUCCESS)
        view = RemoteImage.View(uri=f"{server.base}/gone", fallback_uris=[f"{server.base}/2.png"])
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.SUCCESS)

    def test_reload_keeps_the_image(self):
        view, loaded = RemoteImage.View(uri=f"{server.base}/3.png"), []
        view.connect("loaded", lambda *_: loaded.append(1))
        with Shown(view):
            turn_until(lambda: loaded)
            count = server.served.count("/3.png")
            view.reload()
            turn_until(lambda: server.served.count("/3.png") > count)

    def shown(self, widget, kind):
        """The mapped widgets of a type."""
        found = [widget] if isinstance(widget, kind) and widget.get_mapped() else []
        child = widget.get_first_child()
        while child:
            found += self.shown(child, kind)
            child = child.get_next_sibling()
        return found

    def test_a_failure_in_a_button_has_no_button(self):
        view = RemoteImage.View(uri=f"{server.base}/missing?button")
        clicks = []
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.FAILURE and self.shown(view, Gtk.Button))
            self.assertTrue(self.shown(view, Gtk.Label))
        view = RemoteImage.View(uri=f"{server.base}/missing?button")
        button = Gtk.Button(child=view, halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER)
        button.connect("clicked", lambda _: clicks.append(view.props.phase) or view.reload())
        with Shown(button):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.FAILURE)
            # Laid out anew for the failure.
            turn_until(lambda: self.shown(view, Gtk.Image) and not self.shown(view, Gtk.Button))
            self.assertEqual(self.shown(view, Gtk.Label), [])
            self.assertEqual(self.shown(view, Gtk.Image)[0].get_tooltip_text(), "The image was not found (404)")
            self.assertLessEqual(button.get_width(), 48)
            count = server.served.count("/missing?button")
            button.emit("clicked")
            turn_until(lambda: server.served.count("/missing?button") > count)
            self.assertEqual(clicks, [RemoteImage.Phase.FAILURE])

    def test_the_icon_of_the_placeholder_has_a_size(self):
        view = RemoteImage.View(placeholder_icon_name="image-missing-symbolic", placeholder_icon_size=64)
        with Shown(view):
            icon = self.shown(view, Gtk.Image)[0]
            self.assertEqual(icon.get_pixel_size(), 64)
            view.props.placeholder_icon_size = 0
            self.assertEqual(self.shown(view, Gtk.Image)[0].get_pixel_size(), -1)


class Interface(unittest.TestCase):
    UI = """<interface><object class="RemoteImageView" id="view">
      <property name="uri">{uri}</property><property name="content-fit">cover</property>
      <property name="load-options">on-appear|lower-priority-on-disappear</property>
      <property name="fallback-uris">https://example.org/a
https://example.org/b</property>
      <child type="placeholder"><object class="GtkLabel" id="wait"/></child>
      <child type="failure"><object class="GtkLabel" id="sorry"/></child>
    </object></interface>"""

    def test_a_ui_file_creates_the_view_and_its_children(self):
        GObject.type_ensure(RemoteImage.View)
        builder = Gtk.Builder.new_from_string(self.UI.format(uri=f"{server.base}/missing"), -1)
        view, wait, sorry = (builder.get_object(name) for name in ("view", "wait", "sorry"))
        self.assertEqual(view.props.content_fit, Gtk.ContentFit.COVER)
        self.assertEqual(view.props.placeholder, wait)
        self.assertEqual(wait.get_parent(), view)
        view.props.fallback_uris = []
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.FAILURE)
            self.assertEqual(sorry.get_parent(), view)
            self.assertIsNone(wait.get_parent())


class Pipelines(unittest.TestCase):
    def call(self, start, finish, *arguments):
        results = []
        start(*arguments, None, lambda _, result: results.append(result))
        turn_until(lambda: results)
        return finish(results[0])

    def test_textures_bytes_and_errors(self):
        pipeline = RemoteImage.Pipeline.new()
        uri = f"{server.base}/4.png"
        self.assertIsNone(pipeline.get_cached_texture(uri, 0))
        texture = self.call(pipeline.load_texture_async, pipeline.load_texture_finish, uri, 0)
        self.assertEqual((texture.get_width(), texture.get_height()), (320, 240))
        self.assertIsNotNone(pipeline.get_cached_texture(uri, 0))
        self.assertGreater(pipeline.get_memory_usage(), 0)
        data = self.call(pipeline.load_bytes_async, pipeline.load_bytes_finish, uri)
        self.assertEqual(data.get_data(), images.image(4))
        with self.assertRaises(GLib.Error) as caught:
            self.call(pipeline.load_texture_async, pipeline.load_texture_finish, f"{server.base}/gone", 0)
        self.assertTrue(caught.exception.matches(RemoteImage.error_quark(), RemoteImage.Error.HTTP_STATUS))
        pipeline.clear_memory()
        self.assertIsNone(pipeline.get_cached_texture(uri, 0))

    def test_a_cancellable_cancels_a_call(self):
        pipeline, cancellable, results = RemoteImage.Pipeline.new(), Gio.Cancellable(), []
        pipeline.load_texture_async(f"{server.base}/never", 0, cancellable, lambda _, r: results.append(r))
        GLib.timeout_add(50, lambda: cancellable.cancel())
        turn_until(lambda: results)
        with self.assertRaises(GLib.Error) as caught:
            pipeline.load_texture_finish(results[0])
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))

    def test_the_disk_store_reports_its_size_and_is_trimmed(self):
        folder = GLib.dir_make_tmp("remote-image-XXXXXX")
        pipeline = RemoteImage.Pipeline(cache_directory=folder, disk_cache_limit=10_000_000)
        self.call(pipeline.load_texture_async, pipeline.load_texture_finish, f"{server.base}/5.png", 0)
        size = lambda: self.call(pipeline.get_disk_usage_async, pipeline.get_disk_usage_finish)
        self.assertGreater(size(), 0)
        self.assertTrue(self.call(pipeline.trim_disk_async, pipeline.trim_disk_finish, 0))
        self.assertEqual(size(), 0)

    def test_a_failed_removal_is_reported(self):
        folder = GLib.dir_make_tmp("remote-image-XXXXXX")
        pipeline, uri = RemoteImage.Pipeline(cache_directory=folder), f"{server.base}/5.png"
        self.call(pipeline.load_texture_async, pipeline.load_texture_finish, uri, 0)
        self.call(pipeline.get_disk_usage_async, pipeline.get_disk_usage_finish)
        [shard] = [entry.path for entry in os.scandir(f"{folder}/v1") if entry.is_dir()]
        shutil.rmtree(shard)
        os.symlink("/", shard)
        for start, finish, arguments in (
            (pipeline.trim_disk_async, pipeline.trim_disk_finish, [0]),
            (pipeline.remove_stored_sizes_async, pipeline.remove_stored_sizes_finish, []),
            (pipeline.remove_async, pipeline.remove_finish, [uri]),
        ):
            with self.assertRaises(GLib.Error) as caught:
                self.call(start, finish, *arguments)
            self.assertTrue(caught.exception.matches(RemoteImage.error_quark(), RemoteImage.Error.IO))


class Lives(unittest.TestCase):
    def test_a_thousand_views_leak_nothing(self):
        def round_of(count):
            gone = []
            for number in range(count):
                view = RemoteImage.View(
                    uri=f"{server.base}/{number % 9}.png?life", placeholder=Gtk.Label(), failure=Gtk.Label()
                )
                view.weak_ref(lambda: gone.append(1))
                if number % 50 == 0:
                    with Shown(view):
                        settle()
                del view
            gc.collect()
            settle()
            return len(gone)

        # The first rounds also fill the caches, at the speed of the machine.
        growths = []
        for _ in range(4):
            before = resident_bytes()
            self.assertEqual(round_of(1000), 1000)
            growths.append(resident_bytes() - before)
        self.assertLess(min(growths), 4 << 20)

    def test_list_rows_are_recycled(self):
        strings = Gtk.StringList.new([f"{server.base}/{n % 9}.png?row={n}" for n in range(500)])
        views = []
        factory = Gtk.SignalListItemFactory()

        def setup(_, item):
            view = RemoteImage.View(width_request=100, height_request=60)
            views.append(view)
            item.set_child(view)

        factory.connect("setup", setup)
        factory.connect("bind", lambda _, item: item.get_child().set_uri(item.get_item().get_string()))
        factory.connect("unbind", lambda _, item: item.get_child().set_uri(None))
        scroller = Gtk.ScrolledWindow(
            child=Gtk.ListView(model=Gtk.NoSelection(model=strings), factory=factory)
        )
        with Shown(scroller):
            turn_until(lambda: any(v.props.phase == RemoteImage.Phase.SUCCESS for v in views))
            adjustment = scroller.get_vadjustment()
            for step in (0.3, 0.7, 1.0):
                adjustment.set_value(step * adjustment.get_upper())
                settle()
            last = f"{server.base}/{499 % 9}.png?row=499"
            turn_until(
                lambda: any(v.get_uri() == last and v.props.phase == RemoteImage.Phase.SUCCESS for v in views)
            )
            self.assertLess(len(views), 300)


if __name__ == "__main__":
    unittest.main(verbosity=2)
