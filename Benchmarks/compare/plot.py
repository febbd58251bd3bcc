"""Draws the comparison as an SVG image for light and dark pages."""

from html import escape

WIDTH, LEFT, RIGHT, BAR, GAP = 860, 250, 90, 15, 5

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 15px; }
  .note { font-size: 12px; fill: #59636e; }
  .bar { fill: #b4bcc6; }
  .ours { fill: #1f7a4d; }
  .strong { font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .note { fill: #9198a1; }
    .bar { fill: #59636e; }
    .ours { fill: #3fb97c; }
  }
"""

# The cases in the plot. Each has its own scale, which starts at zero.
SHOWN = ["photos", "thumbnails", "mixed", "warm", "window-photos", "window-thumbnails", "window-mixed", "window-warm"]


def comparison(result):
    parts, y = [], 0
    for name in SHOWN:
        found = result["cases"].get(name)
        if not found:
            continue
        y += 26
        parts.append(f'<text class="title" x="0" y="{y}">{escape(heading(result["titles"][name]))}</text>')
        y += 10
        longest = max(figure["wall"] for figure in found.values())
        for program, figure in sorted(found.items(), key=lambda item: item[1]["wall"]):
            length = (WIDTH - LEFT - RIGHT) * figure["wall"] / longest
            kind, strong = ("ours", " strong") if program == "ours" else ("bar", "")
            baseline = y + BAR - 3
            parts.append(
                f'<text class="{strong.strip()}" x="{LEFT - 10}" y="{baseline}" text-anchor="end">'
                f'{escape(result["programs"][program])}</text>'
                f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{max(1, length):.1f}" height="{BAR}" rx="2"/>'
                f'<text class="{strong.strip()}" x="{LEFT + length + 8:.1f}" y="{baseline}">{figure["wall"]:.2f} s</text>')
            y += BAR + GAP
        y += 8
    about = result["machine"]
    y += 18
    parts.append(
        f'<text class="note" x="0" y="{y}">Whole processes, medians; shorter is better. Images from nginx on the same '
        f'machine, or from disk where stated, shown at 320 pixels.</text>')
    y += 17
    parts.append(
        f'<text class="note" x="0" y="{y}">{escape(about["processor"])}, {about["cores"]} cores, '
        f'{escape(about["system"])}, commit {escape(about["commit"])}</text>')
    height = y + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="Seconds that programs take to load images">\n<style>{STYLE}</style>\n'
        + "\n".join(parts) + "\n</svg>\n")


def heading(title):
    if title.startswith("window: "):
        return title.removeprefix("window: ") + ", drawn in a window"
    return title + (", decoded" if title.endswith(" on disk") else ", fetched and decoded")
