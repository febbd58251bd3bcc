"""Remote images in the widgets of a program: when they load, at which size, what is shown instead,
and animations. Also of paintables that widgets draw themselves."""

import gc
import unittest
import weakref

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gdk, GLib, Gtk, RemoteImage

import images
from fixture import Adw, Shown, settle, turn_until

Gtk.init()
SUCCESS, FAILURE = RemoteImage.Phase.SUCCESS, RemoteImage.Phase.FAILURE


def turn_for(milliseconds):
    ended = []
    GLib.timeout_add(milliseconds, ended.append, True)
    turn_until(lambda: ended)


class Changes:
    """Counts the changes of what a paintable draws."""

    def __init__(self, paintable):
        self.count = 0
        paintable.connect("invalidate-contents", self.changed)

    def changed(self, _):
        self.count += 1


class Case(unittest.TestCase):
    def setUp(self):
        self.server = images.serve()
        # Without a disk cache, no test depends on another one.
        self.pipeline = RemoteImage.Pipeline(disk_cache_limit=0)

    def show(self, widget, path, **properties):
        """Makes the image of a widget."""
        uri = path and self.server.base + path
        return RemoteImage.WidgetImage(widget=widget, uri=uri, pipeline=self.pipeline, **properties)


class WidgetImages(Case):
    def scrolled(self, widgets):
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
        for widget in widgets:
            box.append(widget)
        return Gtk.ScrolledWindow(child=box, hscrollbar_policy=Gtk.PolicyType.NEVER)

    def load_of_a_long_list(self, widgets):
        shown = [self.show(widget, f"/{number}.png") for number, widget in enumerate(widgets)]
        scrolled = self.scrolled(widgets)
        with Shown(scrolled):
            turn_until(lambda: shown[0].props.phase == SUCCESS)
            turn_for(500)
            self.assertLessEqual(len(self.server.served), 10)
            self.assertNotIn("/199.png", self.server.served)
            adjustment = scrolled.get_vadjustment()
            adjustment.set_value(adjustment.get_upper())
            turn_until(lambda: shown[-1].props.phase == SUCCESS)
            self.assertLessEqual(len(self.server.served), 20)
            self.assertIsNone(shown[100].props.texture)

    def test_two_hundred_icons_load_when_they_are_visible(self):
        self.load_of_a_long_list([Gtk.Image(pixel_size=48) for _ in range(200)])

    @unittest.skipIf(Adw is None, "libadwaita is not installed")
    def test_two_hundred_avatars_load_when_they_are_visible(self):
        Adw.init()
        self.load_of_a_long_list([Adw.Avatar(size=48, text=f"A {number}", show_initials=True) for number in range(200)])

    def test_an_image_is_decoded_at_the_size_of_its_widget(self):
        picture = Gtk.Picture(content_fit=Gtk.ContentFit.CONTAIN, width_request=60, height_request=60)
        picture.set_halign(Gtk.Align.CENTER)
        picture.set_valign(Gtk.Align.CENTER)
        image = self.show(picture, "/1.png")
        with Shown(picture):
            turn_until(lambda: image.props.phase == SUCCESS)
            scale = picture.get_scale_factor()
            self.assertLessEqual(image.props.texture.get_width(), 120 * scale)
            self.assertEqual((image.props.image_width, image.props.image_height), (images.WIDTH, images.HEIGHT))
            self.assertEqual(image.props.status, 200)

    def assert_icon(self, widget, name):
        self.assertEqual(widget.get_storage_type(), Gtk.ImageType.ICON_NAME)
        self.assertEqual(widget.get_icon_name(), name)

    def test_an_icon_stays_without_an_address_while_it_loads_and_at_404(self):
        icon = Gtk.Image(icon_name="avatar-default-symbolic", pixel_size=32)
        image = self.show(icon, None)
        failures = []
        refused = RemoteImage.error_quark(), RemoteImage.Error.HTTP_STATUS
        image.connect("failed", lambda _, error: failures.append(error.matches(*refused)))
        with Shown(icon):
            settle()
            self.assert_icon(icon, "avatar-default-symbolic")
            image.props.uri = self.server.base + "/never"
            turn_until(lambda: self.server.waiting)
            self.assert_icon(icon, "avatar-default-symbolic")
            image.props.uri = self.server.base + "/missing"
            turn_until(lambda: failures)
            self.assert_icon(icon, "avatar-default-symbolic")
            self.assertEqual(image.props.phase, FAILURE)
            self.assertEqual(image.props.status, 404)
            self.assertEqual(failures, [True])
            # The icon comes back after an image, too.
            image.props.uri = self.server.base + "/2.png"
            turn_until(lambda: image.props.phase == SUCCESS)
            self.assertEqual(icon.get_storage_type(), Gtk.ImageType.PAINTABLE)
            image.props.uri = self.server.base + "/missing"
            turn_until(lambda: len(failures) == 2)
            self.assert_icon(icon, "avatar-default-symbolic")
            image.props.uri = self.server.base + "/2.png"
            turn_until(lambda: image.props.phase == SUCCESS)
            image.props.uri = None
            self.assert_icon(icon, "avatar-default-symbolic")
            self.assertEqual(image.props.phase, RemoteImage.Phase.EMPTY)

    def test_a_placeholder_icon_takes_the_place_of_the_content(self):
        icon = Gtk.Image(icon_name="avatar-default-symbolic")
        image = self.show(icon, None, placeholder_icon_name="image-missing-symbolic")
        with Shown(icon):
            self.assert_icon(icon, "image-missing-symbolic")
            image.props.uri = self.server.base + "/3.png"
            turn_until(lambda: image.props.phase == SUCCESS)
            image.props.uri = self.server.base + "/missing"
            turn_until(lambda: image.props.phase == FAILURE)
            self.assert_icon(icon, "image-missing-symbolic")

    def test_a_picture_shows_its_own_paintable_until_the_image_is_loaded(self):
        bytes_ = GLib.Bytes.new(b"\x10\x20\x30\xff")
        own = Gdk.MemoryTexture.new(1, 1, Gdk.MemoryFormat.R8G8B8A8, bytes_, 4)
        picture = Gtk.Picture(paintable=own)
        image = self.show(picture, "/4.png")
        self.assertEqual(picture.get_paintable(), own)
        with Shown(picture):
            turn_until(lambda: image.props.phase == SUCCESS)
            self.assertNotEqual(picture.get_paintable(), own)
            image.props.uri = None
            self.assertEqual(picture.get_paintable(), own)

    def test_set_image_keeps_the_object_of_a_widget(self):
        icon = Gtk.Image(pixel_size=32)
        image = RemoteImage.set_image(icon, None)
        image.props.pipeline = self.pipeline
        loaded = []
        image.connect("loaded", lambda image: loaded.append(image.props.uri))
        with Shown(icon):
            for name in ("/1.png", "/2.png"):
                self.assertEqual(RemoteImage.set_image(icon, self.server.base + name), image)
                turn_until(lambda: loaded and loaded[-1].endswith(name))
        self.assertEqual(len(loaded), 2)
        self.assertEqual(image.props.widget, icon)
        self.assertEqual(image.get_metrics().get_status(), 200)

    def test_a_source_and_an_address_replace_each_other(self):
        icon = Gtk.Image(
            icon_name="avatar-default-symbolic", pixel_size=32, halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER
        )
        image = RemoteImage.set_image_source(icon, None)
        image.props.pipeline = self.pipeline
        loaded = []
        image.connect("loaded", lambda image: loaded.append(image.props.source))
        source = RemoteImage.Source.new_sized(
            "set", None, lambda pixels: f"{self.server.base}/1.png?{pixels}"
        )
        with Shown(icon):
            self.assertEqual(RemoteImage.set_image_source(icon, source), image)
            turn_until(lambda: loaded)
            self.assertEqual(RemoteImage.set_image(icon, self.server.base + "/2.png"), image)
            turn_until(lambda: len(loaded) == 2)
            RemoteImage.set_image_source(icon, source)
            turn_until(lambda: len(loaded) == 3)
            # The icon of the widget is shown again, not the image of the source.
            RemoteImage.set_image(icon, None)
            self.assertIsNone(image.props.source)
            self.assertEqual(icon.get_icon_name(), "avatar-default-symbolic")
        self.assertEqual(loaded, [source, None, source])
        self.assertEqual(self.server.served, ["/1.png?64", "/2.png"])

    def test_a_load_is_cancelled_and_repeated(self):
        icon = Gtk.Image(pixel_size=32)
        image = self.show(icon, "/never")
        with Shown(icon):
            turn_until(lambda: self.server.waiting)
            image.cancel()
            turn_until(lambda: image.props.phase == RemoteImage.Phase.EMPTY)
            image.reload()
            turn_until(lambda: len(self.server.waiting) == 2)

    def test_a_new_object_of_a_widget_replaces_the_old_one(self):
        icon = Gtk.Image(pixel_size=32)
        old = self.show(icon, "/1.png")
        new = self.show(icon, "/2.png")
        with Shown(icon):
            turn_until(lambda: new.props.phase == SUCCESS)
            self.assertEqual(old.props.phase, RemoteImage.Phase.EMPTY)
            old.props.uri = self.server.base + "/3.png"
            turn_for(100)
        self.assertEqual(self.server.served, ["/2.png"])

    def test_a_new_object_without_an_address_removes_the_image_of_the_old_one(self):
        icon = Gtk.Image(icon_name="avatar-default-symbolic", pixel_size=32)
        old = self.show(icon, "/1.png")
        with Shown(icon):
            turn_until(lambda: old.props.phase == SUCCESS)
            self.assertEqual(RemoteImage.WidgetImage.new(icon, None).props.phase, RemoteImage.Phase.EMPTY)
            self.assert_icon(icon, "avatar-default-symbolic")
            self.assertEqual(old.props.phase, RemoteImage.Phase.EMPTY)

    def test_a_blurred_preview_is_shown_until_the_image_is_loaded(self):
        picture = Gtk.Picture(width_request=60, height_request=30)
        image = self.show(picture, "/never", blur_hash="LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspect_ratio=2)

        def size():
            shown = picture.get_paintable()
            return shown and (shown.get_intrinsic_width(), shown.get_intrinsic_height())

        self.assertEqual(size(), (32, 16))
        with Shown(picture):
            turn_until(lambda: self.server.waiting)
            self.assertEqual((image.props.phase, size()), (RemoteImage.Phase.LOADING, (32, 16)))
            image.props.aspect_ratio = 1
            self.assertEqual(size(), (32, 32))
            image.props.uri = self.server.base + "/missing"
            turn_until(lambda: image.props.phase == FAILURE)
            self.assertIsNone(size())
            image.props.uri = self.server.base + "/1.png"
            turn_until(lambda: image.props.phase == SUCCESS)
            self.assertEqual(size(), (images.WIDTH, images.HEIGHT))

    def test_the_first_scans_of_a_progressive_file_are_shown(self):
        picture = Gtk.Picture(width_request=60, height_request=60)
        image = self.show(picture, "/half.jpg", previews=RemoteImage.PreviewOptions.PROGRESSIVE)
        with Shown(picture):
            turn_until(picture.get_paintable)
            self.assertEqual(image.props.phase, RemoteImage.Phase.LOADING)

    def test_keep_while_loading_keeps_the_image_while_the_next_one_loads(self):
        for keeps in (True, False):
            picture = Gtk.Picture(width_request=60, height_request=60)
            image = self.show(picture, "/1.png", keep_while_loading=keeps)
            with Shown(picture):
                turn_until(lambda: image.props.phase == SUCCESS)
                shown = picture.get_paintable()
                image.props.uri = f"{self.server.base}/never?{keeps}"
                turn_until(lambda: len(self.server.waiting) == (1 if keeps else 2))
                self.assertEqual(picture.get_paintable(), shown if keeps else None)
                image.props.uri = self.server.base + "/missing"
                turn_until(lambda: image.props.phase == FAILURE)
                self.assertIsNone(picture.get_paintable())

    def test_what_makes_no_other_image_loads_nothing(self):
        self.pipeline = RemoteImage.Pipeline(disk_cache_limit=0, memory_cache_limit=0)
        picture = Gtk.Picture(width_request=60, height_request=60)
        image = self.show(picture, "/1.png")
        with Shown(picture):
            turn_until(lambda: image.props.phase == SUCCESS)
            shown = picture.get_paintable()
            image.props.cache_policy = RemoteImage.CachePolicy.RELOAD
            image.props.transition_duration = 100
            image.props.viewport_margin = 10
            self.assertEqual((image.props.phase, picture.get_paintable()), (SUCCESS, shown))
            turn_for(300)
            self.assertEqual(self.server.served, ["/1.png"])
            image.props.uri = self.server.base + "/missing"
            turn_until(lambda: image.props.phase == FAILURE)
            image.props.viewport_margin = 20
            turn_for(300)
            self.assertEqual((image.props.phase, self.server.served.count("/missing")), (FAILURE, 1))

    def test_the_widget_owns_its_image(self):
        icon = Gtk.Image(pixel_size=32)
        gone = weakref.ref(icon)
        image = self.show(icon, "/1.png")
        with Shown(icon):
            turn_until(lambda: image.props.phase == SUCCESS)
        del icon
        gc.collect()
        settle()
        self.assertIsNone(gone())
        # An object that the program holds longer does nothing.
        self.assertIsNone(image.props.widget)
        image.props.uri = self.server.base + "/2.png"
        image.reload()
        settle()

    def test_a_property_is_named(self):
        picture = Gtk.Picture()
        image = RemoteImage.WidgetImage.new(picture, "paintable")
        image.props.pipeline, image.props.uri = self.pipeline, self.server.base + "/5.png"
        self.assertEqual(image.props.property_name, "paintable")
        with Shown(picture):
            turn_until(lambda: picture.get_paintable())

    def test_a_ui_file_declares_the_image_of_a_widget(self):
        builder = Gtk.Builder.new_from_string(
            "<interface><object class='GtkImage' id='icon'><property name='icon-name'>user-info</property></object>"
            "<object class='RemoteImageWidgetImage' id='image'><property name='widget'>icon</property>"
            f"<property name='uri'>{self.server.base}/6.png</property></object></interface>", -1)  # fmt: skip
        icon = builder.get_object("icon")
        with Shown(icon):
            turn_until(lambda: icon.get_storage_type() == Gtk.ImageType.PAINTABLE)


class Animations(Case):
    def test_an_emoji_in_an_image_plays_while_it_is_visible(self):
        emoji = Gtk.Image(pixel_size=24)
        image = self.show(emoji, "/animation.gif")
        window = Gtk.Window(child=emoji)
        window.present()
        turn_until(lambda: image.props.phase == SUCCESS)
        self.assertTrue(image.props.animated)
        changes = Changes(emoji.get_paintable())
        turn_until(lambda: changes.count >= 3)
        image.props.playing = False
        settle()
        before = changes.count
        turn_for(400)
        self.assertLessEqual(changes.count, before + 1)
        image.props.playing = True
        turn_until(lambda: changes.count >= before + 4)
        window.destroy()

    def paintable(self, path):
        return RemoteImage.Paintable(uri=self.server.base + path, pipeline=self.pipeline)

    def plays_in(self, widget, paintable):
        """Shows the widget below others that fill the window, and looks when the paintable moves."""
        changes = Changes(paintable)
        spacer = Gtk.Box(height_request=3000)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.append(widget)
        box.append(spacer)
        scrolled = Gtk.ScrolledWindow(child=box)
        with Shown(scrolled):
            turn_until(lambda: paintable.props.phase == SUCCESS)
            turn_until(lambda: changes.count >= 4)
            scrolled.get_vadjustment().set_value(2500)
            turn_for(300)
            before = changes.count
            turn_for(500)
            self.assertLessEqual(changes.count, before + 1)
            scrolled.get_vadjustment().set_value(0)
            turn_until(lambda: changes.count >= before + 4)
            widget.set_visible(False)
            turn_for(300)
            before = changes.count
            turn_for(500)
            self.assertLessEqual(changes.count, before + 1)

    def test_a_paintable_plays_in_a_visible_picture(self):
        paintable = self.paintable("/animation.gif")
        self.plays_in(Gtk.Picture(paintable=paintable, height_request=64, can_shrink=True), paintable)

    def test_a_paintable_plays_in_a_visible_image(self):
        paintable = self.paintable("/animation.gif")
        self.plays_in(Gtk.Image(paintable=paintable, pixel_size=32), paintable)

    def test_a_paintable_without_a_widget_does_not_play(self):
        paintable = self.paintable("/animation.gif")
        turn_until(lambda: paintable.props.phase == SUCCESS)
        changes = Changes(paintable)
        turn_for(400)
        self.assertEqual(changes.count, 0)

    def test_a_bound_paintable_plays(self):
        paintable, picture = self.paintable("/animation.gif"), Gtk.Picture(height_request=64)
        paintable.bind_widget(picture, "paintable")
        with Shown(picture):
            turn_until(picture.get_paintable)
            changes = Changes(picture.get_paintable())
            turn_until(lambda: changes.count >= 4)
            picture.set_visible(False)
            turn_for(300)
            before = changes.count
            turn_for(300)
            self.assertLessEqual(changes.count, before + 1)

    def test_a_paintable_moves_to_another_widget(self):
        paintable = self.paintable("/animation.gif")
        first, second = Gtk.Picture(paintable=paintable), Gtk.Picture()
        box = Gtk.Box(homogeneous=True)
        box.append(first)
        box.append(second)
        changes = Changes(paintable)
        with Shown(box):
            turn_until(lambda: changes.count >= 4)
            first.set_paintable(None)
            turn_for(800)
            before = changes.count
            turn_for(400)
            self.assertLessEqual(changes.count, before + 1)
            second.set_paintable(paintable)
            turn_until(lambda: changes.count >= before + 4)

    def test_a_paintable_reports_the_ends_of_its_loads(self):
        ends = []
        paintable = RemoteImage.Paintable(pipeline=self.pipeline)
        paintable.connect("loaded", lambda paintable: ends.append(paintable.props.status))
        paintable.connect("failed", lambda paintable, error: ends.append((paintable.props.status, error.message)))
        paintable.props.uri = self.server.base + "/1.png"
        turn_until(lambda: ends)
        paintable.props.uri = self.server.base + "/missing"
        turn_until(lambda: len(ends) == 2)
        self.assertEqual(ends, [200, (404, "The image was not found (404)")])
        metrics = paintable.get_metrics()
        self.assertEqual((metrics.get_status(), metrics.get_uri()), (404, self.server.base + "/missing"))
        self.assertGreaterEqual(metrics.get_transfer_time(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
