"""The proxy of a pipeline: an address, none, or that of the desktop; HTTP and SOCKS5."""

import socket
import socketserver
import struct
import threading
import unittest
from http.server import BaseHTTPRequestHandler

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("RemoteImage", "1")
from gi.repository import GLib, Gtk, RemoteImage

import images
from fixture import Shown, turn_until

Gtk.init()


class Proxy(BaseHTTPRequestHandler):
    """Answers each request with an image, whatever its host, and keeps its address."""

    def do_GET(self):
        self.server.served.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(images.SMALL)))
        self.end_headers()
        self.wfile.write(images.SMALL)

    def log_message(self, *_):
        pass


class Socks(socketserver.BaseRequestHandler):
    """A SOCKS5 proxy (RFC 1928) that connects to `target`, whatever the requested name."""

    def handle(self):
        _, count = self.read(2)
        self.read(count)
        self.request.sendall(b"\x05\x00")
        kind = self.read(4)[3]
        name = self.read(self.read(1)[0] if kind == 3 else 4)
        port = struct.unpack(">H", self.read(2))[0]
        self.server.connected.append((kind, name.decode(), port))
        self.request.sendall(b"\x05\x00\x00\x01" + bytes(6))
        with socket.create_connection(self.server.target) as there:
            there.sendall(self.request.recv(65536))
            while data := there.recv(65536):
                self.request.sendall(data)

    def read(self, count):
        data = b""
        while len(data) < count:
            data += self.request.recv(count - len(data))
        return data


class SocksServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


class Proxies(unittest.TestCase):
    def setUp(self):
        self.server = images.serve()
        self.proxy = images.serve(Proxy)
        self.pipeline = RemoteImage.Pipeline(disk_cache_limit=0, memory_cache_limit=0)

    def load(self, address):
        """Loads an image with the pipeline. Returns its texture or its error."""
        results = []

        def done(pipeline, result):
            try:
                results.append(pipeline.load_texture_finish(result))
            except GLib.Error as error:
                results.append(error)

        self.pipeline.load_texture_async(address, 0, None, done)
        turn_until(lambda: results)
        return results[0]

    def test_the_proxy_sees_every_request_of_a_running_pipeline(self):
        self.assertEqual(self.pipeline.props.proxy, "default")
        self.assertEqual(self.load(self.server.base + "/1.png").get_width(), images.WIDTH)
        self.pipeline.set_proxy(self.proxy.base)
        self.assertEqual(self.pipeline.get_proxy(), self.proxy.base)
        addresses = [f"http://images.example/{number}.png" for number in range(12)] + [self.server.base + "/2.png"]
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for address in addresses:
            view = RemoteImage.View(uri=address, pipeline=self.pipeline, width_request=8, height_request=6)
            box.append(view)
        paintable = RemoteImage.Paintable(uri="http://images.example/paintable", pipeline=self.pipeline)
        addresses.append(paintable.props.uri)
        with Shown(box):
            turn_until(lambda: len(self.proxy.served) == len(addresses))
        self.assertEqual(sorted(self.proxy.served), sorted(addresses))
        self.assertEqual(self.server.served, ["/1.png"])

    def test_a_pipeline_without_a_proxy_reaches_the_server_itself(self):
        self.pipeline.props.proxy = self.proxy.base
        self.load("http://images.example/a")
        self.pipeline.props.proxy = "none"
        self.assertEqual(self.load(self.server.base + "/2.png").get_width(), images.WIDTH)
        self.pipeline.props.proxy = None
        self.assertEqual(self.load(self.server.base + "/3.png").get_width(), images.WIDTH)
        self.assertEqual(self.proxy.served, ["http://images.example/a"])

    def test_a_proxy_that_cannot_be_reached_is_not_bypassed(self):
        for proxy in ["http://127.0.0.1:9", "socks5://127.0.0.1:9", "nonsense://127.0.0.1:9", "no address"]:
            with self.subTest(proxy):
                self.pipeline.props.proxy = proxy
                self.assertIsInstance(self.load(self.server.base + "/1.png"), GLib.Error)
        self.assertEqual(self.server.served, [])

    def test_a_socks5_proxy_resolves_the_names(self):
        socks = SocksServer(("127.0.0.1", 0), Socks)
        socks.connected, socks.target = [], self.server.server_address
        threading.Thread(target=socks.serve_forever, daemon=True).start()
        self.addCleanup(socks.server_close)
        self.addCleanup(socks.shutdown)
        self.pipeline.props.proxy = f"socks5://127.0.0.1:{socks.server_address[1]}"
        self.assertEqual(self.load("http://images.example/4.png").get_width(), images.WIDTH)
        self.assertEqual(socks.connected, [(3, "images.example", 80)])

    def test_another_pipeline_keeps_its_proxy(self):
        other = RemoteImage.Pipeline(disk_cache_limit=0)
        self.pipeline.props.proxy = self.proxy.base
        self.load("http://images.example/a")
        view = RemoteImage.View(uri=self.server.base + "/5.png", pipeline=other)
        with Shown(view):
            turn_until(lambda: view.props.phase == RemoteImage.Phase.SUCCESS)
        self.assertEqual(self.server.served, ["/5.png"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
