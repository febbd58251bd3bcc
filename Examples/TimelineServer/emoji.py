"""Paints the custom emoji of the server: animations with transparency, and their still first frames."""

import functools
import math

import png

SIDE, FRAMES, SAMPLES = 64, 16, 2


def inside_heart(x, y, beat):
    x, y = x / beat, -y / beat
    return (x * x + y * y - 0.36) ** 3 - x * x * y**3 < 0


def heart(x, y, turn):
    beat = 1.05 + 0.22 * max(0, math.sin(2 * math.pi * turn)) ** 2
    if inside_heart(x, y - 0.05, beat):
        return (255, 120, 130) if inside_heart(x + 0.12, y + 0.12, beat * 0.55) else (222, 44, 72)


def smile(x, y, turn):
    y += 0.14 * abs(math.sin(2 * math.pi * turn)) - 0.1
    lean = 0.16 * math.sin(2 * math.pi * turn)
    x, y = x * math.cos(lean) - y * math.sin(lean), x * math.sin(lean) + y * math.cos(lean)
    if x * x + y * y > 0.68:
        return None
    if (abs(x) - 0.28) ** 2 + ((y + 0.2) * 0.7) ** 2 < 0.012:
        return (74, 48, 20)
    if 0.2 < x * x + y * y < 0.33 and y > 0.16:
        return (74, 48, 20)
    return (255, 204, 64) if x * x + y * y < 0.6 else (240, 170, 40)


def star(x, y, turn):
    tip, notch, half = 0.92, 0.42, math.pi / 5
    angle = abs((math.atan2(x, -y) + 2 * half * turn + half) % (2 * half) - half)
    # Where the ray at this angle crosses the edge from a tip to a notch.
    across, along = notch * math.sin(half), notch * math.cos(half)
    edge = tip * across / (math.cos(angle) * across - math.sin(angle) * (along - tip))
    distance = math.hypot(x, y)
    if distance < edge:
        return (255, 190, 30) if distance < edge * 0.85 else (232, 150, 20)


def coffee(x, y, turn):
    if 0.0 < y < 0.8 and abs(x + 0.1) < 0.5 - 0.1 * max(0, y - 0.5) * 4:
        return (245, 245, 250) if 0.22 < y < 0.42 else (206, 84, 60)
    if 0.03 < (x - 0.42) ** 2 + (y - 0.32) ** 2 < 0.085:
        return (180, 70, 50)
    for place in (-0.35, -0.1, 0.15):
        wave = place + 0.08 * math.sin(7 * y + 2 * math.pi * turn + place * 9)
        if -0.85 < y < -0.1 and abs(x - wave) < 0.05:
            return (150, 155, 165)


def wave(x, y, turn):
    swing = 0.45 * math.sin(2 * math.pi * turn)
    y -= 0.8
    x, y = x * math.cos(swing) - y * math.sin(swing), x * math.sin(swing) + y * math.cos(swing)
    y += 0.8
    if (x / 0.4) ** 2 + ((y - 0.3) / 0.42) ** 2 < 1:
        return (250, 200, 80)
    for finger, (place, top) in enumerate(((-0.3, -0.45), (-0.1, -0.68), (0.1, -0.66), (0.3, -0.48))):
        if abs(x - place) < 0.09 and top < y < 0.3 or (x - place) ** 2 + (y - top) ** 2 < 0.0081:
            return (250, 200, 80) if finger % 2 else (245, 190, 68)
    if abs(x - 0.45 + (y - 0.2) * 0.6) < 0.1 and 0.0 < y < 0.4:
        return (245, 190, 68)


SHAPES = {"blobheart": heart, "blobsmile": smile, "spinstar": star, "coffeetime": coffee, "wavehello": wave}


def frame(shape, turn):
    """Rows of pixels with straight alpha, each the mean of several samples."""
    rows = []
    places = [(2 * (place + 0.5) / SIDE / SAMPLES) - 1 for place in range(SIDE * SAMPLES)]
    for top in range(0, len(places), SAMPLES):
        row = bytearray()
        for left in range(0, len(places), SAMPLES):
            found = [shape(x, y, turn) for y in places[top : top + SAMPLES] for x in places[left : left + SAMPLES]]
            found = [colour for colour in found if colour]
            for channel in range(3):
                row.append(round(sum(colour[channel] for colour in found) / len(found)) if found else 0)
            row.append(round(255 * len(found) / SAMPLES**2))
        rows.append(bytes(row))
    return rows


@functools.cache
def moving(code):
    return png.animated(SIDE, SIDE, [frame(SHAPES[code], index / FRAMES) for index in range(FRAMES)], 70)


@functools.cache
def still(code):
    return png.still(SIDE, SIDE, frame(SHAPES[code], 0), png.RGBA)
