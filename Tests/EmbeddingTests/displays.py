"""Headless displays whose screens a test can read: an X server and a Wayland compositor."""

import mmap
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time


class XServer:
    """Xvfb, which keeps its screen in a file (X11's XWD format)."""

    def __init__(self, width=640, height=520):
        self.folder = tempfile.mkdtemp()
        reader, writer = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-fbdir", self.folder, "-nolisten", "tcp"],
            pass_fds=[writer],
            stderr=subprocess.DEVNULL,
        )
        os.close(writer)
        self.environment = {"GDK_BACKEND": "x11", "DISPLAY": ":" + os.read(reader, 16).decode().strip()}
        with open(f"{self.folder}/Xvfb_screen0", "rb") as file:
            self.memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def rows(self):
        """Width and height in pixels, and the rows of RGB bytes."""
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

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


class Compositor:
    """sway with one output of 640 × 520 points at a scale; grim reads its screen."""

    def __init__(self, scale):
        self.folder = tempfile.mkdtemp()
        name = f"{self.folder}/name"
        width, height = round(640 * scale), round(520 * scale)
        with open(f"{self.folder}/config", "w", encoding="utf-8") as file:
            file.write(
                f"output HEADLESS-1 resolution {width}x{height} scale {scale:g} background #ffffff solid_color\n"
                f"default_border none\nexec printenv WAYLAND_DISPLAY >{name}.part && mv {name}.part {name}\n"
            )
        # Software rendering, without a seat, input devices and X11 programs.
        environment = dict(
            os.environ, XDG_RUNTIME_DIR=self.folder, WLR_BACKENDS="headless", WLR_RENDERER="pixman",
            WLR_LIBINPUT_NO_DEVICES="1", LIBSEAT_BACKEND="noop",
        )  # fmt: skip
        for unwanted in ("WAYLAND_DISPLAY", "DISPLAY"):
            environment.pop(unwanted, None)
        self.log = open(f"{self.folder}/log", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            ["sway", "--config", f"{self.folder}/config"], env=environment, stdout=self.log, stderr=self.log)
        end = time.monotonic() + 60
        while not os.path.exists(name):
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                self.log.seek(0)
                sys.exit(f"sway did not start:\n{self.log.read()}")
            time.sleep(0.1)
        with open(name, encoding="utf-8") as file:
            display = file.read().strip()
        self.environment = {
            "GDK_BACKEND": "wayland", "WAYLAND_DISPLAY": display, "XDG_RUNTIME_DIR": self.folder}

    def rows(self):
        """Width and height in pixels, and the rows of RGB bytes."""
        output = subprocess.run(
            ["grim", "-t", "ppm", "-"], env=dict(os.environ, **self.environment), check=True, capture_output=True).stdout
        # The PPM header: P6, width, height and 255, separated by white space.
        _, width, height, _ = (int(part) if part.isdigit() else part for part in output[:40].split(maxsplit=4)[:4])
        stride = width * 3
        start = len(output) - stride * height
        return width, height, [output[start + y * stride : start + (y + 1) * stride] for y in range(height)]

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)
