"""Encodes BlurHashes, as blurha.sh describes them: cosine components of an image in linear light."""

import math

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
COLUMNS, ROWS = 4, 3


def linear(value):
    """A byte of sRGB in linear light, from 0 to 1 (IEC 61966-2-1)."""
    value /= 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def encoded(value):
    value = min(1, max(0, value))
    value = value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
    return round(value * 255)


LINEAR = [linear(value) for value in range(256)]


def digits(number, count):
    return "".join(ALPHABET[number // 83**place % 83] for place in reversed(range(count)))


def components(width, height, rows, step=8):
    """Red, green and blue of each component. It reads one pixel of `step` in each direction."""
    places = range(step // 2, width, step)
    waves = [[math.cos(math.pi * column * x / width) for x in places] for column in range(COLUMNS)]
    sums = [[[0.0] * 3 for _ in range(COLUMNS)] for _ in range(ROWS)]
    lines = range(step // 2, height, step)
    for y in lines:
        for channel in range(3):
            line = [LINEAR[value] for value in rows[y][step // 2 * 3 + channel :: step * 3]]
            for column, wave in enumerate(waves):
                part = sum(a * b for a, b in zip(line, wave))
                for row in range(ROWS):
                    sums[row][column][channel] += part * math.cos(math.pi * row * y / height)
    count = len(places) * len(lines)
    return [
        [value / count * (1 if row == column == 0 else 2) for value in sums[row][column]]
        for row in range(ROWS) for column in range(COLUMNS)
    ]  # fmt: skip


def encode(width, height, rows):
    constant, *others = components(width, height, rows)
    largest = max(abs(value) for colour in others for value in colour)
    scale = max(0, min(82, math.floor(largest * 166 - 0.5)))

    def step(value):
        value /= (scale + 1) / 166
        return max(0, min(18, math.floor(math.copysign(abs(value) ** 0.5, value) * 9 + 9.5)))

    red, green, blue = (encoded(value) for value in constant)
    parts = [digits(COLUMNS - 1 + (ROWS - 1) * 9, 1), digits(scale, 1), digits(red << 16 | green << 8 | blue, 4)]
    for colour in others:
        red, green, blue = (step(value) for value in colour)
        parts.append(digits((red * 19 + green) * 19 + blue, 2))
    return "".join(parts)
