"""Describes the machine and the versions of the programs."""

import os
import platform
import re
import subprocess


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=20).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def package(*names):
    """The version of the first installed package of `names`."""
    for name in names:
        version = output("dpkg-query", "-W", "-f=${Version}", name)
        if version:
            return version
    return None


def description(folder):
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    versions = {
        "swift": (re.search(r"Swift version (\S+)", output("swift", "--version")) or [None, None])[1],
        "libcurl": package("libcurl4"),
        "libjpeg-turbo": package("libjpeg62-turbo"),
        "gdk-pixbuf": package("libgdk-pixbuf-2.0-0"),
        "gtk": package("libgtk-4-1"),
        "libsoup": package("libsoup-3.0-0"),
        "qt": package("qml-module-qtquick2"),
        "chromium": package("chromium"),
        "nginx": package("nginx-light", "nginx"),
    }
    return {
        "processor": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memoryMB": memory >> 20,
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", "Linux"),
        "kernel": platform.release(),
        "versions": {name: version for name, version in versions.items() if version},
        "commit": output("git", "-C", folder, "rev-parse", "--short", "HEAD"),
        "modified": bool(output("git", "-C", folder, "status", "--porcelain", "--untracked-files=no")),
        "loadBefore": os.getloadavg()[0],
    }
