"""Checks that scripts/check-site.py reports each kind of fault of a page, and nothing else."""

import os
import subprocess
import sys
import tempfile
import unittest

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/check-site.py")
TEXT = "<h1>Heading</h1><p id='part'>Some text that is long enough for a page of the site.</p>"
# The content of a page, and what is reported of it.
PAGES = {
    "good": (TEXT + "<a href='good.html#part'>A link</a>", None),
    "blank": ("", "is blank"),
    "link": (TEXT + "<a href='none.html'>A link</a>", "has a dead link"),
    "fragment": (TEXT + "<a href='good.html#none'>A link</a>", "has a link to a missing part"),
    "outside": (TEXT + "<a href='/outside.html'>A link</a>", "links to http://127.0.0.1"),
    "external": (TEXT + "<a href='https://docs.gtk.org/gtk4/class.Widget.html#methods'>A link</a>", None),
    "nowhere": (TEXT + "<a href='javascript:void(0)'>A link</a>", "links to javascript:void(0)"),
    "button": (TEXT + "<a class='collapse-toggle' href='javascript:void(0)'>A button</a>", None),
    "example": (TEXT + "<a href='https://www.example.org/'>A link</a>", "links to https://www.example.org/"),
    "host": (TEXT + "<a href='https://gtk/'>A link</a>", "links to https://gtk/"),
    "undefined": (TEXT + "<a href='https://docs.gtk.org/undefinedclass.Widget.html'>A link</a>", "links to https://docs"),
    "network": (TEXT + "<img src='http://example.org/image.png'>", "requests http://example.org/image.png"),
    "image": (TEXT + "<img src='none.png'>", "does not show"),
    "width": (TEXT + "<div style='width: 600px'>A wide element</div>", "is wider than the window: DIV"),
    "message": (TEXT + "<script>console.error('A message')</script>", "console: A message"),
    "exception": (TEXT + "<script>undefinedFunction()</script>", "console: ReferenceError"),
    "contrast": ("<style>h1 { color: #111 }</style>" + TEXT, "has a heading without contrast"),
}


class CheckSite(unittest.TestCase):
    def test_each_fault_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, (content, _) in PAGES.items():
                with open(f"{folder}/{name}.html", "w", encoding="utf-8") as file:
                    file.write(PAGE.format(content=content))
            done = subprocess.run([sys.executable, CHECK, folder], stdout=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        for name, (_, wanted) in PAGES.items():
            lines = [line for line in done.stdout.splitlines() if line.startswith(f"{name}.html ")]
            if wanted:
                self.assertTrue(any(wanted in line for line in lines), f"{name}: {lines}")
            else:
                self.assertEqual(lines, [])

    def test_a_folder_without_pages_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, CHECK, folder], stdout=subprocess.DEVNULL, timeout=300)
        self.assertEqual(done.returncode, 1)


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>A page</title>
<link rel="icon" href="data:,">
</head>
<body>{content}</body>
</html>
"""

if __name__ == "__main__":
    unittest.main()
