"""Odd BMP and ICO files."""

import struct

from browser_inputs import png
from browser_inputs.pieces import changed, file_input, variations

SIDE = 8
PALETTE = bytes((i * 37 % 256, i * 91 % 256, i * 53 % 256, 0)[c] for i in range(256) for c in range(4))


def rows(bits=24, width=SIDE, height=SIDE, alpha=255):
    out = b""
    for y in range(height):
        if bits >= 24:
            row = b"".join(
                bytes((x * 30 % 256, y * 30 % 256, 180)) + (bytes([alpha]) if bits == 32 else b"")
                for x in range(width))
        elif bits == 16:
            row = b"".join(struct.pack("<H", (x * 4 % 32) << 10 | (y * 4 % 32) << 5 | 20) for x in range(width))
        else:
            line = "".join(format((x + y) % (1 << bits), f"0{bits}b") for x in range(width))
            line += "0" * (-len(line) % 8)
            row = int(line, 2).to_bytes(len(line) // 8, "big")
        out += row + bytes(-len(row) % 4)
    return out


def info(size=40,
         width=SIDE,
         height=SIDE,
         planes=1,
         bits=24,
         compression=0,
         image=0,
         used=0,
         important=0,
         masks=(0, 0, 0, 0)):
    if size == 12:
        return struct.pack("<IHHHH", 12, width & 0xFFFF, height & 0xFFFF, planes, bits)
    full = struct.pack("<IiiHHIIiiII", size, width, height, planes, bits, compression, image, 2835, 2835, used,
                       important)
    full += struct.pack("<4I", *masks) + b"BGRs" + bytes(68)
    return full[:max(4, size)] + bytes(max(0, size - len(full)))


def bmp(head=None, pixels=None, palette=None, gap=b"", offset=None, **fields):
    head = info(**fields) if head is None else head
    bits = fields.get("bits", 24)
    pixels = rows(bits) if pixels is None else pixels
    if palette is None:
        palette = PALETTE[:4 << bits] if bits <= 8 else b""
        if fields.get("size") == 12:
            palette = b"".join(palette[i:i + 3] for i in range(0, len(palette), 4))
    start = 14 + len(head) + len(palette) + len(gap)
    return b"BM" + struct.pack("<IHHI", start + len(pixels), 0, 0,
                               start if offset is None else offset) + head + palette + gap + pixels


def inputs():
    yield from variations("bmp/plain", [bmp()[:14], info(), rows()[:96], rows()[96:]])
    yield from variations("bmp/palette", [bmp(bits=4)[:14], info(bits=4), PALETTE[:64], rows(4)])
    for size in (0, 4, 11, 12, 13, 16, 36, 40, 41, 48, 52, 56, 60, 64, 100, 108, 124, 128, 1000):
        for bits in (4, 24):
            yield file_input(f"bmp/header of {size}/{bits} bits", bmp(size=size, bits=bits))
    for bits in (0, 1, 2, 3, 4, 8, 12, 15, 16, 24, 32, 48, 64, 255):
        for compression in (0, 1, 2, 3, 4, 5, 6, 11, 12, 99):
            good = bits if bits in (1, 2, 4, 8, 16, 24, 32) else 24
            masks = struct.pack("<3I", 0xFF0000, 0xFF00, 0xFF) if good == 32 else struct.pack(
                "<3I", 0x7C00, 0x3E0, 0x1F)
            yield file_input(
                f"bmp/bits {bits}/compression {compression}",
                bmp(bits=bits,
                    compression=compression,
                    pixels=rows(good),
                    palette=masks if compression == 3 else PALETTE[:4 << good] if good <= 8 else b""))
    for field in ("width", "height"):
        for value in (0, 1, 7, 9, -1, -8, -9, 30000, 0x7FFFFFFF, -0x80000000):
            yield file_input(f"bmp/{field}/{value}", bmp(**{field: value}))
    for value in (0, 2, 255):
        yield file_input(f"bmp/planes/{value}", bmp(planes=value))
    for value in (0, 10, 53, 55, 58, 100, 246, 247, 100000, 0xFFFFFFFF):
        yield file_input(f"bmp/offset/{value}", bmp(offset=value))
    for bits in (1, 2, 4, 8):
        for used in sorted({0, 1, (1 << bits) - 1, 1 << bits, (1 << bits) + 1, 256, 1000, 0x7FFFFFFF}):
            yield file_input(f"bmp/palette of {bits} bits/{used} colors",
                             bmp(bits=bits, used=used, palette=(PALETTE * 4)[:4 * min(used or 1 << bits, 1000)]))
    for used in (1, 256, 300):
        yield file_input(f"bmp/palette of 24 bits/{used} colors", bmp(used=used, palette=(PALETTE * 2)[:4 * used]))
    for alpha in (0, 1, 128, 255):
        for size in (40, 52, 56, 108, 124):
            for compression in (0, 3, 6):
                masks = (0xFF0000, 0xFF00, 0xFF, 0xFF000000)
                extra = struct.pack("<4I", *masks)[:{3: 12, 6: 16}.get(compression, 0)] if size == 40 else b""
                yield file_input(
                    f"bmp/alpha {alpha}/header {size} compression {compression}",
                    bmp(size=size,
                        bits=32,
                        compression=compression,
                        masks=masks,
                        palette=extra,
                        pixels=rows(32, alpha=alpha)))
    for name, bits, masks in [("565", 16, (0xF800, 0x7E0, 0x1F, 0)), ("4444", 16, (0xF00, 0xF0, 0xF, 0xF000)),
                              ("swapped", 32, (0xFF, 0xFF00, 0xFF0000, 0)), ("zero", 32, (0, 0, 0, 0)),
                              ("one zero", 32, (0xFF0000, 0, 0xFF, 0)),
                              ("overlapping", 32, (0xFFFF00, 0xFFFF, 0xFF, 0)),
                              ("not contiguous", 32, (0xF0F000, 0xFF00, 0xFF, 0)), ("wide", 32, (0xFFFFFFFF, 0, 0, 0)),
                              ("ten bits", 32, (0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000)), ("one bit", 16, (1, 2, 4, 8)),
                              ("beyond 16 bits", 16, (0xFF0000, 0xFF00, 0xFF, 0))]:
        yield file_input(f"bmp/masks/{name}", bmp(size=108, bits=bits, compression=3, masks=masks, pixels=rows(bits)))
        yield file_input(f"bmp/masks/{name} after the header",
                         bmp(bits=bits, compression=3, palette=struct.pack("<3I", *masks[:3]), pixels=rows(bits)))

    def rle(*parts):
        return b"".join(bytes(part) for part in parts)

    def row8(y):
        return [8, y % 4]

    good = [part for y in range(8) for part in (row8(y), [0, 0])] + [[0, 1]]
    for name, content in [("good", rle(*good)), ("no end", rle(*good[:-1])), ("half", rle(*good[:8])), ("empty", b""),
                          ("end alone", rle([0, 1])),
                          ("absolute", rle(*([[0, 8, 0, 1, 2, 3, 0, 1, 2, 3], [0, 0]] * 8), [0, 1])),
                          ("odd absolute", rle(*([[0, 5, 0, 1, 2, 3, 0, 0], [3, 1], [0, 0]] * 8), [0, 1])),
                          ("absolute cut", rle([0, 8, 1, 2])), ("delta", rle([4, 1], [0, 2, 2, 1], [4, 2], [0, 1])),
                          ("delta beyond", rle([4, 1], [0, 2, 200, 1], [4, 2], [0, 1])),
                          ("delta up beyond", rle([4, 1], [0, 2, 1, 200], [4, 2], [0, 1])),
                          ("delta cut", rle([4, 1], [0, 2, 1])), ("long run", rle([255, 1], [0, 0], [255, 2], [0, 1])),
                          ("no line ends", rle(*([[8, 1]] * 8), [0, 1])),
                          ("too many rows", rle(*(good[:-1] * 2), [0, 1])), ("run of 0", rle([0, 0], [4, 1], [0, 1])),
                          ("after the end", rle(*good, [8, 3]))]:
        yield file_input(f"bmp/RLE8/{name}", bmp(bits=8, compression=1, pixels=content))
        yield file_input(f"bmp/RLE4/{name}", bmp(bits=4, compression=2, pixels=content))
    yield file_input("bmp/RLE8/top down", bmp(bits=8, compression=1, height=-8, pixels=rle(*good)))
    whole = bmp()
    for cut in range(0, len(whole), 12):
        yield file_input(f"bmp/cut/{cut:03}", whole[:cut])
    yield from changed("bmp/field", whole, [("file size", 2, 4, [bytes(4), b"\1\0\0\0", b"\xff" * 4]),
                                            ("reserved", 6, 4, [b"\xff" * 4]),
                                            ("image size", 34, 4, [b"\1\0\0\0", b"\xff" * 4]),
                                            ("resolution", 38, 8, [bytes(8), b"\xff" * 8]),
                                            ("important", 50, 4, [b"\xff" * 4]),
                                            ("magic", 0, 2, [b"BA", b"CI", b"IC", b"bm", b"MB"])])
    yield from icons()


# ICO


def entry(size, length, offset, height=None, colors=0, reserved=0, planes=1, bits=32):
    return struct.pack("<BBBBHHII", size & 255, (size if height is None else height) & 255, colors, reserved, planes,
                       bits, length, offset)


def ico(*images, kind=1, count=None, reserved=0, **fields):
    """`images` are pairs of a side and data."""
    start, out, data = 6 + 16 * len(images), b"", b""
    for side, content in images:
        out += entry(side, len(content), start + len(data), **fields)
        data += content
    return struct.pack("<HHH", reserved, kind, len(images) if count is None else count) + out + data


def png_of(side, shift=0):
    import zlib
    return png.plain(png.chunk(b"IDAT", zlib.compress(png.samples(side, side, shift=shift))), width=side, height=side)


def dib(bits=32, side=SIDE, mask=True, alpha=255, height=None, **fields):
    palette = PALETTE[:4 << bits] if bits <= 8 else b""
    line = bytes([0x0F] * ((side + 7) // 8))
    masked = (line + bytes(-len(line) % 4)) * side if mask else b""
    return info(bits=bits, width=side, height=side * 2 if height is None else height, **fields) + palette + rows(
        bits, side, side, alpha) + masked


def icons():
    one, two = png_of(16), png_of(32, 90)
    yield from variations("ico/png", [ico((16, one))[:6], ico((16, one))[6:22], one])
    yield from variations("ico/dib", [ico((8, dib()))[:6], ico((8, dib()))[6:22], dib()[:40], rows(32), dib()[-32:]])
    for kind in (0, 2, 3, 256):
        yield file_input(f"ico/type/{kind}", ico((16, one), kind=kind))
        yield file_input(f"ico/type/{kind} dib", ico((8, dib()), kind=kind))
    for count in (0, 2, 3, 100, 65535):
        yield file_input(f"ico/count/{count}", ico((16, one), count=count))
    yield file_input("ico/reserved/1", ico((16, one), reserved=1))
    for name, images in [("small first", [(16, one), (32, two)]), ("large first", [(32, two), (16, one)]),
                         ("equal", [(16, one), (16, png_of(16, 90))]), ("same data", [(16, one), (32, one)]),
                         ("dib and png", [(8, dib()), (32, two)]), ("size 0", [(0, one)]),
                         ("size 256", [(0, png_of(20)), (32, two)]), ("size 255", [(255, one)]),
                         ("other size", [(32, one)]), ("smaller than said", [(32, one), (16, two)]),
                         ("empty data", [(32, b""), (16, one)]), ("text", [(32, b"text" * 9), (16, one)]),
                         ("only text", [(16, b"text" * 9)]), ("cut", [(32, two[:60]), (16, one)]),
                         ("only cut", [(32, two[:-30])]), ("cut dib", [(8, dib()[:200])])]:
        yield file_input(f"ico/images/{name}", ico(*images))
    for bits in (1, 4, 8, 16, 24, 32):
        for mask in (True, False):
            yield file_input(f"ico/bits/{bits}{'' if mask else ' without mask'}",
                             ico((8, dib(bits, mask=mask)), bits=bits))
        yield file_input(
            f"ico/bits/{bits} and 32",
            ico((8, dib(bits)), bits=bits) if bits == 32 else struct.pack("<HHH", 0, 1, 2) +
            entry(8, len(dib(bits)), 38, bits=bits) + entry(8, len(dib()), 38 + len(dib(bits))) + dib(bits) + dib())
    for alpha in (0, 1, 128):
        yield file_input(f"ico/alpha/{alpha}", ico((8, dib(alpha=alpha))))
    for height in (0, 8, 15, 17, -16, 32):
        yield file_input(f"ico/height/{height}", ico((8, dib(height=height))))
    for name, fields in [("colors 255", {"colors": 255}), ("reserved 255", {"reserved": 255}),
                         ("planes 0", {"planes": 0}), ("planes 9", {"planes": 9}), ("bits 0", {"bits": 0}),
                         ("bits 999", {"bits": 999}), ("height 99", {"height": 99})]:
        yield file_input(f"ico/entry/{name}", ico((16, one), **fields))
        yield file_input(f"ico/entry/{name} dib", ico((8, dib()), **fields))
    for name, length, offset in [("offset 0", len(one), 0), ("offset 6", len(one), 6),
                                 ("offset beyond", len(one), 999999), ("offset at the end", len(one), 22 + len(one)),
                                 ("length 0", 0, 22), ("length 10", 10, 22), ("length beyond", 999999, 22),
                                 ("length ff", 0xFFFFFFFF, 22), ("offset ff", len(one), 0xFFFFFFFF),
                                 ("length short", len(one) - 20, 22)]:
        yield file_input(f"ico/place/{name}", struct.pack("<HHH", 0, 1, 1) + entry(16, length, offset) + one)
        yield file_input(
            f"ico/place/{name}, then a good one",
            struct.pack("<HHH", 0, 1, 2) + entry(16, length, offset + 16 if 0 < offset < 99 else offset) +
            entry(16, len(one), 38) + one)
        yield file_input(
            f"ico/place/{name}, after a good one",
            struct.pack("<HHH", 0, 1, 2) + entry(16, len(one), 38) +
            entry(32, length, offset + 16 if 0 < offset < 99 else offset) + one)
    for compression in (0, 1, 3, 4, 5):
        yield file_input(f"ico/compression/{compression}", ico((8, dib(compression=compression))))
    for size in (12, 16, 52, 108, 124):
        yield file_input(f"ico/header/{size}", ico((8, info(size=size, bits=32, height=16) + rows(32) + bytes(32))))
    yield file_input("ico/file in it/bmp", ico((8, bmp())))
    yield file_input("ico/file in it/ico", ico((16, ico((16, one)))))
    whole = ico((8, dib()))
    for cut in range(0, len(whole), 12):
        yield file_input(f"ico/cut/{cut:03}", whole[:cut])
