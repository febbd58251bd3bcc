#!/usr/bin/env python3
"""Lists undocumented elements of a GIR file, and properties without a documented default.

    check-interface-docs.py FILE.gir
"""

import sys
import xml.etree.ElementTree as tree

CORE = "{http://www.gtk.org/introspection/core/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"
DOCUMENTED = {"class", "enumeration", "bitfield", "constructor", "method", "function", "property", "member"}


def missing(element, path):
    kind = element.tag.split("}")[1]
    name = f"{path}.{element.get('name', '')}" if path else element.get("name", "")
    doc = element.findtext(f"{CORE}doc") or ""
    # Functions that return an error quark or a type need no documentation.
    is_plain = name.endswith((".quark", "_quark", "_get_type"))
    if (kind in DOCUMENTED or element.tag == GLIB + "signal") and not doc and not is_plain:
        yield f"{kind} {name} has no documentation"
    if kind == "property":
        is_writable = element.get("writable") == "1"
        wanted = "Default:" if is_writable else "Read-only."
        if wanted not in doc:
            yield f"the documentation of property {name} lacks “{wanted}”"
    for parameter in element.findall(f"{CORE}parameters/{CORE}parameter"):
        if not parameter.findtext(f"{CORE}doc") and kind != "callback" and element.tag != CORE + "virtual-method":
            yield f"{name}: parameter {parameter.get('name')} has no documentation"
    for child in element:
        if child.tag.split("}")[1] not in ("parameters", "record", "doc"):
            yield from missing(child, name)


namespace = tree.parse(sys.argv[1]).getroot().findall(f"{CORE}namespace/*")
faults = [fault for element in namespace for fault in missing(element, "")]
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
