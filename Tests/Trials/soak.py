#!/usr/bin/env python3
"""Uses the gallery at random, and reports its memory and its messages.

    soak.py GALLERY [--minutes MINUTES] [--seed NUMBER]

Two galleries run on displays of their own: one with its own server and all its pages, one with the
images of a server that is killed from time to time. Their decoder processes are killed, too, and
their cache folders are deleted. The exit status is 0 if both run until the end, GTK and the library
print no message of their own, and the memory in the last quarter of the time is at most 10 % above that
of the third one. In less than 20 minutes the caches still fill, so memory is only reported.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "EmbeddingTests"))

import displays
import hands
import images

WIDTH, HEIGHT = 1080, 760
PORTS = range(40000, 60000)
# What the server has apart from images: an animation, errors, and responses that never end.
ODD = ["animation.gif", "half.jpg", "unavailable", "text", "missing", "never"]
MESSAGE = re.compile(r"(WARNING|CRITICAL|ERROR) \*\*|-(WARNING|CRITICAL|ERROR)\b")

# What widgets of GTK 4.8 print in any program: a GtkGridView whose model is filtered after it was
# scrolled, and a GtkScrolledWindow that leaves its window within 50 ms after the wheel has reached
# its end, and is not destroyed. It then asks for its frame clock without a test for NULL.
PLAIN = (
    "GtkGridView failed to scroll to given position", "ran out of items",
    "gdk_frame_clock_get_frame_time: assertion 'GDK_IS_FRAME_CLOCK (frame_clock)' failed",
)  # fmt: skip


class Server:
    """The images, from a process that is killed and started again at the same address."""

    def __init__(self, port):
        self.port = port
        self.start()

    def start(self):
        self.process = subprocess.Popen([sys.executable, __file__, "--serve", str(self.port)], stdin=subprocess.PIPE)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Gallery:
    def __init__(self, name, folder, command):
        self.name, self.folder = name, folder / name
        self.cache = self.folder / "cache"
        self.cache.mkdir(parents=True)
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        self.screen = displays.XServer(WIDTH, HEIGHT)
        environment = dict(
            os.environ, GSK_RENDERER="cairo", GTK_A11Y="none", GSETTINGS_BACKEND="memory", XDG_CACHE_HOME=str(self.cache),
            XDG_CONFIG_HOME=str(self.folder), XDG_DATA_HOME=str(self.folder), **self.screen.environment)  # fmt: skip
        for unwanted in ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
            environment.pop(unwanted, None)
        self.program = subprocess.Popen(command, env=environment, stdout=self.log, stderr=self.log)
        self.hands = hands.Hands(self.screen.environment["DISPLAY"])
        self.memory = []

    def act(self):
        """One action of a user."""
        kind = random.choices(["click", "double", "key", "type", "wheel"], [5, 1, 6, 1, 4])[0]
        x, y = random.randrange(WIDTH), random.randrange(HEIGHT)
        if kind == "key":
            self.hands.press(random.choice(list(hands.KEYS)))
        elif kind == "type":
            self.hands.type(random.choice("abc 123 + -".split() + [" "]))
        elif kind == "wheel":
            self.hands.move(x, y)
            self.hands.turn(random.randrange(-8, 12))
        else:
            self.hands.click(x, y, count=2 if kind == "double" else 1)

    def kill_decoder(self):
        """Returns whether the program had a decoder process."""
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                number, name, parent = re.match(r"(\d+) \((.*)\) \S (\d+)", path.read_text()).groups()
                if int(parent) == self.program.pid and name.startswith("remote-image-de"):
                    os.kill(int(number), signal.SIGKILL)
                    return True
            except (OSError, AttributeError):
                continue
        return False

    def empty_cache(self):
        """Deletes the folder of the cache under the running program."""
        for folder in self.cache.iterdir():
            shutil.rmtree(folder, ignore_errors=True)
        return True

    def sample(self):
        status = pathlib.Path(f"/proc/{self.program.pid}/status").read_text()
        self.memory.append(int(re.search(r"VmRSS:\s*(\d+)", status)[1]) / 1024)

    def quarters(self):
        """The median of the resident memory in each quarter of the time, in MiB."""
        length = max(1, len(self.memory) // 4)
        return [statistics.median(self.memory[start : start + length]) for start in range(0, 4 * length, length)]

    def messages(self):
        """The lines of the output that are messages of GLib, with their counts."""
        self.log.flush()
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        found = [line for line in lines if MESSAGE.search(line) and not any(text in line for text in PLAIN)]
        return collections.Counter(re.sub(r"^\([^)]*\): |\d\d:\d\d:\d\d\.\d+: |0x[0-9a-f]+", "", line) for line in found)

    def close(self):
        self.hands.close()
        self.program.terminate()
        self.program.wait()
        self.screen.close()
        self.log.close()


def use(galleries, server, seconds):
    """Returns how often each thing was done."""
    done = collections.Counter()
    start = time.monotonic()
    sampled, restart = start, None
    while (now := time.monotonic()) < start + seconds:
        for gallery in galleries:
            if (status := gallery.program.poll()) is not None:
                gallery.log.flush()
                tail = (gallery.folder / "log").read_text(errors="replace")[-2000:]
                sys.exit(f"The gallery {gallery.name} exited with status {status} after {now - start:.0f} s and {done}.\n{tail}")
            gallery.act()
            done["actions"] += 1
            if random.random() < 1 / 40:
                done["killed decoders"] += gallery.kill_decoder()
            if random.random() < 1 / 300:
                done["deleted caches"] += gallery.empty_cache()
        if restart and now > restart:
            server.start()
            restart = None
        elif not restart and random.random() < 1 / 150:
            server.kill()
            done["killed servers"] += 1
            restart = now + random.uniform(0, 5)
        if now > sampled:
            for gallery in galleries:
                gallery.sample()
            sampled += 1
            if int(now - start) % 30 == 0:
                resident = ", ".join(f"{gallery.name} {gallery.memory[-1]:.0f} MiB" for gallery in galleries)
                print(f"{now - start:5.0f} s: {resident}", flush=True)
        time.sleep(random.choice([0.02, 0.1, 0.3]))
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gallery", nargs="?")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        images.serve(port=arguments.serve)
        sys.stdin.read()
        return
    print(f"seed {arguments.seed}")
    random.seed(arguments.seed)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        server = Server(random.choice(PORTS))
        base = f"http://127.0.0.1:{server.port}"
        addresses = [f"{base}/{ODD[n // 10 % 6] if n % 10 == 9 else f'{n}.png'}?{n}" for n in range(1, 600)]
        (folder / "list").write_text("\n".join(addresses))
        galleries = []
        try:
            galleries.append(Gallery("pages", folder, [arguments.gallery]))
            galleries.append(Gallery("addresses", folder, [arguments.gallery, "--urls", str(folder / "list")]))
            done = use(galleries, server, arguments.minutes * 60)
            is_good = True
            print(", ".join(f"{count} {what}" for what, count in done.items()))
            for gallery in galleries:
                quarters, messages = gallery.quarters(), gallery.messages()
                print(f"{gallery.name}: MiB in each quarter {' '.join(f'{value:.0f}' for value in quarters)}")
                for message, count in messages.most_common():
                    print(f"{gallery.name}: {count} × {message}")
                is_flat = arguments.minutes < 20 or quarters[3] <= quarters[2] * 1.1
                is_good = is_good and is_flat and not messages
        finally:
            for gallery in galleries:
                gallery.close()
            server.kill()
    sys.exit(0 if is_good else 1)


main()
