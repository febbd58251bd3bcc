"""The inputs of browser_trial.py that are files."""

from browser_inputs import avif, bitmap, gif, jpeg, png, webp


def inputs():
    for module in (png, gif, jpeg, bitmap, webp, avif):
        yield from module.inputs()
