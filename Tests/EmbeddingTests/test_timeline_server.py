"""Tests the server of the timeline: its tokens, its pages, and the hashes of its images."""

import json
import os
import struct
import sys
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(1, f"{root}/Examples/TimelineServer")
import blurhash  # noqa: E402
import painting  # noqa: E402
import statuses  # noqa: E402
from server import Server  # noqa: E402


class TimelineServer(unittest.TestCase):
    def setUp(self):
        self.server = Server(requests=3)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def request(self, address, token=None, **form):
        """The status, the headers and the body of the response."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = urllib.parse.urlencode(form).encode() if form else None
        try:
            with urllib.request.urlopen(urllib.request.Request(address, data, headers)) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def grant(self, **form):
        status, _, body = self.request(f"{self.server.base}/oauth/token", **form)
        return status, json.loads(body)

    def sign_in(self):
        return self.grant(grant_type="authorization_code", code=self.server.tokens.code)[1]

    def refresh(self, token):
        return self.grant(grant_type="refresh_token", refresh_token=token)

    def test_a_token_of_a_code_expires_after_some_requests_and_that_of_a_refresh_does_not(self):
        tokens = self.sign_in()
        address = f"{self.server.base}/avatars/1.png"
        found = [self.request(address, tokens["access_token"]) for _ in range(4)]
        self.assertEqual([status for status, _, _ in found], [200, 200, 200, 401])
        self.assertIn('error="invalid_token"', found[3][1]["WWW-Authenticate"])
        _, tokens = self.refresh(tokens["refresh_token"])
        self.assertEqual({self.request(address, tokens["access_token"])[0] for _ in range(10)}, {200})

    def test_a_code_and_a_refresh_token_work_once(self):
        code = self.server.tokens.code
        first = self.sign_in()
        self.assertEqual(self.grant(grant_type="authorization_code", code=code)[0], 400)
        _, second = self.refresh(first["refresh_token"])
        self.assertEqual(self.refresh(first["refresh_token"]), (400, {"error": "invalid_grant"}))
        self.assertEqual(self.server.tokens.reuses, 1)
        # The second use ends the session.
        self.assertEqual(self.request(f"{self.server.base}/avatars/1.png", second["access_token"])[0], 401)

    def test_images_and_pages_need_a_token(self):
        for path in ("avatars/1.png", "emoji/blobheart.png", "media/small/0.png", "api/v1/timelines/home"):
            self.assertEqual(self.request(f"{self.server.base}/{path}")[0], 401)

    def test_the_links_lead_through_all_statuses(self):
        _, tokens = self.refresh(self.sign_in()["refresh_token"])
        address, found = f"{self.server.base}/api/v1/timelines/home", []
        while address:
            _, headers, body = self.request(address, tokens["access_token"])
            found += [status["id"] for status in json.loads(body)]
            links = dict(reversed(link.split("; ")) for link in headers["Link"].split(", "))
            address = links.get('rel="next"', "").strip("<>")
        self.assertEqual(found, sorted(set(found), reverse=True))
        self.assertEqual(len(found), statuses.COUNT)

    def test_images_have_the_sizes_that_the_json_names(self):
        _, tokens = self.refresh(self.sign_in()["refresh_token"])
        for attachment in statuses.status(self.server.base, 3)["media_attachments"]:
            for address, size in ((attachment["url"], "original"), (attachment["preview_url"], "small")):
                body = self.request(address, tokens["access_token"])[2]
                wanted = attachment["meta"][size]
                self.assertEqual(struct.unpack(">II", body[16:24]), (wanted["width"], wanted["height"]))

    def test_a_single_colour_has_the_hash_of_that_colour(self):
        # Six digits of 83 values describe the size, the largest component and the mean; the other
        # components are zero.
        mean = (200 << 16) + (100 << 8) + 50
        digits = "".join(blurhash.ALPHABET[mean // 83**place % 83] for place in (3, 2, 1, 0))
        found = blurhash.encode(64, 48, [bytes((200, 100, 50)) * 64] * 48)
        self.assertEqual((found[0], found[2:6]), ("L", digits))
        self.assertEqual(len(found), 28)

    def test_the_hash_of_an_image_has_its_mean_colour(self):
        width, height = painting.small_size(0)
        rows = painting.rows_of(width, height, painting.landscape_columns(0, width, height))
        number = 0
        for digit in painting.hash_of_landscape(0)[2:6]:
            number = number * 83 + blurhash.ALPHABET.index(digit)
        for place, shift in enumerate((16, 8, 0)):
            values = [blurhash.linear(value) for row in rows for value in row[place::3]]
            self.assertAlmostEqual(number >> shift & 255, blurhash.encoded(sum(values) / len(values)), delta=2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
