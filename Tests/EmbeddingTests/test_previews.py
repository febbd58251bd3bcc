"""Previews, reserved sizes, and when and how long views load."""

import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import GObject, Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()
server = images.serve()
# The BlurHash is square, the ThumbHash is 32 × 23 pixels.
BLUR_HASH = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
THUMB_HASH = "3OcRJYB4d3h/iIeHeEh3eIhw+j2w"


def is_there(owner):
    return owner.props.phase == RemoteImage.Phase.SUCCESS


def is_loading(view):
    # A view requests no image before it has a size.
    return view.props.phase == RemoteImage.Phase.LOADING and view.get_width() > 0


def has_failed(view):
    return view.props.phase == RemoteImage.Phase.FAILURE


def natural_size(view, width=-1):
    """The natural width of a view, and its height for a width."""
    return (
        view.measure(Gtk.Orientation.HORIZONTAL, -1).natural, view.measure(Gtk.Orientation.VERTICAL, width).natural,
    )  # fmt: skip


class Previews(unittest.TestCase):
    def test_a_blur_hash_is_shown_in_place_of_the_spinner(self):
        for blur_hash, has_child in ((BLUR_HASH, False), (None, True)):
            view = RemoteImage.View(uri=f"{server.base}/never?{has_child}", blur_hash=blur_hash)
            with Shown(view):
                turn_until(lambda: is_loading(view))
                # The view draws images itself, so it has no child then.
                self.assertEqual(view.get_first_child() is not None, has_child)

    def test_a_blur_hash_has_the_aspect_ratio_of_the_program(self):
        paintable = RemoteImage.Paintable(uri=f"{server.base}/never", blur_hash=BLUR_HASH, aspect_ratio=2)
        self.assertEqual(paintable.get_intrinsic_width(), 2 * paintable.get_intrinsic_height())
        self.assertGreater(paintable.get_intrinsic_width(), 0)
        paintable = RemoteImage.Paintable(uri=f"{server.base}/never", blur_hash=BLUR_HASH, aspect_ratio=0.5)
        self.assertEqual(2 * paintable.get_intrinsic_width(), paintable.get_intrinsic_height())
        self.assertGreater(paintable.get_intrinsic_width(), 0)

    def test_a_thumb_hash_takes_precedence_over_a_blur_hash(self):
        paintable = RemoteImage.Paintable(uri=f"{server.base}/never", blur_hash=BLUR_HASH, thumb_hash=THUMB_HASH)
        self.assertNotEqual(paintable.get_intrinsic_width(), paintable.get_intrinsic_height())

    def test_a_hash_that_is_set_after_the_address_replaces_that_of_the_last_image(self):
        # As in a recycled row, whose properties are set in the order of the program.
        paintable = RemoteImage.Paintable(uri=f"{server.base}/never?old", blur_hash=BLUR_HASH)
        paintable.props.uri = f"{server.base}/never?new"
        for blur_hash, thumb_hash, size in (
            (BLUR_HASH, THUMB_HASH, (32, 23)),
            (BLUR_HASH, None, (32, 32)),
            (None, None, (0, 0)),
            (BLUR_HASH, None, (32, 32)),
        ):
            paintable.props.blur_hash, paintable.props.thumb_hash = blur_hash, thumb_hash
            self.assertEqual((paintable.get_intrinsic_width(), paintable.get_intrinsic_height()), size)

    def test_a_paintable_shows_the_first_scans_of_a_progressive_file(self):
        paintable = RemoteImage.Paintable(
            uri=f"{server.base}/half.jpg", previews=RemoteImage.PreviewOptions.PROGRESSIVE)
        changes = []
        paintable.connect("invalidate-contents", lambda _: changes.append(paintable.get_intrinsic_width()))
        turn_until(lambda: paintable.props.texture)
        self.assertEqual(paintable.props.phase, RemoteImage.Phase.LOADING)
        self.assertEqual((changes, paintable.get_intrinsic_height()), ([96], 64))

    def test_an_image_replaces_its_blur_hash(self):
        paintable = RemoteImage.Paintable(uri=f"{server.base}/1.png?blur", blur_hash=BLUR_HASH)
        self.assertEqual(paintable.props.phase, RemoteImage.Phase.LOADING)
        self.assertIsNotNone(paintable.props.texture)
        turn_until(lambda: is_there(paintable))
        self.assertEqual(paintable.props.texture.get_width(), 320)


