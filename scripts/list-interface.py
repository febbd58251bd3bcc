#!/usr/bin/env python3
"""Lists the public interface of a GIR file, one element per line, as data/interface.txt does.

    list-interface.py FILE.gir
"""

import sys
import xml.etree.ElementTree as tree

CORE = "{http://www.gtk.org/introspection/core/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"
KINDS = {
    CORE + "constructor", CORE + "method", CORE + "function", CORE + "property", GLIB + "signal", CORE + "member",
    CORE + "implements",
}  # fmt: skip


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


lines = []
for owner in tree.parse(sys.argv[1]).getroot().find(CORE + "namespace"):
    name = owner.get("name")
    if owner.tag == CORE + "function":
        lines.append(f"function {name}{callable_of(owner)}")
    if owner.tag.split("}")[1] in ("class", "enumeration", "bitfield"):
        lines.append(f"{owner.tag.split('}')[1]} {name}" + (f" of {owner.get('parent')}" if owner.get("parent") else ""))
    for part in owner:
        if part.tag not in KINDS:
            continue
        kind = part.tag.split("}")[1]
        text = f"{kind} {name}.{part.get('name')}"
        if kind == "property":
            text += f": {type_of(part)}" + (" writable" if part.get("writable") == "1" else "")
        elif kind == "member":
            text += f" = {part.get('value')}"
        elif kind != "implements":
            text += callable_of(part)
        lines.append(text)
print("\n".join(sorted(lines)))
