"""Asynchronous calls with `await`. Skipped if PyGObject is older than 3.50, as in Debian 12."""

import asyncio
import unittest

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import GLib, Gtk, RemoteImage

try:
    from gi.events import GLibEventLoopPolicy
except ImportError:
    GLibEventLoopPolicy = None

import images

Gtk.init()


@unittest.skipIf(GLibEventLoopPolicy is None, "PyGObject is older than 3.50")
class Await(unittest.TestCase):
    def test_a_texture_is_awaited_and_an_error_raised(self):
        server = images.serve()
        policy = GLibEventLoopPolicy()
        asyncio.set_event_loop_policy(policy)

        async def load():
            pipeline = RemoteImage.Pipeline.get_default()
            texture = await pipeline.load_texture_async(f"{server.base}/1.png", 0)
            self.assertEqual(texture.get_width(), 320)
            with self.assertRaises(GLib.Error) as caught:
                await pipeline.load_texture_async(f"{server.base}/gone", 0)
            self.assertTrue(
                caught.exception.matches(RemoteImage.error_quark(), RemoteImage.Error.HTTP_STATUS)
            )

        policy.get_event_loop().run_until_complete(load())


if __name__ == "__main__":
    unittest.main(verbosity=2)
