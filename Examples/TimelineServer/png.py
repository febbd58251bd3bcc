"""PNG files, still and animated (PNG third edition). A row is a `bytes` object of its pixels."""

import struct
import zlib

RGB, RGBA = 2, 6


def still(width, height, rows, colours=RGB):
    return _file(width, height, colours, _chunk(b"IDAT", _compressed(rows)))


def animated(width, height, frames, milliseconds, colours=RGBA):
    """An animation that repeats for ever; a frame is a list of rows."""
    chunks = [_chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    for index, rows in enumerate(frames):
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, milliseconds, 1000, 0, 0)
        chunks.append(_chunk(b"fcTL", control))
        number += 1
        data = _compressed(rows)
        if index == 0:
            chunks.append(_chunk(b"IDAT", data))
        else:
            chunks.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
    return _file(width, height, colours, *chunks)


def _compressed(rows):
    return zlib.compress(b"".join(b"\0" + row for row in rows))


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _file(width, height, colours, *chunks):
    header = struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + b"".join(chunks) + _chunk(b"IEND", b"")
