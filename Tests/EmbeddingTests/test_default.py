"""The default pipeline, configured: views and paintables use it where they are given no other."""

import unittest

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gtk, RemoteImage

import images
from fixture import Shown, turn_until

Gtk.init()
server = images.serve()
default = RemoteImage.Pipeline.get_default()


class Default(unittest.TestCase):
    # One test: the pipeline is fixed by its first use.
    def test_views_use_it_as_it_was_configured(self):
        # A view that has no place yet uses nothing.
        label = Gtk.Label()
        view = RemoteImage.View(uri=f"{server.base}/1.png?default", placeholder=label)
        self.assertEqual(view.props.phase, RemoteImage.Phase.EMPTY)
        self.assertEqual(label.get_parent(), view)
        view.cancel()
        default.props.user_agent = "Photos/1.0"
        self.assertEqual(default.props.user_agent, "Photos/1.0")
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.SUCCESS)
            self.assertEqual(server.agents["/1.png?default"], "Photos/1.0")
            self.assertGreater(default.get_memory_usage(), 0)
            self.assertIsNone(label.get_parent())
            # From now on it is as it is, and says so.
            default.props.user_agent = "Films/1.0"
            self.assertEqual(default.props.user_agent, "Photos/1.0")
        paintable = RemoteImage.Paintable(uri=f"{server.base}/2.png?default")
        turn_until(lambda: paintable.props.phase == RemoteImage.Phase.SUCCESS)
        self.assertEqual(server.agents["/2.png?default"], "Photos/1.0")

    def test_another_one_goes_first(self):
        other = RemoteImage.Pipeline(user_agent="Other/1.0")
        view = RemoteImage.View(uri=f"{server.base}/3.png?default", pipeline=other)
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.SUCCESS)
        self.assertEqual(server.agents["/3.png?default"], "Other/1.0")


if __name__ == "__main__":
    unittest.main(verbosity=2)
