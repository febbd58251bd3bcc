"""Builds the compared programs, and runs each of them for a list of addresses."""

import os
import shutil
import subprocess
import tempfile

import browser
import running

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = os.path.dirname(HERE)
ROOT = os.path.dirname(BENCHMARKS)
DATA = f"{BENCHMARKS}/.data"
BIN = f"{DATA}/bin"
# All Swift programs are linked as `make install` links them, statically with Swift's libraries.
OURS = f"{BIN}/remote-image"
WINDOW = f"{ROOT}/.build-release/release/window"
PARTS = f"{ROOT}/.build-release/release/benchmarks"

# The definition of the floor has two decode threads; the other rivals in C use the same number.
SIZE, CONNECTIONS, THREADS = "320", "8", "2"

# No session bus and no accessibility; software rendering, as in the offscreen rivals.
GTK = {"GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "WAYLAND_DISPLAY": "",
       "DBUS_SESSION_BUS_ADDRESS": "disabled:", "GSETTINGS_BACKEND": "memory"}
QT = {"QML_XHR_ALLOW_FILE_READ": "1", "QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software",
      "QT_LOGGING_RULES": "", "XDG_RUNTIME_DIR": tempfile.gettempdir()}

TITLES = {
    "ours": "remote-image", "floor": "libcurl + libjpeg-turbo, C", "pixbuf": "libcurl + GdkPixbuf, C",
    "exact": "GdkPixbuf, C, exactly 320", "gtk": "libsoup + GdkPixbuf, GTK", "qt": "Qt Quick Image",
    "chromium": "Chromium",
    "originals": "remote-image, originals only", "storing": "remote-image, with a store",
    "unsized": "remote-image, storing originals only", "waiting": "remote-image, storing resized images too",
    "second": "remote-image, the second run", "floor_storing": "libcurl + libjpeg-turbo, C, with a store",
    "floor_files": "libjpeg-turbo, C, from files",
}


def build():
    """Builds our programs and the rivals in C. Rivals whose libraries are missing are not built."""
    print("Building …", flush=True)
    build_ours()
    build_release("library", BIN)
    build_release("Benchmarks")
    make("-k")


def build_quick():
    """Builds the programs of the quick comparison. Fails if a rival cannot be built."""
    print("Building …", flush=True)
    build_ours()
    make(f"{BIN}/fetch-turbo", f"{BIN}/fetch-pixbuf").check_returncode()


def build_ours():
    build_release("command", BIN)


def build_release(*arguments):
    subprocess.run([f"{ROOT}/scripts/build-release.sh", *arguments], check=True, stdout=subprocess.DEVNULL)


def make(*arguments):
    return subprocess.run(
        ["make", "-s", "-C", f"{BENCHMARKS}/Rivals/c", f"OUTPUT={BIN}", *arguments], stderr=subprocess.DEVNULL)


def missing():
    floor, pixbuf = f"{BIN}/fetch-turbo", f"{BIN}/fetch-pixbuf"
    needs = {"floor": floor, "floor_storing": floor, "floor_files": floor, "pixbuf": pixbuf, "exact": pixbuf,
             "gtk": f"{BIN}/usual-gtk", "qt": "qmlscene", "chromium": "chromium"}
    return {name for name, program in needs.items() if not shutil.which(program)}


class Programs:
    def __init__(self, server):
        self.server = server

    def run(self, name, urls, window=False, options=()):
        """Runs a program with the list `urls` once. Raises `running.Failure` if an image failed."""
        result = getattr(self, name + "_window" if name == "ours" and window else name)(urls, *options)
        if result.report.get("failed", 0):
            raise running.Failure(f"{TITLES[name]}: {result.report['failed']} images failed.")
        return result

    def ours(self, urls, *options):
        # Without a disk cache, unless the case passes one.
        options = options or ["--no-disk-cache"]
        result = running.run(
            [OURS, "fetch", "--size", SIZE, "--json", "--urls", urls, "--concurrency", CONNECTIONS, *options],
            self.server)
        result.report["fromResized"] = result.output.count('"decoder":"stored"')
        return result

    def floor(self, urls, *options):
        return running.run([f"{BIN}/fetch-turbo", urls, SIZE, CONNECTIONS, THREADS, *options], self.server)

    def pixbuf(self, urls, *options):
        return running.run([f"{BIN}/fetch-pixbuf", urls, SIZE, CONNECTIONS, THREADS, *options], self.server)

    def exact(self, urls):
        return self.pixbuf(urls, "exact")

    def ours_window(self, urls, store=None):
        environment = {**GTK, "BENCHMARK_STORE": store} if store else GTK
        return running.run([WINDOW, "load", urls], self.server, environment)

    def gtk(self, urls):
        return running.run([f"{BIN}/usual-gtk", urls, SIZE, CONNECTIONS], self.server, GTK)

    def qt(self, urls):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(f"{BENCHMARKS}/Rivals/qt/window.qml", folder)
            shutil.copy(urls, f"{folder}/urls.txt")
            return running.run(["qmlscene", f"{folder}/window.qml"], self.server, QT)

    def chromium(self, urls, profile=None):
        shutil.copy(f"{BENCHMARKS}/Rivals/chromium/window.html", DATA)
        base = f"http://127.0.0.1:{self.server.port}"
        return browser.run_browser(
            "chromium", f"{base}/window.html", f"{base}/{os.path.relpath(urls, DATA)}", self.server, profile)


if __name__ == "__main__":
    build()
