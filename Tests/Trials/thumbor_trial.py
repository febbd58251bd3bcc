#!/usr/bin/env python3
"""Tests sized sources with a real thumbor, and prints the share of the originals that a grid moves.

Installs thumbor into .build/thumbor if it is missing there, writes 300 photos of 1600 x 1200 pixels,
starts the server on the loopback interface with its file loader, and runs ThumborTrialTests of the
built tests (`swift build --build-tests`) against it.
"""

import argparse
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build" / "thumbor"
KEY = "key of the trial"
COUNT = 300
PHOTOS = """
import pathlib, sys
from PIL import Image, ImageFilter
folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
(folder / "a").mkdir()
for index in range(count):
    # Shapes of all sizes and some grain, so that the files have the size of photos.
    image = Image.effect_noise((100, 75), 120).resize((1600, 1200), Image.BICUBIC)
    grain = Image.effect_noise((1600, 1200), 30).filter(ImageFilter.GaussianBlur(0.7))
    image = Image.merge("RGB", (image, Image.blend(image, grain, 0.3), image.rotate(180)))
    image.save(folder / f"photo {index}.jpg", quality=88)
image.save(folder / "a" / "\\u00e9 100%?#&.jpg", quality=88)
"""


def install():
    """Returns the Python of an environment that has thumbor."""
    python = FOLDER / "bin" / "python"
    if not (FOLDER / "bin" / "thumbor").exists():
        venv.create(FOLDER, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "thumbor"], check=True)
    return python


def start(originals, folder):
    """Starts the server on a free port. Returns its process and its address."""
    settings = folder / "thumbor.conf"
    settings.write_text(
        f"""LOADER = "thumbor.loaders.file_loader"
FILE_LOADER_ROOT_PATH = {str(originals)!r}
STORAGE = "thumbor.storages.no_storage"
RESULT_STORAGE = None
ALLOW_UNSAFE_URL = False
SECURITY_KEY = {KEY!r}
MAX_AGE = 3600
""")
    for _ in range(5):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with open(folder / "thumbor.log", "w") as log:
            server = subprocess.Popen(
                [FOLDER / "bin" / "thumbor", "--ip", "127.0.0.1", "--port", str(port), "--conf", settings],
                stdout=log, stderr=log)
        address = f"http://127.0.0.1:{port}"
        # Another process may have taken the port meanwhile.
        if is_ready(server, address):
            return server, address
        stop(server)
    sys.exit(f"thumbor does not start:\n{(folder / 'thumbor.log').read_text()}")


def is_ready(server, address):
    end = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{address}/healthcheck"):
                return server.poll() is None
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    return False


def stop(server):
    server.terminate()
    server.wait()


def main():
    argparse.ArgumentParser(description=__doc__.split("\n", 1)[0]).parse_args()
    python = install()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        originals = folder / "originals"
        originals.mkdir()
        subprocess.run([python, "-c", PHOTOS, originals, str(COUNT)], check=True)
        server, address = start(originals, folder)
        try:
            environment = {
                **os.environ, "REMOTE_IMAGE_THUMBOR": address, "REMOTE_IMAGE_THUMBOR_KEY": KEY,
                "REMOTE_IMAGE_THUMBOR_FOLDER": str(originals)}
            command = ["swift", "test", "--skip-build", "--filter", "ThumborTrialTests"]
            return subprocess.run(command, cwd=ROOT, env=environment).returncode
        finally:
            stop(server)


if __name__ == "__main__":
    sys.exit(main())
