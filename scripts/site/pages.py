#!/usr/bin/python3
"""Makes the landing page and the pages that are not written for DocC: the gallery, the benchmarks,
the changelog and the manual page. Their programs and texts come from the files that the tests run.

    pages.py FOLDER    the folder of the site

It needs Debian's python3-markdown, python3-pygments and mandoc.
"""

import html
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

import markdown
import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

SOURCES = pathlib.Path("docs/site")
# The pages made from Markdown.
PAGES = {
    "docs/gallery.md": "gallery.html",
    "Benchmarks/README.md": "benchmarks.html",
    "Benchmarks/PROFILE.md": "profile.html",
    "CHANGELOG.md": "changelog.html",
}
# Files to which the guides link.
FILES = ["packaging/flatpak/org.example.Photos.yaml", "packaging/flatpak/dependencies.json"]
MODULES = ["RemoteImageGtk", "RemoteImageCore", "RemoteImageDecoders", "RemoteImage", "RemoteImageTesting"]


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def highlighted(code, language):
    if language == "shell":
        return f'<pre class="shell">{html.escape(code.strip())}</pre>'
    body = pygments.highlight(code.strip() + "\n", get_lexer_by_name(language), HtmlFormatter(nowrap=True))
    return f'<pre tabindex="0"><code>{body.rstrip()}</code></pre>'


def block(path, language, part):
    """The only code block of a page that contains a text."""
    blocks = re.findall(r"^ *```(\w*)\n(.*?)^ *```$", read(path), re.MULTILINE | re.DOTALL)
    found = [code for name, code in blocks if (name or "shell") == language and part in code]
    if len(found) != 1:
        sys.exit(f"{path}: {len(found)} blocks in {language} contain {part!r}.")
    return highlighted(textwrap.dedent(found[0]), language)


def command(path, part):
    """The only command within a sentence of a page that contains a text."""
    found = [code for code in re.findall(r"`([^`\n]+)`", read(path)) if part in code]
    if len(found) != 1:
        sys.exit(f"{path}: {len(found)} commands contain {part!r}.")
    return highlighted(found[0].replace("apt ", "sudo apt ", 1), "shell")


def shots(names):
    titles = dict(re.findall(r"!\[([^\]]+), light\]\(gallery/light/([\w-]+)\.jpg\)", read("docs/gallery.md")))
    titles = {name: title for title, name in titles.items()}
    for name in names.split():
        yield (
            f'<a href="gallery.html"><picture><source media="(prefers-color-scheme: dark)" '
            f'srcset="gallery/dark-2/{name}.jpg"><img src="gallery/light/{name}.jpg" width="1080" height="760" '
            f'loading="lazy" alt="{html.escape(titles[name])}"></picture></a>'
        )


def article(path):
    """The address, the title and the summary of a DocC page."""
    module = path.parent.name.removesuffix(".docc")
    title, summary = re.match(r"# (.+?)\n\n(.+?)\n\n", read(path), re.DOTALL).groups()
    address = f"swift/documentation/{module.lower()}/"
    if path.stem != module:
        address += re.sub(r"[^a-z0-9_-]", "-", path.stem.lower()) + "/"
    return address, title.strip("`"), re.sub(r"`+([^`]+)`+", r"\1", " ".join(summary.split()))


def entries(paths):
    for address, title, summary in map(article, paths):
        yield f'<dt><a href="{address}">{html.escape(title)}</a></dt>\n<dd>{html.escape(summary)}</dd>'


def guides():
    """All articles, in the order of the topics of their modules."""
    paths = []
    for module in MODULES:
        folder = pathlib.Path(f"Sources/{module}/{module}.docc")
        listed = re.findall(r"^- <doc:(\w+)>$", read(folder / f"{module}.md"), re.MULTILINE)
        paths += [folder / f"{name}.md" for name in listed]
    return '<dl class="list">\n' + "\n".join(entries(paths)) + "\n</dl>"


def modules():
    return "\n".join(entries(pathlib.Path(f"Sources/{module}/{module}.docc/{module}.md") for module in MODULES))


def landing_page(bar, version):
    values = {"bar": bar, "version": version, "guides": guides(), "modules": modules()}

    def value(match):
        words = match[1].split(None, 3)
        if words[0] == "block":
            return block(words[1], words[2], words[3].strip('"').replace(r"\n", "\n").replace(r"\"", '"'))
        if words[0] == "command":
            return command(words[1], " ".join(words[2:]).strip('"'))
        if words[0] == "shots":
            return "\n".join(shots(" ".join(words[1:])))
        return values[words[0]]

    return re.sub(r"\{\{(.+?)\}\}", value, read(SOURCES / "index.html"))


def page(title, content, bar):
    text = read(SOURCES / "page.html")
    for name, value in {"title": html.escape(title), "bar": bar, "content": content}.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def address(source, target):
    """The address in the site of a file of the repository, or nothing if the site has no such page."""
    name, _, fragment = target.partition("#")
    path = pathlib.Path(source).parent.joinpath(name).resolve()
    try:
        path = path.relative_to(pathlib.Path.cwd())
    except ValueError:
        return None
    if str(path) in PAGES:
        found = PAGES[str(path)]
    elif path.parts[:2] == ("docs", "gallery"):
        found = str(pathlib.Path(*path.parts[1:]))
    elif path.suffix == ".svg" and path.parts[:2] == ("Benchmarks", "results"):
        found = path.name
    elif path.parent.suffix == ".docc":
        found = article(path)[0]
    else:
        return None
    return f"{found}#{fragment}" if fragment else found


def markdown_page(source, bar):
    text = read(source)
    body = markdown.markdown(text, extensions=["tables", "fenced_code", "sane_lists", "toc"])

    def link(match):
        before, name, target, after, inside = match.groups()
        if re.match(r"https?:|#", target):
            return match[0]
        found = address(source, html.unescape(target))
        return f'<a {before}href="{found}"{after}>{inside}</a>' if found else inside

    body = re.sub(r'<a ([^>]*)(href)="([^"]*)"([^>]*)>(.*?)</a>', link, body, flags=re.DOTALL)
    body = re.sub(r'src="(?!https?:)([^"]*)"', lambda match: f'loading="lazy" src="{address(source, match[1])}"', body)
    body = body.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
    return page(re.search(r"^# (.+)$", text, re.MULTILINE)[1], body, bar)


def manual(bar, version):
    source = read("data/remote-image.1").replace("@VERSION@", version)
    done = subprocess.run(["mandoc", "-T", "html", "-O", "fragment"], input=source, check=True, stdout=subprocess.PIPE, text=True)
    body = re.sub(r"<(/?)h1\b", r"<\1h2", done.stdout)
    return page("remote-image(1)", f"<h1>remote-image(1)</h1>\n{body}", bar)


def main():
    site = pathlib.Path(sys.argv[1])
    version = subprocess.run(["scripts/version.sh"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    bar = read(SOURCES / "bar.html").replace("{root}", "")
    for name in ("bar.css", "style.css", "swift.jpg", "logo.jpg"):
        shutil.copy(SOURCES / name, site / name)
    shutil.copy("data/gallery/org.remoteimage.Gallery.svg", site / "icon.svg")
    shutil.copy("Benchmarks/results/comparison.svg", site)
    shutil.copytree("docs/gallery", site / "gallery", dirs_exist_ok=True)
    for name in FILES:
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, site / name)
    pages = {name: markdown_page(source, bar) for source, name in PAGES.items()}
    pages["index.html"] = landing_page(bar, version)
    pages["remote-image.1.html"] = manual(bar, version)
    for name, text in pages.items():
        (site / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
