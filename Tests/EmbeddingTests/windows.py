"""Programs under test, each on a display of its own, whose screen has the size of its window.

GDK_SCALE and GTK_THEME in the environment set the scale and the theme of the windows.
"""

import os
import subprocess
import time

import displays
import hands
import images

SCALE = int(os.environ.get("GDK_SCALE", 1))


class Window:
    """A running program. Its caches, settings and files are in the folder of the test."""

    def __init__(self, test, command, width, height, given=""):
        self.width, self.height = width, height
        self.screen = displays.XServer(width * SCALE, height * SCALE)
        test.addCleanup(self.screen.close)
        environment = dict(
            os.environ, GSK_RENDERER="cairo", GTK_A11Y="none", GSETTINGS_BACKEND="memory", XDG_CACHE_HOME=test.folder,
            XDG_CONFIG_HOME=test.folder, XDG_DATA_HOME=test.folder, **self.screen.environment)  # fmt: skip
        for unwanted in ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
            environment.pop(unwanted, None)
        self.program = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, text=True)
        self.program.stdin.write(given)
        self.program.stdin.close()
        test.addCleanup(self.close)
        self.hands = hands.Hands(self.screen.environment["DISPLAY"])
        test.addCleanup(self.hands.close)

    def close(self):
        if self.program.poll() is None:
            self.program.terminate()
        self.program.wait()

    def click(self, x, y, count=1):
        """Clicks at a place in points."""
        self.hands.click(x * SCALE, y * SCALE, count)

    def scroll(self, steps):
        """Turns the wheel above the middle of the window: down, or up for a negative number."""
        self.hands.move(self.width * SCALE // 2, self.height * SCALE // 2)
        self.hands.turn(steps)

    def until(self, condition, describe, still=0.5):
        """The rows of the screen once they meet a condition and have not changed for half a second.
        With `still=0` they may change, as where an animation runs."""
        last, since, end = None, time.monotonic(), time.monotonic() + 60
        while time.monotonic() < end:
            if self.program.poll() is not None:
                raise AssertionError(f"The program exited with status {self.program.returncode}.")
            rows = self.screen.rows()[2]
            if rows != last:
                last, since = rows, time.monotonic()
            if time.monotonic() - since >= still and condition(rows):
                return rows
            time.sleep(0.05)
        raise AssertionError(f"The screen shows {describe(last)}.")

    def save(self, rows, path):
        with open(path, "wb") as file:
            file.write(images.png(len(rows[0]) // 3, len(rows), rows))
