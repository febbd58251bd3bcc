#!/usr/bin/env python3
"""Checks that the code blocks of the documentation compile: those of the pages, of the comments of
the Swift sources, and of the C headers.

    check-snippets.py LANGUAGE COMMAND…    runs a compiler on the blocks in swift, c or vala
    check-snippets.py shell COMMAND…       the blocks without a language
    check-snippets.py manifest COMMAND…    the Swift blocks that import PackageDescription
    check-snippets.py python               with the typelib that GI_TYPELIB_PATH finds
    check-snippets.py flatpak              the blocks in YAML and JSON, which must be those of packaging/flatpak

A Swift block is the body of a throwing function on the main actor, which is asynchronous if the block
awaits, or of a type if it has @main or @Observable, or a file if it begins with an extension; without imports of its
own it imports the package's products. What blocks presume is in Tests/Snippets/Context.swift.
Swift blocks that import another toolkit, and the manifests of such programs, must be files of Tests/Toolkits.
A C block is a file if it defines a function, otherwise the body of one.
"""

import ast
import builtins
import collections
import importlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

LANGUAGES = ["swift", "c", "vala", "shell", "manifest", "python"]
FLATPAK = "Sources/RemoteImageGtk/RemoteImageGtk.docc/PackagingWithFlatpak.md"
# The languages that are checked on one page only: by Tests/EmbeddingTests/test_guide.py, and here.
OTHER_LANGUAGES = {
    "Sources/RemoteImageGtk/RemoteImageGtk.docc/ForGTKProgrammers.md": ["xml", "css"],
    FLATPAK: ["yaml", "json"],
}
# Their blocks need no command.
ALONE = ["python", "flatpak"]
SWIFT_IMPORTS = ["import CRemoteImageGtk", "import RemoteImageGtk", "import RemoteImageTesting"]
NAMESPACES = {"Gtk": "4.0", "RemoteImage": "1", "GLib": "2.0", "GObject": "2.0"}
# Other toolkits, whose sources are not at hand.
TOOLKITS_PAGE = "Sources/RemoteImageGtk/RemoteImageGtk.docc/OtherSwiftToolkits.md"
TOOLKITS = re.compile(r"^import (Adwaita|SwiftCrossUI)$", re.MULTILINE)
# What precedes a line of documentation in each kind of file.
MARGINS = {".md": "", ".swift": r" */// ?", ".h": r" *\* ?"}

# `line` is that of the opening fence; `before` replaces the fence, and `after` the closing one.
Block = collections.namedtuple("Block", "path line language code before after", defaults=["", ""])


def fail(block, message, line=None):
    print(f"{block.path}:{line or block.line}: error: {message}")
    return False


def all_blocks():
    # Not those of builds. An unpacked archive has no list of files.
    found = (path for suffix in MARGINS for path in pathlib.Path().rglob(f"*{suffix}"))
    for path in sorted(str(path) for path in found if not any(part.startswith(".") for part in path.parts)):
        margin = re.compile(f"{MARGINS[pathlib.Path(path).suffix]}(.*)")
        lines = [margin.match(line) for line in pathlib.Path(path).read_text(encoding="utf-8").split("\n")]
        text = "\n".join(line[1] if line else "" for line in lines) + "\n"
        fences = [match.start() for match in re.finditer(r"^ *```", text, re.MULTILINE)]
        if len(fences) % 2:
            sys.exit(f"{path}: error: a code block has no end")
        for start, end in zip(fences[::2], fences[1::2]):
            fence, code = text[start:end].split("\n", 1)
            language = "manifest" if "import PackageDescription" in code else fence.strip("` ") or "shell"
            yield Block(path, text.count("\n", 0, start) + 1, language, textwrap.dedent(code))


def wrapped(block):
    """The block as a file. No line is inserted, so that its lines keep their numbers."""
    if block.language == "swift":
        imports = re.findall(r"^import \w+$", block.code, re.MULTILINE) or SWIFT_IMPORTS
        code = re.sub(r"^(import \w+|@main)$", "", block.code, flags=re.MULTILINE)
        # Macros cannot be attached to the types of a function.
        has_types = re.search(r"^@(main|Observable)$", block.code, re.MULTILINE)
        effects = "async throws" if re.search(r"\bawait\b", block.code) else "throws"
        scope = "private enum Snippet {" if has_types else f"@MainActor private func snippet() {effects} {{"
        if re.match("extension ", code):
            return block._replace(code=code, before="; ".join(imports))
        before = "; ".join([*imports, scope])
        return block._replace(code=code, before=before, after="}")
    if block.language == "c" and not re.search(r"^\w[\w *]*[ *]\w+\([^;{]*\{", block.code, re.MULTILINE):
        return block._replace(before="static void snippet(void) {", after="}")
    return block


