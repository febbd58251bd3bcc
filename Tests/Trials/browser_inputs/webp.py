"""Odd WebP files, made of encoded images with 16 x 16 pixels."""

import base64
import struct

from browser_inputs.pieces import changed, file_input, variations

TYPE = "image/webp"
# Encoded by libwebp: a lossy image, a lossless and a lossy one with alpha, and two frames.
LOSSY = base64.b64decode(
    "UklGRk4AAABXRUJQVlA4IEIAAAAQAgCdASoQABAAAUAmJbACdLcAAZAYBOdAAP70n5laT4Q998RopVGz/9RG1D1IEPYFIYhdT/nt"
    "mMcgP+UvediHAAA=")
LOSSLESS = base64.b64decode(
    "UklGRkAAAABXRUJQVlA4TDMAAAAvD8ADELkyRPQ/dhHR/wCRts3wNN2/tbFjsWCKd4bSIBNp26ZGh/ZPwC6hSkCVJ9l9UgIA")
ALPHA = base64.b64decode(
    "UklGRqQAAABXRUJQVlA4WAoAAAAQAAAADwAADwAAQUxQSDsAAAABf0CkbUPHtvv3ew0RkbiuQBXZNlRQQQUVVFBBBRVUUEEFFVRQ"
    "QQVf2yGi/xmIJDKFSqMzmCw2h8vjAwBWUDggQgAAABACAJ0BKhAAEAABQCYlsAJ0twABkBgE50AA/vSfmVpPhD33xGilUbP/1EbU"
    "PUgQ9gUhiF1P+e2YxyA/5S952IcAAA==")
ANIMATED = base64.b64decode(
    "UklGRhYBAABXRUJQVlA4WAoAAAACAAAADwAADwAAQU5JTQYAAAAAAAAAAABBTk1GdAAAAAAAAAAAAA8AAA8AAMgAAAJWUDggXAAA"
    "AFABAJ0BKhAAEAABQCYlsAAFjAAAzP//mM//xSn/p/n/8+W/2cSfrVWcdewtKdYWlcW+Zt7fM4k+3RSfbo3//6iNqH/ma6f7cFcK"
    "cT//7dl++cZ//yl7zsQ4AAAAQU5NRm4AAAAAAAAAAAAPAAAPAADIAAAAVlA4IFYAAABUAQCdASoQABAAAAAmJbAABYwAAP7fVf2x"
    "//FKf+n+f/z5b/ZxJ+tVZx17C0p1haVxb5m3t8ziT7dFJ9ujf/k8TeOnzW6YmSh/5zab/w1L/3Mi8QaAAA==")


def chunk(name, content=b""):
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def chunks(data):
    """The chunks of a file with their headers and padding."""
    found, at = [], 12
    while at < len(data):
        size = struct.unpack("<I", data[at + 4:at + 8])[0]
        found.append(data[at:at + 8 + size + size % 2])
        at += len(found[-1])
    return found


def file(*parts, size=None):
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body) if size is None else size) + body


def extended(flags=0, width=16, height=16, reserved=0):
    return chunk(
        b"VP8X",
        bytes([flags, reserved, 0, 0]) + struct.pack("<I", (width - 1) & 0xFFFFFF)[:3] +
        struct.pack("<I", (height - 1) & 0xFFFFFF)[:3])


