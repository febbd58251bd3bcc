"""Mouse and keyboard input through XTEST, the X server's extension for tests."""

import ctypes

# The numbers of keys without a character (X11/keysymdef.h).
KEYS = {
    "Escape": 0xFF1B, "Return": 0xFF0D, "Tab": 0xFF09, "Home": 0xFF50, "Left": 0xFF51, "Up": 0xFF52, "Right": 0xFF53,
    "Down": 0xFF54, "Page_Up": 0xFF55, "Page_Down": 0xFF56, "End": 0xFF57,
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

    def turn(self, steps):
        """Turns the wheel down, or up for a negative number."""
        for _ in range(abs(steps)):
            self._send(self.xtst.XTestFakeButtonEvent, 5 if steps > 0 else 4)

    def press(self, key):
        """Presses a key: one of `KEYS`, or a character that needs no Shift."""
        symbol = ctypes.c_ulong(KEYS.get(key) or ord(key))
        self._send(self.xtst.XTestFakeKeyEvent, self.x11.XKeysymToKeycode(self.display, symbol) & 0xFF)

    def type(self, text):
        for character in text:
            self.press(character)

    def _send(self, function, number):
        for is_down in (True, False):
            function(self.display, number, is_down, ctypes.c_ulong(NOW))
        self.x11.XSync(self.display, False)
