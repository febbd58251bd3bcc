"""Runs Chromium once, and measures its time, its memory and its requests."""

import json
import os
import signal
import subprocess
import tempfile
import time
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, HTTPServer

from running import Failure, Run


def run_browser(chromium, page, urls, server, profile=None, timeout=120):
    """Runs Chromium until its page sends a report, then measures and ends all its processes.

    Without a profile, the run has an empty one, which is removed."""
    reports = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            reports.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    receiver = HTTPServer(("127.0.0.1", 0), Receiver)
    receiver.timeout = timeout
    mark = server.mark()
    with nullcontext(profile) if profile else tempfile.TemporaryDirectory() as folder:
        address = f"{page}?urls={urls}&report=http://127.0.0.1:{receiver.server_port}/"
        start = time.monotonic()
        process = subprocess.Popen(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--window-size=1280,1000", f"--user-data-dir={folder}", address],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        receiver.handle_request()
        wall = time.monotonic() - start
        try:
            processor, memory = session_usage(process.pid)
        finally:
            end(process, gracefully=bool(profile))
            receiver.server_close()
    if not reports:
        raise Failure("Chromium's page did not report.")
    requests, sent = server.since(mark)
    return Run(wall, processor, memory, memory, requests, sent, reports[0])


def end(process, gracefully):
    """Ends all processes of a browser. A killed one would leave a cache without its index."""
    if gracefully:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    time.sleep(0.2)


def session_usage(session):
    """Processor time and proportional set size in MB of all processes of a session."""
    ticks, memory = 0, 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            if int(fields[3]) != session:
                continue
            # Its own ticks and those of its exited children.
            ticks += sum(map(int, fields[11:15]))
            with open(f"/proc/{name}/smaps_rollup") as file:
                memory += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue
    return ticks / os.sysconf("SC_CLK_TCK"), memory / 1024
