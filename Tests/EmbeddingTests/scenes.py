"""A server that paints landscapes and portraits, which tests recognise on the screen.

`/7` is landscape 7, any other path a portrait that depends on its last part. The background of each
scene has a colour of its own, which contains the number of the scene.

    scenes.py [TOKEN]    prints the address, and serves until the end of standard input
"""

import collections
import colorsys
import sys
import threading

import images

LAST = 5000


def shade(hue, lightness, saturation):
    return [round(part * 255) for part in colorsys.hls_to_rgb(hue % 1, lightness, saturation)]


def hue(number):
    # Multiples of the golden ratio are far apart for neighbouring numbers.
    return number * 0.618


def background(number):
    red, green, blue = shade(hue(number), 0.76, 0.5)
    return bytes([red & ~15 | number & 15, green & ~15 | number >> 4 & 15, blue & ~31 | number >> 8])


def number_of(colour):
    """The number of the scene with this background; `None` for other colours."""
    red, green, blue = colour
    number = red & 15 | (green & 15) << 4 | (blue & 31) << 8
    return number if 0 < number <= LAST and background(number) == bytes(colour) else None


def size(number):
    """Every fifth landscape is in portrait format."""
    return (720, 960) if number % 5 == 0 else (960, 720)


class Canvas:
    def __init__(self, width, height, colour):
        self.width, self.height = width, height
        self.rows = [bytearray(colour * width) for _ in range(height)]

    def span(self, y, start, end, colour):
        start, end = max(0, round(start)), min(self.width, round(end))
        if 0 <= y < self.height and start < end:
            self.rows[y][start * 3 : end * 3] = bytes(colour) * (end - start)

    def ellipse(self, x, y, across, down, colour):
        for row in range(round(y - down), round(y + down) + 1):
            half = across * max(0, 1 - ((row - y) / down) ** 2) ** 0.5
            self.span(row, x - half, x + half, colour)

    def mountain(self, x, top, base, slope, colour):
        for row in range(round(top), round(base)):
            self.span(row, x - (row - top) * slope, x + (row - top) * slope, colour)

    def png(self):
        return images.png(self.width, self.height, self.rows)


def landscape(number):
    """Mountains, and a lake that mirrors the sky, so that the background reaches all edges."""
    width, height = size(number)
    canvas = Canvas(width, height, background(number))
    shore = height * 0.8
    canvas.ellipse(width * (0.2 + number * 0.37 % 0.6), height * 0.24, 68, 68, shade(hue(number) + 0.12, 0.93, 0.8))
    for layer, lightness in enumerate((0.6, 0.45, 0.3)):
        for peak in range(4 - layer):
            place = (number * (0.31 + layer * 0.17) + peak * 0.38 + layer * 0.2) % 1.1
            top = height * (0.32 + layer * 0.15 + (number * 7 + peak * 5) % 11 / 90)
            canvas.mountain(width * place, top, shore, 1.1 + peak % 2 * 0.5, shade(hue(number), lightness, 0.35))
    return canvas.png()


def portrait(number):
    canvas = Canvas(256, 256, background(number))
    skin = shade(0.07, 0.82 - number % 4 * 0.12, 0.5)
    canvas.ellipse(128, 272, 96, 92, shade(hue(number) + 0.5, 0.42, 0.4))
    canvas.ellipse(128, 94, 62, 58, shade(0.08, 0.15 + number % 3 * 0.16, 0.4))
    canvas.ellipse(128, 186, 24, 26, skin)
    canvas.ellipse(128, 122, 50, 60, skin)
    return canvas.png()


def portrait_number(name):
    """The number of the portrait of a name."""
    return sum(name.encode()) % LAST + 1


def visible(rows):
    """The numbers of the scenes on a screen, with how many pixels of background each has."""
    colours = collections.Counter()
    for row in rows:
        colours.update(zip(row[0::3], row[1::3], row[2::3]))
    found = {number_of(colour): count for colour, count in colours.items() if count > 300}
    found.pop(None, None)
    return found


def boxes(rows):
    """The left, upper, right and lower edges of each scene on a screen."""
    wanted = {background(number): number for number in visible(rows)}
    found = {}
    for y, row in enumerate(rows):
        for x in range(len(row) // 3):
            number = wanted.get(bytes(row[x * 3 : x * 3 + 3]))
            if number:
                left, top, right, _ = found.get(number, (x, y, x, y))
                found[number] = (min(left, x), top, max(right, x), y)
    return found


class Handler(images.Handler):
    @property
    def lifetime(self):
        # The images of an account are validated each time that the server can be reached.
        return 0 if self.server.token else 3600

    def do_GET(self):
        name = self.path.split("/")[-1]
        barrier = self.server.barrier
        if barrier and name.isdigit() and int(name) <= barrier.parties:
            barrier.wait()
        token = self.server.token
        if token and self.headers.get("Authorization") != f"Bearer {token}":
            self.server.refused.append(self.path)
            self.answer(401, "text/plain", b"A token is needed.")
        elif not name.isdigit():
            self.answer(200, "image/png", portrait(portrait_number(name)))
        elif 0 < int(name) <= LAST:
            self.answer(200, "image/png", landscape(int(name)))
        else:
            self.answer(404, "text/plain", b"Not here.")


def serve(token=None, barrier=None):
    """Starts a server and returns it: that of `images.serve`, and the paths that it refused for lack
    of the token are in `refused`. With a barrier, the requests for the first landscapes wait for each
    other."""
    server = images.serve(Handler)
    server.token, server.barrier, server.refused = token, barrier, []
    return server


if __name__ == "__main__":
    print(serve(*sys.argv[1:2]).base, flush=True)
    sys.stdin.read()
