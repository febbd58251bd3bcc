"""Paints the images of the timeline: landscapes for its attachments, portraits for its accounts.

An image is painted in columns, from strips of colour. The ground of a landscape and the background
of a portrait have a colour that contains the number of the image, so that a test finds the image on
a screen.
"""

import functools
import math
import random

import blurhash
import png

# Sky above and below, the farthest and the nearest ridge, the sun, the ground.
PALETTES = [
    ("#f7a072", "#ffe3b3", "#c98a8a", "#5b3f5f", "#fff3d6", "#3a2a40"),
    ("#4a90d9", "#d6ecfa", "#8fb3c9", "#2f5d50", "#ffffff", "#1f3f36"),
    ("#2b2d5b", "#e07a5f", "#7d5a7e", "#2c2342", "#ffd9a0", "#1c1730"),
    ("#0d1b3e", "#33477a", "#2c3b66", "#10182f", "#f4f1de", "#0a1020"),
    ("#bfe3e0", "#f6f3e4", "#9fc4b8", "#3f7060", "#fffbe8", "#28503f"),
    ("#e9c46a", "#fbeccb", "#d9a066", "#8a5a35", "#fff8e0", "#6b4327"),
    ("#7fb2d6", "#f1f5f9", "#c7d8e6", "#7389a1", "#ffffff", "#e3e8ee"),
    ("#74577d", "#f3b0a6", "#a37a92", "#4a3a5c", "#ffe8d0", "#32284a"),
]
SIZES = [(1200, 800), (1200, 900), (1280, 720), (900, 1200), (1080, 1080), (1280, 800), (960, 1200)]
AVATAR = 240
SMALL = 640


def colour(text):
    return tuple(int(text[place : place + 2], 16) for place in (1, 3, 5))


def mix(one, other, share):
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other))


def numbered(base, number):
    """A colour like `base` that contains a number up to 511 in the low bits of its channels."""
    return tuple(value & ~7 | number >> 3 * place & 7 for place, value in enumerate(base))


def strip(top, bottom, height):
    """The pixels of a column, from one colour to another."""
    return b"".join(bytes(mix(top, bottom, y / max(1, height - 1))) for y in range(height))


