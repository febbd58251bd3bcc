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
from statistics import median


# Decoder processes exit just after the program that they decode for. This process becomes their
# parent as the subreaper, so that it can count their processor time and their memory.
PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@dataclass
class Run:
    wall: float
    processor: float
    peak: float  # MB, of the program itself
    total_peak: float  # MB, the sum of the peaks of the program and of its decoder processes
    requests: int = 0
    sent: int = 0  # bytes
    report: dict = field(default_factory=dict)
    output: str = ""


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
        usages = [usage, *orphans_usage(process.pid)]
        output.seek(0)
        text = output.read().decode(errors="replace")
    if process.returncode != 0:
        raise Failure(f"{command[0]} ended with {process.returncode}: {text[-300:]}")
    requests, sent = server.since(mark) if server else (0, 0)
    return Run(
        (end - start) / 1e9, sum(usage.ru_utime + usage.ru_stime for usage in usages), usage.ru_maxrss / 1024,
        sum(usage.ru_maxrss for usage in usages) / 1024, requests, sent, last_object(text), text)


def orphans_usage(session):
    """The resource usages of the remaining processes of a session, which are about to exit."""
    usages = []
    for process in processes(session):
        try:
            usages.append(os.wait4(process, 0)[2])
        except ChildProcessError:
            continue
    return usages


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


def summary(runs):
    """The medians of several runs and the spread of their times. For peaks and `longest…`, the maximum."""
    walls = sorted(run.wall for run in runs)
    middle = lambda name: median(getattr(run, name) for run in runs)
    return {
        "wall": middle("wall"), "wallSpread": [walls[0], walls[-1]], "walls": [run.wall for run in runs],
        "processor": middle("processor"), "processors": [run.processor for run in runs],
        "peak": max(run.peak for run in runs), "totalPeak": middle("total_peak"), "requests": middle("requests"), "sent": middle("sent"),
        "report": {key: (max if key.startswith("longest") else median)([run.report.get(key, 0) for run in runs])
                   for key in runs[0].report if isinstance(runs[0].report[key], (int, float))}, "rounds": len(runs)}
