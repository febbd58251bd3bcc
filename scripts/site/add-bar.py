#!/usr/bin/env python3
"""Puts the links of the site on top of the pages that gi-docgen made.

    add-bar.py FOLDER BAR.html    FOLDER is a folder of the site's root
"""

import pathlib
import sys

HEAD = '<link rel="icon" href="../icon.svg"><link rel="stylesheet" href="../bar.css">'


def main():
    bar = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").replace("{root}", "../")
    for path in pathlib.Path(sys.argv[1]).glob("*.html"):
        text = path.read_text(encoding="utf-8")
        if text.count("</head>") != 1 or text.count("<body>") != 1:
            sys.exit(f"{path} has no head or body.")
        path.write_text(text.replace("</head>", f"{HEAD}</head>").replace("<body>", f"<body>{bar}"), encoding="utf-8")


if __name__ == "__main__":
    main()
