"""Icons of notifications, local files for other programs, and the avatars of libadwaita."""

import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gdk, Gio, GLib, Gtk, RemoteImage

import images
from fixture import Adw, Shown, settle, turn_until

Gtk.init()
server = images.serve()
HERE = os.path.dirname(os.path.abspath(__file__))


def wait_for(start, finish, *arguments, cancellable=None):
    """The result of an asynchronous call."""
    results = []
    start(*arguments, cancellable, lambda _, result: results.append(result))
    turn_until(lambda: results)
    return finish(results[0])


class Case(unittest.TestCase):
    def setUp(self):
        # A response may be written after the test.
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.store = pathlib.Path(folder.name) / "store"
        self.files = self.store / "files"
        self.pipeline = RemoteImage.Pipeline(cache_directory=str(self.store))

    def fails_with(self, code):
        return self.assertRaisesRegex(GLib.Error, f"remote-image-error-quark.*\\({int(code)}\\)")


class Icon(Case):
    def load(self, path, size=0, fit=Gtk.ContentFit.COVER, cancellable=None):
        pipeline = self.pipeline
        return wait_for(
            pipeline.load_icon_async, pipeline.load_icon_finish, server.base + path, size, fit, cancellable=cancellable
        )

    def test_an_icon_is_a_square_png_within_the_limits_of_the_portal(self):
        for size, side in ((0, 240), (64, 64), (512, 240), (600, 240)):
            with self.subTest(size):
                icon = self.load("/1.png", size)
                self.assertIsInstance(icon, Gio.BytesIcon)
                data = icon.get_bytes().get_data()
                self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
                self.assertLess(len(data), 4 << 20)
                texture = Gdk.Texture.new_from_bytes(icon.get_bytes())
                self.assertEqual((texture.get_width(), texture.get_height()), (side, side))

    def test_a_contained_image_has_transparent_borders(self):
        icon = self.load("/2.png", 0, Gtk.ContentFit.CONTAIN)
        texture = Gdk.Texture.new_from_bytes(icon.get_bytes())
        self.assertEqual((texture.get_width(), texture.get_height()), (256, 256))

    def test_an_icon_has_the_bytes_of_the_program(self):
        pipeline, source = self.pipeline, RemoteImage.Source.new_for_bytes("icon", GLib.Bytes.new(images.image(1)))
        icon = wait_for(
            pipeline.load_source_icon_async, pipeline.load_source_icon_finish, source, 64, Gtk.ContentFit.COVER
        )
        self.assertEqual(Gdk.Texture.new_from_bytes(icon.get_bytes()).get_width(), 64)

    def test_an_icon_is_accepted_by_a_notification(self):
        notification = Gio.Notification.new("Ann")
        notification.set_icon(self.load("/1.png"))
        self.assertEqual(self.load("/1.png").serialize().unpack()[0], "bytes")

    def test_errors_and_cancelling_are_reported(self):
        with self.fails_with(RemoteImage.Error.HTTP_STATUS):
            self.load("/missing?icon")
        with self.fails_with(RemoteImage.Error.NOT_AN_IMAGE):
            self.load("/text")
        cancellable = Gio.Cancellable()
        GLib.idle_add(cancellable.cancel)
        with self.assertRaises(GLib.Error) as caught:
            self.load("/never?icon", cancellable=cancellable)
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))