def frame(image, left=0, top=0, width=16, height=16, duration=200, flags=2):
    def three(value):
        return struct.pack("<I", value & 0xFFFFFF)[:3]

    return chunk(
        b"ANMF",
        three(left // 2) + three(top // 2) + three(width - 1) + three(height - 1) + three(duration) + bytes([flags]) +
        image)


VP8, VP8L = chunks(LOSSY)[0], chunks(LOSSLESS)[0]
ANIM = chunk(b"ANIM", b"\0\0\0\0\0\0")
_, ALPH, UNDER = chunks(ALPHA)
FRAMES = [chunks(ANIMATED)[i][24:] for i in (2, 3)]


def name_of(piece):
    return piece[:4].decode("latin-1").strip() if piece[:4].strip().isalnum() else piece[:4].hex()


def inputs():
    for name, data, animation in [("lossy", LOSSY, None), ("lossless", LOSSLESS, None), ("alpha", ALPHA, None),
                                  ("animated", ANIMATED, TYPE)]:
        yield from variations(f"webp/{name}", [data[:12], *chunks(data)], animation, name_of)
        sizes = [0, 4, len(data) - 9, len(data) - 7, len(data) - 6, len(data) + 100, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF]
        yield from changed(f"webp/{name}", data,
                           [("size of the file", 4, 4, [struct.pack("<I", size) for size in sizes]),
                            ("size of the first chunk", 16, 4,
                             [struct.pack("<I", size) for size in (0, 1, 9, 11, 1000, 0x7FFFFFFF, 0xFFFFFFFF)]),
                            ("form", 8, 4, [b"WEBQ", b"webp"])], animation)
        for cut in range(0, len(data), 11):
            yield file_input(f"webp/{name}/cut {cut:03}", data[:cut], animation)
    yield from changed(
        "webp/lossy data", LOSSY,
        [("frame tag", 20, 3, [bytes([tag]) + LOSSY[21:23] for tag in (0x31, 0x00, 0x1E, 0xF0, 0xFF)]),
         ("start code", 23, 3, [bytes(3), b"\x9d\1\x2b"]),
         ("width", 26, 2, [bytes(2), b"\1\0", b"\x0f\0", b"\x11\0", b"\xff\x3f", b"\x10\x40", b"\x10\xc0"]),
         ("height", 28, 2, [bytes(2), b"\1\0", b"\x11\0", b"\xff\x3f", b"\x10\xc0"]),
         ("data", 32, 4, [bytes(4), b"\xff" * 4])])
    yield from changed("webp/lossless data", LOSSLESS, [("signature", 20, 1, [b"\0", b"\xff"]),
                                                        ("size", 21, 3, [bytes(3), b"\xff\xff\x0f", b"\x0f\xc0\x04"]),
                                                        ("version", 24, 1, [b"\x20", b"\xf0", b"\0", b"\x10"]),
                                                        ("data", 26, 4, [bytes(4), b"\xff" * 4])])
    yield from extras()
    yield from animations()


def extras():
    for flags in (0, 1, 2, 4, 8, 16, 32, 64, 128, 255):
        yield file_input(f"webp/flags {flags}/lossy", file(extended(flags), VP8))
        yield file_input(f"webp/flags {flags}/lossless", file(extended(flags), VP8L))
        yield file_input(f"webp/flags {flags}/alpha", file(extended(flags), ALPH, UNDER))
        yield file_input(f"webp/flags {flags}/animated", file(extended(flags), ANIM, frame(VP8), frame(FRAMES[1])),
                         TYPE)
    for width, height in [(1, 1), (15, 16), (17, 16), (16, 17), (100, 100), (1 << 24, 1), (1 << 24, 1 << 24)]:
        yield file_input(f"webp/canvas {width}x{height}/lossy", file(extended(0, width, height), VP8))
        yield file_input(f"webp/canvas {width}x{height}/lossless", file(extended(16, width, height), VP8L))
        yield file_input(f"webp/canvas {width}x{height}/animated",
                         file(extended(2, width, height), ANIM, frame(VP8), frame(FRAMES[1])), TYPE)
    exif = b"II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0"
    for value in range(0, 10):
        turned = exif + bytes([value]) + bytes(7)
        yield file_input(f"webp/orientation/{value}", file(extended(8), VP8, chunk(b"EXIF", turned)))
    turned = exif + b"\6" + bytes(7)
    for name, parts in [("without its flag", [extended(0), VP8, chunk(b"EXIF", turned)]),
                        ("before the image", [extended(8), chunk(b"EXIF", turned), VP8]),
                        ("after Exif", [extended(8), VP8, chunk(b"EXIF", b"Exif\0\0" + turned)]),
                        ("without VP8X", [VP8, chunk(b"EXIF", turned)])]:
        yield file_input(f"webp/orientation/{name}", file(*parts))
    for name, content in [("empty", b""), ("text", b"no profile"), ("zeros", bytes(200))]:
        yield file_input(f"webp/profile/{name}", file(extended(32), chunk(b"ICCP", content), VP8))
        yield file_input(f"webp/profile/{name} after", file(extended(32), VP8, chunk(b"ICCP", content)))
    for name, parts in [("unknown before", [chunk(b"ABCD", b"x"), VP8]), ("unknown after", [VP8,
                                                                                            chunk(b"ABCD", b"x")]),
                        ("unknown within", [extended(), chunk(b"ABCD", b"xyz"), VP8]), ("no image", [extended()]),
                        ("alpha alone", [extended(16), ALPH]), ("alpha after", [extended(16), UNDER, ALPH]),
                        ("alpha twice", [extended(16), ALPH, ALPH, UNDER]), ("alpha without VP8X", [ALPH, UNDER]),
                        ("alpha and lossless", [extended(16), ALPH, VP8L]), ("two images", [VP8, VP8L]),
                        ("VP8X twice", [extended(), extended(), VP8]), ("VP8X after", [VP8, extended()]),
                        ("VP8X of 9 bytes", [chunk(b"VP8X", bytes(9)), VP8]),
                        ("reserved", [extended(0, reserved=255), VP8]), ("lower case", [b"vp8 " + VP8[4:]]),
                        ("VP8L as VP8", [b"VP8 " + VP8L[4:]]), ("VP8 as VP8L", [b"VP8L" + VP8[4:]])]:
        yield file_input(f"webp/chunks/{name}", file(*parts))
    for value in (0x00, 0x01, 0x02, 0x03, 0x04, 0x10, 0x20, 0x30, 0x40, 0x80, 0xFF):
        yield file_input(f"webp/alpha header/{value:02x}",
                         file(extended(16), ALPH[:8] + bytes([value]) + ALPH[9:], UNDER))
    for length in (0, 1, 2, 20):
        yield file_input(f"webp/alpha data/{length} bytes", file(extended(16), chunk(b"ALPH", ALPH[8:8 + length]),
                                                                 UNDER))
    yield file_input("webp/alpha data/raw", file(extended(16), chunk(b"ALPH", b"\0" + bytes(range(256))), UNDER))


def animations():
    def two(**fields):
        return file(extended(18), ANIM, frame(VP8), frame(VP8L, **fields))

    for name, values in {
            "left": [2, 8, 16, 1 << 24], "top": [2, 16], "width": [1, 15, 17, 1 << 24], "height": [1, 17],
            "duration": [0, 1, 9, 10, 0xFFFFFF], "flags": [0, 1, 2, 3, 4, 255]
    }.items():
        for value in values:
            yield file_input(f"webp/second {name}/{value}", two(**{name: value}), TYPE)
            yield file_input(f"webp/first {name}/{value}",
                             file(extended(18), ANIM, frame(VP8L, **{name: value}), frame(VP8)), TYPE)
    good = frame(VP8)
    for name, parts in [("no frames", [ANIM]), ("one frame", [ANIM, good]), ("no ANIM", [good, good]),
                        ("ANIM after", [good, ANIM, good]), ("ANIM twice", [ANIM, ANIM, good, good]),
                        ("ANIM of 5 bytes", [chunk(b"ANIM", bytes(5)), good, good]),
                        ("frame without data", [ANIM, good, frame(b"")]),
                        ("first frame without data", [ANIM, frame(b""), good]),
                        ("frame with text", [ANIM, good, frame(chunk(b"ABCD", b"text"))]),
                        ("frame with damaged data", [ANIM, good, frame(VP8[:20] + b"\xff" * 30 + VP8[50:])]),
                        ("frame with cut data", [ANIM, good, frame(VP8[:30])]),
                        ("frame of 10 bytes", [ANIM, good, chunk(b"ANMF", bytes(10))]),
                        ("image and frames", [ANIM, VP8, good, good]), ("frames and image", [ANIM, good, good, VP8]),
                        ("unknown between", [ANIM, good, chunk(b"ABCD", b"x"), good]),
                        ("unknown in a frame", [ANIM, good, frame(VP8 + chunk(b"ABCD", b"x"))]),
                        ("two images in a frame", [ANIM, good, frame(VP8 + VP8)]),
                        ("alpha in a frame", [ANIM, good, frame(ALPH + UNDER)]),
                        ("size of a frame too large", [ANIM, good, good[:4] + b"\xff\xff\0\0" + good[8:]]),
                        ("100 frames", [ANIM] + [frame(VP8, duration=10)] * 100)]:
        yield file_input(f"webp/frames/{name}", file(extended(18), *parts), TYPE)
    for loops in (1, 65535):
        yield file_input(
            f"webp/loops/{loops}",
            file(extended(2), chunk(b"ANIM", b"\0\0\0\0" + struct.pack("<H", loops)), good, frame(FRAMES[1])), TYPE)
    for color in (b"\xff\0\0\xff", b"\0\xff\0\x80"):
        yield file_input(f"webp/background/{color.hex()}",
                         file(extended(2), chunk(b"ANIM", color + b"\0\0"), frame(VP8L, flags=3), frame(VP8L)), TYPE)
