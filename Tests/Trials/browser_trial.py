#!/usr/bin/env python3
"""Compares what remote-image shows with what Chromium shows of the same bytes from the same server.

    browser_trial.py PROGRAM [PATTERN…]    only the inputs whose names match a pattern, such as 'gif/*'

PROGRAM is the path of remote-image, with remote-image-decoder beside it. browser_inputs makes the
inputs. For each input the trial compares whether an image is shown, its size, its pixels (at least 35
dB PSNR), the number of its frames, and the requests that a server on the loopback interface receives.
It prints the differences. browser.md lists those that are meant; the exit status is 1 if there is
another one, or if browser.md lists one that does not exist.
"""

import argparse
import base64
import concurrent.futures
import dataclasses
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from browser_inputs import files, png_reader, servers
from browser_inputs.origin import Origin

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "site"))
from browser import Browser, Tab  # noqa: E402

KINDS = ("refused by us", "refused by Chromium", "size", "pixels", "frames", "requests")
DECIBELS = 35
# Only this part of a large image is compared.
SIDE = 128
BATCH = 24

# Runs in the page. Returns the size, the pixels and the frames of each address that is shown.
SHOW = """
async function show(text, countsFrames) {
  let address
  try { address = new URL(text).href } catch { return null }
  const image = new Image()
  const isLoaded = await new Promise(done => {
    image.onload = () => done(true)
    image.onerror = () => done(false)
    setTimeout(() => done(false), 15000)
    image.src = address
  })
  if (!isLoaded) return null
  const result = {width: image.naturalWidth, height: image.naturalHeight}
  const canvas = document.createElement('canvas')
  const width = canvas.width = Math.min(result.width, SIDE), height = canvas.height = Math.min(result.height, SIDE)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  try {
    let text = ''
    for (const byte of context.getImageData(0, 0, width, height).data) text += String.fromCharCode(byte)
    result.pixels = btoa(text)
  } catch {}  // An image of another origin.
  if (countsFrames) {
    try {
      const data = await (await fetch(address)).arrayBuffer()
      const decoder = new ImageDecoder({data, type: countsFrames})
      await decoder.completed
      await decoder.tracks.ready
      result.frames = decoder.tracks.selectedTrack.frameCount
    } catch (error) { result.framesError = String(error) }
  }
  return result
}
function showAll(list) { return Promise.all(list.map(([text, countsFrames]) => show(text, countsFrames))) }
"""


@dataclasses.dataclass
class Seen:
    """What one of the two programs shows of an input."""

    width: int = 0
    height: int = 0
    pixels: bytes | None = None  # RGBA, at most SIDE pixels wide and high.
    frames: int | None = None
    error: str | None = None  # The reason why nothing is shown.

    @property
    def is_visible(self):
        return self.error is None and (self.pixels is None or any(self.pixels[3::4]))


def chromium_sees(inputs, origin, side=SIDE):
    """What Chromium shows, with at most `side` pixels in each direction."""
    browser = Browser(flags=["--force-color-profile=srgb"])
    try:
        tab = Tab(browser)
        tab.open(origin.address("/page"))
        tab.evaluate(SHOW.replace("SIDE", str(side)))
        results = []
        for start in range(0, len(inputs), BATCH):
            batch = [(origin.text(item), item.animation) for item in inputs[start:start + BATCH]]
            results += tab.evaluate(f"showAll({json.dumps(batch)})")
        return [from_page(result) for result in results]
    finally:
        browser.close()


def from_page(result):
    if result is None:
        return Seen(error="refused")
    pixels = base64.b64decode(result["pixels"]) if "pixels" in result else None
    return Seen(result["width"], result["height"], pixels, result.get("frames"))


