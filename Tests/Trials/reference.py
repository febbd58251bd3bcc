"""Decodes one image with Pillow and compares it with a PNG of the program under test.

    reference.py FILE FORMAT PNG   prints the comparison as JSON

The reference is the first frame with its orientation applied, converted to sRGB with the embedded
profile (relative colorimetric), at 8 bits per channel.
"""

import dataclasses
import io
import json
import math
import pathlib
import resource
import signal
import subprocess
import sys
import warnings

MEMORY = 6 << 30  # Bytes of address space.
TIMEOUT = 60  # Seconds for one file.


@dataclasses.dataclass
class Comparison:
    error: str | None = None  # The reason why Pillow refuses the file.
    decibels: float | None = None  # None if the sizes differ or one side refuses the file.
    greatest: int = 0  # The greatest difference of a channel.
    allowed: int = 0  # The steps allowed for rounding: one each for alpha, colors and 16 bits.
    note: str = ""  # Mode, size and the metadata that affects the colors.


def compare_apart(path: pathlib.Path, format_name: str, picture: pathlib.Path) -> Comparison:
    """Compares in a separate process, which may crash or time out."""
    command = [sys.executable, __file__, str(path), format_name, str(picture)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT * 2)
        return Comparison(**json.loads(done.stdout))
    except subprocess.TimeoutExpired:
        return Comparison(error="timeout")
    except ValueError:
        return Comparison(error=f"exited with {done.returncode}: {done.stderr.decode(errors='replace')[-200:]}")


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def gray_of_16_bits(image, transparent: int | None):
    """16-bit gray as 8 bits, with the rounding of libpng's png_set_scale_16. Pillow would clip it."""
    from PIL import Image

    wide = image.convert("I")
    values = list(wide.get_flattened_data() if hasattr(wide, "get_flattened_data") else wide.getdata())
    small = Image.new("L", image.size)
    small.putdata([(value * 255 + 32895) >> 16 for value in values])
    if transparent is None:
        return small
    alpha = Image.new("L", image.size)
    alpha.putdata([0 if value == transparent else 255 for value in values])
    return Image.merge("LA", (small, alpha))


def with_gamma(image, gamma: float):
    """Converts samples from the curve of a PNG's gAMA chunk to the curve of sRGB."""
    def level(value: int) -> int:
        light = (value / 255) ** (1 / gamma)
        encoded = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
        return round(encoded * 255)

    table = [level(value) for value in range(256)]
    if image.mode in ("L", "RGB"):
        return image.point(table * len(image.getbands()))
    rgba = image.convert("RGBA")
    return rgba.point(table * 3 + list(range(256)))


def reference(path: str, format_name: str):
    """The image in RGBA, a note on it, and the number of steps allowed for rounding."""
    from PIL import Image, ImageCms, ImageOps

    if format_name == "heic":
        import pillow_heif
        pillow_heif.register_heif_opener()
    if format_name == "jxl":
        import pillow_jxl  # noqa: F401
    Image.MAX_IMAGE_PIXELS = 60_000_000
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    image = Image.open(path)
    image.seek(0)
    image.load()
    profile = image.info.get("icc_profile")
    note = f"{image.format} {image.mode} {image.size[0]}×{image.size[1]}" + (", profile" if profile else "")
    opened_gamma, has_srgb = image.info.get("gamma"), "srgb" in image.info
    for key in ("gamma", "chromaticity", "srgb"):
        if key in image.info:
            note += f", {key}"
    transparency = image.info.get("transparency")
    if transparency is not None:
        note += ", transparency"
    depth = 8
    if format_name == "png":
        with open(path, "rb") as file:
            depth = file.read(25)[-1]
    # Before the conversions below, which drop Exif.
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith("I"):
        image = gray_of_16_bits(image, transparency if isinstance(transparency, int) else None)
    elif image.mode in ("1", "L") and isinstance(transparency, int):
        # Scales the key, since Pillow compares keys of lower bit depths with 8-bit levels.
        key = transparency * 255 // ((1 << depth) - 1) if image.mode == "L" and depth < 8 else transparency
        gray = image.convert("L")
        if image.mode == "1":
            key = 255 if key else 0
        image = Image.merge("LA", (gray, gray.point([0 if level == key else 255 for level in range(256)])))
    elif image.mode in ("P", "PA") or (transparency is not None and image.mode == "RGB"):
        image = image.convert("RGBA")
    if image.mode == "1":
        image = image.convert("L")
    # The same rule as in CalibratedColors, for images with the primaries of sRGB.
    is_png = format_name == "png" and not profile and not has_srgb
    calibrated = is_png and opened_gamma and abs(opened_gamma * 2.2 - 1) >= 0.05
    if calibrated:
        image = with_gamma(image, opened_gamma)
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            space = source.profile.xcolor_space.strip()
            alpha = image.getchannel("A") if image.mode in ("LA", "RGBA") else None
            bare = image.convert({"LA": "L", "RGBA": "RGB"}.get(image.mode, image.mode))
            if space == "GRAY" and bare.mode == "RGB" and alpha:
                bare = bare.convert("L")
            if {"GRAY": "L", "RGB": "RGB", "CMYK": "CMYK"}.get(space) == bare.mode:
                image = ImageCms.profileToProfile(
                    bare, source, ImageCms.createProfile("sRGB"), outputMode="RGB",
                    renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)
                if alpha:
                    image.putalpha(alpha)
            else:
                note += f" of {space}"
        except (ImageCms.PyCMSError, OSError) as error:
            note += f" unusable ({error})"
    return image.convert("RGBA"), note, bool(profile or calibrated) + (depth == 16)


def compare(path: str, format_name: str, picture: str) -> Comparison:
    from PIL import Image

    def stop(*_):
        raise TimeoutError("timeout")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(TIMEOUT)
    try:
        theirs, note, allowed = reference(path, format_name)
    except Exception as error:  # Pillow's plug-ins raise exceptions of any type.
        return Comparison(error=f"{type(error).__name__}: {error}"[:160])
    result = Comparison(note=note)
    if not pathlib.Path(picture).exists():
        return result
    ours = Image.open(picture).convert("RGBA")
    if ours.size != theirs.size:
        result.note = f"{theirs.size[0]}×{theirs.size[1]} ({note})"
        return result
    result.allowed = allowed + (theirs.getchannel("A").getextrema()[0] < 255)
    result.decibels, result.greatest = difference(ours, theirs)
    return result


def difference(ours, theirs) -> tuple[float, int]:
    """The PSNR over premultiplied RGBA, and the greatest difference of a channel."""
    from PIL import ImageChops

    squares = count = greatest = 0
    for one, two in zip(ours.convert("RGBa").split(), theirs.convert("RGBa").split()):
        histogram = ImageChops.difference(one, two).histogram()
        squares += sum(step * step * number for step, number in enumerate(histogram))
        count += sum(histogram)
        greatest = max(greatest, max(step for step in range(256) if histogram[step]))
    return 99.0 if squares == 0 else 10 * math.log10(255 * 255 * count / squares), greatest


if __name__ == "__main__":
    limit_memory()
    print(json.dumps(dataclasses.asdict(compare(*sys.argv[1:]))))
