#!/usr/bin/env python3
"""Opens every page of the site in Chromium, below an unusual path of a web server, and fails if

* a page is blank or has no title or heading,
* the console has an error or a warning, or a request fails,
* a page requests something from another server,
* a link or a fragment of the site leads nowhere, or an image is not shown,
* a link to another site, which is not opened, is malformed,
* text and background have nearly the same brightness, in the light or the dark scheme,
* a page is wider than a window of 400 pixels.

    check-site.py FOLDER [PART…]    only the pages whose paths contain one of the parts
"""

import collections
import functools
import http.server
import json
import os
import pathlib
import re
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "site"))
from browser import Browser, Tab  # noqa: E402

PREFIX = "/any/path (1)/below/"
WIDE, NARROW = (1280, 900, "light"), (400, 800, "dark")
Page = collections.namedtuple("Page", "links ids")
# Links to other sites: names of real hosts, and gi-docgen's pages of types and texts.
HOST = re.compile(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+(?!example|invalid|local|test)[a-z]{2,}")
UNREAL_HOST = re.compile(r"(.*\.)?example\.(com|net|org)")
GTK_PAGE = re.compile(
    r"/(glib|gobject|gio|gdk4|gtk4)/"
    r"((alias|callback|class|const|enum|error|flags|func|iface|method|property|signal|struct|vfunc)(\.[\w:-]+)+\.html"
    r"|[a-z0-9-]+\.html)?"
)

# Runs in the page.
MEASURE = (pathlib.Path(__file__).parent / "site" / "measure.js").read_text(encoding="utf-8")


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def translate_path(self, path):
        path = urllib.parse.unquote(urllib.parse.urlsplit(path).path)
        return super().translate_path(path.removeprefix(PREFIX)) if path.startswith(PREFIX) else "/nonexistent"

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *_):
        pass


def check(tab, base, site, path):
    """The faults of a page, and its links and ids."""
    address = base + urllib.parse.quote(path.removesuffix("index.html"))
    data = data_of(site, path)
    # The program of DocC is loaded anew for each article and each type in the wide window. It shows
    # members, and all pages in the narrow window, itself, as it does when a reader follows a link.
    if data and (is_member(path) or tab.is_narrow) and tab.app == path.split("/")[0] and tab.shown % 100:
        # DocC's links have no slash at their end.
        tab.go(address.rstrip("/"), urllib.parse.quote(str(data.relative_to(site)), safe="/"))
    else:
        tab.open(address)
        tab.app = path.split("/")[0] if data else None
    tab.shown += 1
    title = json.loads(data.read_text(encoding="utf-8"))["metadata"]["title"] if data else None
    end = time.monotonic() + 30
    while True:
        page = tab.evaluate(MEASURE)
        # DocC's renderer draws the page after its last request.
        is_drawn = page["heading"] and (title is None or without_spaces(page["heading"]) == without_spaces(title))
        if is_drawn or time.monotonic() > end:
            break
        tab.settle()
    faults = []
    if not is_drawn or not page["title"] or page["text"] < 40:
        faults.append(f"is blank: title {page['title']!r}, heading {page['heading']!r}")
    elif page["contrast"] < 0.4:
        faults.append(f"has a heading without contrast: {page['contrast']:.2f}")
    if page["isWide"]:
        faults.append(f"is wider than the window: {', '.join(page['wide'])}")
    faults += [f"does not show {image}" for image in page["broken"]]
    faults += [f"console: {message}" for message in tab.messages]
    faults += [f"requests {url}" for url in tab.requests if not url.startswith((base, "data:"))]
    return faults, Page(set(page["links"]), set(page["ids"]))


def is_member(path):
    """Whether DocC made the page, for a member of a type."""
    return path.startswith("swift/documentation/") and path.count("/") > 4


def data_of(site, path):
    """The file that DocC's program draws a page from."""
    root, _, name = path.removesuffix("/index.html").partition("/")
    file = site / root / "data" / f"{name}.json"
    return file if file.is_file() else None


