#!/usr/bin/env python3
"""Writes packaging/flatpak/dependencies.json: the Swift packages of Package.resolved as sources of
a Flatpak module, since a Flatpak is built without network.

    scripts/flatpak-dependencies.py            writes the file
    scripts/flatpak-dependencies.py --check    fails if the file lacks a package of Package.swift
"""

import json
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
output = root / "packaging/flatpak/dependencies.json"


def source(pin):
    address = pin["location"]
    return {
        "type": "git",
        "url": address,
        "tag": pin["state"]["version"],
        "commit": pin["state"]["revision"],
        "dest": "dependencies/" + address.rsplit("/", 1)[1],
    }


def write():
    pins = json.loads((root / "Package.resolved").read_text())["pins"]
    output.write_text(json.dumps([source(pin) for pin in pins], indent=2) + "\n")


def check():
    addresses = set(re.findall(r'\.package\(\s*url: "([^"]+)"', (root / "Package.swift").read_text()))
    missing = addresses - {source["url"] for source in json.loads(output.read_text())}
    if missing:
        sys.exit(f"{output.name} lacks {', '.join(sorted(missing))}; run scripts/flatpak-dependencies.py.")


check() if sys.argv[1:] == ["--check"] else write()
