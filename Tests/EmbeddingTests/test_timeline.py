"""Runs a client of the timeline against its server, and checks what it shows and what it requests.

    test_timeline.py PICTURES NAME COMMAND…    screenshots are written to PICTURES, with this name

GDK_SCALE and GTK_THEME in the environment set the scale and the theme of the windows.
"""

import collections
import glob
import operator
import os
import sys
import tempfile
import threading
import time
import unittest

import windows
from windows import SCALE

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(1, f"{root}/Examples/TimelineServer")
import blurhash  # noqa: E402
import painting  # noqa: E402
import statuses  # noqa: E402
from server import Server  # noqa: E402

pictures, name, *command = sys.argv[1:]
WIDTH, HEIGHT = 480, 800
# The third status has a content warning.
HIDDEN = 8

# The colours by which landscapes and portraits are found, and the emoji of the first status.
GROUNDS = {painting.ground_colour(number): number for number in range(4 * statuses.COUNT)}
BACKGROUNDS = {painting.background_colour(number): number for number in range(len(statuses.ACCOUNTS))}
HEART = (222, 44, 72)
# The authors of the statuses that are shown at the start.
FIRST = {statuses.author(number) for number in range(3)}


def colours(rows):
    count = collections.Counter()
    for row in rows:
        count.update(zip(row[0::3], row[1::3], row[2::3]))
    return count


def near(colour, other):
    """Whether colours are equal, but for the changes by JPEG: stored images in small sizes are JPEG."""
    return abs(colour[0] - other[0]) <= 4 and abs(colour[1] - other[1]) <= 4 and abs(colour[2] - other[2]) <= 4


def landscapes(rows):
    """The numbers of the landscapes on a screen. None of them comes from a JPEG."""
    return {GROUNDS[colour] for colour, count in colours(rows).items() if colour in GROUNDS and count > 800 * SCALE**2}


def resembles(rows, number):
    """Whether a landscape is on the screen, perhaps from a JPEG."""
    ground = painting.ground_colour(number)
    return sum(count for colour, count in colours(rows).items() if near(colour, ground)) > 800 * SCALE**2


def portraits(rows):
    found = collections.Counter()
    for colour, count in colours(rows).items():
        for background, number in BACKGROUNDS.items():
            if near(colour, background):
                found[number] += count
    return {number for number, count in found.items() if count > 150 * SCALE**2}


