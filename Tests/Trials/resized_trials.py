#!/usr/bin/env python3
"""Tests resized images in the disk store with whole processes, as store_trials.py tests bodies.

    resized_trials.py PROGRAM kill [--times N]      kills a process N times while it stores resized images
    resized_trials.py PROGRAM share [--seconds N]   two processes store resized images while a third one trims
    resized_trials.py PROGRAM faults                a full disk, an unwritable and a vanishing folder

PROGRAM is the path of remote-image. The images on the server change between the runs of a trial. Each
version has another color and another width, which the program reports for the image that it shows. Each
trial prints its results; its exit status is 0 on success.
"""

import argparse
import functools
import json
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from store_trials import Origin, disk, expect, files, size, size_now, trim_later

COUNT = 24  # The number of images of the trials except `share`.
SIDES = [60, 100, 180]  # Decoding the original costs more than three times that of each.
HEIGHT = 240


def width_of(version):
    return 320 + version % 16


def color_of(path, version):
    """A color with its alpha. Those of 64 successive versions of an image differ by 60 or more.

    Images with odd numbers have alpha, so that they are stored without loss.
    """
    number = int(path.removeprefix("/"))
    level = number * 7 + version
    return [40 + 60 * (level // step % 4) for step in (1, 4, 16)] + [255 if number % 2 == 0 else 200]


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


@functools.cache
def body_of(path, version):
    """A PNG in one color with noise, so that its file is large."""
    width, color = width_of(version), color_of(path, version)
    noise = random.Random(f"{path} {version}")
    channels = color[:3] if color[3] == 255 else color
    rows = bytearray()
    for _ in range(HEIGHT):
        row = bytearray(width * len(channels))
        for index, value in enumerate(channels):
            values = bytes(value if index == 3 else value - 8 + byte % 17 for byte in range(256))
            row[index::len(channels)] = noise.randbytes(width).translate(values)
        rows += b"\0" + row
    kind = 2 if len(channels) == 3 else 6
    header = struct.pack(">IIBBBBB", width, HEIGHT, 8, kind, 0, 0, 0)
    pixels = zlib.compress(rows, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def mean_color(png):
    """The mean color of a PNG that remote-image has written: 8 bits, RGB or RGBA, not interlaced."""
    offset, data = 8, b""
    while offset < len(png):
        length, name = struct.unpack_from(">I4s", png, offset)
        content = png[offset + 8:offset + 8 + length]
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack_from(">IIBB", content)
        elif name == b"IDAT":
            data += content
        offset += length + 12
    channels = {2: 3, 6: 4}[kind]
    data, stride, above = zlib.decompress(data), width * channels, None
    totals = [0] * channels
    for top in range(height):
        kind, row = data[top * (stride + 1)], bytearray(data[top * (stride + 1) + 1:(top + 1) * (stride + 1)])
        above = above or bytearray(stride)
        for x in range(stride if kind else 0):
            left, corner = (row[x - channels], above[x - channels]) if x >= channels else (0, 0)
            up = above[x]
            nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[x] = (row[x] + (0, left, up, (left + up) // 2, nearest)[kind]) & 255
        for index in range(channels):
            totals[index] += sum(row[index::channels])
        above = row
    return [total / (width * height) for total in totals] + [255] * (4 - channels)


class Gallery(Origin):
    """Serves images that must be validated before each use and that change with their version."""

    def __init__(self):
        super().__init__()
        self.lifetime = 0
        self.versions = {}
        self.served = {}  # The path and the version of each body.

    def version(self, path):
        return self.versions.get(path, 0)

    def content(self, path):
        version = self.version(path)
        body = body_of(path, version)
        self.served[body] = path, version
        return body, f'"{version}"'

    def change(self, paths):
        for path in paths:
            self.versions[path] = self.version(path) + 1


class Fetch:
    """A process `remote-image fetch` that loads many paths at one size."""

    def __init__(self, program, folder, paths, origin, side, *options):
        self.paths, self.origin, self.lines = paths, origin, []
        self.process = subprocess.Popen(
            [program, "fetch", "--json", "--size", str(side), "--cache-dir", str(folder), "--urls", "-", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.text = "".join(origin.address + path + "\n" for path in paths)

    def ended(self):
        output, self.errors = self.process.communicate(self.text)
        self.lines = [json.loads(line) for line in output.splitlines()]
        return self

    def kill_after(self, seconds, count):
        """Kills the process `seconds` after it has reported `count` images or has ended."""
        self.process.stdin.write(self.text)
        self.process.stdin.close()
        for _ in zip(range(count), self.process.stdout):
            pass
        time.sleep(seconds)
        self.process.kill()
        self.process.wait()

    @property
    def stored(self):
        """The number of images that were decoded from resized images."""
        return sum(line.get("decoder") == "stored" for line in self.lines)

    @property
    def wrong(self):
        """The reports of failures and of old versions, and the missing reports."""
        bad = [line for line in self.lines if line.get("width") != width_of(self.version(line["url"]))]
        return bad + ["missing"] * (len(self.paths) - len(self.lines))

    def version(self, address):
        return self.origin.version(address.removeprefix(self.origin.address))


def resized_images(path):
    """The encoded images of a file in the format of ResizedImageTable, and the size of its body."""
    data = path.read_bytes()
    words = lambda offset, count: struct.unpack_from(f"<{count}Q", data, offset)
    assert data.startswith(b"RIMS1\n")
    (length,) = words(6, 1)
    byte_count, _, count = words(14, 3)
    offset, images = 38, []
    for _ in range(count):
        offset += 48  # Three sizes.
        for _ in range(2):  # The processing and the format.
            offset += 8 + words(offset, 1)[0]
        start, size, _ = words(offset, 3)
        offset += 24
        images.append(data[22 + length + start:22 + length + start + size])
    return byte_count, images


def check_files(program, folder, origin):
    """Every resized image was made of the body beside it, and none is without a body."""
    resized = [path for path in files(folder) if path.suffix == ".s"]
    expected = {}
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        for number, path in enumerate(resized):
            body = path.with_suffix(".b")
            if not body.exists():
                sys.exit(f"FAILED: {path.name} has no body")
            byte_count, images = resized_images(path)
            name = origin.served.get(body.read_bytes())
            if byte_count != body.stat().st_size or not name:
                sys.exit(f"FAILED: {path.name} is not of its body")
            for index, image in enumerate(images):
                (place / f"{number}-{index}").write_bytes(image)
                expected[f"{number}-{index}.png"] = color_of(*name)
        sources = [f"file://{path}" for path in place.iterdir()]
        if sources:
            subprocess.run(
                [program, "fetch", "--no-disk-cache", "--output", str(place / "out"), *sources],
                check=True, stdout=subprocess.DEVNULL)
        for name, color in expected.items():
            found = mean_color((place / "out" / name).read_bytes())
            if any(abs(first - second) > 4 for first, second in zip(found, color)):
                sys.exit(f"FAILED: a resized image has the color {found} instead of {color}")
    print(f"{len(expected)} resized images of {len(resized)} bodies have the colors of their originals")
    return len(expected)


def expect_success(status):
    if status != 0:
        sys.exit(f"FAILED: a trim ended with {status}")


def info(program, folder):
    return json.loads(subprocess.check_output([program, "cache", "info", "--json", "--cache-dir", str(folder)]))


def check_end(program, folder, origin, paths):
    """Looks at a store after all processes have ended, and empties it."""
    shown = Fetch(program, folder, paths, origin, SIDES[0]).ended()
    expect(
        not shown.wrong,
        f"afterwards, all {len(paths)} images are of the present version, {shown.stored} of them from resized images")
    trim_later(program, folder, 1 << 40)
    left = files(folder)
    expect(not [path for path in left if path.name.startswith("tmp.")], "a sweep removes all incomplete files")
    count = check_files(program, folder, origin)
    listed = subprocess.check_output([program, "cache", "list", "--json", "--cache-dir", str(folder)], text=True)
    counted = sum(len(json.loads(line)["resized"]) for line in listed.splitlines())
    expect(counted == count, "all of them are listed")
    subprocess.run([program, "cache", "trim", "--to", "0", "--cache-dir", str(folder)], check=True)
    left = [path.name for path in files(folder) if path.suffix in (".h", ".b", ".s")]
    expect(not left, "a trim to 0 removes all entries with their resized images")


def kill(program, folder, origin, times):
    chance = random.Random(1)
    paths = [f"/{n}" for n in range(COUNT)]
    for number in range(times):
        origin.change(chance.sample(paths, 3))
        some = chance.sample(paths, 8)
        policy = chance.choice(["http", "http", "reload"])
        client = Fetch(
            program, folder, some, origin, chance.choice(SIDES), "--stored-sizes", "wait", "--policy", policy)
        command = ["clear", "--resized"] if number % 6 == 0 else ["trim", "--to", str(chance.randrange(4 << 20))]
        trims = number % 3 == 0 and subprocess.Popen([program, "cache", *command, "--cache-dir", str(folder)])
        # An image is reported after its resized image was stored.
        client.kill_after(chance.uniform(0, 0.05), chance.randrange(len(some)))
        if trims:
            expect_success(trims.wait())
    print(f"{times} kills: {info(program, folder)}")
    check_end(program, folder, origin, paths)


def share(program, folder, origin, seconds):
    """Rounds of two processes and a trim. Together, they load more than the store holds."""
    end = time.time() + seconds
    chance = random.Random(2)
    paths = [f"/{n}" for n in range(120)]
    limit = info(program, folder)["limit"]
    largest, largest_resized, rounds, bad, stored, checked = 0, 0, 0, [], 0, 0
    while time.time() < end or rounds < 4:
        origin.change(chance.sample(paths, 6))
        clients = [
            Fetch(
                program, folder, chance.sample(paths, 40), origin, chance.choice(SIDES), "--stored-sizes", "wait",
                "--policy", policy)
            for policy in ("http", chance.choice(["http", "reload"]))
        ]
        target = chance.randrange(limit) if rounds % 2 else limit
        command = ["clear", "--resized"] if rounds % 5 == 4 else ["trim", "--to", str(target)]
        trims = subprocess.Popen([program, "cache", *command, "--cache-dir", str(folder)])
        threads = [threading.Thread(target=client.ended) for client in clients]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            largest = max(largest, size_now(folder))
            largest_resized = max(largest_resized, size_now(folder, ".s"))
            time.sleep(0.01)
        expect_success(trims.wait())
        for client in clients:
            bad += client.wrong
            stored += client.stored
        rounds += 1
        if rounds % 4 == 1:
            checked += check_files(program, folder, origin)
    if bad:
        sys.exit(f"FAILED: {bad[:3]}")
    expect(
        stored > 0,
        f"{rounds} rounds of two processes and a trim: all images are of the present version, "
        f"{stored} of them from resized images")
    expect(largest <= limit * 1.1, f"at most {largest} bytes on disk, {largest / limit:.2f} of the limit of {limit}")
    expect(checked > 0, f"{checked} resized images were looked at")
    # Each process counts the files of the other one after each twentieth of the limit.
    expect(
        largest_resized <= limit * 0.2,
        f"at most {largest_resized} bytes of resized images, {largest_resized / limit:.2f} of the limit")
    # All images would evict all resized images.
    check_end(program, folder, origin, paths[:COUNT])


def faults(program, folder, origin):
    paths = [f"/{n}" for n in range(COUNT)]

    def fetch(place, *options, side=100):
        client = Fetch(program, place, paths, origin, side, "--stored-sizes", "wait", *options).ended()
        return client, not client.wrong and client.process.returncode == 0 and client.errors.count("\n") <= 1

    with disk(folder / "full", "6m") as full:
        if full:
            fetch(full)
            ballast = full / "ballast"
            with open(ballast, "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            ballast.write_bytes(bytes(ballast.stat().st_size - (24 << 10)))
            origin.change(paths[:4])
            client, is_right = fetch(full, side=180)
            expect(is_right, f"on a full disk, all images are right, with at most one warning; {info(program, full)}")
            client, is_right = fetch(full)
            expect(is_right and client.stored > 0, f"{client.stored} earlier resized images are still used")
            ballast.unlink()
            check_end(program, full, origin, paths)
    readonly = pathlib.Path("/proc/remote-image-cannot-be-made")
    expect(fetch(readonly)[1], "with an unwritable folder, all images are right, with at most one warning")
    gone = folder / "gone"
    stop = threading.Event()

    def vanish():
        while not stop.is_set():
            shutil.rmtree(gone, ignore_errors=True)
            time.sleep(0.02)

    thread = threading.Thread(target=vanish)
    thread.start()
    is_right = all([fetch(gone, "--policy", "reload")[1] for _ in range(3)])
    stop.set()
    thread.join()
    expect(is_right, "with a folder that is removed repeatedly, all images are right, with at most one warning")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("trial", choices=["kill", "share", "faults"])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    origin = Gallery()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if arguments.trial == "kill":
            kill(arguments.program, folder, origin, arguments.times)
        elif arguments.trial == "share":
            # The limit of a store is lower on a small disk.
            with disk(folder / "small", "400m") as small:
                share(arguments.program, small or folder, origin, arguments.seconds)
        else:
            faults(arguments.program, folder, origin)


main()
