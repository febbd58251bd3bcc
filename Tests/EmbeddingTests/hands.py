"""Mouse and keyboard input through XTEST, the X server's extension for tests."""

import contextlib
import ctypes

# The numbers of keys without a character (X11/keysymdef.h).
KEYS = {
    "Escape": 0xFF1B, "Return": 0xFF0D, "Tab": 0xFF09, "Home": 0xFF50, "Left": 0xFF51, "Up": 0xFF52, "Right": 0xFF53,
    "Down": 0xFF54, "Page_Up": 0xFF55, "Page_Down": 0xFF56, "End": 0xFF57, "Control": 0xFFE3,
}  # fmt: skip
ANY_SCREEN, NOW = -1, 0


class Hands:
    def __init__(self, display):
        self.x11, self.xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(display.encode()))

    def close(self):
        self.x11.XCloseDisplay(self.display)

    def move(self, x, y):
        self.xtst.XTestFakeMotionEvent(self.display, ANY_SCREEN, x, y, ctypes.c_ulong(NOW))
        self.x11.XSync(self.display, False)

    def click(self, x, y, count=1):
        self.move(x, y)
        for _ in range(count):
            self._send(self.xtst.XTestFakeButtonEvent, 1)

    def drag(self, *points):
        """Presses the button at the first of some places, and releases it at the last."""
        self.move(*points[0])
        self._send(self.xtst.XTestFakeButtonEvent, 1, (True,))
        for point in points[1:]:
            self.move(*point)
        self._send(self.xtst.XTestFakeButtonEvent, 1, (False,))

    def turn(self, steps):
        """Turns the wheel down, or up for a negative number."""
        for _ in range(abs(steps)):
            self._send(self.xtst.XTestFakeButtonEvent, 5 if steps > 0 else 4)

    def press(self, key):
        """Presses a key: one of `KEYS`, or a character that needs no Shift."""
        self._send(self.xtst.XTestFakeKeyEvent, self._code(key))

    @contextlib.contextmanager
    def holding(self, key):
        """Holds a key down while the block runs."""
        self._send(self.xtst.XTestFakeKeyEvent, self._code(key), (True,))
        yield
        self._send(self.xtst.XTestFakeKeyEvent, self._code(key), (False,))

    def type(self, text):
        for character in text:
            self.press(character)

    def _code(self, key):
        symbol = ctypes.c_ulong(KEYS.get(key) or ord(key))
        return self.x11.XKeysymToKeycode(self.display, symbol) & 0xFF

    def _send(self, function, number, states=(True, False)):
        for is_down in states:
            function(self.display, number, is_down, ctypes.c_ulong(NOW))
        self.x11.XSync(self.display, False)
