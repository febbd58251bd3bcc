"""The default pipeline, which views and paintables use unless they have another one."""

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
    # A single test, since the first use of the pipeline fixes its configuration.
    def test_views_use_the_configuration_of_the_default_pipeline(self):
        # A view without a parent does not use the pipeline yet.
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
            # From now on, the configuration cannot be changed.
            default.props.user_agent = "Films/1.0"
            self.assertEqual(default.props.user_agent, "Photos/1.0")
        paintable = RemoteImage.Paintable(uri=f"{server.base}/2.png?default")
        turn_until(lambda: paintable.props.phase == RemoteImage.Phase.SUCCESS)
        self.assertEqual(server.agents["/2.png?default"], "Photos/1.0")

    def test_the_pipeline_of_a_view_takes_precedence(self):
        other = RemoteImage.Pipeline(user_agent="Other/1.0")
        view = RemoteImage.View(uri=f"{server.base}/3.png?default", pipeline=other)
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.SUCCESS)
        self.assertEqual(server.agents["/3.png?default"], "Other/1.0")


if __name__ == "__main__":
    unittest.main(verbosity=2)
