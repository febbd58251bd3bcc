#!/usr/bin/env python3
"""A server on a free port of the loopback interface that plays the Mastodon API, for the clients in
Examples/Timeline and Examples/Embedding/python/timeline.py.

    server.py [REQUESTS]    prints the address and a code to sign in, and serves until it is stopped

The token that a client receives for the code expires after REQUESTS requests, by default 30. Images
need a token too.

It answers GET /api/v1/timelines/home with `max_id` and `limit`, POST /oauth/token for the grant types
`authorization_code` and `refresh_token`, and GET of the images that the statuses name.
"""

import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import emoji
import painting
import statuses
import tokens

EXPIRED = 'Bearer realm="Doorkeeper", error="invalid_token", error_description="The access token expired"'


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if not self.server.tokens.allows(self.headers.get("Authorization")):
            self.answer_json(401, {"error": "The access token expired"}, {"WWW-Authenticate": EXPIRED})
            return
        address = urlsplit(self.path)
        if address.path == "/api/v1/timelines/home":
            self.answer_page(dict(parse_qsl(address.query)))
        elif image := self.image(address.path):
            if address.path.startswith("/media/"):
                self.server.gate.wait(timeout=60)
            # Media have new addresses when they change.
            self.answer(200, "image/png", image, {"Cache-Control": "public, max-age=31536000, immutable"})
        else:
            self.answer_json(404, {"error": "Record not found"})

    def do_POST(self):
        form = dict(parse_qsl(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()))
        pair = self.server.tokens.grant(form) if self.path == "/oauth/token" else None
        if pair:
            self.answer_json(200, pair, {"Cache-Control": "no-store"})
        else:
            self.answer_json(400, {"error": "invalid_grant"}, {"Cache-Control": "no-store"})

    def answer_page(self, query):
        limit = min(self.server.page_size, int(query.get("limit", 20)))
        page, has_more = statuses.page(self.server.base, query.get("max_id"), limit)
        headers = {"Cache-Control": "private, no-store"}
        if page:
            path = f"{self.server.base}/api/v1/timelines/home?limit={limit}"
            links = [f'<{path}&min_id={page[0]["id"]}>; rel="prev"']
            if has_more:
                links.insert(0, f'<{path}&max_id={page[-1]["id"]}>; rel="next"')
            headers["Link"] = ", ".join(links)
        self.answer_json(200, page, headers)

    def image(self, path):
        if found := re.fullmatch(r"/media/(original|small)/(\d{1,3})\.png", path):
            return painting.landscape(int(found[2]), found[1] == "small")
        if found := re.fullmatch(r"/avatars/(\d{1,3})\.png", path):
            return painting.portrait(int(found[1]))
        if (found := re.fullmatch(r"/emoji/(\w+?)(-static)?\.png", path)) and found[1] in emoji.SHAPES:
            return emoji.still(found[1]) if found[2] else emoji.moving(found[1])
        return None

    def answer_json(self, status, value, headers=None):
        self.answer(status, "application/json; charset=utf-8", json.dumps(value).encode(), headers)

    def answer(self, status, kind, body, headers=None):
        self.server.log.append((self.command, self.path, status))
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), "Vary": "Authorization", **(headers or {})}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    """Its address is in `base`, and the requests that it answered, with their statuses, in `log`.
    While `gate` is not set, attachments wait. A page has at most `page_size` statuses."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, requests=30, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.tokens = tokens.Tokens(requests)
        self.log = []
        self.page_size = 40
        self.gate = threading.Event()
        self.gate.set()

    def handle_error(self, request, client_address):
        """Ignores connections that a client closes."""


if __name__ == "__main__":
    server = Server(*map(int, sys.argv[1:2]))
    print(server.base, server.tokens.code, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
