"""A server for small images on a free port of the loopback interface, for tests in any language."""

import base64
import re
import struct
import sys
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WIDTH, HEIGHT = 320, 240


def png(width, height, rows):
    """A PNG file with the given rows of RGB bytes (PNG third edition, section 5)."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def colours(number):
    """The colours of the rows of an image, from top to bottom."""
    colour = [(number * 67) % 256, (number * 131 + 80) % 256, (number * 29 + 160) % 256]
    return [bytes(int(part * (1 - y / HEIGHT / 2)) for part in colour) for y in range(HEIGHT)]


def image(number):
    """A gradient whose colour and number of white bars depend on the image's number."""
    rows = []
    for y, colour in enumerate(colours(number)):
        row = bytearray(colour * WIDTH)
        if HEIGHT // 3 < y < HEIGHT * 2 // 3:
            for bar in range(number):
                start = (60 + bar * 34) * 3
                row[start : start + 16 * 3] = b"\xff" * 48
        rows.append(bytes(row))
    return png(WIDTH, HEIGHT, rows)


# The image of every address of an account.
SMALL = png(8, 6, [b"\x33\x66\x99" * 8] * 6)


# Without pixels: their chunk has a name that no decoder knows.
DAMAGED = SMALL.replace(b"IDAT", b"XDAT")


# A progressive JPEG of 96 × 64 pixels with ten scans.
PROGRESSIVE = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////"
    "m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4"
    "+Pj/wgARCABAAGADASIAAhEBAxEB/8QAGAABAQEBAQAAAAAAAAAAAAAAAQACAwT/xAAWAQEBAQAAAAAAAAAAAAAAAAACAQT/2gAMAwEA"
    "AhADEAAAAfGspLK5WCllcrBUqvNm5srBUquVgqVXLIXNa5aVXMoVKrmUKlV5y3NmUKmVJQqZUlC//8QAFBABAAAAAAAAAAAAAAAAAAAA"
    "YP/aAAgBAQABBQJB/8QAFBEBAAAAAAAAAAAAAAAAAAAAQP/aAAgBAwEBPwFH/8QAFBEBAAAAAAAAAAAAAAAAAAAAQP/aAAgBAgEBPwFH"
    "/8QAFBABAAAAAAAAAAAAAAAAAAAAYP/aAAgBAQAGPwJB/8QAFBABAAAAAAAAAAAAAAAAAAAAYP/aAAgBAQABPyFB/9oADAMBAAIAAwAA"
    "ABCWeWOXuqRqRqiFvltltpl5gZj/xAAVEQEBAAAAAAAAAAAAAAAAAAABAP/aAAgBAwEBPxAYYYYYYYYYYYYYYYYYYYYYYYb/xAAVEQEB"
    "AAAAAAAAAAAAAAAAAAAAEf/aAAgBAgEBPxCqqqqqqqqqqqqqqqr/xAAVEAEBAAAAAAAAAAAAAAAAAAAAEf/aAAgBAQABPxCIiIiIiIiI"
    "iIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIj/2Q=="
)


def first_scans():
    """The start of the progressive JPEG, without its last scan. A comment makes it large enough for a
    preview (ITU T.81, B.2.4.5)."""
    return PROGRESSIVE[: PROGRESSIVE.rindex(b"\xff\xda")] + b"\xff\xfe\xff\xff" + bytes(0xFFFD)


def animation():
    """A GIF of 64 × 64 pixels that is red, green and blue, a tenth of a second each, for ever."""
    side, colours = 64, ((255, 0, 0), (0, 255, 0), (0, 0, 255))
    palette = b"".join(bytes(colour) for colour in colours) + bytes(125 * 3)
    body = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    for number in range(len(colours)):
        # Codes of 8 bits: 128 clears the table, before it needs longer codes; 129 is the end.
        codes = (bytes([128]) + bytes([number]) * side) * side + bytes([129])
        blocks = [codes[start : start + 255] for start in range(0, len(codes), 255)]
        body += b"\x21\xf9\x04\x04\x0a\0\0\0" + b"\x2c\0\0\0\0" + struct.pack("<HH", side, side) + b"\0\x07"
        body += b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"
    return b"GIF89a" + struct.pack("<HH", side, side) + b"\xf6\0\0" + palette + body + b"\x3b"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # How long responses are fresh, in seconds.
    lifetime = 3600

    def do_GET(self):
        # A proxy receives the whole address.
        name = re.sub("^http://[^/]+", "", self.path).strip("/").split("?")[0]
        if name == "never":
            # Returns when the client closes the connection.
            self.server.waiting.append(self.path)
            self.connection.recv(1)
            return
        if name.removesuffix(".png").isdigit():
            self.answer(200, "image/png", image(int(name.removesuffix(".png"))))
        elif name == "damaged.png":
            self.answer(200, "image/png", DAMAGED)
        elif name == "animation.gif":
            self.answer(200, "image/gif", animation())
        elif name == "half.jpg":
            # The rest never follows.
            self.answer(200, "image/jpeg", first_scans(), missing=1000)
            self.connection.recv(1)
        elif name == "unavailable":
            self.answer(503, "text/plain", b"Not now.")
        elif name == "text":
            self.answer(200, "image/png", b"This is no image.")
        elif name in ("once", "once-then-never"):
            if self.path not in self.server.served:
                self.answer(200, "image/png", image(6))
            elif name == "once":
                self.answer(404, "text/plain", b"Not here any more.")
            else:
                self.connection.recv(1)
        elif name.startswith("account/"):
            self.answer_account(name)
        elif name == "secret" and self.headers.get("X-Key") == "open":
            self.answer(200, "image/png", image(7))
        else:
            self.answer(404, "text/plain", b"Not here.")

    def answer_account(self, name):
        """Answers with an image of an account, which accepts each token but expired ones."""
        scheme, _, token = (self.headers.get("Authorization") or "").partition(" ")
        if scheme == "Bearer" and not token.startswith("expired"):
            self.answer(200, "image/png", SMALL)
            return
        self.server.refused.append(self.path)
        if self.server.together:
            self.server.together.wait(timeout=20)
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Bearer error="invalid_token"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def answer(self, status, kind, body, missing=0):
        self.server.served.append(self.path)
        self.server.agents[self.path] = self.headers.get("User-Agent")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) + missing))
        self.send_header("Cache-Control", f"max-age={self.lifetime}")
        if "Authorization" in self.headers:
            self.send_header("Vary", "Authorization")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # Tests open many connections at once.
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """Ignores closed connections, which tests of cancellation cause."""


def serve(handler=Handler, port=0):
    """Starts a server and returns it. Its address is in `base`, the served paths in `served`, those
    that were refused with status 401 in `refused`, the user agents in `agents`, and the paths that
    never receive a response in `waiting`. Refusals wait for each other at `together`, a barrier, if
    there is one."""
    server = Server(("127.0.0.1", port), handler)
    server.served = []
    server.refused = []
    server.agents = {}
    server.waiting = []
    server.together = None
    server.base = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    # For tests in C: prints the address, and runs until the end of standard input.
    print(serve().base, flush=True)
    sys.stdin.read()
