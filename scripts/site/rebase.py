#!/usr/bin/env python3
"""Makes a DocC archive work below any path of a web server, and puts the links of the site on top
of its pages.

    rebase.py ARCHIVE BAR.html    BAR.html goes on top of each page; {root} in it is the site's root

DocC's renderer is a program in JavaScript that takes its root from `baseUrl`, which `docc` writes
into each page as an absolute path. Each page knows its depth, so it can compute the root instead.
"""

import json
import os
import pathlib
import re
import sys

# A link to the source of a page of another module.
PAGE = re.compile(r'"(?:\.\.\\?/)+\w+\\?/(\w+)\.docc\\?/(\w+)\.md"')


def rebased(text, depth, bar):
    root = "../" * depth or "./"
    for attribute in ("src", "href"):
        text = text.replace(f'{attribute}="/', f'{attribute}="{root}')
    text = text.replace('var baseUrl = "/"', f'var baseUrl = new URL("{root}", document.baseURI).pathname')
    if 'baseUrl = "/' in text or '="/' in text:
        sys.exit("DocC's pages have an absolute path that this script does not know.")
    text = text.replace("</head>", f'<link href="{root}../bar.css" rel="stylesheet"></head>')
    # The program changes the page's address, which would change what relative links lead to.
    bar = bar.replace("{root}", f"{root}../") + FIXED_LINKS
    return text.replace('<div id="app">', bar + '<div id="app">')


def with_links_of_pages(text):
    """The data of a page. DocC resolves links only to the modules on which a module depends, and
    passes on links to files."""

    def page(match):
        module, name = match[1].lower(), match[2].lower()
        return f'"/documentation/{module}' + ("" if name == module else f"/{name}") + '"'

    return PAGE.sub(page, text)


def with_one_tree(index):
    """The index of the navigation. The renderer shows only the tree of the page's module; with modules
    of another kind, it shows those of all modules."""
    for roots in index["interfaceLanguages"].values():
        for root in roots:
            for child in root.get("children", []):
                child["type"] = "collection"
    return index


def main():
    archive, bar = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    for path in archive.rglob("*.html"):
        depth = len(path.relative_to(archive).parts) - 1
        path.write_text(rebased(path.read_text(encoding="utf-8"), depth, bar), encoding="utf-8")
    for path in archive.joinpath("data").rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        if ".docc" in text:
            path.write_text(with_links_of_pages(text), encoding="utf-8")
    index = archive / "index" / "index.json"
    index.write_text(json.dumps(with_one_tree(json.loads(index.read_text(encoding="utf-8")))), encoding="utf-8")
    # The renderer asks for this file, and a browser reports an error if it is missing.
    (archive / "theme-settings.json").write_text("{}\n", encoding="utf-8")
    # The root of an archive has no page of its own.
    (archive / "index.html").write_text(REDIRECT, encoding="utf-8")
    # Files that only docc reads.
    for name in ("link-hierarchy.json", "linkable-entities.json", "metadata.json"):
        (archive / name).unlink(missing_ok=True)
    for folder in ("downloads", "videos"):
        if (archive / folder).is_dir() and not any(path.is_file() for path in (archive / folder).rglob("*")):
            for path, _, _ in os.walk(archive / folder, topdown=False):
                os.rmdir(path)


# Pages link to files of the repository by relative paths; the site has them at the same places.
FIXED_LINKS = """<script>
document.querySelectorAll(".site-bar a, link[rel~=icon], link[rel~=mask-icon]").forEach(link => link.href = link.href)
const root = new URL(".", document.querySelector(".site-name").href)
new MutationObserver(() => document.querySelectorAll('#app a[href^="../../../"]').forEach(link => {
  link.href = new URL(link.getAttribute("href").slice(9), root)
})).observe(document, { attributeFilter: ["href"], childList: true, subtree: true })
</script>"""

REDIRECT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Swift modules</title>
<meta http-equiv="refresh" content="0; url=documentation/">
<p><a href="documentation/">The documentation of the Swift modules</a></p>
</html>
"""

if __name__ == "__main__":
    main()
