#!/usr/bin/env python3
"""Tests the disk store with whole processes: killed processes, two processes at once, full disks.

    store_trials.py PROGRAM kill [--times N]      kills a downloading process N times at random
    store_trials.py PROGRAM share [--seconds N]   two processes read, write and trim one store
    store_trials.py PROGRAM resume [--times N]    kills one large download N times, then completes it
    store_trials.py PROGRAM faults                a full disk, an unwritable and a vanishing folder

PROGRAM is the path of remote-image. Each trial prints its results; its exit status is 0 on success.
"""

import argparse
import base64
import contextlib
import functools
import hashlib
import http.server
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 16 << 20  # The smallest limit of a store on a small disk.


@functools.cache
def body_of(path: str) -> bytes:
    """The body of a path, which never changes.

    `/of/N` has N bytes, one in eight other paths up to 2.4 MB, all others up to 600 KB.
    """
    seed = hashlib.sha256(path.encode()).digest()
    if path.startswith("/of/"):
        return random.Random(seed).randbytes(int(path.removeprefix("/of/")))
    length = int.from_bytes(seed[:3], "big") % (2_400_000 if seed[3] % 8 == 0 else 600_000)
    return random.Random(seed).randbytes(length)


class Origin(http.server.ThreadingHTTPServer):
    """Serves bodies that depend only on the path and are fresh for an hour.

    It supports ranges and conditional requests.
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128  # More than two processes' 32 connections each, so that no SYN is dropped.

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.lifetime = 3600
        self.pace = None  # The number of bytes between pauses of a millisecond.
        self.starts = []  # The first requested byte of each request.

    def content(self, path):
        """The body of a path and its ETag."""
        return body_of(path), '"1"'

    def handle_error(self, request, client_address):
        """Ignores closed connections, which killed clients cause."""


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body, tag = self.server.content(self.path)
        start = 0
        if (text := self.headers.get("Range")) and self.headers.get("If-Range") == tag:
            start = int(text.removeprefix("bytes=").rstrip("-"))
        if self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.send_header("ETag", tag)
            self.end_headers()
            self.server.starts.append(len(body))
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - start))
        self.send_header("Cache-Control", f"max-age={self.server.lifetime}")
        self.send_header("ETag", tag)
        self.end_headers()
        self.server.starts.append(start)
        step = self.server.pace or len(body) + 1
        for first in range(start, len(body), step):
            self.wfile.write(body[first:first + step])
            if self.server.pace:
                time.sleep(0.001)

    def log_message(self, *_):
        pass


class Client:
    """A process `remote-image get --jsonl` that requests many paths."""

    def __init__(self, program, folder, paths, origin, policy="http"):
        self.process = subprocess.Popen(
            [program, "get", "--jsonl", "--cache-dir", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        lines = (json.dumps({"id": path, "url": origin.address + path, "policy": policy}) for path in paths)
        self.text = "\n".join(lines) + "\n"

    def answers(self):
        """The responses by path, and the text on standard error."""
        output, errors = self.process.communicate(self.text)
        return {answer["id"]: answer for answer in map(json.loads, output.splitlines())}, errors

    def kill_after(self, seconds, answered=False, asked=None):
        """Kills the process `seconds` after its start, its first response or `asked()`.

        The latter two do not depend on how fast the machine starts the process.
        """
        first = threading.Event()

        def feed():
            try:
                self.process.stdin.write(self.text)
                self.process.stdin.close()
            except OSError:
                pass

        def drain():
            for _ in self.process.stdout:
                first.set()

        threads = [threading.Thread(target=feed), threading.Thread(target=drain)]
        for thread in threads:
            thread.start()
        if answered:
            first.wait(10)
        end = time.time() + 10
        while asked and not asked() and time.time() < end:
            time.sleep(0.005)
        time.sleep(seconds)
        self.process.kill()
        for thread in threads:
            thread.join()
        self.process.wait()


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def size(folder):
    return sum(path.stat().st_blocks * 512 for path in files(folder))


def wrong(answers):
    """The paths whose body differs from the origin's."""
    return [
        path for path, answer in answers.items()
        if "body" in answer and base64.b64decode(answer["body"]) != body_of(path)
    ]


def expect(condition, text):
    if not condition:
        sys.exit(f"FAILED: {text}")
    print(text)


def trim_later(program, folder, limit):
    """Trims as if an hour had passed. Files without an entry are removed after half an hour."""
    for path in files(folder):
        os.utime(path, (time.time() - 3600, time.time() - 3600))
    subprocess.run([program, "cache", "trim", "--to", str(limit), "--cache-dir", str(folder)], check=True)


def kill(program, folder, origin, times):
    chance = random.Random(1)
    for number in range(times):
        paths = [f"/{chance.randrange(60)}" for _ in range(20)]
        policy = chance.choice(["http", "reload"])
        Client(program, folder, paths, origin, policy).kill_after(chance.uniform(0.01, 0.15), number % 2 == 1)
    answers, _ = Client(program, folder, [f"/{n}" for n in range(60)], origin, "stored-only").answers()
    stored = [path for path, answer in answers.items() if "body" in answer]
    expect(stored and not wrong(answers), f"{times} kills: {len(stored)} of 60 bodies are stored, all of them correct")
    expect(size(folder) < 2 * sum(len(body_of(f"/{n}")) + 8192 for n in range(60)) + (8 << 20), f"{len(files(folder))} files are left, {size(folder)} bytes")
    trim_later(program, folder, size(folder) - 1)
    leftovers = [path.name for path in files(folder) if path.name.startswith("tmp.")]
    expect(not leftovers, "the trim removes all incomplete files")
    answers, _ = Client(program, folder, [f"/{n}" for n in range(60)], origin).answers()
    expect(len(answers) == 60 and not wrong(answers), "afterwards, all 60 paths load correctly")