def program_sees(program, inputs, origin):
    """What one process of the program shows. It names the images after the last part of their path."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            program, "fetch", "--json", "--no-disk-cache", "--retries", "0", "--timeout", "15", "--output", folder,
            "--", *map(origin.text, inputs)
        ]
        done = subprocess.run(command, capture_output=True, timeout=600)
        reports = {report["url"]: report for report in map(json.loads, done.stdout.splitlines())}
        if len(inputs) == 1:
            report = next(iter(reports.values()), None)
            return [seen(report, folder, "*") if report else Seen(error=f"exit {done.returncode}")]
        # An input without a report may have crashed the process, so it is repeated alone.
        return [
            seen(reports[origin.text(item)], folder, origin.token(item)) if origin.text(item) in reports else
            program_sees(program, [item], origin)[0] for item in inputs
        ]


def seen(report, folder, name):
    if error := report.get("error"):
        return Seen(error=f"{error['code']}: {error['message']}")
    written = next(pathlib.Path(folder).glob(f"{name}.png"))
    return Seen(report["width"], report["height"], png_reader.read(written.read_bytes(), SIDE), report["frames"])


def premultiplied(pixels):
    return [
        color * pixels[at + 3] / 255 if index < 3 else color for at in range(0, len(pixels), 4)
        for index, color in enumerate(pixels[at:at + 4])
    ]


def decibels(ours, theirs):
    if ours == theirs:
        return math.inf
    left, right = premultiplied(ours), premultiplied(theirs)
    error = sum((a - b)**2 for a, b in zip(left, right)) / len(left)
    return math.inf if error == 0 else 10 * math.log10(255**2 / error)


def differences(item, ours, theirs, origin):
    """The kinds of differences, each with a description."""
    if ours.error and theirs.is_visible:
        yield "refused by us", f"{ours.error[:110]} (Chromium: {theirs.width}×{theirs.height})"
    elif theirs.error and not ours.error:
        yield "refused by Chromium", f"{ours.width}×{ours.height}"
    elif not ours.error:
        if (ours.width, ours.height) != (theirs.width, theirs.height):
            yield "size", f"{ours.width}×{ours.height}, Chromium {theirs.width}×{theirs.height}"
        elif ours.pixels and theirs.pixels and (quality := decibels(ours.pixels, theirs.pixels)) < DECIBELS:
            yield "pixels", f"{quality:.1f} dB; {pixels_text(ours.pixels)}, Chromium {pixels_text(theirs.pixels)}"
        if theirs.frames and item.animation and ours.frames != theirs.frames:
            yield "frames", f"{ours.frames}, Chromium {theirs.frames}"
    asked, expected = origin.requests(item, ours=True), origin.requests(item, ours=False)
    if item.counts and item.file is None and asked != expected:
        yield "requests", f"{len(asked)} ({shortened(asked)}), Chromium {len(expected)} ({shortened(expected)})"


def pixels_text(pixels):
    """The first pixel, and the one in the middle."""
    middle = len(pixels) // 8 * 4
    return f"{pixels[:4].hex()} {pixels[middle:middle + 4].hex()}"


def shortened(requests):
    return " ".join(request.split("/", 2)[-1] for request in requests[:3]) + (" …" if len(requests) > 3 else "")


def meant(path):
    """The lines `kind | pattern` of browser.md."""
    lines = [re.fullmatch(r"    ([\w ]+?)\s*\| (.*?)\s*", line) for line in path.read_text().splitlines()]
    found = [(line[1], line[2]) for line in lines if line]
    if unknown := {kind for kind, _ in found} - set(KINDS):
        sys.exit(f"{path}: no kind of difference is named {', '.join(unknown)}")
    return found


def matches(name, pattern):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--keep", metavar="FOLDER", help="write the files of the inputs into this folder")
    parser.add_argument("--all", action="store_true", help="print the differences that are meant, too")
    arguments = parser.parse_args()
    if not shutil.which("chromium"):
        sys.exit("chromium is missing; scripts/setup.sh browser installs it")

    inputs = []
    for item in [*servers.inputs(), *files.inputs()]:
        if not arguments.patterns or any(matches(item.name, pattern) for pattern in arguments.patterns):
            inputs.append(item)
    if len({item.name for item in inputs}) < len(inputs):
        sys.exit("two inputs have the same name")
    origin = Origin(inputs)
    if arguments.keep:
        keep(inputs, pathlib.Path(arguments.keep))
    theirs = chromium_sees(inputs, origin)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        batches = batched(inputs)
        results = pool.map(lambda batch: program_sees(arguments.program, batch, origin), batches)
        ours = {item.name: own for batch, found in zip(batches, results) for item, own in zip(batch, found)}

    known, used, faults, count = meant(ROOT / "Tests" / "Trials" / "browser.md"), set(), 0, 0
    for item, other in zip(inputs, theirs):
        for kind, text in differences(item, ours[item.name], other, origin):
            count += 1
            reasons = [line for line in known if line[0] == kind and matches(item.name, line[1])]
            used.update(reasons)
            faults += not reasons
            if not reasons or arguments.all:
                print(f"{kind:20} {item.name:44} {text}{' (meant)' if reasons else ''}")
    unused = [] if arguments.patterns else [line for line in known if line not in used]
    for kind, pattern in unused:
        print(f"browser.md lists a difference that does not exist: {kind} | {pattern}")
    print(f"{len(inputs)} inputs, {count} differences, of which {count - faults} are meant")
    sys.exit(1 if faults or unused else 0)


def batched(inputs):
    """Lists of inputs for one process each. Other inputs than files have a process of their own, since odd
    responses affect the next request on their connection."""
    together = [item for item in inputs if item.file is not None]
    return [together[at:at + 4 * BATCH] for at in range(0, len(together), 4 * BATCH)] + [
        [item] for item in inputs if item.file is None
    ]


def keep(inputs, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for item in inputs:
        if item.file is not None:
            (folder / re.sub(r"[^\w.+-]+", "_", item.name)).write_bytes(item.file)


if __name__ == "__main__":
    main()
