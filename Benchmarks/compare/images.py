#!/usr/bin/python3
"""Makes the images of the comparison: pieces of Debian's wallpapers, the same on every machine.

    images.py FOLDER              all sets
    images.py FOLDER SET:COUNT …  the first images of some sets

Existing images are kept.

The seed of each image depends only on its set and its number, so the order of the images and the
number of processes do not change them. Needs python3-pil and mate-backgrounds.
"""

import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from glob import glob

from PIL import Image

WALLPAPERS = "/usr/share/backgrounds/mate"

# Raised when images change: folders of another version must be removed.
VERSION = 1


# Cached, since decoding a wallpaper again for each image would take most of the time.
@lru_cache(maxsize=None)
def wallpaper(path):
    return Image.open(path).convert("RGB")


def photographs():
    return sorted(glob(f"{WALLPAPERS}/nature/*.jpg") + glob(f"{WALLPAPERS}/abstract/Elephants_*.jpg"))


def piece(choice, width, height):
    """A scaled crop of a wallpaper with the wanted aspect ratio, at least half the largest width."""
    source = wallpaper(choice.choice(photographs()))
    shape = width / height
    full_width = min(source.width, source.height * shape)
    part_width = full_width * choice.uniform(0.5, 1)
    part_height = part_width / shape
    left = choice.uniform(0, source.width - part_width)
    top = choice.uniform(0, source.height - part_height)
    box = (left, top, left + part_width, top + part_height)
    # Half of them are mirrored, for more variety.
    result = source.resize((width, height), Image.Resampling.BICUBIC, box)
    return result.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if choice.random() < 0.5 else result


def jpeg(path, image, progressive=False):
    image.save(path, "JPEG", quality=85, subsampling="4:2:0", progressive=progressive)


def photo(width, height, progressive=False):
    return ".jpg", lambda choice, path: jpeg(path, piece(choice, width, height), progressive)


def alpha(choice, path):
    """A photograph whose alpha decreases from its centre, as at soft edges and shadows."""
    image = piece(choice, 800, 600)
    mask = Image.radial_gradient("L").resize(image.size).point(lambda value: max(0, 255 - value * 3 // 2))
    image.putalpha(mask)
    image.save(path, "PNG", compress_level=6)


def animation(choice, path):
    """Twelve frames of a slow pan."""
    wide = piece(choice, 440, 240)
    frames = [wide.crop((x, 0, x + 320, 240)).quantize(128) for x in range(0, 120, 10)]
    frames[0].save(path, "GIF", save_all=True, append_images=frames[1:], duration=80, loop=0)


def long_animation(choice, path):
    """Three hundred frames of a small square that moves over a background, about 550 KB."""
    background = piece(choice, 400, 300).quantize(64)
    thing = Image.frombytes("P", (28, 28), bytes(choice.randrange(64) for _ in range(28 * 28)))
    x, y, right, down = choice.randrange(370), choice.randrange(270), 3, 2
    frames = []
    for _ in range(300):
        frame = background.copy()
        frame.paste(thing, (x, y))
        frames.append(frame)
        right, down = (-right if not 0 <= x + right <= 372 else right), (-down if not 0 <= y + down <= 272 else down)
        x, y = x + right, y + down
    frames[0].save(path, "GIF", save_all=True, append_images=frames[1:], duration=20, loop=0, optimize=False)


def mixed(number):
    """The four formats in turn, in sizes of images on the web."""

    def make(choice, path):
        width = choice.choice([320, 480, 640, 800])
        image = piece(choice, width, width * 3 // 4)
        match os.path.splitext(path)[1]:
            case ".jpg":
                jpeg(path, image)
            case ".png":
                image.save(path, "PNG", compress_level=6)
            case ".webp":
                image.save(path, "WEBP", quality=80, method=2)
            case ".gif":
                image.quantize(256).save(path, "GIF")

    return [".jpg", ".png", ".webp", ".gif"][number % 4], make


# For each set, the number of its images and the function that draws one.
SETS = {
    "photos": (400, lambda number: photo(1600, 1200)),
    "large": (60, lambda number: photo(4000, 3000)),
    "huge": (6, lambda number: photo(8000, 6000)),
    "thumbnails": (2000, lambda number: photo(200, 150)),
    "mixed": (300, mixed),
    "progressive": (60, lambda number: photo(1600, 1200, progressive=True)),
    "alpha": (100, lambda number: (".png", alpha)),
    "long": (20, lambda number: (".gif", long_animation)),
    "animations": (40, lambda number: (".gif", animation)),
}


def make(folder, name, number):
    suffix, draw = SETS[name][1](number)
    path = f"{folder}/{name}/{number:04}{suffix}"
    if os.path.exists(path):
        return
    draft = f"{folder}/{name}/.{number:04}{suffix}"
    draw(random.Random(f"{name} {number}"), draft)
    # Renamed once it is complete, so that an interrupted run leaves no truncated image.
    os.rename(draft, path)


def main(folder, *names):
    os.makedirs(folder, exist_ok=True)
    stamp = f"{folder}/version"
    if os.path.exists(stamp) and open(stamp).read() != str(VERSION):
        sys.exit(f"{folder} is from another version of this script; remove it first.")
    with open(stamp, "w") as file:
        file.write(str(VERSION))
    work = []
    for name in names or SETS:
        name, _, count = name.partition(":")
        os.makedirs(f"{folder}/{name}", exist_ok=True)
        work += [(name, number) for number in range(int(count or SETS[name][0]))]
    with ProcessPoolExecutor() as pool:
        for done, _ in enumerate(pool.map(make, *zip(*[(folder, *item) for item in work]), chunksize=8), 1):
            if sys.stderr.isatty() and done % 20 == 0:
                print(f"\r{done} of {len(work)} images", end="", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