class ReservedSizes(unittest.TestCase):
    def test_the_height_follows_from_the_width_before_the_image_is_there(self):
        for uri in (None, f"{server.base}/never?ratio"):
            view = RemoteImage.View(uri=uri, aspect_ratio=2, hexpand=True, valign=Gtk.Align.START)
            with Shown(view):
                turn_until(lambda: view.get_width() == 300)
                self.assertEqual(view.get_height(), 150)

    def test_the_size_stays_when_the_image_arrives(self):
        view = RemoteImage.View(aspect_ratio=2, hexpand=True, valign=Gtk.Align.START)
        with Shown(view):
            turn_until(lambda: view.get_width() == 300)
            view.props.uri = f"{server.base}/2.png?ratio"
            turn_until(lambda: is_there(view))
            settle()
            self.assertEqual(natural_size(view, 300)[1], 150)
            view.props.aspect_ratio = 0
            # The image is 320 × 240 pixels.
            self.assertEqual(natural_size(view, 300)[1], 225)

    def test_a_reserved_size_needs_both_sides_or_the_aspect_ratio(self):
        cases = [
            ({"reserved_width": 100, "reserved_height": 50}, (100, 50)),
            ({"reserved_width": 100, "reserved_height": 50, "aspect_ratio": 7}, (100, 50)),
            ({"reserved_width": 100, "aspect_ratio": 4}, (100, 25)),
            ({"reserved_height": 100, "aspect_ratio": 0.5}, (50, 100)),
            ({"reserved_width": 100}, (0, 0)),
            ({"reserved_height": 100}, (0, 0)),
            ({"reserved_width": 32767, "aspect_ratio": 0.0001}, (32767, 1_000_000)),
        ]
        for properties, expected in cases:
            with self.subTest(properties):
                view = RemoteImage.View(**properties)
                with Shown(Gtk.ScrolledWindow(child=view)):
                    self.assertEqual(natural_size(view), expected)


class Loads(unittest.TestCase):
    def test_an_expired_image_is_loaded_again(self):
        pipeline = RemoteImage.Pipeline(disk_cache_limit=0)
        for expiry, count in ((-1, 1), (0, 2)):
            uri = f"{server.base}/3.png?expiry={expiry}"
            path = uri.removeprefix(server.base)
            for _ in range(2):
                view = RemoteImage.View(pipeline=pipeline, uri=uri, expiry=expiry)
                with Shown(view):
                    turn_until(lambda: is_there(view))
                    turn_until(lambda: server.served.count(path) == count or _ == 0)
            self.assertEqual(server.served.count(path), count)

    def test_a_failed_transfer_is_not_retried_without_retries(self):
        view = RemoteImage.View(uri=f"{server.base}/unavailable", max_retries=0)
        with Shown(view):
            turn_until(lambda: has_failed(view))
        self.assertEqual(server.served.count("/unavailable"), 1)

    def test_load_requests_an_image_that_the_options_do_not(self):
        view = RemoteImage.View(uri=f"{server.base}/4.png?load", load_options=0)
        with Shown(view):
            turn_until(lambda: view.get_width() > 0)
            settle()
            self.assertEqual(view.props.phase, RemoteImage.Phase.EMPTY)
            view.load()
            turn_until(lambda: is_there(view))
            view.load()
            settle()
        self.assertEqual(server.served.count("/4.png?load"), 1)

    def test_a_context_menu_has_the_actions_of_the_image(self):
        view = RemoteImage.View(context_menu=True)
        with Shown(view):
            self.assertTrue(view.activate_action("image.copy-address", None))
            view.props.context_menu = False
            self.assertFalse(view.activate_action("image.copy-address", None))

    def test_properties_can_be_set_in_ui_files(self):
        GObject.type_ensure(RemoteImage.View)
        builder = Gtk.Builder.new_from_string(UI, -1)
        view = builder.get_object("view")
        self.assertEqual((view.props.aspect_ratio, view.props.blur_hash), (1.5, BLUR_HASH))
        both = RemoteImage.PreviewOptions.EMBEDDED_THUMBNAIL | RemoteImage.PreviewOptions.PROGRESSIVE
        self.assertEqual((view.props.previews, view.props.playing, view.props.expiry), (both, False, 60))


UI = f"""<interface>
  <object class="RemoteImageView" id="view">
    <property name="aspect-ratio">1.5</property>
    <property name="blur-hash">{BLUR_HASH}</property>
    <property name="previews">embedded-thumbnail|progressive</property>
    <property name="playing">0</property>
    <property name="expiry">60</property>
  </object>
</interface>"""

if __name__ == "__main__":
    unittest.main(verbosity=2)
