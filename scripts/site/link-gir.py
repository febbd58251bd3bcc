#!/usr/bin/env python3
"""Writes a copy of the GIR whose documentation has the links of gi-docgen in place of gtk-doc's
signs, which gi-docgen shows as plain text: #RemoteImageView:uri becomes
[property@RemoteImage.View:uri].

    link-gir.py RemoteImage-1.gir OUTPUT.gir

A sign that names nothing in the library is an error. Names of GTK are looked up in its own GIR files.
"""

import glob
import re
import sys
import xml.etree.ElementTree

CORE = "{http://www.gtk.org/introspection/core/1.0}"
C = "{http://www.gtk.org/introspection/c/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"
KINDS = {
    "class": "class", "interface": "iface", "record": "struct", "enumeration": "enum", "bitfield": "flags",
    "callback": "callback", "alias": "alias", "constant": "const",
}  # fmt: skip
FUNCTIONS = {"constructor": "ctor", "method": "method", "function": "func"}
OTHERS = ["GLib-2.0", "GObject-2.0", "Gio-2.0", "Gdk-4.0", "Gtk-4.0"]


def types(path):
    """The links of the types of another library."""
    namespace = xml.etree.ElementTree.parse(path).getroot().find(f"{CORE}namespace")
    for node in namespace:
        kind = KINDS.get(node.tag.removeprefix(CORE))
        if kind and node.get(f"{C}type"):
            yield node.get(f"{C}type"), f"[{kind}@{namespace.get('name')}.{node.get('name')}]"


def names(root):
    """The link of each type, member, property, signal and function of the library, by its name in C."""
    found = {}
    for node in root.find(f"{CORE}namespace"):
        kind = node.tag.removeprefix(CORE)
        short, type_name = node.get("name"), node.get(f"{C}type")
        name = f"RemoteImage.{short}"
        if kind in KINDS:
            link = "error" if node.get(f"{GLIB}error-domain") else KINDS[kind]
            found[type_name] = f"[{link}@{name}]"
            if link == "error":
                found["REMOTE_IMAGE_ERROR"] = found[type_name]
            # gi-docgen has no links to the members of enumerations.
            for member in node.iter(f"{CORE}member"):
                sign = member.get(f"{C}identifier")
                found[sign] = f"[`{sign}`]({link}.{short}.html)"
            for prop in node.iter(f"{CORE}property"):
                found[f"{type_name}:{prop.get('name')}"] = f"[property@{name}:{prop.get('name')}]"
            for signal in node.iter(f"{GLIB}signal"):
                found[f"{type_name}::{signal.get('name')}"] = f"[signal@{name}::{signal.get('name')}]"
            for tag, function_link in FUNCTIONS.items():
                for function in node.iter(CORE + tag):
                    found[f"{function.get(f'{C}identifier')}()"] = f"[{function_link}@{name}.{function.get('name')}]"
        # GObject introspection also lists a function of a type by its old place.
        elif kind == "function" and not node.get("moved-to"):
            found[f"{node.get(f'{C}identifier')}()"] = f"[func@{name}]"
    return found


def all_names(root):
    """The links of the library, and of the types of the others."""
    found = names(root)
    for library in OTHERS:
        for path in glob.glob(f"/usr/share/gir-1.0/{library}.gir"):
            found |= types(path)
    return found


def linked(text, found, faults):
    def name(match):
        sign = match[1]
        if sign in found:
            return found[sign]
        if sign.startswith(("RemoteImage", "REMOTE_IMAGE")):
            faults.append(match[0])
        return f"`{sign}`"

    def function(match):
        if match[1] not in found:
            faults.append(match[0])
        return found.get(match[1], match[0])

    # Code stays as it is.
    parts = re.split(r"(```.*?```)", text, flags=re.DOTALL)
    for index in range(0, len(parts), 2):
        part = re.sub(r"[#%]([A-Za-z]\w+(?:::?[a-z][a-z0-9-]*)?)", name, parts[index])
        parts[index] = re.sub(r"(?<![\w`.])(remote_image_\w+\(\))", function, part)
    return "".join(parts)


def main():
    for prefix, uri in (("", CORE), ("c", C), ("glib", GLIB)):
        xml.etree.ElementTree.register_namespace(prefix, uri.strip("{}"))
    tree = xml.etree.ElementTree.parse(sys.argv[1])
    found, faults = all_names(tree.getroot()), []
    for node in tree.getroot().iter(f"{CORE}doc"):
        node.text = linked(node.text, found, faults)
    tree.write(sys.argv[2], encoding="unicode", xml_declaration=True)
    for fault in faults:
        print(f"{fault} names nothing of the library.")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
