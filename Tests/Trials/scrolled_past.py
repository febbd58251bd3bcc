#!/usr/bin/env python3
"""Scrolls once past 200 photos, and measures what they leave in memory.

    scrolled_past.py [views|paintables] [--pause SECONDS]

Each photo has 4000 × 3000 pixels and is shown at 960 × 720 points in a box in a scrolled window: by
views, or by paintables that are bound to pictures. It uses the installed library (GI_TYPELIB_PATH,
LD_LIBRARY_PATH) on the display with the renderer of GSK_RENDERER. The exit status is 0 if at most 40
photos hold a texture, and the process has grown by at most the limit of the memory cache and 60 MB.
"""

import argparse
import ctypes
import http.server
import pathlib
import subprocess
import sys
import threading
import time

COUNT, WIDTH, HEIGHT = 200, 960, 720


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_):
        pass


def serve():
    """Serves the photo at every path until the standard input ends. A process of its own, whose memory does not
    count."""
    import gi
    gi.require_version("GdkPixbuf", "2.0")
    from gi.repository import GdkPixbuf, GLib
    row = bytes((x * y) % 251 for y in (1, 2, 3) for x in range(4000))
    pixels = b"".join(row[n % 97 * 3:] + row[:n % 97 * 3] for n in range(3000))
    photo = GdkPixbuf.Pixbuf.new_from_bytes(
        GLib.Bytes.new(pixels), GdkPixbuf.Colorspace.RGB, False, 8, 4000, 3000, 12000)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.daemon_threads = True
    server.body = bytes(photo.save_to_bufferv("jpeg", ["quality"], ["80"])[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


def resident(field="VmRSS"):
    """Megabytes."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field + ":")) / 1024


class HeapInfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def heap():
    """The free and the used bytes of the heap, and those in mappings of their own, as text."""
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return "unknown"
    mallinfo.restype = HeapInfo
    info = mallinfo()
    return ", ".join(f"{name} {getattr(info, field) / 2**20:.0f}" for name, field in (
        ("used", "uordblks"), ("free", "fordblks"), ("mapped", "hblkhd")))


def measure(kind, port, pause):
    import gi
    gi.require_version("Gtk", "4.0")
    gi.require_version("RemoteImage", "1")
    from gi.repository import GLib, Gtk, RemoteImage
    context = GLib.MainContext.default()

    def turn(seconds, until=lambda: False):
        timer, end = GLib.timeout_add(10, lambda: True), time.monotonic() + seconds
        while not until() and time.monotonic() < end:
            context.iteration(True)
        GLib.source_remove(timer)
        return until()

    Gtk.init()
    pipeline = RemoteImage.Pipeline(memory_cache_limit=64 * 2**20, disk_cache_limit=0)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    photos = []
    for number in range(COUNT):
        address = f"http://127.0.0.1:{port}/{number}"
        if kind == "views":
            photo = widget = RemoteImage.View(pipeline=pipeline, uri=address)
        else:
            photo = RemoteImage.Paintable(pipeline=pipeline, max_pixel_size=WIDTH)
            widget = Gtk.Picture()
            photo.bind_widget(widget, "paintable")
        widget.set_size_request(WIDTH, HEIGHT)
        photos.append((photo, address))
        box.append(widget)
    window = Gtk.Window(default_width=WIDTH, default_height=900)
    window.set_child(Gtk.ScrolledWindow(child=box))

    def load(number):
        photo, address = photos[number]
        # A paintable loads as soon as it has an address.
        photo.props.uri = address
        if not turn(60, lambda: photo.props.phase in (RemoteImage.Phase.SUCCESS, RemoteImage.Phase.FAILURE)):
            sys.exit(f"photo {number} was not loaded")
        if photo.props.phase == RemoteImage.Phase.FAILURE:
            sys.exit(f"photo {number} failed: {photo.props.error.message}")

    window.present()
    load(0)
    turn(1)
    start, most = resident(), 0
    adjustment = window.get_child().get_vadjustment()
    for number in range(1, COUNT):
        adjustment.set_value(number * HEIGHT)
        load(number)
        turn(0.05)
        most = max(most, resident())
    after = resident()
    # The release delay, and some time for the work after it.
    turn(pause)
    end, free = resident(), heap()
    held = sum(photo.props.texture is not None for photo, _ in photos)
    limit = pipeline.props.memory_cache_limit / 2**20 + 60e6 / 2**20
    print(f"{kind}: {held} of {COUNT} photos hold a texture; limit: 40")
    print(f"{kind}: {start:.0f} MiB resident before the scroll, {most:.0f} at most, {after:.0f} after it, {end:.0f} after "
          f"the release: {end - start:+.0f}; limit: {limit:.0f}. Heap in MiB: {free}")
    return held <= 40 and end - start <= limit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", nargs="?", choices=("views", "paintables"), default="views")
    parser.add_argument("--pause", type=float, default=8)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return serve()
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        is_good = measure(arguments.kind, int(server.stdout.readline()), arguments.pause)
        server.stdin.close()
    sys.exit(0 if is_good else 1)


main()