def compiles(blocks, command):
    """Runs a compiler on the blocks, at the lines that they have in the documentation."""
    with tempfile.TemporaryDirectory() as folder:
        suffix = "swift" if blocks[0].language == "manifest" else blocks[0].language
        paths = {f"{folder}/{number}.{suffix}": block.path for number, block in enumerate(blocks)}
        for file, block in zip(paths, map(wrapped, blocks)):
            text = "\n" * (block.line - 1) + f"{block.before}\n{block.code}{block.after}\n"
            pathlib.Path(file).write_text(text, encoding="utf-8")
        done = subprocess.run([*command, *paths], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        # Shows the paths of the documentation instead of those of the temporary files.
        print(re.sub(f"{folder}/\\w+\\.{suffix}", lambda match: paths[match[0]], done.stdout), end="")
    return done.returncode == 0


def has_known_products(block):
    products = re.findall(r'\.library\(name: "([^"]+)"', pathlib.Path("Package.swift").read_text(encoding="utf-8"))
    used = re.findall(r'\.product\(name: "([^"]+)", package: "remote-image"', block.code)
    return all([fail(block, f"the package has no product {name}") for name in used if name not in products])


def without_comments(manifest):
    lines = manifest.replace('name: "remote-image", path: "../../.."', 'path: "../remote-image"').split("\n")
    return [line for line in lines[:1] + [line for line in lines[1:] if not line.startswith("//")] if line]


def is_compiled(block):
    """Whether a package of Tests/Toolkits has the manifest of a block, but for the path of the library."""
    files = [path.read_text(encoding="utf-8") for path in pathlib.Path("Tests/Toolkits").glob("*/Package.swift")]
    if without_comments(block.code) not in map(without_comments, files):
        return fail(block, "no package in Tests/Toolkits has this manifest")
    return True


def python_faults(block, known):
    """Errors of the syntax, undefined names, and unknown names and properties of the libraries."""

    def resolve(node):
        if isinstance(node, ast.Attribute):
            return getattr(resolve(node.value), node.attr, None)
        return known.get(node.id) if isinstance(node, ast.Name) else None

    try:
        tree = ast.parse("\n" * block.line + block.code)
        compile(tree, block.path, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError as error:
        yield error.msg, error.lineno
        return
    nodes = [node for node in ast.walk(tree) if not isinstance(node, ast.keyword)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    defined = {getattr(node, field, None) for node in nodes for field in ("name", "asname", "arg")}
    defined |= {*known, *dir(builtins), *(name.id for name in names if isinstance(name.ctx, ast.Store))}
    yield from ((f"{name.id} is not defined", name.lineno) for name in names if name.id not in defined)
    for node in nodes:
        if isinstance(node, ast.Attribute) and resolve(node.value) is not None and resolve(node) is None:
            yield f"{ast.unparse(node)} does not exist", node.lineno
        properties = getattr(resolve(node.func), "props", None) if isinstance(node, ast.Call) else None
        for keyword in node.keywords if properties else []:
            if keyword.arg and not hasattr(properties, keyword.arg):
                yield f"{ast.unparse(node.func)} has no property {keyword.arg}", node.lineno


def check_python(blocks):
    import gi

    for name, version in NAMESPACES.items():
        gi.require_version(name, version)
    known = {name: importlib.import_module(f"gi.repository.{name}") for name in NAMESPACES}
    return [fail(block, *fault) for block in blocks for fault in python_faults(block, known)]


def check_flatpak():
    """Compares the blocks of a page with the manifest, without its introduction, and with its sources."""
    folder = pathlib.Path("packaging/flatpak")
    page = pathlib.Path(FLATPAK).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(yaml|json)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    manifest = (folder / "org.example.Photos.yaml").read_text(encoding="utf-8")
    wanted = re.sub(r"\A(#.*\n)+", "", manifest)
    shown = "".join(code for language, code in blocks if language == "yaml")
    if shown.split("\n") != [line for line in wanted.split("\n") if line] + [""]:
        sys.exit(f"{FLATPAK}: error: the blocks in YAML are not those of the manifest")
    sources = json.loads((folder / "dependencies.json").read_text(encoding="utf-8"))
    if any(source not in sources for language, code in blocks if language == "json" for source in json.loads(code)):
        sys.exit(f"{FLATPAK}: error: a source is not one of dependencies.json")
    print(f"Checked {len(blocks)} blocks: flatpak.")


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in LANGUAGES + ALONE or (sys.argv[1] in ALONE) != (len(sys.argv) == 2):
        sys.exit(__doc__)
    if sys.argv[1] == "flatpak":
        return check_flatpak()
    language, *command = sys.argv[1:]
    blocks, results = [], []
    for block in all_blocks():
        if block.language == "swift" and TOOLKITS.search(block.code):
            files = [path.read_text(encoding="utf-8") for path in pathlib.Path("Tests/Toolkits").rglob("*.swift")]
            if language == "swift" and block.code.strip("\n") not in (text.strip("\n") for text in files):
                results.append(fail(block, "no file in Tests/Toolkits has this text"))
        elif block.language == language:
            blocks.append(block)
        elif block.language not in LANGUAGES + OTHER_LANGUAGES.get(block.path, []):
            results.append(fail(block, f"blocks in {block.language} are not checked"))
    if language == "python":
        results += check_python(blocks)
    elif language == "swift":
        # One module for all blocks, which is much faster than one for each.
        results.append(compiles(blocks, command))
    else:
        results += [compiles([block], command) for block in blocks]
    if language == "manifest":
        results += map(has_known_products, blocks)
        results += [is_compiled(block) for block in blocks if block.path == TOOLKITS_PAGE]
    print(f"Checked {len(blocks)} blocks: {language}.")
    sys.exit(not all(results) or not blocks)


if __name__ == "__main__":
    main()
