#!/usr/bin/env python3
"""Makes pages of DocC readable without it: links to pages get file names, links to symbols their names.

plain-guides.py FOLDER    the folder with all pages, which are changed in place
"""
import pathlib
import re
import sys

pages = {path.stem: path for path in pathlib.Path(sys.argv[1]).glob("*.md")}
titles = {name: path.read_text().splitlines()[0].strip("# `") for name, path in pages.items()}


def link(target, text=None):
    name, _, anchor = target.split("/")[-1].partition("#")
    if name not in pages:
        return text or f"`{name}`"
    return f"[{text or titles[name]}]({name}.md{'#' + anchor.lower() if anchor else ''})"


for path in pages.values():
    text = path.read_text()
    text = re.sub(r"<doc:([^>]+)>", lambda match: link(match[1]), text)
    text = re.sub(r"\[([^]]+)\]\(doc:((?:[^()]|\([^()]*\))+)\)", lambda match: link(match[2], match[1]), text)
    text = re.sub(r"(?<!`)``([^`]+)``(?!`)", r"`\1`", text)
    path.write_text(text)
