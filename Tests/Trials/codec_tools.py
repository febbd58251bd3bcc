"""Decodes a file on which Pillow and the program under test differ with the codec's own tool."""

import pathlib
import shutil
import subprocess
import tempfile

import reference

TOOLS = {
    "jpeg": ["djpeg", "-ppm", "-outfile", "OUT.ppm", "IN"],
    "webp": ["dwebp", "-quiet", "IN", "-o", "OUT.png"],
    "avif": ["avifdec", "IN", "OUT.png"],
    "heic": ["heif-convert", "IN", "OUT.png"],
    "jxl": ["djxl", "IN", "OUT.png"],
}


def opinion(path: pathlib.Path, format_name: str, image: pathlib.Path) -> str:
    """Compares the tool's result with ours. Tools apply no profile and not every orientation."""
    command = TOOLS.get(format_name)
    if not command or not shutil.which(command[0]):
        return ""
    with tempfile.TemporaryDirectory() as folder:
        name = "out." + ("ppm" if format_name == "jpeg" else "png")
        made = pathlib.Path(folder, name)
        names = {"IN": str(path), "OUT.ppm": str(made), "OUT.png": str(made)}
        words = [names.get(word, word) for word in command]
        try:
            done = subprocess.run(words, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return f"; {command[0]}: timeout"
        if done.returncode != 0 or not made.exists():
            reason = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [""]
            return f"; {command[0]} refuses: {reason[0][:80]}"
        if not image.exists():
            return f"; {command[0]} decodes"
        seen = reference.compare(str(made), "png", str(image))
        if seen.decibels is None:
            return f"; {command[0]}: {seen.error or seen.note}"
        return f"; {command[0]}: {seen.decibels:.1f} dB, at most {seen.greatest}"
