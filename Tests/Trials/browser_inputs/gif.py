"""Odd GIF files."""

import struct

from browser_inputs.pieces import file_input, variations

TYPE = "image/gif"
SIDE = 12
TRAILER = b"\x3b"
COLORS = bytes((i * 60 % 256, 255 - i * 50 % 256, i * 90 % 256)[c] for i in range(256) for c in range(3))


def screen(width=SIDE, height=SIDE, bits=2, background=0, aspect=0, version=b"89a", table=True):
    head = b"GIF" + version + struct.pack("<HHBBB", width, height,
                                          (0x80 if table else 0) | 0x70 | bits - 1, background, aspect)
    return head + (COLORS[:3 << bits] if table else b"")


def control(delay=20, disposal=0, transparent=None):
    return b"\x21\xf9\x04" + struct.pack("<BHB", disposal << 2 |
                                         (transparent is not None), delay, transparent or 0) + b"\0"


def loop(count=0, name=b"NETSCAPE2.0"):
    return b"\x21\xff\x0b" + name + b"\x03\x01" + struct.pack("<H", count) + b"\0"


def blocks(data, size=255):
    return b"".join(bytes([len(data[i:i + size])]) + data[i:i + size] for i in range(0, len(data), size)) + b"\0"


def codes(indices, bits=2, clears=True, ends=True):
    """LZW without compression: a clear code before the code size would grow."""
    clear, stream, count = 1 << bits, [], 0
    for number, index in enumerate(indices):
        if number % (clear - 2 or 1) == 0 and (clears or number):
            stream.append(clear)
        stream.append(index)
    if ends:
        stream.append(clear + 1)
    value = count = 0
    out = bytearray()
    for code in stream:
        value |= code << count
        count += bits + 1
        while count >= 8:
            out.append(value & 255)
            value >>= 8
            count -= 8
    return bytes(out) + (bytes([value & 255]) if count else b"")


