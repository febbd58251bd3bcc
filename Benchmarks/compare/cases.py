"""The cases: their images, their programs and their rounds."""

import os
import sys
import tempfile
from dataclasses import dataclass

import disk
import running
from programs import DATA, TITLES

PORT, FAR_PORT, ROUND_TRIP = 18931, 18932, 0.04


@dataclass
class Case:
    name: str
    title: str
    images: str
    programs: list
    window: bool = False
    rounds: int = 5
    runs: type = disk.Network

    @property
    def urls(self):
        """The name of its list of addresses."""
        return "far" if self.name == "far" else self.images


JPEG = ["ours", "floor", "pixbuf", "exact"]
OTHERS = ["ours", "pixbuf", "exact"]
WINDOWS = ["ours", "gtk", "qt", "chromium"]
WARM_JPEG = ["ours", "originals", "floor", "pixbuf"]
WARM_OTHERS = ["ours", "originals", "pixbuf"]
STORING = ["ours", "storing", "unsized", "waiting", "floor", "floor_storing", "second", "floor_files"]

CASES = [
    Case("photos", "400 photos 1600×1200", "photos", JPEG, rounds=9),
    Case("thumbnails", "2,000 of 200×150", "thumbnails", JPEG, rounds=9),
    Case("mixed", "300 mixed JPEG, PNG, WebP, GIF", "mixed", OTHERS),
    Case("large", "60 photos 4000×3000", "large", JPEG, rounds=3),
    Case("huge", "6 photos 8000×6000", "huge", JPEG, rounds=3),
    Case("progressive", "60 progressive photos", "progressive", JPEG, rounds=3),
    Case("alpha", "100 PNG with alpha", "alpha", OTHERS, rounds=3),
    Case("animations", "40 GIFs of 12 frames", "animations", OTHERS, rounds=3),
    Case("far", "400 photos, 40 ms away", "photos", ["ours", "floor", "pixbuf"], rounds=3),
    Case("warm", "400 photos on disk", "photos", WARM_JPEG, runs=disk.Warm),
    Case("warm-large", "60 photos 4000×3000 on disk", "large", WARM_JPEG, rounds=3, runs=disk.Warm),
    Case("warm-alpha", "100 PNG with alpha on disk", "alpha", WARM_OTHERS, rounds=3, runs=disk.Warm),
    Case("warm-mixed", "300 mixed on disk", "mixed", WARM_OTHERS, rounds=3, runs=disk.Warm),
    Case("storing", "400 photos, stored on disk", "photos", STORING, rounds=3, runs=disk.Storing),
    Case("window-photos", "window: 400 photos 1600×1200", "photos", WINDOWS, True, 3),
    Case("window-thumbnails", "window: 2,000 of 200×150", "thumbnails", WINDOWS, True, 3),
    Case("window-mixed", "window: 300 mixed", "mixed", WINDOWS, True, 3),
    Case("window-large", "window: 60 photos 4000×3000", "large", WINDOWS, True, 3),
    Case("window-first", "window: the first image", "first", WINDOWS, True, 3),
    Case("window-start", "window: 12 photos on disk", "screen", ["ours", "originals", "chromium"], True, 5, disk.Warm),
    Case("window-warm", "window: 400 photos on disk", "photos", ["ours", "chromium"], True, 3, disk.Warm),
]


def names(images):
    return sorted(name for name in os.listdir(f"{DATA}/{images}") if not name.startswith("."))


def addresses(images, port=PORT, limit=None):
    return [f"http://127.0.0.1:{port}/{images}/{name}" for name in names(images)[:limit]]


def write(name, lines):
    path = f"{DATA}/lists/{name}.txt"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.writelines(line + "\n" for line in lines)
    return path


def write_lists():
    for images in sorted({case.images for case in CASES} - {"first", "screen"}):
        write(images, addresses(images))
    write("first", addresses("photos", limit=1))
    write("screen", addresses("photos", limit=12))
    write("long", addresses("long"))
    write("one-long", addresses("long", limit=1))
    write("far", addresses("photos", FAR_PORT))
    for images in sorted({case.images for case in CASES if case.runs is not disk.Network and not case.window}):
        write(f"files-{images}", [f"{DATA}/{images}/{name}" for name in names(images)])
    write("file-addresses", [f"file://{DATA}/photos/{name}" for name in names("photos")])
    # More addresses than images: each query makes a separate image of the same file.
    thumbnails, photos = addresses("thumbnails"), addresses("photos")
    write("scroll", [f"{address}?{turn}" for turn in range(5) for address in thumbnails])
    write("jump", [f"{address}?{turn}" for turn in range(13) for address in photos][:5024])


def compare(case, programs, skipped, rounds=None):
    """Runs the programs of a case in turn, A B A B, and returns a summary of each."""
    found = {name: [] for name in case.programs if name not in skipped}
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        runs = case.runs(case, programs, folder)
        for turn in range(rounds or case.rounds):
            for name in list(found):
                note(f"{case.title}: {TITLES[name]}, {turn + 1}")
                try:
                    if turn == 0:
                        runs.fill(name)
                    found[name].append(runs.run(name))
                except running.Failure as failure:
                    print(f"\r{case.title}: {TITLES[name]} is skipped. {failure}", file=sys.stderr)
                    del found[name]
    return {name: running.summary(results) for name, results in found.items() if results}


def note(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
