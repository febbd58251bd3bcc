#!/usr/bin/env python3
"""Compares what a viewer and the widgets of a program draw with what they must show, after each step of a user.

    viewer_trial.py [TEST…]    GDK_SCALE in the environment is the scale of the windows

It uses the installed library (GI_TYPELIB_PATH, LD_LIBRARY_PATH) on an X server of its own, whose screen it reads.
The images are charts, whose pixels tell which part of the image they show.
"""

import atexit
import collections
import os
import pathlib
import statistics
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "EmbeddingTests"))
import displays
import hands
import images

WIDTH, HEIGHT, SCREEN_WIDTH, SCREEN_HEIGHT = 600, 400, 900, 600
SCALE = int(os.environ.get("GDK_SCALE", 1))
screen = displays.XServer(SCREEN_WIDTH * SCALE, SCREEN_HEIGHT * SCALE)
atexit.register(screen.close)
cache = tempfile.TemporaryDirectory()
os.environ.update(
    GSK_RENDERER="cairo", GTK_A11Y="none", GSETTINGS_BACKEND="memory", XDG_CACHE_HOME=cache.name, **screen.environment)

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import Gtk, RemoteImage

from fixture import Adw, context, settle, turn_until


class Chart:
    """An image of square cells, each of which has a color of its own. Neighbors differ in blue."""

    def __init__(self, width, height, cell, blues):
        self.width, self.height, self.cell = width, height, cell
        self.columns, self.rows = width // cell, height // cell
        self.colors = [
            [bytes((x * 240 // self.columns, y * 240 // self.rows, blues[(x + y) % 2])) for x in range(self.columns)]
            for y in range(self.rows)
        ]
        self.places = {color: (x, y) for y, row in enumerate(self.colors) for x, color in enumerate(row)}

    def png(self):
        lines = [b"".join(color * self.cell for color in row) for row in self.colors]
        return images.png(self.width, self.height, [line for line in lines for _ in range(self.cell)])


GRID, PAGE = Chart(4000, 3000, 100, (0, 255)), Chart(800, 12000, 200, (64, 191))
FILES = {"/grid": GRID.png(), "/page": PAGE.png()}


class Handler(images.Handler):
    def do_GET(self):
        if self.path in FILES:
            self.answer(200, "image/png", FILES[self.path])
        elif self.path.startswith("/avatar/"):
            self.answer(200, "image/png", images.png(64, 64, [avatar_color(int(self.path[8:])) * 64] * 64))
        else:
            super().do_GET()


def avatar_color(number):
    return bytes((number, 255 - number, 77))


class Drawn:
    """What a screenshot shows of a chart, whose pixels are drawn at a number of points each."""

    # The outline of the focus, and the scroll bars, which cover the image.
    FRAME, BARS = 4, 16

    def __init__(self, rows, size, chart, factor):
        self.rows, self.chart = rows, chart
        self.right, self.bottom = ((length - self.BARS) * SCALE for length in size)
        self.near = self.FRAME * SCALE
        self.factor = factor

    def start(self, axis):
        """Where the image begins, in points, according to each border of cells on some lines of the screen."""
        ends = (self.right, self.bottom)
        starts = []
        for part in range(1, 10):
            line = self.near + (ends[1 - axis] - self.near) * part // 10
            last = None
            for position in range(self.near, ends[axis]):
                x, y = (position, line) if axis == 0 else (line, position)
                place = self.chart.places.get(self.rows[y][x * 3 : x * 3 + 3])
                if place and last and place[axis] == last[1] + 1:
                    border = (last[0] + 1 + position) / 2 / SCALE
                    starts.append(border - place[axis] * self.chart.cell * self.factor)
                if place:
                    last = position, place[axis]
        return starts

    def spans(self, axis, start):
        """The first and last whole pixel of each cell, and the pixels before and after the image."""
        pixels = self.chart.cell * self.factor * SCALE
        count = (self.chart.columns, self.chart.rows)[axis]
        end = (self.right, self.bottom)[axis]
        # An enlarged pixel blends with its neighbor.
        margin = max(2, self.factor * SCALE / 2 + 2)
        edges = [start * SCALE + number * pixels for number in range(count + 1)]
        spans = [(number, edges[number] + margin, edges[number + 1] - margin) for number in range(count)]
        spans += [(None, 0, edges[0] - margin), (None, edges[-1] + margin, end)]
        cut = [(number, max(self.near, round(first)), min(end, round(last))) for number, first, last in spans]
        return [(number, first, last) for number, first, last in cut if first < last]

    def difference(self, starts):
        """The first place that does not have its color, as text."""
        across = self.spans(0, starts[0])
        outside = None
        for row, top, bottom in self.spans(1, starts[1]):
            for y in range(top, bottom):
                for column, left, right in across:
                    found = self.rows[y][left * 3 : right * 3]
                    if row is None or column is None:
                        outside = outside or found[:3]
                        wanted = outside
                    else:
                        wanted = self.chart.colors[row][column]
                    if found != wanted * (right - left):
                        odd = next(x for x in range(right - left) if found[x * 3 : x * 3 + 3] != wanted)
                        return f"pixel {left + odd, y}: {tuple(found[odd * 3 : odd * 3 + 3])} instead of {tuple(wanted)}"
        if outside in self.chart.places:
            return "the image is outside of its edges"
        return None

    def faults(self, place, at):
        """What is wrong, as text, if a place of the image is not at a point, or a pixel not that of the image there."""
        starts = []
        for axis in range(2):
            found, wanted = self.start(axis), at[axis] - place[axis] * self.factor
            if not found:
                return "no borders of cells are visible"
            starts.append(statistics.median(found))
            if max(found) - min(found) > 1 + self.factor:
                return f"the image is not {self.factor} times as large: it begins at {min(found)} to {max(found)}"
            if abs(starts[axis] - wanted) > 1.5:
                return f"axis {axis}: the image begins at {starts[axis]} instead of {wanted}"
        return self.difference(starts)


class Case(unittest.TestCase):
    def setUp(self):
        self.server = images.serve(Handler)
        self.hands = hands.Hands(screen.environment["DISPLAY"])
        self.addCleanup(self.hands.close)
        # The pointer is outside of the window.
        self.hands.move(SCREEN_WIDTH * SCALE - 1, SCREEN_HEIGHT * SCALE - 1)

    def show(self, widget):
        self.window = Gtk.Window(child=widget, decorated=False, default_width=WIDTH, default_height=HEIGHT)
        self.window.present()
        self.addCleanup(settle)
        self.addCleanup(self.window.destroy)

    def until(self, faults, still=0.15, seconds=60):
        """The rows of the screen once they have no faults and have not changed for a while."""
        last, since, end = None, time.monotonic(), time.monotonic() + seconds
        while True:
            while context.iteration(False):
                pass
            rows = screen.rows()[2]
            if rows != last:
                last, since = rows, time.monotonic()
            is_late = time.monotonic() > end
            if is_late or time.monotonic() - since >= still:
                fault = faults(rows)
                if not fault:
                    return rows
                if is_late:
                    raise AssertionError(f"{fault}; the screenshot is {self.save(rows)}")
            time.sleep(0.01)

    def save(self, rows):
        with tempfile.NamedTemporaryFile(suffix=".png", delete=False) as file:
            file.write(images.png(len(rows[0]) // 3, len(rows), rows))
        return file.name


def pixels(x, y):
    return x * SCALE, y * SCALE


class Viewer(Case):
    def setUp(self):
        super().setUp()
        pipeline = RemoteImage.Pipeline(disk_cache_limit=0)
        self.viewer = RemoteImage.Viewer()
        self.view = self.viewer.get_view()
        self.view.set_pipeline(pipeline)

    def open(self, path, fit=RemoteImage.ViewerFit.WHOLE):
        self.chart = {"/grid": GRID, "/page": PAGE}[path]
        self.viewer.props.fit = fit
        self.view.props.uri = self.server.base + path
        if not self.viewer.get_root():
            self.show(self.viewer)

    def sees(self, factor, place, at=(WIDTH / 2, HEIGHT / 2)):
        """Waits until a place of the image, in its pixels, is at a point of the window, and all is as it should be."""
        turn_until(lambda: self.window.get_width() > 0)
        size = self.window.get_width(), self.window.get_height()
        self.until(lambda rows: Drawn(rows, size, self.chart, factor).faults(place, at))

    def sees_whole_grid(self):
        self.sees(HEIGHT / GRID.height, (2000, 1500))
        self.assertEqual(self.viewer.props.zoom, 0)

    def test_each_fit_shows_the_start_of_the_image(self):
        fits = RemoteImage.ViewerFit
        for path, fit, factor, place, at in [
            ("/grid", fits.WHOLE, HEIGHT / 3000, (2000, 1500), (300, 200)),
            ("/grid", fits.WIDTH, WIDTH / 4000, (0, 0), (0, 0)),
            ("/grid", fits.HEIGHT, HEIGHT / 3000, (2000, 1500), (300, 200)),
            ("/grid", fits.COVER, WIDTH / 4000, (0, 0), (0, 0)),
            ("/grid", fits.NATURAL_SIZE, 1, (0, 0), (0, 0)),
            ("/page", fits.WHOLE, HEIGHT / 12000, (400, 6000), (300, 200)),
            ("/page", fits.WIDTH, WIDTH / 800, (0, 0), (0, 0)),
            ("/page", fits.HEIGHT, HEIGHT / 12000, (400, 6000), (300, 200)),
            ("/page", fits.COVER, WIDTH / 800, (0, 0), (0, 0)),
            ("/page", fits.NATURAL_SIZE, 1, (0, 0), (0, 0)),
        ]:
            with self.subTest(path=path, fit=fit.value_nick):
                self.view.props.uri = None
                self.open(path, fit)
                self.sees(factor, place, at)

    def test_keys(self):
        self.open("/grid")
        self.sees_whole_grid()
        for key, factor in [("1", 1), ("=", 1.25), ("-", 1), ("-", 0.8)]:
            self.hands.press(key)
            self.sees(factor, (2000, 1500))
        self.hands.press("1")
        for key, place in [("Right", (2040, 1500)), ("Down", (2040, 1540)), ("Left", (2000, 1540)), ("Up", (2000, 1500))]:
            self.hands.press(key)
            self.sees(1, place)
        self.hands.press("0")
        self.sees_whole_grid()

    def test_the_wheel_with_ctrl_keeps_the_point_under_the_pointer(self):
        self.open("/grid")
        self.sees_whole_grid()
        self.hands.move(*pixels(350, 100))
        place = 2000 + 50 / (HEIGHT / 3000), 750
        last = 0
        for step in [1, 2, 3, 4, 8, 12, 16, 14, 10, 5, 1]:
            with self.hands.holding("Control"):
                self.hands.turn(last - step)
            last = step
            self.sees(HEIGHT / 3000 * 1.25**step, place, (350, 100))
        with self.hands.holding("Control"):
            self.hands.turn(1)
        self.sees_whole_grid()

    def test_the_wheel_scrolls(self):
        self.open("/page", RemoteImage.ViewerFit.WIDTH)
        self.sees(0.75, (0, 0), (0, 0))
        self.hands.move(*pixels(300, 200))
        stride = HEIGHT ** (2 / 3)
        for steps, row in [(1, 1), (2, 3), (-1, 2), (-5, 0)]:
            self.hands.turn(steps)
            self.sees(0.75, (0, row * stride / 0.75), (0, 0))
        self.hands.turn(300)
        self.sees(0.75, (0, 12000), (0, HEIGHT))

    def test_a_double_click_keeps_its_point(self):
        self.open("/grid")
        self.sees_whole_grid()
        self.hands.click(*pixels(200, 300), count=2)
        place = 2000 - 100 / (HEIGHT / 3000), 2250
        self.sees(1, place, (200, 300))
        # Otherwise these are the third and the fourth click.
        time.sleep(Gtk.Settings.get_default().props.gtk_double_click_time / 1000)
        self.hands.click(*pixels(500, 50), count=2)
        self.sees_whole_grid()

    def test_the_property_zoom_keeps_the_center(self):
        self.open("/grid")
        self.sees_whole_grid()
        for zoom, factor in [(2, 2), (0.5, 0.5), (100, 8), (1, 1)]:
            self.viewer.props.zoom = zoom
            self.sees(factor, (2000, 1500))
            self.assertEqual(self.viewer.props.zoom, factor)
        self.viewer.props.zoom = 0.01
        self.sees_whole_grid()

    def test_a_drag_moves_the_image(self):
        self.open("/grid")
        self.sees_whole_grid()
        self.hands.press("1")
        self.sees(1, (2000, 1500))
        self.hands.drag(pixels(400, 300), pixels(380, 290), pixels(300, 250), pixels(250, 180))
        self.sees(1, (2150, 1620))
        self.hands.drag(pixels(100, 100), pixels(130, 130), pixels(590, 390))
        self.sees(1, (1660, 1330))

    def test_windows_of_other_sizes(self):
        self.open("/grid")
        self.sees_whole_grid()
        for width, height in [(800, 500), (400, 500), (SCREEN_WIDTH, SCREEN_HEIGHT), (WIDTH, HEIGHT)]:
            self.resize(width, height)
            self.sees(min(width / 4000, height / 3000), (2000, 1500), (width / 2, height / 2))
        self.viewer.props.zoom = 1
        self.sees(1, (2000, 1500))
        # The corner stays where it is.
        for width, height in [(800, 500), (400, 500), (WIDTH, HEIGHT)]:
            self.resize(width, height)
            self.sees(1, (1700, 1300), (0, 0))

    def test_a_page_keeps_its_first_row_in_windows_of_other_widths(self):
        self.open("/page", RemoteImage.ViewerFit.WIDTH)
        self.sees(0.75, (0, 0), (0, 0))
        self.hands.move(*pixels(300, 200))
        self.hands.turn(20)
        row = 20 * HEIGHT ** (2 / 3) / 0.75
        self.sees(0.75, (0, row), (0, 0))
        for width, height in [(800, 500), (400, 500), (WIDTH, HEIGHT)]:
            self.resize(width, height)
            self.sees(width / 800, (0, row), (0, 0))

    def resize(self, width, height):
        self.window.set_default_size(width, height)
        turn_until(lambda: (self.window.get_width(), self.window.get_height()) == (width, height))

    def test_another_image_begins_without_a_zoom_factor(self):
        self.open("/grid")
        self.sees_whole_grid()
        self.hands.press("1")
        self.sees(1, (2000, 1500))
        self.open("/page")
        self.sees(HEIGHT / 12000, (400, 6000))
        self.open("/page", RemoteImage.ViewerFit.WIDTH)
        self.open("/grid", RemoteImage.ViewerFit.WIDTH)
        self.sees(WIDTH / 4000, (0, 0), (0, 0))
        self.open("/page", RemoteImage.ViewerFit.WIDTH)
        self.sees(0.75, (0, 0), (0, 0))

    def test_another_fit_begins_at_its_start(self):
        self.open("/page")
        self.sees(HEIGHT / 12000, (400, 6000))
        self.viewer.props.fit = RemoteImage.ViewerFit.WIDTH
        self.sees(0.75, (0, 0), (0, 0))


class Widgets(Case):
    def test_an_emoji_moves(self):
        emoji = Gtk.Image(pixel_size=24, halign=Gtk.Align.START, valign=Gtk.Align.START)
        image = RemoteImage.set_image(emoji, self.server.base + "/animation.gif")
        self.show(emoji)
        turn_until(lambda: image.props.phase == RemoteImage.Phase.SUCCESS)
        middle, colors = 12 * SCALE, set()

        def missing_frames(rows):
            colors.add(rows[middle][middle * 3 : middle * 3 + 3])
            return not colors >= {b"\xff\0\0", b"\0\xff\0", b"\0\0\xff"} and f"only {colors} are drawn"

        self.until(missing_frames, still=0)

    def test_an_icon_stays_at_404(self):
        icon = Gtk.Image(icon_name="avatar-default-symbolic", pixel_size=48)
        self.show(icon)
        turn_until(icon.get_mapped)
        before = self.until(lambda rows: len(set(rows)) < 10 and "no icon is drawn")
        image = RemoteImage.set_image(icon, self.server.base + "/missing")
        turn_until(lambda: image.props.phase == RemoteImage.Phase.FAILURE)
        self.assertEqual(image.props.status, 404)
        self.until(lambda rows: rows != before and "the icon has changed")

    def test_two_hundred_pictures_of_a_list_load_when_they_are_visible(self):
        self.scroll_a_list(lambda: Gtk.Picture(width_request=48, height_request=48))

    @unittest.skipIf(Adw is None, "libadwaita is not installed")
    def test_two_hundred_avatars_of_a_list_load_when_they_are_visible(self):
        Adw.init()
        self.scroll_a_list(lambda: Adw.Avatar(size=48, show_initials=True))

    def scroll_a_list(self, new_widget):
        addresses = [f"{self.server.base}/avatar/{number}" for number in range(200)]
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", lambda _, row: row.set_child(new_widget()))
        factory.connect("bind", lambda _, row: RemoteImage.set_image(row.get_child(), row.get_item().get_string()))
        rows = Gtk.ListView(model=Gtk.NoSelection(model=Gtk.StringList.new(addresses)), factory=factory)
        self.show(Gtk.ScrolledWindow(child=rows, min_content_height=120, vexpand=False, valign=Gtk.Align.START))
        self.until(lambda screenshot: 0 not in self.avatars(screenshot) and "the first avatar is missing", still=0.5)
        self.assertLessEqual(len(self.server.served), 10)
        self.hands.move(*pixels(60, 60))
        self.hands.turn(500)
        self.until(lambda screenshot: 199 not in self.avatars(screenshot) and "the last avatar is missing", still=0.5)

    def avatars(self, rows):
        """The numbers of the avatars in the middle of the window."""
        middle = WIDTH * SCALE // 2 * 3
        counts = collections.Counter(row[middle : middle + 3] for row in rows)
        return [number for number in range(200) if counts[avatar_color(number)] > 20]


if __name__ == "__main__":
    Gtk.init()
    unittest.main(verbosity=2)
