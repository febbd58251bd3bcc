#!/usr/bin/env python3
"""Lists the files of RemoteImageCore that use a type of a higher folder, against the direction that
CONTRIBUTING.md states. Fails if there are more than LIMIT such pairs of files."""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path("Sources/RemoteImageCore")
ORDER = ["Coding Concurrency", "Request", "Decoding Processing", "Storage", "HTTP", "Pipeline", "Model Services"]
RANKS = {folder: rank for rank, folders in enumerate(ORDER) for folder in folders.split()}
LIMIT = 10

# Comments, and strings without the expressions in them; then declarations at the start of a line.
TEXT = re.compile(r'//[^\n]*|""".*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DECLARATION = re.compile(
    r"^(?:@\S+ )*(?:(?:public|package|final|indirect) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)", re.MULTILINE)
NAME = re.compile(r"(?<![.\w])[A-Z]\w*")


def rank(path):
    return RANKS[path.relative_to(ROOT).parts[0]]


files = {}
for path in sorted(ROOT.rglob("*.swift")):
    if path.parent != ROOT:
        text = path.read_text(encoding="utf-8")
        files[path] = TEXT.sub(lambda found: " ".join(re.findall(r"\\\(([^)]*)\)", found[0])), text)

declared = {name: path for path, text in files.items() for name in DECLARATION.findall(text)}
arrows = collections.defaultdict(set)
for path, text in files.items():
    for name in NAME.findall(text):
        target = declared.get(name)
        if target and rank(target) > rank(path):
            arrows[path, target].add(name)

for (path, target), names in sorted(arrows.items()):
    print(f"{path.relative_to(ROOT)} -> {target.relative_to(ROOT)}: {', '.join(sorted(names))}")
print(f"{len(arrows)} arrows run up, at most {LIMIT} may")
sys.exit(len(arrows) > LIMIT)