class File(Case):
    def load(self, path="/1.png"):
        pipeline = self.pipeline
        return wait_for(pipeline.load_file_async, pipeline.load_file_finish, server.base + path)

    def left(self):
        return sorted(path.name for path in self.files.rglob("*")) if self.files.exists() else []

    def wait_until_released(self):
        gc.collect()
        turn_until(lambda: not self.left())

    def test_a_file_has_the_bytes_of_the_server_and_is_removed_with_its_last_handle(self):
        first, second = self.load(), self.load()
        uri = first.get_file().get_uri()
        self.assertRegex(uri, "^file:///.*\\.png$")
        self.assertEqual(first.props.file.get_uri(), uri)
        self.assertEqual(second.get_file().get_uri(), uri)
        path = pathlib.Path(first.get_file().get_path())
        self.assertEqual(path.read_bytes(), images.image(1))
        del first
        gc.collect()
        settle()
        self.assertEqual(path.read_bytes(), images.image(1))
        del second
        self.wait_until_released()

    def test_a_file_has_the_bytes_of_the_program(self):
        pipeline, source = self.pipeline, RemoteImage.Source.new_for_bytes("file", GLib.Bytes.new(images.image(1)))
        handle = wait_for(pipeline.load_source_file_async, pipeline.load_source_file_finish, source)
        self.assertEqual(pathlib.Path(handle.get_file().get_path()).read_bytes(), images.image(1))

    def test_evictions_and_removals_keep_the_file(self):
        handle = self.load()
        path = pathlib.Path(handle.get_file().get_path())
        pipeline = self.pipeline
        self.assertGreater(wait_for(pipeline.get_disk_usage_async, pipeline.get_disk_usage_finish), 0)
        self.assertTrue(wait_for(pipeline.remove_async, pipeline.remove_finish, f"{server.base}/1.png"))
        self.assertTrue(wait_for(pipeline.trim_disk_async, pipeline.trim_disk_finish, 0))
        self.assertEqual(wait_for(pipeline.get_disk_usage_async, pipeline.get_disk_usage_finish), 0)
        self.assertEqual(path.read_bytes(), images.image(1))

    def test_another_image_gets_another_path(self):
        handles = [self.load("/1.png"), self.load("/2.png")]
        self.assertEqual(len({handle.get_file().get_path() for handle in handles}), 2)

    def test_what_is_not_an_image_gets_no_file(self):
        for path, code in (("/text", RemoteImage.Error.NOT_AN_IMAGE), ("/missing?file", RemoteImage.Error.HTTP_STATUS)):
            with self.subTest(path), self.fails_with(code):
                self.load(path)
        self.assertEqual(self.left(), [])

    def test_a_folder_that_cannot_be_made_is_an_error(self):
        self.store.parent.joinpath("taken").write_text("a file")
        self.pipeline = RemoteImage.Pipeline(cache_directory=str(self.store.parent / "taken"), disk_cache_limit=1 << 24)
        with self.fails_with(RemoteImage.Error.IO):
            self.load()

    def test_the_next_process_removes_the_files_of_a_killed_one(self):
        code = (
            f"import sys; sys.path.insert(0, {HERE!r})\n"
            "import test_desktop, signal, os, pathlib\n"
            f"test_desktop.server.base = {server.base!r}\n"
            "case = test_desktop.File()\n"
            f"case.pipeline = test_desktop.RemoteImage.Pipeline(cache_directory={str(self.store)!r})\n"
            "handle = case.load()\n"
            "print(handle.get_file().get_path(), flush=True)\n"
            "os.kill(os.getpid(), signal.SIGKILL)\n"
        )
        killed = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, timeout=60)
        left = pathlib.Path(killed.stdout.strip())
        self.assertEqual(left.read_bytes(), images.image(1))
        handle = self.load()
        self.assertFalse(left.exists())
        self.assertFalse(left.parent.exists())
        self.assertTrue(os.path.exists(handle.get_file().get_path()))