def without_spaces(text):
    return "".join(text.split())


def dead_links(pages, site, base):
    """Faults of the links of all pages."""
    external = set()
    for path, page in sorted(pages.items()):
        for link in sorted(page.links):
            address, fragment = urllib.parse.urldefrag(link)
            if not address.startswith(base):
                if not is_well_formed(address):
                    yield path, f"links to {link}"
                external.add(address)
                continue
            target = urllib.parse.unquote(urllib.parse.urlsplit(address).path).removeprefix(PREFIX)
            file = site / target
            if file.is_dir():
                file = file / "index.html"
            name = str(file.relative_to(site)) if file.is_file() else None
            if name is None:
                yield path, f"has a dead link: {link}"
            elif fragment and name in pages and urllib.parse.unquote(fragment) not in pages[name].ids:
                yield path, f"has a link to a missing part of a page: {link}"
    print(f"{len(external)} links lead to other sites; they are not opened.")


def is_well_formed(address):
    """Whether an address can be that of a page of another site."""
    parts = urllib.parse.urlsplit(address)
    host = parts.hostname or ""
    if parts.scheme not in ("https", "http") or not HOST.fullmatch(host) or UNREAL_HOST.fullmatch(host):
        return False
    return host != "docs.gtk.org" or bool(GTK_PAGE.fullmatch(parts.path))


def missing_files(site, paths):
    """Faults of the files that pages load: those pages too that were shown without being loaded."""
    for path in paths:
        folder = (site / path).parent
        text = (site / path).read_text(encoding="utf-8")
        for name in re.findall(r'<(?:script|link|img|source)\b[^>]*? (?:src|href|srcset)="([^"]*)"', text):
            address = urllib.parse.urlsplit(name)
            if address.scheme == "data":
                continue
            if address.scheme or name.startswith("/") or not (folder / urllib.parse.unquote(address.path)).is_file():
                yield path, f"loads {name}"


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    parts = sys.argv[2:]
    paths, faults, lock = [], [], threading.Lock()
    for path in sorted(site.rglob("*.html")):
        name = str(path.relative_to(site))
        is_redirect = 'http-equiv="refresh"' in path.read_text(encoding="utf-8")
        if not is_redirect and (not parts or any(part in name for part in parts)):
            paths.append(name)
    pages = {path: Page(set(), set()) for path in paths}
    start = time.monotonic()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}{urllib.parse.quote(PREFIX)}"
    browser = Browser()

    def work(width, height, scheme, queue):
        tab = Tab(browser)
        tab.app, tab.shown, tab.is_narrow = None, 0, width < 1000
        tab.show_as(width, height, scheme)
        while queue:
            path = queue.popleft()
            try:
                found, page = check(tab, base, site, path)
            except Exception as error:  # The other pages are checked all the same.
                found, page = [f"could not be checked: {error!r}"], Page(set(), set())
                tab.app = None
            faults.extend((path, f"({scheme}, {width} pixels wide) {fault}") for fault in found)
            with lock:
                pages[path].links.update(page.links)
                pages[path].ids.update(page.ids)

    # All members have the same layout, so only the window in which something can be too wide
    # shows them.
    narrow = collections.deque(paths)
    wide = collections.deque(path for path in paths if not is_member(path))
    workers = [
        threading.Thread(target=work, args=[*NARROW, narrow]),
        threading.Thread(target=lambda: [work(*WIDE, wide), work(*NARROW, narrow)]),
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    browser.close()
    # A browser that fails to open a tab leaves its pages in the queue.
    faults += [(path, "was not checked") for path in (*narrow, *wide)]
    faults += dead_links(pages, site, base)
    faults += missing_files(site, paths)
    for path, fault in sorted(faults):
        print(f"{path} {fault}")
    print(f"Checked {len(pages)} pages in {time.monotonic() - start:.0f} s.")
    sys.exit(1 if faults or not pages else 0)


if __name__ == "__main__":
    main()
