"""Asynchronous calls with `await`. Skipped if PyGObject is older than 3.50, as in Debian 12."""

import asyncio
import shutil
import tempfile
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

            icon = await pipeline.load_icon_async(f"{server.base}/1.png", 0, Gtk.ContentFit.COVER)
            self.assertEqual(icon.serialize().unpack()[0], "bytes")
            file = await pipeline.load_file_async(f"{server.base}/1.png")
            self.assertTrue(file.get_file().query_exists())

        policy.get_event_loop().run_until_complete(load())

    def test_an_expired_token_of_100_images_is_replaced_by_one_task(self):
        server = images.serve()
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        policy = GLibEventLoopPolicy()
        asyncio.set_event_loop_policy(policy)
        tasks = []

        async def replace(request):
            await asyncio.sleep(0.05)
            request.respond("Bearer new")

        def needed(_, request):
            if request.get_status() == 0:
                request.respond("Bearer expired")
            else:
                tasks.append(asyncio.create_task(replace(request)))

        async def load(token):
            authorization = RemoteImage.Authorization(account="anna", origins=[server.base])
            authorization.connect("credential-needed", token)
            pipeline = RemoteImage.Pipeline(cache_directory=folder, authorization=authorization)

            async def width(number):
                uri = f"{server.base}/account/{number}.png"
                return (await pipeline.load_texture_async(uri, 0)).get_width()

            self.assertEqual(await asyncio.gather(*map(width, range(100))), [8] * 100)
            # Waits for the writes.
            self.assertGreater(await pipeline.get_disk_usage_async(), 0)

        policy.get_event_loop().run_until_complete(load(needed))
        self.assertEqual((len(tasks), len(server.served)), (1, 100))
        # The next start, with another token of the account, downloads nothing.
        policy.get_event_loop().run_until_complete(load(lambda _, request: request.respond("Bearer other")))
        self.assertEqual(len(server.served), 100)


if __name__ == "__main__":
    unittest.main(verbosity=2)