class Binding(Case):
    """`GtkPicture` has a property of the type, too, and is always installed."""

    def test_the_property_is_null_unless_there_is_an_image(self):
        picture = Gtk.Picture()
        paintable = RemoteImage.Paintable(uri=f"{server.base}/3.png?bound", pipeline=self.pipeline)
        paintable.bind_widget(picture, "paintable")
        self.assertIsNone(picture.props.paintable)
        turn_until(lambda: picture.props.paintable)
        self.assertEqual(picture.props.paintable.get_intrinsic_width(), 320)
        paintable.props.uri = f"{server.base}/missing?bound"
        self.assertIsNone(picture.props.paintable)
        turn_until(lambda: paintable.props.phase == RemoteImage.Phase.FAILURE)
        self.assertIsNone(picture.props.paintable)
        paintable.props.uri = f"{server.base}/3.png?bound"
        turn_until(lambda: picture.props.paintable)
        paintable.unbind_widget(picture, "paintable")
        self.assertIsNone(picture.props.paintable)
        paintable.props.uri = f"{server.base}/4.png?bound"
        turn_until(lambda: paintable.props.phase == RemoteImage.Phase.SUCCESS)
        self.assertIsNone(picture.props.paintable)

    def test_a_new_binding_replaces_the_old_one(self):
        picture = Gtk.Picture()
        first = RemoteImage.Paintable(uri=f"{server.base}/5.png", pipeline=self.pipeline)
        first.bind_widget(picture, "paintable")
        turn_until(lambda: picture.props.paintable)
        second = RemoteImage.Paintable(pipeline=self.pipeline)
        second.bind_widget(picture, "paintable")
        self.assertIsNone(picture.props.paintable)
        first.props.uri = f"{server.base}/6.png"
        turn_until(lambda: first.props.phase == RemoteImage.Phase.SUCCESS)
        self.assertIsNone(picture.props.paintable)
        first.unbind_widget(picture, "paintable")
        second.props.uri = f"{server.base}/6.png"
        turn_until(lambda: picture.props.paintable)

    def test_the_widget_keeps_the_paintable_and_releases_it_at_its_end(self):
        picture, ended = Gtk.Picture(), []
        paintable = RemoteImage.Paintable(uri=f"{server.base}/7.png", pipeline=self.pipeline)
        paintable.weak_ref(lambda: ended.append(True))
        paintable.bind_widget(picture, "paintable")
        del paintable
        gc.collect()
        turn_until(lambda: picture.props.paintable)
        self.assertEqual(ended, [])
        del picture
        gc.collect()
        turn_until(lambda: ended)

    def test_misuse_is_reported_and_ignored(self):
        code = (
            "import gi\ngi.require_version('Gtk', '4.0')\ngi.require_version('RemoteImage', '1')\n"
            "from gi.repository import Gtk, RemoteImage\nGtk.init()\n"
            "paintable, pipeline = RemoteImage.Paintable(), RemoteImage.Pipeline()\n"
            "paintable.bind_widget(Gtk.Label(), 'custom-image')\n"
            "paintable.bind_widget(Gtk.Label(), 'label')\n"
            "paintable.unbind_widget(Gtk.Label(), 'label')\n"
            "pipeline.load_icon_async('https://a.example/', -1, Gtk.ContentFit.COVER, None, None)\n"
            "print('end')\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, "end\n"))
        self.assertIn("no writable property custom-image of type GdkPaintable", done.stderr)
        self.assertIn("no writable property label of type GdkPaintable", done.stderr)
        self.assertIn("size is negative", done.stderr)


@unittest.skipIf(Adw is None, "libadwaita is not installed")
class Avatar(Case):
    def shown(self, avatar):
        """The text of the initials, or `None` while they are hidden."""
        labels, widgets = [], [avatar]
        while widgets:
            widget = widgets.pop()
            widgets += list(widget.observe_children())
            if isinstance(widget, Gtk.Label) and widget.get_visible():
                labels.append(widget.get_label())
        return labels[0] if labels else None

    def test_the_initials_are_shown_until_the_image_is_loaded_and_after_a_failure(self):
        Adw.init()
        avatar = Adw.Avatar(size=96, text="Ann Example", show_initials=True)
        paintable = RemoteImage.Paintable(pipeline=self.pipeline, max_pixel_size=192)
        paintable.bind_widget(avatar, "custom-image")
        with Shown(avatar):
            self.assertEqual(self.shown(avatar), "AE")
            paintable.props.uri = f"{server.base}/never?avatar"
            turn_until(lambda: paintable.props.phase == RemoteImage.Phase.LOADING)
            self.assertEqual(self.shown(avatar), "AE")
            paintable.props.uri = f"{server.base}/5.png?avatar"
            turn_until(lambda: avatar.props.custom_image)
            self.assertIsNone(self.shown(avatar))
            # libadwaita draws a copy of an image that is not square.
            self.assertEqual(avatar.props.custom_image.get_intrinsic_aspect_ratio(), 1)
            paintable.props.uri = f"{server.base}/missing?avatar"
            turn_until(lambda: paintable.props.phase == RemoteImage.Phase.FAILURE)
            self.assertEqual(self.shown(avatar), "AE")


if __name__ == "__main__":
    unittest.main(verbosity=2)