def share(program, folder, origin, seconds):
    """Rounds of two processes and a trim. Together, they load far more than the store holds."""
    end = time.time() + seconds
    largest, rounds, bad = 0, 0, []
    chance = random.Random(2)
    while time.time() < end:
        clients = [
            Client(program, folder, [f"/{chance.randrange(300)}" for _ in range(40)], origin, policy)
            for policy in ("http", "reload")
        ]
        trims = subprocess.Popen(
            [program, "cache", "trim", "--to", str(chance.randrange(LIMIT)), "--cache-dir", str(folder)])
        results = []
        threads = [threading.Thread(target=lambda c=client: results.append(c.answers()[0])) for client in clients]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            largest = max(largest, size_now(folder))
            time.sleep(0.01)
        trims.wait()
        for answers in results:
            bad += wrong(answers)
            bad += [path for path, answer in answers.items() if "error" in answer]
        rounds += 1
    expect(not bad, f"{rounds} rounds of two processes and a trim: all responses are correct")
    info = json.loads(subprocess.check_output([program, "cache", "info", "--json", "--cache-dir", str(folder)]))
    expect(
        largest <= info["limit"] * 1.1,
        f"at most {largest} bytes on disk, {largest / info['limit']:.2f} of the limit of {info['limit']}")


def resume(program, folder, origin, times):
    """One large body, whose transfers are killed before they finish."""
    origin.pace = 64 << 10
    chance = random.Random(3)
    info = json.loads(subprocess.check_output([program, "cache", "info", "--json", "--cache-dir", str(folder)]))
    # An entry may take at most an eighth of the store.
    whole = min(30_000_000, info["limit"] // 8 - 100_000)
    path = f"/of/{whole}"
    body_of(path)
    for _ in range(times):
        count = len(origin.starts)
        Client(program, folder, [path], origin).kill_after(
            chance.uniform(0.02, 0.2), asked=lambda: len(origin.starts) > count)
    expect(max(origin.starts) > 0, f"{times} kills: the requests started at bytes {sorted(set(origin.starts))}")
    expect(origin.starts == sorted(origin.starts), "no stored byte was loaded again")
    answers, _ = Client(program, folder, [path], origin).answers()
    expect(not wrong(answers) and "body" in answers[path], f"the complete body of {whole} bytes is correct")
    # A kill between the writes of an entry's two files leaves a body without metadata, which may be
    # complete.
    trim_later(program, folder, size(folder))
    left = {path.name: path.stat().st_size for path in files(folder) if path.suffix in (".b", ".h")}
    bodies = [name for name in left if name.endswith(".b")]
    expect(len(left) == 2 and [left[name] for name in bodies] == [whole], f"one entry with one body is left: {left}")


@contextlib.contextmanager
def disk(folder, size):
    """Mounts a small disk at a folder; yields None if mounting is not possible."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        print("skipped: a small disk, since it cannot be mounted")
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def size_now(folder, suffix=""):
    """Like `size` of the files with a suffix, while files may disappear."""
    total = 0
    for path in folder.rglob(f"*{suffix}"):
        try:
            if path.is_file():
                total += path.stat().st_blocks * 512
        except OSError:
            pass
    return total


def faults(program, folder, origin):
    paths = [f"/{n}" for n in range(40)]
    with disk(folder / "full", "1m") as full:
        if full:
            answers, errors = Client(program, full, paths, origin).answers()
            expect(
                len(answers) == 40 and not wrong(answers) and errors.count("\n") <= 1,
                "on a full disk, all responses are correct, with at most one warning")
    readonly = pathlib.Path("/proc/remote-image-cannot-be-made")
    answers, errors = Client(program, readonly, paths, origin).answers()
    expect(
        len(answers) == 40 and not wrong(answers) and errors.count("\n") <= 1,
        "with an unwritable folder, all responses are correct, with at most one warning")
    gone = folder / "gone"
    client = Client(program, gone, paths * 5, origin, "reload")
    stop = threading.Event()

    def vanish():
        while not stop.is_set():
            shutil.rmtree(gone, ignore_errors=True)
            time.sleep(0.005)

    thread = threading.Thread(target=vanish)
    thread.start()
    answers, errors = client.answers()
    stop.set()
    thread.join()
    expect(
        len(answers) == 40 and not wrong(answers) and errors.count("\n") <= 1,
        "with a folder that is removed repeatedly, all responses are correct, with at most one warning")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("trial", choices=["kill", "share", "resume", "faults"])
    parser.add_argument("--times", type=int, help="default: 1000 for kill, 10 for resume")
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    origin = Origin()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if arguments.trial == "kill":
            kill(arguments.program, folder, origin, arguments.times or 1000)
        elif arguments.trial == "resume":
            resume(arguments.program, folder, origin, arguments.times or 10)
        elif arguments.trial == "share":
            # The limit of a store is lower on a small disk.
            with disk(folder / "small", "400m") as small:
                share(arguments.program, small or folder, origin, arguments.seconds)
        else:
            faults(arguments.program, folder, origin)


if __name__ == "__main__":
    main()
