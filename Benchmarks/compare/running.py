"""Runs a program once and measures its time, its memory and its requests."""

import ctypes
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from statistics import median


# Decoder processes exit just after the program that they decode for. This process becomes their
# parent as the subreaper, so that it can count their processor time.
PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@dataclass
class Run:
    wall: float
    processor: float
    peak: float  # MB
    requests: int = 0
    sent: int = 0  # bytes
    report: dict = field(default_factory=dict)


class Failure(Exception):
    pass


def run(command, server=None, environment=None, timeout=120):
    """Runs `command` until it exits. Its report is the last JSON object that it prints."""
    mark = server.mark() if server else 0
    with tempfile.TemporaryFile() as output:
        start = time.monotonic_ns()
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, **(environment or {}), "BENCHMARK_START": str(start)})
        watchdog = threading.Timer(timeout, lambda: os.killpg(process.pid, signal.SIGKILL))
        watchdog.start()
        _, status, usage = os.wait4(process.pid, 0)
        end = time.monotonic_ns()
        watchdog.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        processor = usage.ru_utime + usage.ru_stime + orphans_processor(process.pid)
        output.seek(0)
        text = output.read().decode(errors="replace")
    if process.returncode != 0:
        raise Failure(f"{command[0]} ended with {process.returncode}: {text[-300:]}")
    requests, sent = server.since(mark) if server else (0, 0)
    return Run(
        (end - start) / 1e9, processor, usage.ru_maxrss / 1024, requests, sent, last_object(text))


def orphans_processor(session):
    """Processor time of the remaining processes of a session, which are about to exit."""
    seconds = 0.0
    for process in processes(session):
        try:
            _, _, usage = os.wait4(process, 0)
            seconds += usage.ru_utime + usage.ru_stime
        except ChildProcessError:
            continue
    return seconds


def processes(session):
    """The process IDs of a session."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            found.append(int(name))
    return found


def last_object(text):
    for line in reversed(text.splitlines()):
        try:
            found = json.loads(line[line.index("{"):])
        except ValueError:
            continue
        if isinstance(found, dict):
            return found
    return {}


def run_browser(chromium, page, urls, server, timeout=120):
    """Runs Chromium until its page sends a report, then measures and kills all its processes."""
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
    with tempfile.TemporaryDirectory() as profile:
        address = f"{page}?urls={urls}&report=http://127.0.0.1:{receiver.server_port}/"
        start = time.monotonic()
        process = subprocess.Popen(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--window-size=1280,1000", f"--user-data-dir={profile}", address],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        receiver.handle_request()
        wall = time.monotonic() - start
        try:
            processor, memory = session_usage(process.pid)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            receiver.server_close()
            time.sleep(0.2)
    if not reports:
        raise Failure("Chromium's page did not report.")
    requests, sent = server.since(mark)
    return Run(wall, processor, memory, requests, sent, reports[0])


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


def summary(runs):
    """The medians of several runs and the spread of their times. For peaks and `longest…`, the maximum."""
    walls = sorted(run.wall for run in runs)
    middle = lambda name: median(getattr(run, name) for run in runs)
    return {
        "wall": middle("wall"), "wallSpread": [walls[0], walls[-1]], "walls": [run.wall for run in runs], "processor": middle("processor"),
        "peak": max(run.peak for run in runs), "requests": middle("requests"), "sent": middle("sent"),
        "report": {key: (max if key.startswith("longest") else median)([run.report.get(key, 0) for run in runs])
                   for key in runs[0].report if isinstance(runs[0].report[key], (int, float))}, "rounds": len(runs)}
