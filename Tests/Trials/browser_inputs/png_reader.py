"""Reads the PNG files that remote-image writes: 8 bits per channel, not interlaced."""

import struct
import zlib

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def read(data, side):
    """RGBA of at most `side` columns and rows."""
    width, height, bits, kind, _, _, interlacing = struct.unpack(">IIBBBBB", data[16:29])
    if bits != 8 or interlacing or kind not in CHANNELS:
        raise ValueError(f"a PNG of {bits} bits, color type {kind}, interlacing {interlacing}")
    packed, at = b"", 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    count = CHANNELS[kind]
    rows = zlib.decompress(packed)
    before, pixels = bytearray(width * count), bytearray()
    for y in range(min(height, side)):
        start = y * (width * count + 1)
        row = unfiltered(rows[start], bytearray(rows[start + 1:start + 1 + width * count]), before, count)
        for x in range(min(width, side)):
            pixel = row[x * count:(x + 1) * count]
            color = pixel[:1] * 3 if count < 3 else pixel[:3]
            pixels += color + (pixel[-1:] if count in (2, 4) else b"\xff")
        before = row
    return bytes(pixels)


def unfiltered(method, row, before, count):
    for x in range(len(row)):
        left, up = (row[x - count] if x >= count else 0), before[x]
        corner = before[x - count] if x >= count else 0
        if method == 4:
            estimate = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(estimate - value))
        else:
            nearest = [0, left, up, (left + up) // 2][method]
        row[x] = (row[x] + nearest) & 255
    return row
