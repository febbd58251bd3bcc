"""The library finds its translations below the prefix that it is installed in."""

import locale
import os
import pathlib
import re
import unittest

# Set before GTK reads them.
os.environ.update(LC_ALL="C.UTF-8", LANGUAGE="de", XDG_DATA_DIRS="/usr/share")

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gtk, RemoteImage

from fixture import Shown, turn_until

Gtk.init()


def labels(widget):
    child = widget.get_first_child()
    while child:
        if isinstance(child, Gtk.Button):
            yield child.get_label()
        yield from labels(child)
        child = child.get_next_sibling()


class Words(unittest.TestCase):
    def test_the_button_of_a_failure_is_translated(self):
        for words in sorted((pathlib.Path(__file__).parents[2] / "po").glob("*.po")):
            with self.subTest(words.stem):
                os.environ["LANGUAGE"] = words.stem
                # Makes gettext forget the translations of the previous language.
                locale.setlocale(locale.LC_MESSAGES, "")
                title = re.search('msgid "Try again"\nmsgstr "(.+)"', words.read_text("utf-8"))[1]
                view = RemoteImage.View(uri="no address at all")
                with Shown(view):
                    turn_until(lambda: view.props.phase == RemoteImage.Phase.FAILURE)
                    self.assertIn(title, list(labels(view)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
