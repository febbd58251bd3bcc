#!/usr/bin/env python3
"""Measures how far hostile or failing images affect the images beside them.

    hostile_neighbours.py PROGRAM [CHECK…]    runs all checks, or those that are named

PROGRAM is the path of remote-image, with remote-image-decoder and libremoteimage.so beside it. Each
check prints one figure; the exit status is 0 if all are within their limits.
"""

import argparse
import http.server
import json
import os
import pathlib
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(side, interlaced=False):
    """A black square at one bit per pixel. The file is small whatever its side."""
    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    rows = b""
    for left, top, across, down in passes:
        width, height = -(-(side - left) // across), -(-(side - top) // down)
        rows += bytes(1 + (width + 7) // 8) * height
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, int(interlaced))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


# A square whose noise never ends.
ENDLESS = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><filter id="f"><feTurbulence '
    b'numOctaves="2000000000" baseFrequency=".1"/></filter><rect width="99" height="99" filter="url(#f)"/></svg>')


class Origin(http.server.ThreadingHTTPServer):
    """Serves the given bodies by their path without its query, and never answers for `None`.

    It first refuses each address of `refusals` as often as given there, with a delay of 25 seconds.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, bodies, refusals=None):
        super().__init__(("127.0.0.1", 0), Answer)
        self.bodies, self.refusals = bodies, refusals or {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def address(self, path, host="127.0.0.1"):
        return f"http://{host}:{self.server_port}{path}"

    def handle_error(self, request, client_address):
        """Ignores closed connections."""


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body, refusals = self.server.bodies[self.path.split("?")[0]], self.server.refusals
        if body is None:
            # Until the client gives up.
            self.connection.recv(1)
            self.close_connection = True
            return
        if refusals.get(self.path, 0):
            refusals[self.path] -= 1
            body = b""
            self.send_response(503)
            self.send_header("Retry-After", "25")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def fetch(program, addresses, *options):
    """Fetches the addresses, and returns the report of each with the seconds since the start, in order."""
    command = [program, "fetch", "--json", "--no-disk-cache", *options, *addresses]
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        return [(json.loads(line), time.monotonic() - start) for line in process.stdout]


def failed(reports):
    return [report for report, _ in reports if report.get("error")]


def large(program, folder):
    """Images that need more memory than all decodes may use, before small ones."""
    origin = Origin({"/large": png(7000, interlaced=True), "/small": png(100)})
    addresses = [origin.address(f"/large?{n}") for n in range(4)] + [origin.address(f"/small?{n}") for n in range(8)]
    reports = fetch(program, addresses, "--concurrency", "16")
    times = {name: [t for report, t in reports if f"/{name}?" in report["url"]] for name in ("large", "small")}
    share = max(times["small"]) / max(times["large"])
    print(f"large: 8 small images took {max(times['small']):.2f} s beside 4 large ones, which took "
          f"{max(times['large']):.2f} s; limit: half of it")
    return share <= 0.5 and not failed(reports)


def starts(program, folder):
    """The first decoder processes are killed while they start."""
    program = pathlib.Path(program).resolve()
    shutil.copy(program, folder / "remote-image")
    count, decoder = folder / "starts", folder / "remote-image-decoder"
    real = shlex.quote(str(program.with_name("remote-image-decoder")))
    decoder.write_text(
        f"#!/bin/sh\necho >> {count}\n[ $(wc -l < {count}) -gt 4 ] || kill -KILL $$\nexec {real} \"$@\"\n")
    decoder.chmod(0o700)
    origin = Origin({"/small": png(100)})
    reports = fetch(str(folder / "remote-image"), [origin.address(f"/small?{n}") for n in range(60)])
    good = len(reports) - len(failed(reports))
    print(f"starts: {good} of 60 images were decoded although four starts were killed; limit: all")
    return good == 60


def endless(program, folder):
    """Four drawings that never end, before small images."""
    small = [f"/small?{n}" for n in range(8)]
    # The small images are served after 75 seconds, when all four drawings have exceeded their time
    # limit.
    origin = Origin({"/endless": ENDLESS, "/small": png(100)}, {path: 3 for path in small})
    paths = [f"/endless?{n}" for n in range(4)] + small
    reports = fetch(
        program, [origin.address(path) for path in paths], "--enable-svg", "--concurrency", "16", "--retries", "3")
    good = [report for report, _ in reports if "/small?" in report["url"] and not report.get("error")]
    print(f"endless: {len(good)} of 8 small images were decoded after 4 endless drawings; limit: all")
    return len(good) == 8


def hosts(program, folder):
    """Transfers from three hosts that never answer, before one from a fourth host."""
    origin = Origin({"/never": None, "/good": png(100)})
    addresses = [origin.address(f"/never?{n}", f"{host}.localhost") for n in range(8) for host in "abc"]
    reports = fetch(
        program, [*addresses, origin.address("/good", "d.localhost")], "--concurrency", "16", "--timeout", "8",
        "--retries", "0")
    [(report, seconds)] = [(report, t) for report, t in reports if "/good" in report["url"]]
    print(f"hosts: an image took {seconds:.2f} s beside 24 transfers from three other hosts that never answer; limit: 2 s")
    return seconds <= 2 and not report.get("error")


def black_animation(side, frame_count):
    """A GIF whose black frames cover its canvas. The file is small whatever its side."""
    number = struct.Struct("<H").pack
    bits, bit_count = 0, 0

    def write(code, width):
        nonlocal bits, bit_count
        bits |= code << bit_count
        bit_count += width

    # Each code stands for the newest entry of the decoder's table, a run that is one pixel longer
    # than the previous one.
    left, width, following, run = side * side - 1, 3, 6, 1
    write(4, 3)
    write(0, 3)
    while left > 0:
        run = min(run + 1, left)
        write(0 if run == 1 else 4 + run, width)
        left -= run
        following += 1
        if following > 4095:
            write(4, width)
            width, following, run = 3, 6, 1
            if left > 0:
                write(0, 3)
                left -= 1
        elif following > 1 << width:
            width += 1
    write(5, width)
    codes = bits.to_bytes((bit_count + 7) // 8, "little")
    blocks = b"".join(
        bytes([len(codes[start:start + 255])]) + codes[start:start + 255] for start in range(0, len(codes), 255))
    frame = (
        b"\x21\xf9\x04\x04" + number(4) + b"\0\0\x2c" + number(0) * 2 + number(side) * 2 + b"\0\x02" + blocks
        + b"\0")
    return (
        b"GIF89a" + number(side) * 2 + b"\x80\0\0" + bytes(3) + b"\xff" * 3 + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
        + frame * frame_count + b"\x3b")


# Shows views of 20 × 20 points in a window. Arguments: the library, the address of an image, the
# number of views. The views have different addresses.
VIEWS = """
import ctypes, sys
gtk, library = ctypes.CDLL("libgtk-4.so.1"), ctypes.CDLL(sys.argv[1])
for function in (gtk.gtk_window_new, gtk.gtk_grid_new, library.remote_image_view_new):
    function.restype = ctypes.c_void_p
