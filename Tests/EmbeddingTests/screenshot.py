#!/usr/bin/env python3
"""Runs a program on a private display and writes a screenshot; or compares screenshots.

    screenshot.py take OUTPUT.png COMMAND…    `@N` in the command is the address of image N,
                                              `@all` a file with all addresses,
                                              `FILE@@` a copy of a file with the server's address in place of
                                              http://localhost:8080
    screenshot.py compare FIRST.png OTHER.png…
    screenshot.py find [@N…] FILE.png…        fails unless each of these images, by default each of the
                                              server's, is visible

With WAYLAND_SCALE in the environment, the display is a Wayland compositor at that scale.
"""

import os
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import displays
import images

IMAGES = 6


def take(output, command):
    server = images.serve()
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for word in command:
            if word == "@all":
                word = f"{folder}/addresses"
                with open(word, "w", encoding="utf-8") as file:
                    file.writelines(f"{server.base}/{number}.png\n" for number in range(1, IMAGES + 1))
            elif word.startswith("@"):
                word = f"{server.base}/{word[1:]}.png"
            elif word.endswith("@@"):
                with open(word[:-2], encoding="utf-8") as file:
                    text = file.read().replace("http://localhost:8080", server.base)
                word = f"{folder}/{os.path.basename(word[:-2])}"
                with open(word, "w", encoding="utf-8") as file:
                    file.write(text)
            arguments.append(word)
        count = sum(word[:1] == "@" and word[1:].isdigit() for word in command) or IMAGES
        shown = show(arguments, server, count)
    with open(output, "wb") as file:
        file.write(images.png(*shown))


def show(arguments, server, count, folder=None):
    """Width, height and rows of the screen once `count` images were requested and nothing changes."""
    server.served.clear()
    scale = os.environ.get("WAYLAND_SCALE")
    screen = displays.Compositor(float(scale)) if scale else displays.XServer()
    with tempfile.TemporaryDirectory() as own:
        environment = dict(
            os.environ, GSK_RENDERER="cairo", GTK_A11Y="none", XDG_CACHE_HOME=own, GSETTINGS_BACKEND="memory")
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
            environment.pop(name, None)
        environment.update(screen.environment)
        program = subprocess.Popen(arguments, env=environment, cwd=folder)
        try:
            return wait_until_still(screen, server, program, count)
        finally:
            program.terminate()
            program.wait()
            screen.close()


def wait_until_still(screen, server, program, count):
    """The screen once all images were requested and nothing has changed for a second."""
    last, since, end = None, time.monotonic(), time.monotonic() + 60
    while time.monotonic() < end:
        if program.poll() is not None:
            sys.exit(f"The program exited with status {program.returncode}.")
        time.sleep(0.1)
        now = screen.rows()
        if now != last or len(set(server.served)) < count:
            last, since = now, time.monotonic()
        elif time.monotonic() - since > 1:
            return now
    sys.exit(f"The screen kept changing or images were not requested; the requests were {server.served}.")


def pixels(path):
    """The pixels of a PNG written by `take`: each row is a zero and RGB bytes."""
    with open(path, "rb") as file:
        data = file.read()
    start = data.index(b"IDAT")
    length = struct.unpack(">I", data[start - 4 : start])[0]
    return zlib.decompress(data[start + 4 : start + 4 + length])


def find(path, numbers):
    """Fails unless each of these images of the server covers a part of the screen."""
    found = pixels(path)
    # The colours of the rows of all images. No colour occurs in two images.
    owners = {colour: number for number in numbers for colour in images.colours(number)}
    with open(path, "rb") as file:
        width, height = struct.unpack(">II", file.read(24)[16:])
    counts = dict.fromkeys(numbers, 0)
    for y in range(height):
        start = y * (width * 3 + 1) + 1
        for x in range(start, start + width * 3, 3):
            number = owners.get(bytes(found[x : x + 3]))
            if number:
                counts[number] += 1
    print(f"{os.path.basename(path)}: {width} × {height}, pixels of each image: {list(counts.values())}")
    if min(counts.values()) < 1000:
        sys.exit("An image is missing.")


def compare(first, others):
    # Before the compositor reports a fractional scale, an image may be decoded for the next integer
    # scale, so its edges can differ.
    is_fractional = float(os.environ.get("WAYLAND_SCALE", 1)) % 1 != 0
    limit = 0.01 if is_fractional else 0.005
    wanted = pixels(first)
    for other in others:
        found = pixels(other)
        differing = sum(a != b for a, b in zip(wanted, found)) + abs(len(wanted) - len(found))
        share = differing / len(wanted)
        print(f"{os.path.basename(other)}: {share:.3%} of {os.path.basename(first)} differs")
        if share > limit:
            sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["take"] and len(sys.argv) > 3:
        take(sys.argv[2], sys.argv[3:])
    elif sys.argv[1:2] == ["compare"] and len(sys.argv) > 3:
        compare(sys.argv[2], sys.argv[3:])
    elif sys.argv[1:2] == ["find"] and len(sys.argv) > 2:
        numbers = [int(word[1:]) for word in sys.argv[2:] if word.startswith("@")]
        for shown in sys.argv[2 + len(numbers) :]:
            find(shown, numbers or range(1, IMAGES + 1))
    else:
        sys.exit(__doc__)
