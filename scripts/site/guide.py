#!/usr/bin/env python3
"""Writes the pages for GTK programmers as pages of gi-docgen: their titles, their links to other
guides, and the names of the C interface and of GTK's types as links.

    guide.py RemoteImage-1.gir ADDRESS FOLDER

ADDRESS is that of the other guides, in which {module} and {name} are replaced, and {address} by the
name in the addresses of DocC.
"""

import importlib
import pathlib
import re
import sys
import xml.etree.ElementTree

FOLDER = pathlib.Path("Sources/RemoteImageGtk/RemoteImageGtk.docc")
# The names of the pages in DocC and in gi-docgen.
GUIDES = {
    "ForGTKProgrammers": "for-gtk-programmers",
    "GTKInC": "gtk-in-c",
    "GTKInPython": "gtk-in-python",
    "GTKInVala": "gtk-in-vala",
}


def guide_link(name, fragment, address):
    (path,) = pathlib.Path("Sources").glob(f"*/*.docc/{name}.md")
    title = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
    if name in GUIDES and fragment:
        return f"[{fragment.replace('-', ' ')}]({GUIDES[name]}.html#{fragment.lower()})"
    if name in GUIDES:
        return f"[{title}]({GUIDES[name]}.html)"
    module = path.parent.stem
    return f"[{title}]({address.format(module=module.lower(), name=name, address=name.lower())})"


def write(guide, names, address, output):
    title, text = guide.read_text(encoding="utf-8").removeprefix("# ").split("\n", 1)
    # Code stays as it is.
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    for index in range(0, len(parts), 2):
        part = re.sub(r"<doc:(?:/\w+/)?(\w+)#?([\w-]*)>", lambda match: guide_link(match[1], match[2], address), parts[index])
        parts[index] = re.sub(r"`(\w+(?:\(\))?)`", lambda match: names.get(match[1], match[0]), part)
        if "<doc:" in parts[index]:
            sys.exit(f"{guide}: a link is not understood")
    output.write_text(f"Title: {title}\n\n# {title}\n{''.join(parts)}", encoding="utf-8")


def main():
    gir, address, folder = sys.argv[1:]
    names = importlib.import_module("link-gir").all_names(xml.etree.ElementTree.parse(gir).getroot())
    for guide, name in GUIDES.items():
        write(FOLDER / f"{guide}.md", names, address, pathlib.Path(folder) / f"{name}.md")


if __name__ == "__main__":
    main()