pointer = ctypes.c_void_p
gtk.gtk_init()
window, grid = pointer(gtk.gtk_window_new()), pointer(gtk.gtk_grid_new())
for number in range(int(sys.argv[3])):
    view = pointer(library.remote_image_view_new(f"{sys.argv[2]}?{number}".encode()))
    gtk.gtk_widget_set_size_request(view, 20, 20)
    gtk.gtk_grid_attach(grid, view, number % 8, number // 8, 1, 1)
gtk.gtk_window_set_child(window, grid)
gtk.gtk_window_present(window)
while True:
    gtk.g_main_context_iteration(None, 1)
"""


def memory(process):
    """The memory of a process, its child processes and its memory files, in bytes."""
    folder, total = pathlib.Path(f"/proc/{process}"), 0
    for line in (folder / "status").read_text().splitlines():
        if line.startswith(("RssAnon:", "RssFile:")):
            total += int(line.split()[1]) * 1024
    for file in (folder / "fd").iterdir():
        try:
            if "memfd:" in str(file.readlink()):
                total += file.stat().st_blocks * 512
        except FileNotFoundError:
            pass
    children = {child for task in (folder / "task").iterdir() for child in (task / "children").read_text().split()}
    return total + sum(memory(child) for child in children)


def animations(program, folder):
    """Small views of animations with a large canvas."""
    built, root = pathlib.Path(program).resolve().parent, pathlib.Path(__file__).resolve().parents[2]
    for path, name in (("lib", "libremoteimage.so"), ("libexec", "remote-image-decoder")):
        (folder / path).mkdir()
        shutil.copy(built / name, folder / path)
    origin = Origin({"/large": black_animation(1780, 4)})
    process = subprocess.Popen(
        [root / "scripts/with-display.sh", sys.executable, "-c", "import os, sys; print(os.getpid(), flush=True); "
         "exec(sys.argv.pop(1))", VIEWS, folder / "lib/libremoteimage.so", origin.address("/large"), "48"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(folder)})
    views, most, end = int(process.stdout.readline()), 0, time.monotonic() + 45
    try:
        while time.monotonic() < end:
            most = max(most, memory(views))
            time.sleep(0.2)
        has_played = process.poll() is None and most > 30 << 20
    finally:
        os.kill(views, signal.SIGTERM)
        process.wait()
    print(f"animations: 48 views of animations of 1780 × 1780 pixels took {most >> 20} MB; limit: 400 MB")
    return most <= 400 << 20 and has_played


def drawing(content, side=40):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">{content}</svg>'.encode()


def drawings(program, folder):
    """Drawings that make librsvg abort, or fill the memory, each before a good drawing with text."""
    def filtered(primitive, side=40):
        return drawing(f'<filter id="f">{primitive}</filter><rect width="{side}" height="{side}" filter="url(#f)"/>', side)

    bodies = {
        "/font": drawing('<text y="20" font-size="1e30">W</text>'),
        "/matrix": filtered(f'<feConvolveMatrix order="41" kernelMatrix="{"1 " * 41 * 41}"/>'),
        "/dashes": drawing('<path d="M0 0H300000" stroke="red" stroke-width="9" stroke-dasharray=".01"/>'),
        "/blur": filtered('<feGaussianBlur stdDeviation="1e9"/>', 9000),
        "/use": drawing('<g id="a0"/>' + "".join(
            f'<g id="a{n + 1}"><use href="#a{n}"/><use href="#a{n}"/></g>' for n in range(40)) + '<use href="#a40"/>'),
        "/good": drawing('<text y="30" font-size="30">W</text>'),
    }
    hostile = [path for path in bodies if path != "/good"]
    origin = Origin(bodies)
    paths = [address for n, path in enumerate(hostile) for address in (path, f"/good?{n}")]
    reports = fetch(program, [origin.address(path) for path in paths], "--enable-svg", "--concurrency", "1")
    good = [report for report, _ in reports if "/good?" in report["url"] and not report.get("error")]
    isolated = [report for report in good if report["isolated"]]
    print(f"drawings: {len(isolated)} of {len(hostile)} good drawings were drawn in the decoder process beside hostile "
          f"ones; limit: all")
    return len(isolated) == len(hostile) and len(reports) == len(paths)


# The checks and their functions, which get the program and an empty folder, print a figure and
# return whether it is within its limit.
CHECKS = {
    "large": large, "starts": starts, "endless": endless, "hosts": hosts, "animations": animations, "drawings": drawings,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(CHECKS))
    arguments = parser.parse_args()
    if unknown := set(arguments.checks) - set(CHECKS):
        parser.error(f"no check is named {', '.join(unknown)}")
    results = []
    for name in arguments.checks or CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            results.append(CHECKS[name](arguments.program, pathlib.Path(folder)))
    sys.exit(0 if all(results) else 1)


main()
