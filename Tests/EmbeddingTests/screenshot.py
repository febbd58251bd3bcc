#!/usr/bin/env python3
"""Shows one program on a display of its own and writes a picture of the screen; or compares such pictures.

    screenshot.py take OUTPUT.png COMMAND…    `@N` in the command is the address of picture N,
                                              `FILE@@` a copy of a file in which http://localhost:8080 is the server
    screenshot.py compare FIRST.png OTHER.png…
"""

import mmap
import os
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import pictures

PICTURES = 6


class Screen:
    """An X server that keeps its screen in a file (X11's XWD format)."""

    def __init__(self, folder):
        reader, writer = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x520x24", "-fbdir", folder, "-nolisten", "tcp"],
            pass_fds=[writer],
            stderr=subprocess.DEVNULL,
        )
        os.close(writer)
        self.name = ":" + os.read(reader, 16).decode().strip()
        with open(f"{folder}/Xvfb_screen0", "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def rows(self):
        header = struct.unpack(">25I", self.memory[:100])
        size, width, height, stride, colours = header[0], header[4], header[5], header[12], header[19]
        start = size + colours * 12
        rows = []
        for y in range(height):
            row = self.memory[start + y * stride : start + y * stride + width * 4]
            pixels = bytearray(width * 3)
            pixels[0::3], pixels[1::3], pixels[2::3] = row[2::4], row[1::4], row[0::4]
            rows.append(bytes(pixels))
        return width, height, rows


def take(output, command):
    server = pictures.serve()
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for word in command:
            if word.startswith("@"):
                word = f"{server.base}/{word[1:]}.png"
            elif word.endswith("@@"):
                with open(word[:-2], encoding="utf-8") as file:
                    text = file.read().replace("http://localhost:8080", server.base)
                word = f"{folder}/{os.path.basename(word[:-2])}"
                with open(word, "w", encoding="utf-8") as file:
                    file.write(text)
            arguments.append(word)
        shown = show(arguments, server, PICTURES)
    with open(output, "wb") as file:
        file.write(pictures.png(*shown))


def show(arguments, server, count, folder=None):
    """What a program shows once it has asked the server for so many pictures and is still: width, height and rows."""
    server.served.clear()
    with tempfile.TemporaryDirectory() as own:
        screen = Screen(own)
        environment = dict(
            os.environ, DISPLAY=screen.name, GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="none",
            XDG_CACHE_HOME=own, GSETTINGS_BACKEND="memory",
        )  # fmt: skip
        for name in ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
            environment.pop(name, None)
        program = subprocess.Popen(arguments, env=environment, cwd=folder)
        try:
            return wait_until_still(screen, server, program, count)
        finally:
            program.terminate()
            program.wait()
            screen.process.terminate()
            screen.process.wait()


def wait_until_still(screen, server, program, count):
    """The screen, once every picture was asked for and nothing has changed for a second."""
    last, since, end = None, time.monotonic(), time.monotonic() + 60
    while time.monotonic() < end:
        if program.poll() is not None:
            sys.exit(f"The program ended with {program.returncode}.")
        time.sleep(0.1)
        now = screen.rows()
        if now != last or len(set(server.served)) < count:
            last, since = now, time.monotonic()
        elif time.monotonic() - since > 1:
            return now
    sys.exit(f"The program did not come to rest; it asked for {server.served}.")


def pixels(path):
    """The pixels of a PNG as `take` writes it."""
    with open(path, "rb") as file:
        data = file.read()
    start = data.index(b"IDAT")
    length = struct.unpack(">I", data[start - 4 : start])[0]
    return zlib.decompress(data[start + 4 : start + 4 + length])


def compare(first, others):
    wanted = pixels(first)
    for other in others:
        found = pixels(other)
        differing = sum(a != b for a, b in zip(wanted, found)) + abs(len(wanted) - len(found))
        share = differing / len(wanted)
        print(f"{os.path.basename(other)}: {share:.3%} of {os.path.basename(first)} differs")
        if share > 0.005:
            sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["take"] and len(sys.argv) > 3:
        take(sys.argv[2], sys.argv[3:])
    elif sys.argv[1:2] == ["compare"] and len(sys.argv) > 3:
        compare(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)
