"""What the properties of the view do, and the pipeline's administration."""

import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()
server = images.serve()


def is_there(view):
    return view.props.phase == RemoteImage.Phase.SUCCESS


def is_loading(view):
    # Before it has a size nothing is asked for.
    return view.props.phase == RemoteImage.Phase.LOADING and view.get_width() > 0


def seen_in(view):
    """The classes of the widgets in the view that can be seen."""
    child, seen = view.get_first_child(), []
    while child:
        if child.get_mapped():
            seen.append(type(child))
        child = child.get_next_sibling()
    return seen


class Effects(unittest.TestCase):
    def test_no_more_pixels_than_wanted_are_decoded(self):
        view = RemoteImage.View(uri=f"{server.base}/1.png?pixels", max_pixel_size=64)
        with Shown(view):
            turn_until(lambda: is_there(view))
            self.assertEqual((view.props.texture.get_width(), view.props.texture.get_height()), (64, 48))
            self.assertEqual((view.props.image_width, view.props.image_height), (320, 240))

    def test_an_identity_stands_for_the_address(self):
        first = RemoteImage.View(uri=f"{server.base}/2.png?signature=1", identity="two")
        second = RemoteImage.View(uri=f"{server.base}/2.png?signature=2", identity="two")
        with Shown(first):
            turn_until(lambda: is_there(first))
        with Shown(second):
            turn_until(lambda: is_there(second))
        self.assertNotIn("/2.png?signature=2", server.served)

    def test_what_is_not_stored_fails_where_only_that_is_wanted(self):
        view = RemoteImage.View(uri=f"{server.base}/3.png?stored", cache_policy=RemoteImage.CachePolicy.STORED_ONLY)
        with Shown(view):
            turn_until(lambda: view.props.error is not None)
            self.assertTrue(view.props.error.matches(RemoteImage.error_quark(), RemoteImage.Error.NOT_STORED))
        self.assertNotIn("/3.png?stored", server.served)

    def test_a_view_that_loads_immediately_needs_no_window(self):
        view = RemoteImage.View(load_options=RemoteImage.LoadOptions.IMMEDIATELY, uri=f"{server.base}/4.png?at-once")
        turn_until(lambda: is_there(view))
        waiting = RemoteImage.View(uri=f"{server.base}/4.png?later")
        settle()
        self.assertEqual(waiting.props.phase, RemoteImage.Phase.EMPTY)

    def test_an_image_is_kept_while_the_next_one_loads_where_that_is_wanted(self):
        for keeps in (True, False):
            view = RemoteImage.View(
                uri=f"{server.base}/5.png", keep_while_loading=keeps, placeholder=Gtk.Label(label="…")
            )
            with Shown(view):
                turn_until(lambda: is_there(view))
                view.props.uri = f"{server.base}/never?{keeps}"
                turn_until(lambda: is_loading(view))
                # The view draws images itself: nothing else is seen then.
                self.assertEqual(seen_in(view), [] if keeps else [Gtk.Label])

    def test_an_icon_stands_in(self):
        view = RemoteImage.View(uri=f"{server.base}/never?icon", placeholder_icon_name="image-loading-symbolic")
        with Shown(view):
            turn_until(lambda: is_loading(view))
            self.assertEqual(view.get_first_child().props.icon_name, "image-loading-symbolic")

    def test_a_thumb_hash_is_shown_meanwhile(self):
        for thumb_hash, stand_in in (("3OcRJYB4d3h/iIeHeEh3eIhw+j2w", []), (None, [Gtk.Overlay])):
            view = RemoteImage.View(uri=f"{server.base}/never?{thumb_hash}", thumb_hash=thumb_hash)
            with Shown(view):
                turn_until(lambda: is_loading(view))
                self.assertEqual(seen_in(view), stand_in)


class Administration(unittest.TestCase):
    def test_what_was_prefetched_is_there_at_once(self):
        pipeline = RemoteImage.Pipeline.new()
        uris = [f"{server.base}/{number}.png?prefetched" for number in (1, 2, 3)]
        pipeline.prefetch(uris)
        turn_until(lambda: all(pipeline.get_cached_texture(uri, 0) for uri in uris))
        view = RemoteImage.View(pipeline=pipeline, uri=uris[0])
        with Shown(view):
            # Before anything could be loaded.
            self.assertTrue(is_there(view))

    def test_prefetching_ends(self):
        pipeline = RemoteImage.Pipeline.new()
        pipeline.prefetch([f"{server.base}/never?{number}" for number in range(50)])
        pipeline.cancel_prefetch()
        pipeline.prefetch([f"{server.base}/4.png?after"])
        turn_until(lambda: pipeline.get_cached_texture(f"{server.base}/4.png?after", 0))

    def test_an_address_is_forgotten(self):
        pipeline, uri, results = RemoteImage.Pipeline.new(), f"{server.base}/5.png?forgotten", []
        pipeline.load_texture_async(uri, 0, None, lambda _, result: results.append(result))
        turn_until(lambda: results)
        self.assertIsNotNone(pipeline.get_cached_texture(uri, 0))
        pipeline.remove_async(uri, None, lambda _, result: results.append(result))
        turn_until(lambda: len(results) == 2)
        self.assertTrue(pipeline.remove_finish(results[1]))
        self.assertIsNone(pipeline.get_cached_texture(uri, 0))


if __name__ == "__main__":
    unittest.main(verbosity=2)
