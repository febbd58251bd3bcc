"""The effects of the view's properties, and the pipeline's cache functions."""

import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import GLib, Gtk, RemoteImage

import images
from fixture import Shown, settle, turn_until

Gtk.init()
server = images.serve()


def is_there(view):
    return view.props.phase == RemoteImage.Phase.SUCCESS


def is_loading(view):
    # A view requests no image before it has a size.
    return view.props.phase == RemoteImage.Phase.LOADING and view.get_width() > 0


def seen_in(view):
    """The classes of the visible children of the view."""
    child, seen = view.get_first_child(), []
    while child:
        if child.get_mapped():
            seen.append(type(child))
        child = child.get_next_sibling()
    return seen


class Effects(unittest.TestCase):
    def test_max_pixel_size_limits_the_decoded_size(self):
        view = RemoteImage.View(uri=f"{server.base}/1.png?pixels", max_pixel_size=64)
        with Shown(view):
            turn_until(lambda: is_there(view))
            self.assertEqual((view.props.texture.get_width(), view.props.texture.get_height()), (64, 48))
            self.assertEqual((view.props.image_width, view.props.image_height), (320, 240))

    def test_views_with_the_same_identity_share_a_cached_image(self):
        first = RemoteImage.View(uri=f"{server.base}/2.png?signature=1", identity="two")
        second = RemoteImage.View(uri=f"{server.base}/2.png?signature=2", identity="two")
        with Shown(first):
            turn_until(lambda: is_there(first))
        with Shown(second):
            turn_until(lambda: is_there(second))
        self.assertNotIn("/2.png?signature=2", server.served)

    def test_an_empty_identity_is_none(self):
        for path in ("/6.png?empty=1", "/6.png?empty=2"):
            view = RemoteImage.View(uri=server.base + path, identity="")
            with Shown(view):
                turn_until(lambda: is_there(view))
            self.assertIn(path, server.served)

    def test_the_policy_stored_only_fails_for_an_image_that_is_not_stored(self):
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

    def test_keep_while_loading_keeps_the_image_while_the_next_one_loads(self):
        for keeps in (True, False):
            view = RemoteImage.View(
                uri=f"{server.base}/5.png", keep_while_loading=keeps, placeholder=Gtk.Label(label="…")
            )
            with Shown(view):
                turn_until(lambda: is_there(view))
                view.props.uri = f"{server.base}/never?{keeps}"
                turn_until(lambda: is_loading(view))
                # The view draws images itself, so it has no visible child then.
                self.assertEqual(seen_in(view), [] if keeps else [Gtk.Label])

    def test_the_placeholder_icon_is_shown_while_loading(self):
        view = RemoteImage.View(uri=f"{server.base}/never?icon", placeholder_icon_name="image-loading-symbolic")
        with Shown(view):
            turn_until(lambda: is_loading(view))
            self.assertEqual(view.get_first_child().props.icon_name, "image-loading-symbolic")

    def test_a_thumb_hash_replaces_the_default_placeholder(self):
        for thumb_hash, stand_in in (("3OcRJYB4d3h/iIeHeEh3eIhw+j2w", []), (None, [Gtk.Overlay])):
            view = RemoteImage.View(uri=f"{server.base}/never?{thumb_hash}", thumb_hash=thumb_hash)
            with Shown(view):
                turn_until(lambda: is_loading(view))
                self.assertEqual(seen_in(view), stand_in)

    def test_the_placeholder_lies_over_the_preview_of_a_hash(self):
        view = RemoteImage.View(
            uri=f"{server.base}/never?hash", thumb_hash="3OcRJYB4d3h/iIeHeEh3eIhw+j2w", placeholder=Gtk.Label(label="…"))
        with Shown(view):
            turn_until(lambda: is_loading(view))
            self.assertEqual(seen_in(view), [Gtk.Overlay])
            self.assertTrue(view.props.placeholder.get_mapped())

    def test_a_stale_image_is_shown_while_the_server_is_asked(self):
        stale = images.serve(type("Stale", (images.Handler,), {"lifetime": 0}))
        folder = GLib.dir_make_tmp("remote-image-XXXXXX")
        uri = f"{stale.base}/once-then-never"
        for _ in range(2):
            pipeline = RemoteImage.Pipeline(cache_directory=folder)
            policy = RemoteImage.CachePolicy.STALE_WHILE_REVALIDATE
            view = RemoteImage.View(uri=uri, pipeline=pipeline, cache_policy=policy)
            with Shown(view):
                turn_until(lambda: is_there(view))
            sizes = []
            pipeline.get_disk_usage_async(None, lambda p, result: sizes.append(p.get_disk_usage_finish(result)))
            turn_until(lambda: sizes)
        self.assertEqual(stale.served, ["/once-then-never"])


class Administration(unittest.TestCase):
    def test_a_view_shows_a_prefetched_image_immediately(self):
        pipeline = RemoteImage.Pipeline.new()
        uris = [f"{server.base}/{number}.png?prefetched" for number in (1, 2, 3)]
        pipeline.prefetch(uris)
        turn_until(lambda: all(pipeline.get_cached_texture(uri, 0) for uri in uris))
        view = RemoteImage.View(pipeline=pipeline, uri=uris[0])
        with Shown(view):
            # The main loop has not run since the window was presented.
            self.assertTrue(is_there(view))

    def test_cancelled_prefetches_do_not_block_new_ones(self):
        pipeline = RemoteImage.Pipeline.new()
        pipeline.prefetch([f"{server.base}/never?{number}" for number in range(50)])
        pipeline.cancel_prefetch()
        pipeline.prefetch([f"{server.base}/4.png?after"])
        turn_until(lambda: pipeline.get_cached_texture(f"{server.base}/4.png?after", 0))

    def test_remove_removes_the_cached_image_of_an_address(self):
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
