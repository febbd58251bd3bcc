"""A private nginx on the loopback interface, and a proxy that adds latency."""

import asyncio
import os
import shutil
import subprocess
import threading
import time
from urllib.request import urlopen

CONFIGURATION = """
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  types {{ image/jpeg jpg; image/png png; image/gif gif; image/webp webp; text/html html; text/plain txt; }}
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  log_format size '$status $bytes_sent';
  access_log {folder}/access.log size;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  open_file_cache max=10000;
  add_header Cache-Control "max-age=86400";
  # Chromium reads its list of addresses from this server, and its page may be a local file.
  add_header Access-Control-Allow-Origin "*";
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


def program():
    return shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")


class Server:
    """Serves a folder, and counts requests and bytes from nginx's log."""

    def __init__(self, root, folder, port):
        self.log = f"{folder}/access.log"
        self.port = port
        os.makedirs(folder, exist_ok=True)
        path = f"{folder}/nginx.conf"
        with open(path, "w") as file:
            # The workers of root's nginx would otherwise run as another user, which cannot read
            # every file.
            user = "user root;\n" if os.getuid() == 0 else ""
            file.write(user + CONFIGURATION.format(folder=folder, root=root, port=port))
        open(self.log, "w").close()
        self.process = subprocess.Popen([program(), "-c", path, "-e", f"{folder}/error.log"])
        for _ in range(100):
            try:
                urlopen(f"http://127.0.0.1:{port}/version").close()
            except OSError:
                pass
            time.sleep(0.05)
            # Without an entry in the log, another server on this port has answered.
            if os.path.getsize(self.log) > 0:
                return
        self.stop()
        raise RuntimeError(f"nginx does not respond on port {port}; see {folder}/error.log")

    def mark(self):
        return os.path.getsize(self.log)

    def since(self, mark):
        """The numbers of requests and of sent bytes since `mark`."""
        # nginx logs a request after it has sent the last byte.
        time.sleep(0.02)
        with open(self.log) as log:
            log.seek(mark)
            sizes = [int(line.split()[1]) for line in log]
        return len(sizes), sum(sizes)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Proxy:
    """Forwards bytes to a port with a delay of half a round trip each way, on its own thread."""

    def __init__(self, port, target, round_trip):
        self.delay = round_trip / 2
        self.target = target
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()

        async def serve():
            await asyncio.start_server(self.connected, "127.0.0.1", port)
            ready.set()

        def run():
            self.loop.create_task(serve())
            self.loop.run_forever()

        threading.Thread(target=run, daemon=True).start()
        ready.wait(10)

    async def connected(self, reader, writer):
        # Opening a connection takes one round trip.
        await asyncio.sleep(self.delay * 2)
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(self.carry(reader, far_writer), self.carry(far_reader, writer))

    async def carry(self, reader, writer):
        arrivals = asyncio.Queue()

        async def deliver():
            while True:
                due, data = await arrivals.get()
                await asyncio.sleep(max(0, due - self.loop.time()))
                if not data:
                    break
                writer.write(data)
            writer.close()

        delivery = asyncio.ensure_future(deliver())
        try:
            while data := await reader.read(65536):
                arrivals.put_nowait((self.loop.time() + self.delay, data))
        except OSError:
            pass
        arrivals.put_nowait((self.loop.time() + self.delay, b""))
        await asyncio.gather(delivery, return_exceptions=True)