def palette(number):
    return [colour(text) for text in PALETTES[(number * 5 + number // 4) % len(PALETTES)]]


def ground_colour(number):
    return numbered(palette(number)[5], number)


def background_colour(number):
    hue = number * 0.618 % 1
    channels = (0.5 + 0.5 * math.cos(2 * math.pi * (hue + place / 3)) for place in range(3))
    return numbered(tuple(round(120 + 90 * channel) for channel in channels), number)


def size(number):
    return SIZES[number % len(SIZES)]


def small_size(number):
    width, height = size(number)
    scale = SMALL / max(width, height)
    return round(width * scale), round(height * scale)


def rows_of(width, height, columns):
    pixels = bytearray(width * height * 3)
    for x, column in enumerate(columns):
        for channel in range(3):
            pixels[x * 3 + channel :: width * 3] = column[channel::3]
    return [bytes(pixels[y * width * 3 : (y + 1) * width * 3]) for y in range(height)]


class Ridge:
    """The upper edge of a mountain range, in parts of the image's height."""

    def __init__(self, chance, base, height, roughness):
        self.base = base
        self.waves = [
            (height * roughness**octave / 2, 2**octave * chance.uniform(2, 5), chance.uniform(0, 7)) for octave in range(6)]

    def __call__(self, x):
        return self.base - sum(size * abs(math.sin(speed * x + phase)) for size, speed, phase in self.waves)


class Forest:
    """A line of spruces, in parts of the image's height."""

    def __init__(self, chance, base, height):
        self.base = base
        self.trees = [
            (place / 26 + chance.uniform(-0.015, 0.015), height * chance.uniform(0.45, 1)) for place in range(27)]

    def __call__(self, x):
        top = 0
        for place, height in self.trees:
            slope = abs(x - place) * 11
            if slope < 0.35:
                # Three tiers of branches.
                top = max(top, height * (1 - (slope / 0.35) ** 0.8) + (slope * 30 % 1) * 0.012)
        return self.base - top


def landscape_columns(number, width, height):
    chance = random.Random(number * 7919)
    high, low, far, near, sun, _ = palette(number)
    ground = bytes(ground_colour(number))
    lake = number % 3 == 1
    shore = 0.74 if lake else 1
    layers = [Ridge(chance, shore - 0.32 + 0.12 * layer, 0.3 - 0.07 * layer, 0.42) for layer in range(3)]
    if number % 2 == 0:
        layers.append(Forest(chance, 0.73 if lake else 0.9, 0.17))
    bank = Ridge(chance, 0.93 if lake else 0.88, 0.05, 0.3)
    colours = [mix(far, near, layer / (len(layers) - 1)) for layer in range(len(layers))]
    strips = [strip(mix(tone, low, 0.05), mix(tone, low, 0.4), height) for tone in colours]
    horizon = round(height * shore)
    skies = [
        strip(mix(high, sun, glow), mix(low, sun, glow), horizon + 1) + bytes(mix(low, sun, glow)) * (height - horizon)
        for glow in (0, 0.14, 0.3, 0.92)]  # fmt: skip
    middle = (chance.uniform(0.2, 0.8) * width, chance.uniform(0.18, 0.34) * height)
    radii = [0, 0.26, 0.17, 0.085]
    darker = bytes(round(value * 0.8) for value in range(256))
    for x in range(width):
        column = bytearray(skies[0][: height * 3])
        for sky, radius in zip(skies[1:], radii[1:]):
            half = (max(0, (radius * height) ** 2 - (x - middle[0]) ** 2)) ** 0.5
            top, bottom = max(0, round(middle[1] - half)), round(middle[1] + half)
            if half:
                column[top * 3 : bottom * 3] = sky[top * 3 : bottom * 3]
        for ridge, tones in zip(layers, strips):
            top = max(0, min(height, round(ridge(x / width) * height)))
            column[top * 3 :] = tones[top * 3 : height * 3]
        if lake:
            above = column[: horizon * 3].translate(darker)
            depth = height - horizon
            mirrored = bytearray(depth * 3)
            for channel in range(3):
                mirrored[channel::3] = above[channel::3][::-1][:depth]
            column[horizon * 3 :] = mirrored
        top = min(height, round(bank(x / width) * height))
        column[top * 3 :] = ground * (height - top)
        yield bytes(column)


@functools.cache
def landscape(number, is_small):
    width, height = small_size(number) if is_small else size(number)
    return png.still(width, height, rows_of(width, height, landscape_columns(number, width, height)))


@functools.cache
def hash_of_landscape(number):
    width, height = small_size(number)
    return blurhash.encode(width, height, rows_of(width, height, landscape_columns(number, width, height)))


def portrait_columns(number, side):
    chance = random.Random(number)
    back = bytes(background_colour(number))
    skin = bytes(colour(chance.choice(["#f2c9a5", "#e3ad83", "#c98d62", "#8d5a3b", "#6b4128"])))
    hair = bytes(colour(chance.choice(["#2b2018", "#4d3222", "#8a5a2b", "#c9a05a", "#7a7a80", "#a33f2b"])))
    coat = bytes(colour(chance.choice(["#264653", "#7b2d43", "#3d5a3a", "#40407a", "#a8552f", "#37474f"])))
    long = chance.random() < 0.5
    # Middle and radii of ellipses, in parts of the side.
    shapes = [(0.5, 1.1, 0.4, 0.36, coat)]
    if long:
        shapes.insert(0, (0.5, 0.52, 0.26, 0.36, hair))
    shapes += [(0.5, 0.4, 0.23, 0.25, hair), (0.5, 0.72, 0.085, 0.12, skin), (0.5, 0.49, 0.185, 0.235, skin)]
    shapes += [(0.43, 0.48, 0.018, 0.024, hair), (0.57, 0.48, 0.018, 0.024, hair)]
    shapes += [(0.5 + chance.uniform(-0.06, 0.06), 0.29, 0.19, 0.08, hair)]
    for x in range(side):
        column = bytearray(back * side)
        for across, down, width, height, tone in shapes:
            half = max(0, 1 - ((x / side - across) / width) ** 2) ** 0.5 * height
            top, bottom = max(0, round((down - half) * side)), min(side, round((down + half) * side))
            if bottom > top:
                column[top * 3 : bottom * 3] = tone * (bottom - top)
        yield bytes(column)


@functools.cache
def portrait(number):
    return png.still(AVATAR, AVATAR, rows_of(AVATAR, AVATAR, portrait_columns(number, AVATAR)))