def box(rows, colour, matches=near):
    """The left, upper, right and lower edge of the pixels with a colour."""
    wanted = [bytes(found) for found in colours(rows) if matches(found, colour)]
    places = [
        (x // 3, y) for y, row in enumerate(rows) if any(colour in row for colour in wanted)
        for x in range(0, len(row), 3) if row[x : x + 3] in wanted]  # fmt: skip
    return min(x for x, _ in places), min(y for _, y in places), max(x for x, _ in places), max(y for _, y in places)


def top(rows):
    """The upper edge of the first portrait."""
    return box(rows, painting.background_colour(0))[1]


def describe(rows):
    return f"the landscapes {sorted(landscapes(rows))} and the portraits {sorted(portraits(rows))}"


class Timeline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = None
        self.request_count, self.since = 0, 0
        self.addCleanup(self.stop)

    def serve(self, requests=30, previous=None):
        """A server, or with `previous` the same one again."""
        self.server = Server(requests, previous.server_address[1] if previous else 0)
        if previous:
            self.server.tokens = previous.tokens
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self.server

    def stop(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
        self.server = None

    def open(self, server, given=""):
        return windows.Window(self, [*command, server.base], WIDTH, HEIGHT, given=given)

    def sign_in(self, server):
        return self.open(server, f"{server.tokens.code}\n")

    def is_quiet(self):
        """Whether the server has received no request for a second, so that images have appeared."""
        if len(self.server.log) != self.request_count:
            self.request_count, self.since = len(self.server.log), time.monotonic()
        return time.monotonic() - self.since > 1

    def picture(self, window, name_of_picture, condition):
        """A screenshot of the complete screen, once it meets a condition."""
        return self.until(window, lambda rows: self.is_quiet() and condition(rows), name_of_picture, still=0)

    def until(self, window, condition, picture=None, still=0.5):
        try:
            rows = window.until(condition, describe, still)
        except AssertionError:
            window.save(window.screen.rows()[2], f"{pictures}/timeline-{name}-failed.png")
            raise
        if picture:
            window.save(rows, f"{pictures}/timeline-{name}-{picture}.png")
        return rows

    def requests(self, server, prefix, status=200):
        return [path for _, path, found in server.log if path.startswith(prefix) and found == status]

    def test_a_blurhash_stands_for_an_image_until_it_has_loaded(self):
        server = self.serve()
        server.gate.clear()
        window = self.sign_in(server)
        # The client gives up after 15 seconds without a byte, so the test does not wait for emoji.
        before = self.until(window, lambda rows: FIRST <= portraits(rows), still=0)
        server.gate.set()
        self.assertEqual(landscapes(before), set())
        window.save(before, f"{pictures}/timeline-{name}-previews.png")
        after = self.until(window, lambda rows: 0 in landscapes(rows), "start", still=0)

        # Nothing has moved.
        for number in FIRST:
            places = [box(rows, painting.background_colour(number)) for rows in (before, after)]
            for edge, later in zip(*places):
                self.assertAlmostEqual(edge, later, delta=2)

        # The preview has the colours of the image, and so has the hash of its JSON.
        left, _, right, bottom = box(after, painting.ground_colour(0), operator.eq)
        width = right - left + 1
        height = round(width * painting.size(0)[1] / painting.size(0)[0])
        upper = bottom + 1 - height
        components = []
        for rows in (before, after):
            area = [row[left * 3 : (right + 1) * 3] for row in rows[upper : bottom + 1]]
            components.append(blurhash.components(width, height, area))
        for preview, image in zip(*components):
            for found, wanted in zip(preview, image):
                self.assertAlmostEqual(found, wanted, delta=0.05)

    def test_short_pages_are_loaded_until_the_window_is_full(self):
        server = self.serve()
        server.page_size = 1
        self.until(self.sign_in(server), lambda rows: FIRST <= portraits(rows), still=0)

    def test_emoji_move(self):
        server = self.serve()
        window = self.sign_in(server)

        def heart():
            rows = self.until(window, lambda rows: 0 in landscapes(rows) and HEART in colours(rows), still=0)
            left, upper, right, lower = box(rows, HEART)
            return right - left, lower - upper

        # The heart beats.
        sizes = {heart() for _ in range(12)}
        self.assertGreater(len(sizes), 1)

    def test_a_token_that_expires_while_the_user_scrolls_is_refreshed_once(self):
        server = self.serve(requests=30)
        window = self.sign_in(server)
        self.until(window, lambda rows: 0 in landscapes(rows), still=0)
        rows = None
        while not (server.tokens.refreshes and landscapes(rows)):
            window.scroll(2)
            rows = self.until(window, portraits, still=0)
        self.picture(window, "scrolled", portraits)

        # To the end, which shows the last portraits and images.
        last = statuses.author(statuses.COUNT - 1)
        while not (self.requests(server, "/lost/", 404) and last in portraits(rows)):
            window.scroll(4)
            rows = self.until(window, portraits, still=0)
        self.picture(window, "end", portraits)

        self.assertEqual((server.tokens.refreshes, server.tokens.reuses), (1, 0))
        self.assertEqual(len(self.requests(server, "/api/")), 4)
        refused = [path for _, path, status in server.log if status == 401]
        # Images of rows that the user has scrolled away are not needed any more.
        self.assertTrue(any(self.requests(server, path) for path in refused), refused)
        for path in refused:
            if path.startswith("/api/"):
                self.assertIn(path, self.requests(server, path), "It was refused, and not requested again.")
        failed = {path for _, path, status in server.log if status not in (200, 401)}
        self.assertTrue(all(path.startswith("/lost/") for path in failed), failed)

    def test_a_content_warning_blurs_an_image_until_the_user_wants_to_see_it(self):
        server = self.serve()
        window = self.sign_in(server)
        rows = self.until(
            window,
            lambda rows: 0 in landscapes(rows) and FIRST <= portraits(rows) and self.requests(server, f"/media/small/{HIDDEN}.png"),
            "warning", still=0)  # fmt: skip
        self.assertNotIn(HIDDEN, landscapes(rows))

        # The button is in the middle of the image, below the portrait of the author.
        y = box(rows, painting.background_colour(statuses.author(2)))[3] // SCALE + 60
        while HIDDEN not in landscapes(rows) and y < HEIGHT:
            window.click(WIDTH // 2, y)
            rows = window.screen.rows()[2]
            y += 12
        self.picture(window, "revealed", lambda rows: HIDDEN in landscapes(rows))

    def start_and_close(self, server):
        """Shows the first screen, and waits until all its images are stored."""
        window = self.sign_in(server)
        self.until(window, lambda rows: 0 in landscapes(rows) and FIRST <= portraits(rows) and HEART in colours(rows), still=0)
        rows = self.until(window, lambda rows: self.stored() == len(self.images(server)), still=0)
        window.close()
        return rows

    def stored(self):
        """How many responses are stored."""
        return len(glob.glob(f"{self.folder}/*/remote-images/v1/*/*.h"))

    def images(self, server):
        return [path for path in self.requests(server, "/") if not path.startswith(("/api/", "/oauth/"))]

    def test_posts_and_images_are_shown_without_the_server(self):
        server = self.serve()
        online = self.start_and_close(server)
        self.stop()

        window = self.open(server)
        # A banner moves the posts down.
        self.until(
            window,
            lambda rows: resembles(rows, 0) and FIRST <= portraits(rows) and HEART in colours(rows)
            and top(rows) > top(online) + 20 * SCALE,
            "offline",
            still=0,
        )  # fmt: skip

        # The server is back, and the user tries again.
        again = self.serve(previous=server)
        window.click(WIDTH - 60, 22)
        self.until(window, lambda rows: portraits(rows) and top(rows) < top(online) + 20 * SCALE, still=0)
        self.assertEqual(set(self.images(again)) & set(self.images(server)), set())

    def test_the_next_start_with_another_token_downloads_no_image_again(self):
        server = self.serve()
        self.start_and_close(server)
        loaded = set(self.images(server))
        server.tokens.left = 0
        server.log.clear()

        window = self.open(server)
        self.until(
            window, lambda rows: resembles(rows, 0) and FIRST <= portraits(rows) and HEART in colours(rows) and self.requests(server, "/api/"),
            still=0)
        self.assertEqual(server.tokens.refreshes, 1)
        self.assertEqual(set(self.images(server)) & loaded, set())

    def test_a_client_whose_session_has_ended_signs_in_again(self):
        server = self.serve()
        self.start_and_close(server)
        self.stop()
        server = self.serve()
        window = self.sign_in(server)
        self.until(window, lambda rows: self.requests(server, "/api/") and FIRST <= portraits(rows), still=0)
        self.assertEqual(self.requests(server, "/oauth/token", 400), ["/oauth/token"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
