"""Decoding in a separate process with the installed library. The decoder program is in libexec."""

import os
import signal
import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import GLib, Gtk, RemoteImage

import images

Gtk.init()
server = images.serve()
context = GLib.MainContext.default()


def decoders():
    """The child processes that are decoders: their program paths by process ID."""
    found = {}
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
                children = file.read().split()
        except FileNotFoundError:
            continue
        for child in children:
            try:
                program = os.readlink(f"/proc/{child}/exe")
            except FileNotFoundError:
                continue  # It has just ended.
            if program.endswith("remote-image-decoder"):
                found[int(child)] = program
    return found


class Isolation(unittest.TestCase):
    def load(self, pipeline, path):
        results = []
        pipeline.load_texture_async(server.base + path, 0, None, lambda _, result: results.append(result))
        while not results:
            context.iteration(True)
        return pipeline.load_texture_finish(results[0])

    # Runs first, as the first name: the decoder of the other test is still running after it.
    def test_no_decoder_process_runs_without_isolation(self):
        self.load(RemoteImage.Pipeline(isolation=RemoteImage.Isolation.NONE), "/1.png?own")
        self.assertEqual(decoders(), {})

    def test_the_decoder_in_libexec_decodes_and_is_restarted(self):
        pipeline = RemoteImage.Pipeline.new()
        self.assertEqual(self.load(pipeline, "/2.png?isolated").get_width(), 320)
        (number, program) = decoders().popitem()
        self.assertEqual(os.path.basename(os.path.dirname(program)), "libexec")
        with self.assertRaises(GLib.Error) as caught:
            self.load(pipeline, "/text")
        self.assertTrue(caught.exception.matches(RemoteImage.error_quark(), RemoteImage.Error.NOT_AN_IMAGE))
        # A killed decoder is replaced, and no load fails.
        os.kill(number, signal.SIGKILL)
        self.assertEqual(self.load(pipeline, "/3.png?isolated").get_width(), 320)
        self.assertNotIn(number, decoders())


if __name__ == "__main__":
    unittest.main(verbosity=2)
