#!/usr/bin/env python3
"""Checks that the public interface is documented, in Swift and in C.

    check-interface.py swift FOLDER   the symbol graphs, in a folder for each module
    check-interface.py c FILE.gir     the GIR file, which must also agree with data/interface.txt
    check-interface.py list FILE.gir  prints the new content of data/interface.txt below its comments

In Swift, every public type is in a topic of its module's page, every public symbol is documented,
every member of a type of another module is in AdditionsToOtherModules.md, and the tables of the page
Swift and C contain every option of an image and the whole C interface. Witnesses of protocol
requirements inherit the documentation of the requirement. In C, every element is documented, and
properties with their default.
"""

import glob
import json
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

PAGES = pathlib.Path("Sources/RemoteImageGtk/RemoteImageGtk.docc")
ADDITIONS, TABLES = PAGES / "AdditionsToOtherModules.md", PAGES / "SwiftAndC.md"
INTERFACE, SYMBOLS = pathlib.Path("data/interface.txt"), pathlib.Path("data/symbols.txt")

MODULES = ["RemoteImageCore", "RemoteImageDecoders", "RemoteImage", "RemoteImageGtk", "RemoteImageTesting"]
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias"}
# Requirements of the standard library, and the methods that a result builder must have.
PLAIN = re.compile(r"==\(_:_:\)|<\(_:_:\)|hash\(into:\)|hashValue|description|build[A-Z]\w*\(\w*:\)")
# Every GObject property has such functions, and every asynchronous function has a finish function.
ACCESSOR = re.compile(r"_(get_type|finish|quark)$")

CORE = "{http://www.gtk.org/introspection/core/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"
DOCUMENTED = {"class", "enumeration", "bitfield", "constructor", "method", "function", "property", "member", "signal"}
LISTED = {"constructor", "method", "function", "property", "signal", "member", "implements"}


def lines_of(path):
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]


# Swift: pages and comments


def graphs(pattern):
    return [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in sorted(glob.glob(pattern))]


def undocumented(folder, module):
    page = pathlib.Path(f"Sources/{module}/{module}.docc/{module}.md").read_text(encoding="utf-8")
    topics = set(re.findall(r"^- ``([^`]+)``$", page, re.MULTILINE))
    symbols, witnesses = {}, set()
    for graph in graphs(f"{folder}/{module}/*.symbols.json"):
        symbols.update({symbol["identifier"]["precise"]: symbol for symbol in graph["symbols"]})
        for relation in graph["relationships"]:
            if relation.get("sourceOrigin") or relation["kind"] in ("defaultImplementationOf", "overrides"):
                witnesses.add(relation["source"])
    for identifier, symbol in sorted(symbols.items(), key=lambda item: item[1]["pathComponents"]):
        path, kind = symbol["pathComponents"], symbol["kind"]["identifier"]
        if symbol["accessLevel"] != "public" or kind == "swift.extension":
            continue
        name = ".".join(path)
        if kind in TYPES and len(path) == 1 and not {path[0], f"{module}/{path[0]}"} & topics:
            yield f"{module}: {name} is in no topic"
        # Cases of enums may need no documentation besides their names.
        needs_text = kind != "swift.enum.case" and not PLAIN.fullmatch(path[-1])
        if needs_text and not symbol.get("docComment", {}).get("lines") and identifier not in witnesses:
            yield f"{module}: {symbol['kind']['displayName'].lower()} {name} has no documentation"


def missing_additions(folder, module):
    """The members of types of other modules that have no row. Their graphs are named module@other."""
    rows = set(re.findall(r"`(\w+(?:\.\w+)?)[^`]*`(?=[^|]*\| RemoteImage)", ADDITIONS.read_text(encoding="utf-8")))
    for graph in graphs(f"{folder}/{module}/{module}@*.symbols.json"):
        witnesses = {relation["source"] for relation in graph["relationships"] if relation.get("sourceOrigin")}
        for symbol in graph["symbols"]:
            if symbol["kind"]["identifier"] == "swift.extension" or symbol["identifier"]["precise"] in witnesses:
                continue
            name = re.sub(r"\(.*", "", ".".join(symbol["pathComponents"])).removesuffix(".init")
            if name not in rows:
                yield f"{module}: {name} is not in {ADDITIONS.name}"


# The tables of Swift and C


def swift_names(folder):
    """The names of the Swift interface, without arguments, and the options of an image. Programs
    write the factories of sources as members of ImageSource."""
    paths = {
        ".".join(symbol["pathComponents"]) for graph in graphs(f"{folder}/*/*.symbols.json") for symbol in graph["symbols"]
    }
    names = {path.partition("(")[0] for path in paths}
    options = {path for path in paths if re.fullmatch(r"ImageOptions\.[a-z]\w*", path)} - {"ImageOptions.isEmpty"}
    return names | {name.replace("ImageSourceConvertible.", "ImageSource.") for name in names}, options


def c_names():
    """The names of the C interface, those that the tables must contain, and the properties."""
    functions = lines_of(SYMBOLS)
    names, properties, signals = set(functions), set(), set()
    for line in lines_of(INTERFACE):
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


