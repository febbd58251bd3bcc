#!/usr/bin/python3
"""Takes the screenshots of the first programs on the site's landing page, at scale 2, with painted
images of the gallery in place of those on the network, and keeps them in docs/site.

    first-screenshots.py SMALLEST    the program of Examples/Smallest

GI_TYPELIB_PATH and LD_LIBRARY_PATH lead to the library. The windows of the programs in C, Python and
Vala are equal, as Tests/EmbeddingTests/test_guide.py checks, so that one screenshot stands for all.
"""

import http.server
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, f"{REPOSITORY}/Tests/EmbeddingTests")
import displays  # noqa: E402

GUIDE = f"{REPOSITORY}/Sources/RemoteImageGtk/RemoteImageGtk.docc/GTKInPython.md"
GALLERY = f"{REPOSITORY}/docs/gallery/dark-2"
# Where screenshots of the gallery show images: left, top, width and height. The first one is
# without the number in its corner.
PAINTINGS = {"large": (440, 298, 1200, 900), "zoom": (608, 228, 944, 706)}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        image = painting(self.path.strip("/"))
        self.send_header("Content-Length", str(len(image)))
        self.end_headers()
        self.wfile.write(image)

    def log_message(self, *_):
        pass


def painting(name):
    part = GdkPixbuf.Pixbuf.new_from_file(f"{GALLERY}/{name}.jpg").new_subpixbuf(*PAINTINGS[name])
    return bytes(part.save_to_bufferv("jpeg", ["quality"], ["95"])[1])


def take(command, output):
    """Runs a program on a display of its own, and saves its window once it has not changed for a second."""
    screen = displays.XServer(1400, 1200)
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(
            os.environ, **screen.environment, GDK_SCALE="2", GSK_RENDERER="cairo", GTK_A11Y="none",
            XDG_CACHE_HOME=cache, GSETTINGS_BACKEND="memory")  # fmt: skip
        program = subprocess.Popen(command, env=environment)
        try:
            last, since = None, time.monotonic()
            while last is None or time.monotonic() - since < 2:
                time.sleep(0.2)
                now = screen.rows()
                if now != last:
                    last, since = now, time.monotonic()
            width, height, rows = last
        finally:
            program.terminate()
            program.wait()
            screen.close()
    # The screen around the window is black.
    down = [y for y, row in enumerate(rows) if any(row)]
    across = [x for x in range(width) if any(any(row[x * 3 : x * 3 + 3]) for row in rows[down[0] : down[-1] : 8])]
    pixels = GdkPixbuf.Pixbuf.new_from_data(b"".join(rows), GdkPixbuf.Colorspace.RGB, False, 8, width, height, width * 3)
    window = pixels.new_subpixbuf(across[0], down[0], across[-1] - across[0] + 1, down[-1] - down[0] + 1)
    window.savev(output, "jpeg", ["quality"], ["85"])
    print(f"{output}: {window.get_width()} × {window.get_height()}")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    with open(GUIDE, encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    program = next(block for block in blocks if 'connect("failed"' in block)
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        file.write(re.sub(r'uri="[^"]*"', f'uri="{address}/large"', program))
        file.flush()
        take([sys.executable, file.name], f"{REPOSITORY}/docs/site/logo.jpg")
    take([sys.argv[1], f"{address}/zoom"], f"{REPOSITORY}/docs/site/swift.jpg")


if __name__ == "__main__":
    main()
