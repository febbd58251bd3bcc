"""Runs the examples in JavaScript that show no window."""

import os
import subprocess
import tempfile
import unittest

import images

PROGRAM = "Examples/Embedding/javascript/account.js"
# Prints an expired token at first, then a new one.
TOKENS = "if mkdir {folder}/asked 2>/dev/null; then echo expired; else echo new; fi"


class Account(unittest.TestCase):
    def setUp(self):
        self.server = images.serve()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(f"{self.folder}/tokens", "w", encoding="utf-8") as file:
            file.write(TOKENS.format(folder=self.folder))

    def save(self, *paths):
        return subprocess.run(
            ["scripts/with-display.sh", "gjs", "-m", PROGRAM, f"sh {self.folder}/tokens", self.folder]
            + [f"{self.server.base}/{path}" for path in paths],
            env=dict(os.environ, XDG_CACHE_HOME=f"{self.folder}/cache"), capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    def test_the_images_of_an_account_are_saved_after_its_token_is_replaced(self):
        done = self.save(*(f"account/{number}.png" for number in range(3)))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual(len(self.server.served), 3)
        self.assertGreater(len(self.server.refused), 0)
        for number in (1, 2, 3):
            self.assertIn(f"{self.folder}/{number}.png: 8 × 6", done.stdout)
            with open(f"{self.folder}/{number}.png", "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_a_failed_image_does_not_stop_the_others(self):
        done = self.save("account/1.png", "missing.png")
        self.assertEqual((done.returncode, done.stderr), (1, f"{self.server.base}/missing.png: The image was not found (404)\n"))
        self.assertTrue(os.path.exists(f"{self.folder}/1.png"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
