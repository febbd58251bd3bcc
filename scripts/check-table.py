#!/usr/bin/env python3
"""Checks the tables of the page Swift and C: no cell is empty, every name in them exists, and they
contain the whole C interface and every option of an image.

    check-table.py FOLDER    the symbol graphs of the modules, in a folder for each
"""

import glob
import json
import pathlib
import re
import sys

PAGE = pathlib.Path("Sources/RemoteImageGtk/RemoteImageGtk.docc/SwiftAndC.md")
# Every GObject property has such functions, and every asynchronous function has a finish function.
ACCESSOR = re.compile(r"_(get_type|finish|quark)$")


def swift_names(folder):
    """The names of the Swift interface, without arguments, and the options of an image. Programs
    write the factories of sources as members of ImageSource."""
    paths = set()
    for path in glob.glob(f"{folder}/*/*.symbols.json"):
        symbols = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["symbols"]
        paths.update(".".join(symbol["pathComponents"]) for symbol in symbols)
    names = {path.partition("(")[0] for path in paths}
    options = {path for path in paths if re.fullmatch(r"ImageOptions\.[a-z]\w*", path)} - {"ImageOptions.isEmpty"}
    return names | {name.replace("ImageSourceConvertible.", "ImageSource.") for name in names}, options


def c_names():
    """The names of the C interface, and those that the tables must contain."""
    functions = [line for line in pathlib.Path("data/symbols.txt").read_text().splitlines() if line[:1] != "#"]
    names, properties, signals = set(functions), set(), set()
    for line in pathlib.Path("data/interface.txt").read_text().splitlines():
        kind, _, rest = line.partition(" ")
        owner, _, name = rest.partition(" ")[0].rstrip(":").partition(".")
        name = re.sub(r"[:(].*", "", name)
        if kind == "property":
            properties.add(f"RemoteImage{owner}:{name}")
        elif kind == "signal":
            signals.add(f"RemoteImage{owner}::{name}")
        elif kind in ("class", "enumeration", "bitfield", "record", "callback"):
            names.add(f"RemoteImage{owner}")
    accessors = set()
    for name in properties:
        owner, _, property_name = name.partition(":")
        prefix = re.sub(r"(?<!^)([A-Z])", r"_\1", owner).lower()
        accessors |= {f"{prefix}_{verb}_{property_name.replace('-', '_')}" for verb in ("get", "set")}
    wanted = {name for name in functions if name not in accessors and not ACCESSOR.search(name)}
    return names | properties | signals, wanted | signals, properties


def main():
    (swift, options), (c, wanted, properties) = swift_names(sys.argv[1]), c_names()
    rows = [
        (number, [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1)
        if line.startswith("|") and not re.match(r"\| *-", line)
    ]
    faults, used, seen_swift = [], set(), set()
    for number, cells in rows:
        if len(cells) != 3 or not all(cells):
            faults.append(f"{number}: a cell is empty or missing")
            continue
        for name in re.findall(r"`([^`]+)`", cells[1]):
            seen_swift.add(name)
            if name not in swift:
                faults.append(f"{number}: {name} does not exist in Swift")
        for name in re.findall(r"`([^`]+)`", cells[2]):
            name = name.removesuffix("()")
            used.add(name)
            if re.match(r"(?i)remote_?image", name) and name not in c:
                faults.append(f"{number}: {name} does not exist in C")
    faults += [f"{name} is in no table" for name in sorted(wanted - used)]
    # A property of views and paintables stands once, as that of the view.
    listed = {name.partition(":")[2] for name in used if ":" in name}
    faults += [f"{name} is in no table" for name in sorted(properties) if name.partition(":")[2] not in listed]
    faults += [f"{name} is in no table" for name in sorted(options - seen_swift)]
    print(*(f"{PAGE.name}: {fault}" for fault in faults), sep="\n", end="\n" * bool(faults))
    print(f"Checked {len(rows)} rows.")
    sys.exit(bool(faults) or not rows)


main()
