"""Shows files on which Pillow and the program under test differ in Chromium, whose word counts."""

import dataclasses
import pathlib

import browser_trial
import reference
from browser_inputs.origin import Origin
from browser_inputs.pieces import file_input

FORMATS = {"jpeg", "png", "gif", "bmp", "ico", "webp", "avif"}
SIDE = 1024  # Only this part of a large image is compared.


@dataclasses.dataclass
class Case:
    """A file, the report of the program, and the picture that it wrote."""

    path: pathlib.Path
    report: dict
    picture: pathlib.Path


def opinions(cases: dict[str, Case]) -> dict[str, tuple[bool, str]]:
    """Whether Chromium agrees with the program on each file, and what it shows."""
    inputs = {name: file_input(name, case.path.read_bytes()) for name, case in cases.items()}
    shown = browser_trial.chromium_sees(list(inputs.values()), Origin(list(inputs.values())), SIDE)
    return {name: opinion(case, seen) for (name, case), seen in zip(cases.items(), shown)}


def opinion(case: Case, seen: browser_trial.Seen) -> tuple[bool, str]:
    from PIL import Image

    is_shown = case.report["phase"] == "success"
    if seen.error or not is_shown and not seen.is_visible:
        return not is_shown, "Chromium shows nothing"
    size = f"{seen.width}×{seen.height}"
    if not is_shown:
        return False, f"Chromium shows {size}"
    ours = Image.open(case.picture).convert("RGBA")
    if ours.size != (seen.width, seen.height):
        return False, f"Chromium: {size}"
    part = (min(seen.width, SIDE), min(seen.height, SIDE))
    decibels, greatest = reference.difference(ours.crop((0, 0, *part)), Image.frombytes("RGBA", part, seen.pixels))
    return decibels >= browser_trial.DECIBELS, f"Chromium: {decibels:.1f} dB, at most {greatest}"