def table_faults(folder):
    (swift, options), (c, wanted, properties) = swift_names(folder), c_names()
    used, seen_swift, count = set(), set(), 0
    for number, line in enumerate(TABLES.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("|") or re.match(r"\| *-", line):
            continue
        count += 1
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 3 or not all(cells):
            yield f"{TABLES.name}:{number}: a cell is empty or missing"
            continue
        for name in re.findall(r"`([^`]+)`", cells[1]):
            seen_swift.add(name)
            if name not in swift:
                yield f"{TABLES.name}:{number}: {name} does not exist in Swift"
        for name in re.findall(r"`([^`]+)`", cells[2]):
            name = name.removesuffix("()")
            used.add(name)
            if re.match(r"(?i)remote_?image", name) and name not in c:
                yield f"{TABLES.name}:{number}: {name} does not exist in C"
    # A property of views and paintables stands once, as that of the view.
    listed = {name.partition(":")[2] for name in used if ":" in name}
    missing = (wanted - used) | (options - seen_swift) | {name for name in properties if name.partition(":")[2] not in listed}
    yield from (f"{TABLES.name}: {name} is in no table" for name in sorted(missing))
    if not count:
        yield f"{TABLES.name} has no tables"


# C: the GIR file


def undocumented_elements(element, path=""):
    kind = element.tag.split("}")[1]
    name = f"{path}.{element.get('name', '')}" if path else element.get("name", "")
    doc = element.findtext(f"{CORE}doc") or ""
    # Functions that return an error quark or a type need no documentation.
    if kind in DOCUMENTED and not doc and not name.endswith((".quark", "_quark", "_get_type")):
        yield f"{kind} {name} has no documentation"
    if kind == "property":
        wanted = "Default:" if element.get("writable") == "1" else "Read-only."
        if wanted not in doc:
            yield f"the documentation of property {name} lacks “{wanted}”"
    for parameter in element.findall(f"{CORE}parameters/{CORE}parameter"):
        if not parameter.findtext(f"{CORE}doc") and kind not in ("callback", "virtual-method"):
            yield f"{name}: parameter {parameter.get('name')} has no documentation"
    for child in element:
        if child.tag.split("}")[1] not in ("parameters", "record", "doc"):
            yield from undocumented_elements(child, name)


def type_of(element):
    found = element.find(f".//{CORE}type")
    if found is None:
        return "none"
    array = "[]" if element.find(f".//{CORE}array") is not None else ""
    return found.get("name", "") + array


def callable_of(element):
    parameters = [
        type_of(p) + ("?" if p.get("nullable") == "1" else "") + " " + p.get("transfer-ownership", "")
        for p in element.iter(CORE + "parameter")
    ]
    value = element.find(CORE + "return-value")
    nullable = "?" if value is not None and value.get("nullable") == "1" else ""
    transfer = value.get("transfer-ownership", "") if value is not None else ""
    throws = " throws" if element.get("throws") == "1" else ""
    return f"({', '.join(parameters)}) -> {type_of(value)}{nullable} {transfer}{throws}"


def interface(namespace):
    """The public interface, one element a line, sorted."""
    lines = []
    for owner in namespace:
        name, kind = owner.get("name"), owner.tag.split("}")[1]
        if kind == "function":
            lines.append(f"function {name}{callable_of(owner)}")
        if kind in ("class", "enumeration", "bitfield"):
            lines.append(f"{kind} {name}" + (f" of {owner.get('parent')}" if owner.get("parent") else ""))
        for part in owner:
            kind = part.tag.split("}")[1]
            if kind not in LISTED:
                continue
            text = f"{kind} {name}.{part.get('name')}"
            if kind == "property":
                text += f": {type_of(part)}" + (" writable" if part.get("writable") == "1" else "")
            elif kind == "member":
                text += f" = {part.get('value')}"
            elif kind != "implements":
                text += callable_of(part)
            lines.append(text)
    return sorted(lines)


def interface_faults(namespace):
    now, listed = interface(namespace), lines_of(INTERFACE)
    yield from (f"{INTERFACE} lacks: {line}" for line in now if line not in listed)
    yield from (f"the GIR file lacks: {line}" for line in listed if line not in now)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("swift", "c", "list"):
        sys.exit(__doc__)
    kind, path = sys.argv[1:]
    if kind == "swift":
        if not all(os.path.exists(f"{path}/{module}/{module}.symbols.json") for module in MODULES):
            sys.exit(f"Symbol graphs are missing in {path}.")
        found = [fault for module in MODULES for fault in [*undocumented(path, module), *missing_additions(path, module)]]
        found += table_faults(path)
    else:
        namespace = tree.parse(path).getroot().find(f"{CORE}namespace")
        if kind == "list":
            print("\n".join(interface(namespace)))
            return
        found = [fault for element in namespace for fault in undocumented_elements(element)] + [*interface_faults(namespace)]
    print(*found, sep="\n", end="\n" * bool(found))
    sys.exit(bool(found))


main()