def indices(width=SIDE, height=SIDE, bits=2, shift=0):
    return [(x // 3 + y // 4 + shift) % (1 << bits) for y in range(height) for x in range(width)]


def frame(width=SIDE,
          height=SIDE,
          left=0,
          top=0,
          bits=2,
          shift=0,
          flags=0,
          table=b"",
          data=None,
          code_size=None,
          end=b""):
    pixels = codes(indices(min(width, 64), min(height, 64), bits, shift), bits) if data is None else data
    return b"\x2c" + struct.pack("<HHHHB", left, top, width, height, flags) + table + bytes(
        [bits if code_size is None else code_size]) + blocks(pixels) + end


def file(*parts, start=screen(), end=TRAILER):
    return start + b"".join(parts) + end


def inputs():
    yield from variations("gif/still", [screen(), control(), frame(), TRAILER], TYPE)
    yield from variations("gif/animated", [
        screen(),
        loop(),
        control(),
        frame(),
        control(disposal=2),
        frame(shift=1),
        control(transparent=1),
        frame(6, 6, 3, 3, shift=2), TRAILER
    ], TYPE)
    yield from screens()
    yield from frames()
    yield from data()
    yield from extensions()


def screens():
    for version in (b"87a", b"88a", b"89b", b"90a", b"\0\0\0", b"89A"):
        yield file_input(f"gif/version/{version.hex()}", file(frame(), start=screen(version=version)), TYPE)
    for width, height in [(0, 0), (0, SIDE), (SIDE, 0), (1, 1), (6, 6), (13, 20), (40, 40), (5, 40), (65535, 1),
                          (1, 65535)]:
        yield file_input(f"gif/screen/{width}x{height}", file(frame(), start=screen(width, height)), TYPE)
        yield file_input(f"gif/screen/{width}x{height} animated",
                         file(control(), frame(), control(), frame(shift=1), start=screen(width, height)), TYPE)
    for background in (1, 3, 4, 255):
        yield file_input(f"gif/screen/background {background}",
                         file(frame(6, 6, 3, 3), start=screen(background=background)), TYPE)
    for aspect in (1, 49, 255):
        yield file_input(f"gif/screen/aspect {aspect}", file(frame(), start=screen(aspect=aspect)), TYPE)
    for bits in range(1, 9):
        yield file_input(f"gif/colors/{1 << bits} of the screen",
                         file(frame(bits=min(bits, 2) if bits > 1 else 2), start=screen(bits=bits)), TYPE)
        local = frame(bits=max(2, bits), flags=0x80 | bits - 1, table=COLORS[3:3 + (3 << bits)])
        yield file_input(f"gif/colors/{1 << bits} of the frame", file(local, start=screen(table=False)), TYPE)
    yield file_input("gif/colors/none", file(frame(), start=screen(table=False)), TYPE)
    yield file_input("gif/colors/none, transparent", file(control(transparent=1), frame(), start=screen(table=False)),
                     TYPE)
    yield file_input("gif/colors/cut", screen()[:18] + frame() + TRAILER, TYPE)


def frames():
    for name, values in {
            "width": [0, 1, 6, 11, 13, 40, 65535], "height": [0, 1, 6, 11, 13, 40, 65535],
            "left": [1, 6, 12, 13, 65535], "top": [1, 6, 12, 13, 65535]
    }.items():
        for value in values:
            odd = frame(**{name: value})
            yield file_input(f"gif/only {name}/{value}", file(odd), TYPE)
            yield file_input(f"gif/first {name}/{value}", file(control(), odd, control(), frame(shift=1)), TYPE)
            yield file_input(f"gif/second {name}/{value}",
                             file(control(), frame(), control(), frame(**({"shift": 1} | {name: value}))), TYPE)
            yield file_input(f"gif/middle {name}/{value}",
                             file(control(), frame(), control(), odd, control(), frame(shift=1)), TYPE)
    for disposal in range(8):
        for transparent in (None, 0, 1, 4, 255):
            parts = [
                control(disposal=disposal, transparent=transparent),
                frame(),
                control(disposal=disposal, transparent=transparent),
                frame(6, 6, 3, 3, shift=1),
                control(),
                frame(3, 3, shift=2)
            ]
            yield file_input(f"gif/disposal/{disposal} transparent {transparent}", file(*parts), TYPE)
    for delay in (0, 1, 2, 9, 10, 11, 65535):
        yield file_input(f"gif/delay/{delay}", file(control(delay), frame(), control(delay), frame(shift=1)), TYPE)
    for flags in (0x40, 0x20, 0x10, 0x08, 0x07, 0x7F):
        yield file_input(f"gif/flags/{flags:02x}", file(frame(flags=flags)), TYPE)
    for height in (1, 2, 3, 4, 5, 8, 9):
        yield file_input(f"gif/interlaced/{height} rows",
                         file(frame(height=height, flags=0x40), start=screen(height=height)), TYPE)
    yield file_input("gif/frames/none", file(), TYPE)
    yield file_input("gif/frames/only a control", file(control()), TYPE)
    yield file_input("gif/frames/200", file(*[control(1) + frame(shift=n) for n in range(200)]), TYPE)
    still = b"\x2c" + bytes(9) + b"\2\0"
    yield file_input("gif/frames/empty between", file(control(), frame(), control(), still, control(), frame(shift=1)),
                     TYPE)
    yield file_input("gif/frames/empty first", file(control(), still, control(), frame(shift=1)), TYPE)
    yield file_input("gif/frames/empty last", file(control(), frame(), control(), still), TYPE)


def data():
    good = codes(indices())
    for size in range(0, 14):
        yield file_input(f"gif/code size/{size}", file(frame(code_size=size)), TYPE)
        if 1 <= size <= 11:
            data = codes(indices(bits=min(size, 2)), size)
            yield file_input(f"gif/code size/{size} used", file(frame(data=data, code_size=size)), TYPE)
    for name, content in [("empty", b""), ("half", good[:len(good) // 2]), ("10 bytes", good[:10]),
                          ("one byte", good[:1]), ("no end code", codes(indices(), ends=False)),
                          ("no clear code", codes(indices(), clears=False)), ("end code alone", codes([], 2)),
                          ("end code early", codes(indices()[:50])), ("more after the end", good + b"\xff" * 300),
                          ("one row more", codes(indices(height=13))), ("four times", codes(indices(height=48))),
                          ("unknown code", bytes([0b11_100_100]) + good[1:]),
                          ("code 7 first", bytes([good[0] | 7]) + good[1:]),
                          ("ones in the middle", good[:20] + b"\xff\xff" + good[22:]),
                          ("zeros in the middle", good[:20] + b"\0\0" + good[22:])]:
        odd = frame(data=content)
        yield file_input(f"gif/data/{name}", file(odd), TYPE)
        yield file_input(f"gif/data/{name} first", file(control(), odd, control(), frame(shift=1)), TYPE)
        yield file_input(f"gif/data/{name} second", file(control(), frame(), control(), frame(data=content, shift=1)),
                         TYPE)
    head = frame()[:10] + b"\2"
    for name, content in [("small blocks", blocks(good, 1)), ("no terminator", blocks(good)[:-1]),
                          ("terminator twice", blocks(good) + b"\0"), ("long block", b"\xff" + good + b"\0"),
                          ("empty block first", b"\0" + blocks(good))]:
        yield file_input(f"gif/blocks/{name}", file(head + content), TYPE)
        yield file_input(f"gif/blocks/{name}, then another frame",
                         file(control(), head + content, control(), frame(shift=1)), TYPE)
    whole = file(control(), frame(), control(), frame(shift=1))
    for cut in range(0, len(whole), 6):
        yield file_input(f"gif/cut/{cut:03}", whole[:cut], TYPE)


def extensions():
    second = control() + frame(shift=1)
    for name, part in [("comment", b"\x21\xfe" + blocks(b"text")), ("empty comment", b"\x21\xfe\0"),
                       ("long comment", b"\x21\xfe" + blocks(b"x" * 2000)),
                       ("plain text", b"\x21\x01\x0c" + bytes(12) + blocks(b"text")),
                       ("plain text with size",
                        b"\x21\x01\x0c" + struct.pack("<HHHHBBBB", 0, 0, 8, 8, 8, 8, 1, 0) + blocks(b"t")),
                       ("unknown", b"\x21\xab" + blocks(b"text")), ("label 0", b"\x21\0\0"),
                       ("control twice", control(delay=5) + control()), ("control of 3 bytes", b"\x21\xf9\3\0\x14\0\0"),
                       ("control of 5 bytes", b"\x21\xf9\5\0\x14\0\0\0\0"), ("control of no bytes", b"\x21\xf9\0"),
                       ("control without its end", control()[:-1]), ("loop 1", loop(1)), ("loop 65535", loop(65535)),
                       ("ANIMEXTS", loop(3, b"ANIMEXTS1.0")), ("lower case", loop(3, b"netscape2.0")),
                       ("loop of 2 bytes", b"\x21\xff\x0bNETSCAPE2.0\2\1\0\0"),
                       ("loop of 5 bytes", b"\x21\xff\x0bNETSCAPE2.0\5\1\0\0\0\0\0"),
                       ("loop without data", b"\x21\xff\x0bNETSCAPE2.0\0"), ("loop twice", loop(1) + loop(0)),
                       ("loop block 2", b"\x21\xff\x0bNETSCAPE2.0\5\2\0\0\0\0\0"),
                       ("application of 10 bytes", b"\x21\xff\x0aNETSCAPE2.\0"),
                       ("XMP", b"\x21\xff\x0bXMP DataXMP" + b"<x/>" + bytes(range(255, -1, -1)) + b"\0"),
                       ("ICC", b"\x21\xff\x0bICCRGBG1012" + blocks(b"no profile")), ("zero byte", b"\0"),
                       ("unknown block", b"\x55"), ("block ff", b"\xff"), ("screen again", screen()),
                       ("trailer", TRAILER)]:
        yield file_input(f"gif/extension/{name} before", file(part, control(), frame(), second), TYPE)
        yield file_input(f"gif/extension/{name} between", file(control(), frame(), part, second), TYPE)
        yield file_input(f"gif/extension/{name} after", file(control(), frame(), second, part), TYPE)
    yield file_input("gif/trailer/missing", file(control(), frame(), second, end=b""), TYPE)
    yield file_input("gif/trailer/text", file(control(), frame(), second, end=b"text"), TYPE)
