#!/usr/bin/env python3
"""Checks that every public type is in a topic of its module's page, that every public symbol is
documented, and that every member of a type of another module is in AdditionsToOtherModules.md.

    check-docs.py FOLDER    the symbol graphs, in a folder for each module

Witnesses of protocol requirements inherit the documentation of the requirement.
"""

import glob
import json
import os
import re
import sys

MODULES = ["RemoteImageCore", "RemoteImageDecoders", "RemoteImagePixbuf", "RemoteImageGtk", "RemoteImageTesting"]
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias"}
# Requirements of the standard library, and the methods that a result builder must have.
PLAIN = re.compile(r"==\(_:_:\)|<\(_:_:\)|hash\(into:\)|hashValue|description|build[A-Z]\w*\(\w*:\)")


def graphs(folder, module):
    for path in glob.glob(f"{folder}/{module}/*.symbols.json"):
        with open(path, encoding="utf-8") as file:
            yield json.load(file)


def faults(folder, module):
    with open(f"Sources/{module}/{module}.docc/{module}.md", encoding="utf-8") as file:
        topics = set(re.findall(r"^- ``([^`]+)``$", file.read(), re.MULTILINE))
    symbols, witnesses = {}, set()
    for graph in graphs(folder, module):
        symbols.update({symbol["identifier"]["precise"]: symbol for symbol in graph["symbols"]})
        for relation in graph["relationships"]:
            origin = relation.get("sourceOrigin")
            if origin or relation["kind"] in ("defaultImplementationOf", "overrides"):
                witnesses.add(relation["source"])
    for identifier, symbol in sorted(symbols.items(), key=lambda item: item[1]["pathComponents"]):
        path = symbol["pathComponents"]
        if symbol["accessLevel"] != "public" or symbol["kind"]["identifier"] == "swift.extension":
            continue
        name = ".".join(path)
        is_type = symbol["kind"]["identifier"] in TYPES
        if is_type and len(path) == 1 and path[0] not in topics and f"{module}/{path[0]}" not in topics:
            yield f"{module}: {name} is in no topic"
        is_documented = symbol.get("docComment", {}).get("lines")
        # Cases of enums may need no documentation besides their names.
        needs_text = symbol["kind"]["identifier"] != "swift.enum.case" and not PLAIN.fullmatch(path[-1])
        if needs_text and not is_documented and identifier not in witnesses:
            yield f"{module}: {symbol['kind']['displayName'].lower()} {name} has no documentation"


def missing_additions(folder, module):
    """The members of types of other modules that have no row. Their graphs are named module@other."""
    with open("Sources/RemoteImageGtk/RemoteImageGtk.docc/AdditionsToOtherModules.md", encoding="utf-8") as file:
        rows = set(re.findall(r"`(\w+(?:\.\w+)?)[^`]*`(?=[^|]*\| RemoteImage)", file.read()))
    for path in sorted(glob.glob(f"{folder}/{module}/{module}@*.symbols.json")):
        with open(path, encoding="utf-8") as file:
            graph = json.load(file)
        witnesses = {relation["source"] for relation in graph["relationships"] if relation.get("sourceOrigin")}
        for symbol in graph["symbols"]:
            if symbol["kind"]["identifier"] == "swift.extension" or symbol["identifier"]["precise"] in witnesses:
                continue
            name = re.sub(r"\(.*", "", ".".join(symbol["pathComponents"])).removesuffix(".init")
            if name not in rows:
                yield f"{module}: {name} is not in AdditionsToOtherModules.md"


folder = sys.argv[1]
if not all(os.path.exists(f"{folder}/{module}/{module}.symbols.json") for module in MODULES):
    sys.exit(f"Symbol graphs are missing in {folder}.")
found = [fault for module in MODULES for fault in [*faults(folder, module), *missing_additions(folder, module)]]
print("\n".join(found))
sys.exit(1 if found else 0)
