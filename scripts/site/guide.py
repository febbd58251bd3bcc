#!/usr/bin/env python3
"""Writes the page For GTK programmers as a page of gi-docgen: its title, its links to other guides,
and the names of the C interface and of GTK's types as links.

    guide.py RemoteImage-1.gir ADDRESS OUTPUT.md

ADDRESS is that of the other guides, in which {module} and {name} are replaced, and {address} by the
name in the addresses of DocC.
"""

import importlib
import pathlib
import re
import sys
import xml.etree.ElementTree

GUIDE = pathlib.Path("Sources/RemoteImageGtk/RemoteImageGtk.docc/ForGTKProgrammers.md")


def guide_link(name, fragment, address):
    if name == GUIDE.stem:
        return f"[{fragment.replace('-', ' ')}](#{fragment.lower()})"
    (path,) = pathlib.Path("Sources").glob(f"*/*.docc/{name}.md")
    title = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
    module = path.parent.stem
    return f"[{title}]({address.format(module=module.lower(), name=name, address=name.lower())})"


def main():
    gir, address, output = sys.argv[1:]
    names = importlib.import_module("link-gir").all_names(xml.etree.ElementTree.parse(gir).getroot())
    title, text = GUIDE.read_text(encoding="utf-8").removeprefix("# ").split("\n", 1)
    # Code stays as it is.
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    for index in range(0, len(parts), 2):
        part = re.sub(r"<doc:(?:/\w+/)?(\w+)#?([\w-]*)>", lambda match: guide_link(match[1], match[2], address), parts[index])
        parts[index] = re.sub(r"`(\w+(?:\(\))?)`", lambda match: names.get(match[1], match[0]), part)
        if "<doc:" in parts[index]:
            sys.exit(f"{GUIDE}: a link is not understood")
    pathlib.Path(output).write_text(f"Title: {title}\n\n# {title}\n{''.join(parts)}", encoding="utf-8")


if __name__ == "__main__":
    main()
