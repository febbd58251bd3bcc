"""Processors, the scale of images, and which images are animated."""

import unittest

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gdk, Gtk, RemoteImage

import images
from fixture import Shown, turn_until

Gtk.init()
server = images.serve()
Processor = RemoteImage.Processor


def is_there(view):
    return view.props.phase == RemoteImage.Phase.SUCCESS


def pixel(texture):
    """Red, green and blue of the first pixel of a texture, by way of an uncompressed TIFF file."""
    data = texture.save_to_tiff_bytes().get_data()
    order = "little" if data[:2] == b"II" else "big"
    entries = int.from_bytes(data[4:8], order)
    fields = {}
    for number in range(int.from_bytes(data[entries : entries + 2], order)):
        start = entries + 2 + 12 * number
        size = 2 if int.from_bytes(data[start + 2 : start + 4], order) == 3 else 4
        fields[int.from_bytes(data[start : start + 2], order)] = int.from_bytes(data[start + 8 : start + 8 + size], order)
    return tuple(data[fields[273] : fields[273] + 3])


class Processors(unittest.TestCase):
    def test_constructors_need_no_more_than_their_values(self):
        blue, area = Gdk.RGBA(), Gdk.Rectangle()
        blue.parse("blue")
        area.width, area.height = 20, 10
        texts = {
            Processor.new_resize(320, 200, Gtk.ContentFit.COVER, True): "resize(320x200,cover,enlarges)",
            Processor.new_crop(20, 10, Gdk.Gravity.SOUTH_EAST): "crop(20x10,bottomRight)",
            Processor.new_crop_area(area): "crop(0,0,20x10)",
            Processor.new_circle(): "circle()",
            Processor.new_circle_with_border(2, blue): "circle(2.0,#0000ffff)",
            Processor.new_rounded(8): "roundedCorners(8.0)",
            Processor.new_rounded_with_border(8, 1, blue): "roundedCorners(8.0,1.0,#0000ffff)",
            Processor.new_blur(4): "gaussianBlur(4.0)",
            Processor.new_grayscale(): "grayscale",
            Processor.new_tint(blue): "tint(#0000ffff)",
            Processor.new_composition([Processor.new_grayscale(), Processor.new_circle()]): "grayscale, circle()",
            Processor.new_composition([]): "",
            Processor(): "",
        }
        for processor, text in texts.items():
            self.assertEqual(processor.to_string(), text)

    def test_the_limits_of_each_argument_are_accepted(self):
        color, area = Gdk.RGBA(), Gdk.Rectangle()
        color.red, color.green, color.blue, color.alpha = 0.5, 0.25, 1.5, -1
        area.x, area.y, area.width, area.height = -3, 4, 1, 2
        texts = {
            Processor.new_resize(1, 32767, Gtk.ContentFit.FILL, False): "resize(1x32767,fill)",
            Processor.new_resize(32767, 1, Gtk.ContentFit.CONTAIN, True): "resize(32767x1,contain,enlarges)",
            Processor.new_resize(3, 2, Gtk.ContentFit.SCALE_DOWN, False): "resize(3x2,contain)",
            Processor.new_crop(1, 2, Gdk.Gravity.NORTH): "crop(1x2,top)",
            Processor.new_crop_area(area): "crop(-3,4,1x2)",
            Processor.new_rounded(0): "roundedCorners(0.0)",
            Processor.new_rounded_with_border(1, 0, color): "roundedCorners(1.0,0.0,#8040ff00)",
            Processor.new_circle_with_border(0.5, color): "circle(0.5,#8040ff00)",
            Processor.new_blur(0): "gaussianBlur(0.0)",
            Processor.new_blur(1000): "gaussianBlur(1000.0)",
            Processor.new_tint(color): "tint(#8040ff00)",
        }
        for processor, text in texts.items():
            self.assertEqual(processor.to_string(), text)

    def test_a_processor_that_is_invalid_is_an_exception(self):
        area = Gdk.Rectangle()
        area.width = 1
        for make in (
            lambda: Processor.new_blur(-1),
            lambda: Processor.new_blur(1000.5),
            lambda: Processor.new_resize(0, 1, Gtk.ContentFit.FILL, False),
            lambda: Processor.new_resize(1, 0, Gtk.ContentFit.FILL, False),
            lambda: Processor.new_resize(32768, 1, Gtk.ContentFit.FILL, False),
            lambda: Processor.new_resize(1, 32768, Gtk.ContentFit.FILL, False),
            lambda: Processor.new_crop(1, 0, Gdk.Gravity.CENTER),
            lambda: Processor.new_crop(0, 1, Gdk.Gravity.CENTER),
            lambda: Processor.new_crop_area(area),
            lambda: Processor.new_rounded(-0.5),
            lambda: Processor.new_rounded(float("inf")),
        ):
            with self.assertRaises(TypeError):
                make()

    def test_a_new_processor_changes_the_shown_image_without_a_transfer(self):
        view, black = RemoteImage.View(uri=f"{server.base}/1.png?processors"), Gdk.RGBA()
        black.parse("black")
        with Shown(view):
            turn_until(lambda: is_there(view))
            before = pixel(view.props.texture)
            self.assertNotEqual(before, (0, 0, 0))
            view.props.processor = Processor.new_tint(black)
            turn_until(lambda: is_there(view) and pixel(view.props.texture) == (0, 0, 0))
            view.props.processor = None
            turn_until(lambda: is_there(view) and pixel(view.props.texture) == before)
        self.assertEqual(server.served.count("/1.png?processors"), 1)

    def test_a_processor_collected_with_its_view_leaves_nothing(self):
        ended = []
        view = RemoteImage.View(processor=Processor.new_circle())
        view.props.processor.weak_ref(lambda: ended.append(1))
        del view
        turn_until(lambda: ended)


class Scale(unittest.TestCase):
    def test_a_scale_of_two_halves_the_natural_size(self):
        view = RemoteImage.View(uri=f"{server.base}/3.png?scale", image_scale=2, load_options="immediately")
        turn_until(lambda: is_there(view))
        self.assertEqual(view.measure(Gtk.Orientation.HORIZONTAL, -1).natural, 160)
        paintable = RemoteImage.Paintable(uri=f"{server.base}/3.png?scale", image_scale=2)
        turn_until(lambda: is_there(paintable))
        self.assertEqual((paintable.get_intrinsic_width(), paintable.props.image_width), (160, 320))


class Animations(unittest.TestCase):
    def test_only_an_animation_is_animated(self):
        for path, expected in (("animation.gif", True), ("1.png", False)):
            for kind in (RemoteImage.View, RemoteImage.Paintable):
                owner, notified = kind(), []
                owner.connect("notify::animated", lambda owner, _: notified.append(owner.props.animated))
                if kind is RemoteImage.View:
                    owner.props.load_options = RemoteImage.LoadOptions.IMMEDIATELY
                owner.props.uri = f"{server.base}/{path}?{kind.__name__}"
                turn_until(lambda: is_there(owner) and notified)
                self.assertEqual((owner.props.animated, notified[-1]), (expected, expected))


if __name__ == "__main__":
    unittest.main(verbosity=2)
