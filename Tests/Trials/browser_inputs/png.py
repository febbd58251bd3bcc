"""Odd PNG and APNG files."""

import struct
import zlib

from browser_inputs.pieces import changed, file_input, variations

SIGNATURE = b"\x89PNG\r\n\x1a\n"
SIDE = 12
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
EDGES = [0, 1, 2, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def chunk(name, content=b""):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def header(width=SIDE, height=SIDE, bits=8, kind=2, compression=0, filtering=0, interlacing=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, compression, filtering, interlacing))


def samples(width=SIDE, height=SIDE, bits=8, kind=2, shift=0):
    """The rows of a gradient, without compression."""
    rows, count = b"", CHANNELS.get(kind, 3)
    for y in range(height):
        row = [(x * 255 // max(1, width - 1) * (3 - c) // 3 + y * 16 * c + shift) % 256 for x in range(width)
               for c in range(count)]
        if bits == 16:
            rows += b"\0" + bytes(byte for value in row for byte in (value, value))
        elif bits == 8:
            rows += b"\0" + bytes(row)
        else:
            line = "".join(format(value >> (8 - bits), f"0{bits}b") for value in row)
            line += "0" * (-len(line) % 8)
            rows += b"\0" + int(line or "0", 2).to_bytes(len(line) // 8, "big")
    return rows


DATA = zlib.compress(samples())
IDAT = chunk(b"IDAT", DATA)
IEND = chunk(b"IEND")
PALETTE = bytes((i * 5 % 256, 255 - i, i)[c] for i in range(256) for c in range(3))


def file(*chunks):
    return SIGNATURE + b"".join(chunks)


def plain(data=IDAT, before=b"", after=b"", end=IEND, **fields):
    return file(header(**fields), before, data, after, end)


def name_of(piece):
    return piece[4:8].decode("latin-1") if len(piece) >= 12 and piece[4:8].isalpha() else "signature"


def inputs():
    half = len(DATA) // 2
    yield from variations("png/plain", [
        SIGNATURE,
        header(),
        chunk(b"gAMA", struct.pack(">I", 45455)),
        chunk(b"IDAT", DATA[:half]),
        chunk(b"IDAT", DATA[half:]),
        chunk(b"tEXt", b"Title\0x"), IEND
    ],
                          label=name_of)
    palette = zlib.compress(samples(kind=3, bits=4))
    yield from variations("png/palette", [
        SIGNATURE,
        header(kind=3, bits=4),
        chunk(b"PLTE", PALETTE[:48]),
        chunk(b"tRNS", b"\0\x80"),
        chunk(b"IDAT", palette), IEND
    ],
                          label=name_of)
    yield from headers()
    yield from pixels()
    yield from palettes()
    yield from ancillary()
    yield from apng()


def headers():
    for bits in (0, 1, 2, 3, 4, 8, 16, 32, 255):
        for kind in (0, 1, 2, 3, 4, 5, 6, 7, 255):
            data = zlib.compress(samples(bits=bits if bits in (1, 2, 4, 8, 16) else 8, kind=kind))
            extra = chunk(b"PLTE", PALETTE[:3 << min(bits, 8)]) if kind == 3 else b""
            yield file_input(f"png/header/bits {bits} kind {kind}",
                             plain(chunk(b"IDAT", data), extra, bits=bits, kind=kind))
    for field in ("width", "height"):
        for value in EDGES:
            yield file_input(f"png/header/{field} {value}", plain(**{field: value}))
    for field in ("compression", "filtering", "interlacing"):
        for value in (1, 2, 64, 255):
            yield file_input(f"png/header/{field} {value}", plain(**{field: value}))
    content = header()[8:21]
    for name, data in [("12 bytes", chunk(b"IHDR", content[:12])), ("14 bytes", chunk(b"IHDR", content + b"\0")),
                       ("no bytes", chunk(b"IHDR")), ("bad checksum", header()[:-4] + b"\0\0\0\0"),
                       ("second one differs", header() + header(width=6)), ("lower case", chunk(b"iHDR", content))]:
        yield file_input(f"png/header/{name}", file(data, IDAT, IEND))
    for index in range(8):
        yield file_input(f"png/signature/byte {index}", SIGNATURE[:index] + b"x" + SIGNATURE[index + 1:] + plain()[8:])


def pixels():
    rows = samples()

    def packed(text):
        return chunk(b"IDAT", zlib.compress(text))

    raw = zlib.compressobj(wbits=-15)
    deflated = raw.compress(rows) + raw.flush()
    row = SIDE * 3 + 1
    for name, data in [("none", b""), ("empty", chunk(b"IDAT")), ("empty before", chunk(b"IDAT") + IDAT),
                       ("empty after", IDAT + chunk(b"IDAT")),
                       ("one byte each", b"".join(chunk(b"IDAT", DATA[i:i + 1]) for i in range(len(DATA)))),
                       ("half", chunk(b"IDAT", DATA[:len(DATA) // 2])), ("10 bytes", chunk(b"IDAT", DATA[:10])),
                       ("2 bytes", chunk(b"IDAT", DATA[:2])), ("without checksum of zlib", chunk(b"IDAT", DATA[:-4])),
                       ("without last byte", chunk(b"IDAT", DATA[:-1])),
                       ("bad checksum of zlib", chunk(b"IDAT", DATA[:-4] + b"abcd")),
                       ("bad checksum", IDAT[:-4] + b"\0\0\0\0"), ("trailing zeros", chunk(b"IDAT", DATA + bytes(20))),
                       ("trailing stream", chunk(b"IDAT", DATA + DATA)),
                       ("trailing text", chunk(b"IDAT", DATA + b"text")), ("one row more", packed(rows + bytes(row))),
                       ("many rows more", packed(rows * 9)), ("one row less", packed(rows[:-row])),
                       ("half of the rows", packed(rows[:row * 6])), ("one byte less", packed(rows[:-1])),
                       ("one byte more", packed(rows + b"\0")), ("no rows", packed(b"")),
                       ("separated", chunk(b"IDAT", DATA[:20]) + chunk(b"tEXt", b"a\0b") + chunk(b"IDAT", DATA[20:])),
                       ("without zlib", chunk(b"IDAT", deflated)),
                       ("window of 256", chunk(b"IDAT",
                                               bytes([0x08, 31 - 0x0800 % 31]) + DATA[2:])),
                       ("window too large", chunk(b"IDAT",
                                                  bytes([0x88, 31 - 0x8800 % 31]) + DATA[2:])),
                       ("bad method of zlib", chunk(b"IDAT",
                                                    bytes([0x79, 31 - 0x7900 % 31]) + DATA[2:])),
                       ("bad check bits", chunk(b"IDAT", DATA[:1] + b"\0" + DATA[2:])),
                       ("dictionary", chunk(b"IDAT", b"\x78\x20" + DATA[2:])),
                       ("stored", chunk(b"IDAT", zlib.compress(rows, 0))),
                       ("damaged", chunk(b"IDAT", DATA[:30] + b"\xff\xff\xff" + DATA[33:])),
                       ("damaged at the start", chunk(b"IDAT", DATA[:4] + b"\xff\xff" + DATA[6:])),
                       ("length too large", struct.pack(">I",
                                                        len(DATA) + 99) + IDAT[4:]),
                       ("length of 2 GB", b"\x7f\xff\xff\xff" + IDAT[4:]),
                       ("negative length", b"\xff\xff\xff\xff" + IDAT[4:]), ("length zero", b"\0\0\0\0" + IDAT[4:]),
                       ("after the end", IEND + IDAT)]:
        yield file_input(f"png/data/{name}", plain(data))
    for value in (1, 2, 3, 4, 5, 6, 128, 255):
        changed_rows = rows[:row * 3] + bytes([value]) + rows[row * 3 + 1:]
        yield file_input(f"png/data/filter {value}", plain(packed(changed_rows)))
        yield file_input(f"png/data/first filter {value}", plain(packed(bytes([value]) + rows[1:])))
    for name, end in [("missing", b""), ("bad checksum", IEND[:-4] + b"abcd"), ("with data", chunk(b"IEND", b"data")),
                      ("length too large", b"\0\0\0\x09" + IEND[4:]), ("lower case", chunk(b"iEND")),
                      ("without checksum", IEND[:8]), ("length alone", IEND[:4])]:
        yield file_input(f"png/end/{name}", plain(end=end))
    for cut in range(0, len(plain()), 9):
        yield file_input(f"png/cut/{cut:03}", plain()[:cut])


def palettes():
    for bits in (1, 2, 4, 8):
        data = chunk(b"IDAT", zlib.compress(samples(bits=bits, kind=3)))
        for count in sorted({0, 1, (1 << bits) - 1, 1 << bits, (1 << bits) + 1, 257}):
            yield file_input(f"png/palette {bits}/{count} colors",
                             plain(data, chunk(b"PLTE", (PALETTE + PALETTE)[:3 * count]), bits=bits, kind=3))
        for count in (0, 1, 1 << bits, (1 << bits) + 1, 300):
            before = chunk(b"PLTE", PALETTE[:3 << bits]) + chunk(b"tRNS", bytes(i % 256 for i in range(count)))
            yield file_input(f"png/palette {bits}/{count} alphas", plain(data, before, bits=bits, kind=3))
    data, colors, alphas = chunk(b"IDAT",
                                 zlib.compress(samples(kind=3))), chunk(b"PLTE",
                                                                        PALETTE), chunk(b"tRNS", bytes(range(256)))
    for name, chunks in [("of 10 bytes", [chunk(b"PLTE", PALETTE[:10]), data]), ("after the data", [data, colors]),
                         ("missing", [data]), ("twice", [colors, chunk(b"PLTE", PALETTE[::-1]), data]),
                         ("alphas before", [alphas, colors, data]), ("alphas after the data", [colors, data, alphas]),
                         ("alphas twice", [colors, alphas, chunk(b"tRNS", b"\0"), data]),
                         ("bad checksum", [colors[:-4] + b"abcd", data]),
                         ("alphas with a bad checksum", [colors, alphas[:-4] + b"abcd", data])]:
        yield file_input(f"png/palette/{name}", file(header(kind=3), *chunks, IEND))
    for kind, length in ((0, 2), (2, 6), (4, 2), (6, 6)):
        data = chunk(b"IDAT", zlib.compress(samples(kind=kind)))
        for size in sorted({0, 1, length - 1, length, length + 1}):
            for value in (0, 255):
                alpha = chunk(b"tRNS", (bytes([0, value]) * 4)[:size])
                yield file_input(f"png/transparent {kind}/{size} bytes of {value}", plain(data, alpha, kind=kind))
        yield file_input(f"png/transparent {kind}/palette", plain(data, colors, kind=kind))


def ancillary():

    def be(*values):
        return struct.pack(f">{len(values)}I", *values)

    cases = [(b"gAMA", be(value))
             for value in (0, 1, 10, 30000, 45455, 55000, 100000, 220000, 10**6, 0x7FFFFFFF, 0xFFFFFFFF)]
    cases += [(b"gAMA", b""), (b"gAMA", b"\0\0\xb1"), (b"sRGB", b""), (b"sRGB", b"\0"), (b"sRGB", b"\4"),
              (b"sRGB", b"\xff"), (b"sRGB", b"\0\0")]
    white = (31270, 32900)
    cases += [(b"cHRM", be(*white, *primaries))
              for primaries in [(64000, 33000, 30000, 60000, 15000,
                                 6000), (68000, 32000, 26500, 69000, 15000,
                                         6000), (0, ) * 6, (33333, ) * 6, (30000, 60000, 64000, 33000, 15000,
                                                                           6000), (10**6, ) * 6, (0x80000000, ) * 6]]
    cases += [(b"cHRM", b""), (b"cHRM", bytes(31)), (b"cHRM", be(0, 0, 64000, 33000, 30000, 60000, 15000, 6000))]
    cases += [(b"iCCP", data)
              for data in (b"", b"x", b"x\0\0", b"x\0\0" + zlib.compress(b"no profile"), b"x\0\1" + zlib.compress(b""),
                           b"\0\0" + zlib.compress(bytes(128)), b"x" * 90 + b"\0\0" + zlib.compress(bytes(128)),
                           b"x\0\0" + zlib.compress(bytes(1 << 20)))]
    cases += [(b"cICP", bytes(values))
              for values in ((1, 13, 0, 1), (12, 13, 0, 1), (9, 16, 0, 1), (9, 18, 0, 1), (1, 8, 0, 1), (1, 1, 0, 1),
                             (1, 13, 1, 1), (1, 13, 0, 0), (2, 2, 0, 1), (0, 0, 0, 0), (255, 255, 255, 255), (1, 13,
                                                                                                              0), ())]
    cases += [(b"sBIT", data) for data in (b"", b"\5\6\5", b"\0\0\0", b"\xff\xff\xff", b"\1\1\1\1")]
    cases += [(b"bKGD", data) for data in (b"", bytes(6), b"\0\xff" * 3, bytes(7))] + [
        (b"pHYs", data) for data in (b"", be(0, 0) + b"\1", be(1, 100) + b"\1", be(100, 1) + b"\0", b"\xff" * 9)
    ]
    cases += [(b"tEXt", data) for data in (b"", b"\0", b"no end", b"x\0" + b"y" * 70000)
              ] + [(b"zTXt", b"x\0\0" + zlib.compress(bytes(1 << 20))), (b"zTXt", b"x\0\0bad"),
                   (b"iTXt", b"x\0\0\0\0\0y"), (b"iTXt", b"")]
    cases += [(b"tIME", b""), (b"tIME", b"\xff" * 7), (b"hIST", b"\0\1"), (b"sPLT", b"x\0\x08"), (b"oFFs", b""),
              (b"eXIf", b""), (b"eXIf", b"Exif\0\0"), (b"eXIf", b"II*\0"), (b"aBCd", b"x"), (b"abcd", b"x"),
              (b"ABCD", b"x"), (b"AbCd", b"x"), (b"aBcd", b"x"), (b"a1cd", b"x"), (b"\0\0\0\0", b"x"),
              (b"\xff\xff\xff\xff", b"x"), (b"    ", b"x"), (b"acTL", be(1, 0)), (b"fdAT", be(0) + DATA),
              (b"mDCV", bytes(24)), (b"cLLI", bytes(8)), (b"caBX", b"x"), (b"PLTE", b"")]
    for number, (name, content) in enumerate(cases):
        text = content.hex() if len(content) < 12 else f"{len(content)} bytes"
        label = f"{name.decode() if name.isalnum() else name.hex()} {text} {number}"
        yield file_input(f"png/before the data/{label}", plain(before=chunk(name, content)))
        yield file_input(f"png/after the data/{label}", plain(after=chunk(name, content)))
    yield file_input("png/before the data/bad checksum", plain(before=chunk(b"gAMA", be(45455))[:-4] + b"abcd"))
    yield file_input("png/before the data/gAMA twice",
                     plain(before=chunk(b"gAMA", be(45455)) + chunk(b"gAMA", be(100000))))
    for value in range(10):
        exif = b"II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0" + bytes([value]) + b"\0\0\0\0\0\0\0"
        yield file_input(
            f"png/orientation/{value}",
            plain(before=chunk(b"eXIf", exif), data=chunk(b"IDAT", zlib.compress(samples(height=8))), height=8))
        yield file_input(
            f"png/orientation/{value} after the data",
            plain(after=chunk(b"eXIf", exif), data=chunk(b"IDAT", zlib.compress(samples(height=8))), height=8))


# APNG

TYPE = "image/png"


def control(count, plays=0):
    return chunk(b"acTL", struct.pack(">II", count, plays))


def frame(number, width=SIDE, height=SIDE, left=0, top=0, delay=200, denominator=1000, dispose=0, blend=0):
    return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, left, top, delay, denominator, dispose,
                                      blend))


def data(number, width=SIDE, height=SIDE, shift=90):
    return chunk(b"fdAT", struct.pack(">I", number) + zlib.compress(samples(width, height, shift=shift)))


def apng():
    yield from variations(
        "apng/plain",
        [SIGNATURE,
         header(),
         control(3),
         frame(0), IDAT,
         frame(1),
         data(2),
         frame(3),
         data(4, shift=180), IEND], TYPE, name_of)
    yield from variations(
        "apng/hidden",
        [SIGNATURE, header(),
         control(2), IDAT, frame(0),
         data(1), frame(2),
         data(3, shift=180), IEND], TYPE, name_of)

    def two(second, *rest, actl=control(2), first=frame(0)):
        return file(header(), actl, first, IDAT, second, *rest, IEND)

    for count in (0, 1, 2, 3, 1000, 0x7FFFFFFF, 0xFFFFFFFF):
        yield file_input(f"apng/count/{count}", two(frame(1), data(2), actl=control(count)), TYPE)
    for plays in (1, 0x7FFFFFFF, 0xFFFFFFFF):
        yield file_input(f"apng/plays/{plays}", two(frame(1), data(2), actl=control(2, plays)), TYPE)
    for name, values in {
            "width": [0, 1, 6, 13, 0x7FFFFFFF, 0xFFFFFFFF], "height": [0, 1, 6, 13, 0xFFFFFFFF],
            "left": [0, 1, 6, 12, 0x80000000, 0xFFFFFFFF], "top": [1, 12, 0xFFFFFFFF], "delay": [0, 1, 65535],
            "denominator": [0, 1, 65535], "dispose": [1, 2, 3, 255], "blend": [1, 2, 255]
    }.items():
        for value in values:
            size = {name: min(value, 13)} if name in ("width", "height") else {}
            yield file_input(f"apng/second {name}/{value}", two(frame(1, **{name: value}), data(2, **size)), TYPE)
            yield file_input(f"apng/first {name}/{value}", two(frame(1), data(2), first=frame(0, **{name: value})),
                             TYPE)
            if name in ("width", "height", "left", "top"):
                yield file_input(
                    f"apng/small second {name}/{value}",
                    two(frame(1, **({"width": 4, "height": 4, "left": 2, "top": 2} | {name: value})), data(2, 4, 4)),
                    TYPE)
    for numbers in [(0, 1, 3), (0, 2, 3), (1, 2, 3), (0, 0, 0), (0, 2, 1), (0, 1, 1), (5, 6, 7)]:
        yield file_input(f"apng/numbers/{numbers[0]} {numbers[1]} {numbers[2]}",
                         two(frame(numbers[1]), data(numbers[2]), first=frame(numbers[0])), TYPE)
    empty, cut = chunk(b"fdAT", b"\0\0\0\2"), data(2)
    for name, rest in [("no data", []), ("empty data", [empty]), ("short data", [chunk(b"fdAT", b"\0\0")]),
                       ("cut data", [chunk(b"fdAT", cut[8:40])]), ("IDAT instead", [IDAT]),
                       ("bad data", [chunk(b"fdAT", b"\0\0\0\2no data")]),
                       ("two pieces", [chunk(b"fdAT", cut[8:30]),
                                       chunk(b"fdAT", b"\0\0\0\3" + cut[30:-4])]),
                       ("bad checksum", [cut[:-4] + b"abcd"]), ("third without data", [data(2), frame(3)]),
                       ("smaller data", [data(2, 4, 4)]), ("larger data", [data(2, 20, 20)])]:
        yield file_input(f"apng/data/{name}", two(frame(1), *rest), TYPE)
    yield file_input("apng/data/bad checksum of the first frame",
                     file(header(), control(2), frame(0), IDAT[:-4] + b"abcd", frame(1), data(2), IEND), TYPE)
    for name, chunks in [("control after the data", [frame(0), IDAT, control(2),
                                                     frame(1), data(2)]),
                         ("control twice", [control(2), control(3),
                                            frame(0), IDAT, frame(1),
                                            data(2)]),
                         ("control before the header", [control(2),
                                                        header(),
                                                        frame(0), IDAT,
                                                        frame(1),
                                                        data(2)]),
                         ("frame before control", [frame(0), control(2), IDAT,
                                                   frame(1), data(2)]),
                         ("control of 7 bytes", [chunk(b"acTL", bytes(7)),
                                                 frame(0), IDAT,
                                                 frame(1), data(2)]),
                         ("frame of 25 bytes", [control(2),
                                                chunk(b"fcTL",
                                                      frame(0)[8:-5]), IDAT,
                                                frame(1),
                                                data(2)]),
                         ("two frames before the data", [control(2),
                                                         frame(0),
                                                         frame(1), IDAT,
                                                         frame(2),
                                                         data(3)]), ("only control", [control(1), IDAT]),
                         ("hidden alone", [control(1), IDAT, frame(0), data(1)]),
                         ("no control", [frame(0), IDAT, frame(1), data(2)])]:
        yield file_input(f"apng/order/{name}",
                         file(*([] if name == "control before the header" else [header()]), *chunks, IEND), TYPE)
    for kind, bits in ((0, 8), (3, 8), (4, 8), (6, 8), (2, 16), (0, 1)):
        pixels = [zlib.compress(samples(bits=bits, kind=kind, shift=shift)) for shift in (0, 90)]
        extra = chunk(b"PLTE", PALETTE) if kind == 3 else b""
        yield file_input(
            f"apng/kind/{kind} of {bits} bits",
            file(header(bits=bits, kind=kind), extra, control(2), frame(0), chunk(b"IDAT", pixels[0]), frame(1,
                                                                                                             blend=1),
                 chunk(b"fdAT", b"\0\0\0\2" + pixels[1]), IEND), TYPE)
