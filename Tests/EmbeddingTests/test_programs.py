"""Runs the programs Photos, Thumbnails and Avatars of the examples, and checks what they show.

    test_programs.py FOLDER PICTURES [TEST…]    FOLDER has the programs; screenshots are written to PICTURES

GDK_SCALE and GTK_THEME in the environment set the scale and the theme of the windows.
"""

import os
import subprocess
import sys
import tempfile
import threading
import unittest

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

import scenes  # noqa: E402
import windows  # noqa: E402
from windows import SCALE  # noqa: E402

PLACES = ["Bay", "Canyon", "Coast", "Glacier", "Lake", "Meadow", "Valley"]
NAMES = ["Anna", "Berta", "Carl", "Dora", "Emil"]
programs, pictures = (os.path.abspath(path) for path in sys.argv[1:3])


def title(number):
    return f"{PLACES[number % len(PLACES)]} {number}"


class Window(windows.Window):
    """One of the programs."""

    def __init__(self, test, name, *arguments, **options):
        super().__init__(test, [f"{programs}/{name}", *arguments], **options)

    def until(self, condition):
        return super().until(condition, lambda rows: sorted(scenes.visible(rows)))

    def save(self, rows, name):
        super().save(rows, f"{pictures}/{name}.png")


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # A blinking cursor would change the screen all the time.
        os.mkdir(f"{self.folder}/gtk-4.0")
        with open(f"{self.folder}/gtk-4.0/settings.ini", "w", encoding="utf-8") as file:
            file.write("[Settings]\ngtk-cursor-blink=false\n")

    def serve(self, **options):
        server = scenes.serve(**options)
        self.addCleanup(self.stop, server)
        return server

    def stop(self, server):
        server.shutdown()
        server.server_close()

    def captions(self, rows, boxes):
        """The scenes below which there is a text."""
        height = 24 * SCALE
        found = set()
        for number, (left, _, right, bottom) in boxes.items():
            below = [row[left * 3 : right * 3] for row in rows[bottom + 2 : bottom + height]]
            edge = below[0][:3]
            if sum(row[x : x + 3] != edge for row in below for x in range(0, len(row), 3)) > 40 * SCALE:
                found.add(number)
        return found

    def test_photos_are_searched_selected_and_opened(self):
        server = self.serve()
        window = Window(self, "Photos", f"{server.base}/", width=960, height=640)
        rows = window.until(lambda rows: len(scenes.visible(rows)) >= 15)
        window.save(rows, "photos")
        boxes = scenes.boxes(rows)
        self.assertEqual(sorted(boxes), list(range(1, len(boxes) + 1)))
        # The lower edge of a cropped portrait format has no background.
        complete = {
            number: box for number, box in boxes.items() if number % 5 and box[3] < len(rows) - 40 * SCALE}  # fmt: skip
        self.assertGreaterEqual(len(complete), 10)
        self.assertEqual(self.captions(rows, complete), set(complete))

        # The search field has the focus. Only photos whose titles contain the text are shown.
        window.hands.type("lake 49")
        wanted = {number for number in range(1, 5001) if "lake 49" in title(number).lower()}
        rows = window.until(lambda rows: set(scenes.visible(rows)) == wanted)
        window.save(rows, "photos-search")
        found = scenes.boxes(rows)

        # A click selects a photo, which changes nothing but its surroundings.
        first, second = sorted(wanted)[:2]
        left, top, right, bottom = found[second]
        x, y = (left + right) // 2 // SCALE, (top + bottom) // 2 // SCALE
        unselected = rows
        window.click(x, y)
        rows = window.until(lambda rows: rows != unselected)
        window.hands.move(1, 1)
        selected = window.until(lambda rows: set(scenes.visible(rows)) == set(found))
        window.save(selected, "photos-selected")
        changed = [
            (column // 3, line) for line, row in enumerate(selected) if row != unselected[line] and line > 80 * SCALE
            for column in range(0, len(row), 3) if row[column : column + 3] != unselected[line][column : column + 3]
        ]  # fmt: skip
        self.assertTrue(changed)
        for column, line in changed:
            self.assertTrue(left - 30 * SCALE < column < right + 30 * SCALE)
            self.assertTrue(top - 30 * SCALE < line < bottom + 60 * SCALE)

        # The Return key opens it, and Escape leads back.
        def is_large(rows):
            return scenes.visible(rows).get(second, 0) > 60_000 * SCALE**2

        window.hands.press("Return")
        rows = window.until(is_large)
        window.save(rows, "photos-large")
        self.assertEqual(list(scenes.visible(rows)), [second])
        window.hands.press("Escape")
        rows = window.until(lambda rows: first in scenes.visible(rows))
        # The large image is in memory now, and may be scaled down in its place.
        self.assertLess(sum(a != b for row, old in zip(rows, selected) for a, b in zip(row, old)), len(rows) * len(rows[0]) / 200)

        # The photo has the focus again. A double click opens, too, and the button leads back.
        window.hands.press("Return")
        window.until(is_large)
        window.click(480, 615)
        window.until(lambda rows: first in scenes.visible(rows))
        window.click(x, y, count=2)
        window.until(is_large)
        window.hands.press("Escape")
        window.until(lambda rows: first in scenes.visible(rows))

        # A search without results says so.
        window.click(480, 30, count=2)
        window.hands.type("zzz")
        rows = window.until(lambda rows: not scenes.visible(rows))
        window.save(rows, "photos-none")
        below = {row[x : x + 3] for row in rows[70 * SCALE : 110 * SCALE] for x in range(0, len(row), 3)}
        self.assertGreater(len(below), 4, "There is no text below the search field.")

    def thumbnails(self, *addresses):
        return subprocess.run(
            [f"{programs}/Thumbnails", self.folder, *addresses], capture_output=True, text=True, timeout=120,
            env=dict(os.environ, XDG_CACHE_HOME=f"{self.folder}/cache"))  # fmt: skip

    def test_fifty_thumbnails_are_written_and_timed(self):
        # The first six requests wait for each other, so they must be sent at the same time.
        server = self.serve(barrier=threading.Barrier(6, timeout=60))
        numbers = range(1, 51)
        done = self.thumbnails(*(f"{server.base}/{number}" for number in numbers))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        lines = done.stdout.splitlines()
        self.assertEqual({line.split()[0] for line in lines}, {f"{server.base}/{number}" for number in numbers})
        for line in lines:
            self.assertRegex(line, r" queued [\d.]+ ms, .*transferred [\d.]+ ms, decoded [\d.]+ ms$")
        self.assertEqual(len([name for name in os.listdir(self.folder) if name.endswith(".jpg")]), 50)
        for number in numbers:
            image = GdkPixbuf.Pixbuf.new_from_file(f"{self.folder}/{number}.jpg")
            size = tuple(side // 6 for side in scenes.size(number))
            self.assertEqual((image.get_width(), image.get_height()), size)
            corner = image.get_pixels()[:3]
            for found, wanted in zip(corner, scenes.background(number)):
                self.assertAlmostEqual(found, wanted, delta=4)

    def test_a_failed_thumbnail_is_reported(self):
        server = self.serve()
        done = self.thumbnails(f"{server.base}/1", f"{server.base}/9999")
        self.assertEqual(done.returncode, 1)
        self.assertIn("404", next(line for line in done.stdout.splitlines() if "9999" in line))
        self.assertTrue(os.path.exists(f"{self.folder}/1.jpg"))
        self.assertFalse(os.path.exists(f"{self.folder}/9999.jpg"))

    def avatars(self, server, account, token):
        return Window(
            self, "Avatars", server.base, account, *NAMES, given=f"{token}\n", width=360, height=480)  # fmt: skip

    def test_avatars_of_an_account_are_shown_without_the_server(self):
        server = self.serve(token="secret")
        wanted = {scenes.portrait_number(name) for name in NAMES}
        window = self.avatars(server, "anna@example.org", "secret")
        online = window.until(lambda rows: set(scenes.visible(rows)) == wanted)
        window.save(online, "avatars")
        window.close()
        self.assertEqual(server.refused, [])
        boxes = scenes.boxes(online)
        for left, top, right, bottom in boxes.values():
            self.assertAlmostEqual(right - left, 64 * SCALE, delta=4 * SCALE)

        # Another account receives nothing, from the server or from the disk.
        window = self.avatars(server, "eve@example.org", "guessed")
        refused = window.until(lambda rows: server.refused)
        self.assertEqual(scenes.visible(refused), {})
        window.save(refused, "avatars-refused")
        window.close()

        self.stop(server)
        window = self.avatars(server, "anna@example.org", "renewed")
        offline = window.until(lambda rows: scenes.visible(rows) == scenes.visible(online))
        window.close()
        self.assertTrue(offline == online, "The windows with and without the server differ.")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[3:]])
