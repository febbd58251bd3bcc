"""Odd JPEG files, made of blocks of a single color."""

import struct

from browser_inputs.pieces import changed, file_input, variations

SOI, EOI = b"\xff\xd8", b"\xff\xd9"
SIDE = 32


def segment(marker, content=b"", length=None):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(content) + 2 if length is None else length) + content


JFIF = segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
TABLE = segment(0xDB, b"\0" + b"\x08" * 64)
# Every category of DC in 4 bits; of AC only the end of a block, in 1 bit.
HUFFMAN = segment(0xC4,
                  b"\0" + bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12)) + b"\x10" + bytes([1] + [0] * 15) + b"\0")


def frame(count=3,
          width=SIDE,
          height=SIDE,
          precision=8,
          sampling=((1, 1), ) * 4,
          ids=(1, 2, 3, 4),
          tables=(0, 0, 0, 0),
          marker=0xC0,
          number=None):
    parts = b"".join(bytes([ids[i], sampling[i][0] << 4 | sampling[i][1], tables[i]]) for i in range(count))
    return segment(marker, struct.pack(">BHHB", precision, height, width, count if number is None else number) + parts)


def scan(count=3, ids=(1, 2, 3, 4), first=0, last=63, bits=0, selectors=0, number=None):
    parts = b"".join(bytes([ids[i], selectors]) for i in range(count))
    return segment(0xDA, bytes([count if number is None else number]) + parts + bytes([first, last, bits]))


def color(component, x, y):
    """The DC value of a block."""
    return ((x * 60 + y * 25) % 200 - 100, x * 20 - 40, 40 - y * 20, 60 - x * 10)[component]


def coded(count=3, width=SIDE, height=SIDE, sampling=((1, 1), ) * 4, restart=0, markers=None, rest="0"):
    """The data of an interleaved scan. `markers` replaces the numbers of the restart markers."""
    most = (max(s[0] for s in sampling[:count]), max(s[1] for s in sampling[:count]))
    across, down = -(-width // (8 * most[0])), -(-height // (8 * most[1]))
    out, bits, last = bytearray(), "", [0] * count

    def flush(text):
        text += "1" * (-len(text) % 8)
        for at in range(0, len(text), 8):
            byte = int(text[at:at + 8], 2)
            out.append(byte)
            if byte == 255:
                out.append(0)

    for number in range(across * down):
        if restart and number and number % restart == 0:
            flush(bits)
            bits, last = "", [0] * count
            index = number // restart - 1
            marker = index % 8 if markers is None else markers[index % len(markers)]
            out += b"" if marker is None else bytes([0xFF, 0xD0 + marker])
        for c in range(count):
            for v in range(sampling[c][1]):
                for h in range(sampling[c][0]):
                    value = color(c, number % across * sampling[c][0] + h, number // across * sampling[c][1] + v)
                    step, last[c] = value - last[c], value
                    size = abs(step).bit_length()
                    bits += format(size, "04b")
                    if size:
                        bits += format(step if step > 0 else step + (1 << size) - 1, f"0{size}b")
                    bits += rest
    flush(bits)
    return bytes(out)


def file(count=3,
         before=b"",
         after=b"",
         data=None,
         end=EOI,
         head=JFIF,
         huffman=HUFFMAN,
         table=TABLE,
         start=None,
         begin=None,
         **fields):
    sampling = fields.get("sampling", ((1, 1), ) * 4)
    return (SOI + head + before + table + (frame(count, **fields) if start is None else start) + after + huffman +
            (scan(count, fields.get("ids", (1, 2, 3, 4))) if begin is None else begin) +
            (coded(count, sampling=sampling) if data is None else data) + end)


def exif(orientation, order="<"):
    head = b"II*\0" if order == "<" else b"MM\0*"
    return b"Exif\0\0" + head + struct.pack(order + "IHHHIHHI", 8, 1, 0x112, 3, 1, orientation, 0, 0)


def adobe(transform, length=12):
    return segment(0xEE, (b"Adobe" + struct.pack(">HHHB", 100, 0, 0, transform) + bytes(20))[:length])


def inputs():
    data = coded()
    yield from variations("jpeg/plain", [SOI, JFIF, TABLE, frame(), HUFFMAN, scan(), data[:30], data[30:], EOI])
    yield from frames()
    yield from scans()
    yield from segments()
    whole = file()
    for cut in list(range(0, len(whole) - len(data), 16)) + list(range(len(whole) - len(data), len(whole), 9)):
        yield file_input(f"jpeg/cut/{cut:03}", whole[:cut])


def frames():
    for count in range(0, 6):
        for transform in (None, 0, 1, 2, 3, 255):
            for head in (JFIF, b""):
                ids, good = (1, 2, 3, 4, 5), min(max(count, 1), 4)
                if count in (0, 5):
                    start = segment(0xC0, struct.pack(">BHHB", 8, SIDE, SIDE, count) + b"\1\x11\0" * count)
                    made = file(3, start=start, head=head)
                else:
                    made = file(good,
                                before=b"" if transform is None else adobe(transform),
                                head=head,
                                data=coded(good))
                if count not in (0, 5) or transform is None:
                    yield file_input(f"jpeg/components/{count} Adobe {transform}{'' if head else ' without JFIF'}",
                                     made)
    for name, ids in [("RGB", b"RGB"), ("rgb", b"rgb"), ("0 1 2", b"\0\1\2"),
                      ("1 1 1", b"\1\1\1"), ("1 2 2", b"\1\2\2"), ("3 2 1", b"\3\2\1"), ("34 35 36", b"\x22\x23\x24"),
                      ("255", b"\xff\xfe\xfd")]:
        for head in (JFIF, b""):
            yield file_input(f"jpeg/ids/{name}{'' if head else ' without JFIF'}", file(ids=ids, head=head))
    yield file_input("jpeg/ids/CMYK", file(4, ids=b"CMYK", head=b"", data=coded(4)))
    for length in (0, 5, 11, 12, 20):
        yield file_input(f"jpeg/Adobe/{length} bytes", file(before=adobe(0, length), head=b""))
    for first in ((1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (1, 4), (4, 4), (3, 1), (1, 3), (3, 3), (0, 1), (1, 0),
                  (5, 1), (15, 15)):
        sampling = (first, ) + ((1, 1), ) * 3
        good = sampling if 0 not in first and max(first) <= 4 else ((1, 1), ) * 4
        yield file_input(f"jpeg/sampling/{first[0]}x{first[1]}", file(sampling=sampling, data=coded(sampling=good)))
        yield file_input(f"jpeg/sampling/gray {first[0]}x{first[1]}", file(1, sampling=sampling, data=coded(1)))
    for odd in (((1, 1), (2, 1), (1, 1)), ((1, 1), (2, 2), (2, 2)), ((2, 2), (2, 1), (1, 2)), ((3, 1), (2, 1), (1, 1)),
                ((2, 2), (2, 2), (2, 2))):
        yield file_input(f"jpeg/sampling/{' '.join(f'{h}x{v}' for h, v in odd)}", file(sampling=odd + ((1, 1), )))
    for field in ("width", "height"):
        for value in (0, 1, 7, 8, 9, 31, 33, 100, 65500, 65501, 65535):
            size = {field: min(value, 100) or SIDE}
            yield file_input(f"jpeg/{field}/{value}", file(**{field: value}, data=coded(**size)))
    for value in (0, 2, 4, 7, 9, 10, 12, 16, 255):
        yield file_input(f"jpeg/precision/{value}", file(precision=value))
    for marker in range(0xC0, 0xD0):
        if marker not in (0xC4, ):
            yield file_input(f"jpeg/kind/{marker:02x}", file(marker=marker))
    for value in (1, 2, 3, 4, 15, 255):
        yield file_input(f"jpeg/table of the frame/{value}", file(tables=(value, ) * 4))
    dnl = segment(0xDC, struct.pack(">H", SIDE))
    yield file_input("jpeg/height/in DNL", file(height=0, end=dnl + EOI))
    yield file_input("jpeg/height/in DNL, too", file(end=dnl + EOI))
    yield file_input("jpeg/frame/twice", file(after=frame()))
    yield file_input("jpeg/frame/second differs", file(after=frame(width=16, height=16)))
    for name, length in [("0", 0), ("2", 2), ("16", 16), ("18", 18), ("ffff", 0xFFFF)]:
        good = frame()
        yield file_input(f"jpeg/frame/length {name}", file(start=good[:2] + struct.pack(">H", length) + good[4:]))


def scans():
    data = coded()
    for name, new in [("empty", b""), ("half", data[:len(data) // 2]), ("one byte", data[:1]),
                      ("zeros", bytes(len(data))), ("ones", b"\xff\0" * len(data)),
                      ("damaged", data[:20] + b"\0\0\0\0" + data[24:]), ("more", data + bytes(100)),
                      ("twice", data + data), ("fill bytes", data + b"\xff" * 9),
                      ("unknown marker", data[:20] + b"\xff\x01" + data[20:]),
                      ("marker bf", data[:20] + b"\xff\xbf" + data[20:]),
                      ("comment within", data[:20] + segment(0xFE, b"text") + data[20:]),
                      ("start within", data[:20] + SOI + data[20:]), ("end within", data[:20] + EOI + data[20:]),
                      ("restart within", data[:20] + b"\xff\xd0" + data[20:])]:
        yield file_input(f"jpeg/data/{name}", file(data=new))
        yield file_input(f"jpeg/data/{name} without an end", file(data=new, end=b""))
    for interval in (1, 2, 3, 4, 5, 16, 17, 65535):
        dri = segment(0xDD, struct.pack(">H", interval))
        yield file_input(f"jpeg/restart {interval}/good", file(before=dri, data=coded(restart=interval)))
        yield file_input(f"jpeg/restart {interval}/no markers", file(before=dri, data=data))
        yield file_input(f"jpeg/restart {interval}/without the interval", file(data=coded(restart=interval)))
        for name, markers in [("all 0", [0]), ("from 1", [1, 2, 3, 4, 5, 6, 7, 0]),
                              ("backwards", [7, 6, 5, 4, 3, 2, 1, 0]), ("one missing", [0, None, 2, 3, 4, 5, 6, 7])]:
            yield file_input(f"jpeg/restart {interval}/{name}",
                             file(before=dri, data=coded(restart=interval, markers=markers)))
    for name, content in [("0", b"\0\0"), ("no bytes", b""), ("3 bytes", b"\0\4\0")]:
        yield file_input(f"jpeg/restart/{name}", file(before=segment(0xDD, content)))
    for name, begin in [("0 components", scan(0)), ("2 components", scan(2)), ("4 components", scan(3, number=4)),
                        ("unknown component", scan(ids=(1, 2, 9))), ("twice the same", scan(ids=(1, 1, 1))),
                        ("other order", scan(ids=(3, 2, 1))), ("table 1", scan(selectors=0x11)),
                        ("table 3", scan(selectors=0x33)), ("table ff", scan(selectors=0xFF)),
                        ("first 1", scan(first=1)), ("last 0", scan(last=0)), ("last 64", scan(last=64)),
                        ("last 255", scan(last=255)), ("bits 1", scan(bits=0x01)), ("bits 10", scan(bits=0x10)),
                        ("length 2", b"\xff\xda\0\2"), ("length 0", b"\xff\xda\0\0"), ("missing", b"")]:
        yield file_input(f"jpeg/scan/{name}", file(begin=begin))
        if name in ("0 components", "2 components", "last 0", "bits 1", "other order"):
            yield file_input(f"jpeg/scan/{name} progressive", file(marker=0xC2, begin=begin, data=coded(rest="")))
    apart = b"".join(scan(1, (c + 1, )) + coded_alone(c) for c in range(3))
    yield file_input("jpeg/scans/one for each component", file(begin=b"", data=apart))
    for missing in range(3):
        rest = b"".join(scan(1, (c + 1, )) + coded_alone(c) for c in range(3) if c != missing)
        yield file_input(f"jpeg/scans/without that of component {missing}", file(begin=b"", data=rest))
    yield file_input("jpeg/scans/twice", file(data=coded() + scan() + coded()))
    yield file_input("jpeg/scans/a thousand", file(data=(coded() + scan()) * 1000 + coded()))
    yield file_input("jpeg/progressive/only DC", file(marker=0xC2, begin=scan(last=0), data=coded(rest="")))
    yield file_input("jpeg/progressive/one component missing",
                     file(marker=0xC2, begin=scan(2, last=0), data=coded(2, rest="")))
    yield file_input("jpeg/progressive/no scan", file(marker=0xC2, begin=b"", data=b""))


def coded_alone(component):
    values = [color(component, x, y) for y in range(SIDE // 8) for x in range(SIDE // 8)]
    bits, last = "", 0
    for value in values:
        step, last = value - last, value
        size = abs(step).bit_length()
        bits += format(size, "04b") + (format(step if step > 0 else step +
                                              (1 << size) - 1, f"0{size}b") if size else "") + "0"
    bits += "1" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")


def segments():
    for order in "<>":
        for value in range(0, 10):
            yield file_input(f"jpeg/orientation/{value} {order}",
                             file(head=segment(0xE1, exif(value, order)), height=24, data=coded(height=24)))
    turned = segment(0xE1, exif(6))
    size = {"height": 24, "data": coded(height=24)}
    for name, made in [
        ("after JFIF", file(head=JFIF + turned, **size)), ("before JFIF", file(head=turned + JFIF, **size)),
        ("before the frame", file(before=turned, **size)), ("after the frame", file(after=turned, **size)),
        ("twice", file(head=turned + segment(0xE1, exif(3)), **size)),
        ("after XMP", file(head=segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x/>") + turned, **size)),
        ("after the data", file(height=24, data=coded(height=24) + turned)),
        ("in another segment", file(head=segment(0xE2, exif(6)), **size)),
        ("as a long", file(head=segment(0xE1,
                                        exif(6).replace(b"\3\0\1\0\0\0\6\0", b"\4\0\1\0\0\0\6\0")), **size)),
        ("twice in one",
         file(head=segment(
             0xE1,
             b"Exif\0\0II*\0\x08\0\0\0\2\0" + b"\x12\1\3\0\1\0\0\0\6\0\0\0" + b"\x12\1\3\0\1\0\0\0\3\0\0\0" + bytes(4)),
              **size)), ("cut", file(head=segment(0xE1,
                                                  exif(6)[:20]), **size)),
        ("offset beyond", file(head=segment(0xE1,
                                            exif(6).replace(b"\x08\0\0\0\1", b"\xff\0\0\0\1")), **size)),
        ("one zero after Exif", file(head=segment(0xE1, b"Exif\0" + exif(6)[6:]), **size)),
        ("count 2", file(head=segment(0xE1,
                                      exif(6).replace(b"\3\0\1\0\0\0", b"\3\0\2\0\0\0")), **size)),
        ("bad byte order", file(head=segment(0xE1, b"Exif\0\0XX" + exif(6)[8:]), **size))
    ]:
        yield file_input(f"jpeg/orientation/{name}", made)
    for marker in (0x00, 0x01, 0x02, 0xBF, 0xC8, 0xCC, 0xD0, 0xD7, 0xD8, 0xD9, 0xDC, 0xDE, 0xDF, 0xE2, 0xED, 0xEF, 0xF0,
                   0xFD, 0xFE):
        for length in (None, 0, 1, 2, 0xFFFF):
            if length is None or marker in (0xE2, 0xFE):
                yield file_input(f"jpeg/segment {marker:02x}/length {length}",
                                 file(before=segment(marker, b"text", length)))
    for name, junk in [("ff", b"\xff" * 5), ("zeros", bytes(5)), ("text", b"text"), ("one zero", b"\0")]:
        yield file_input(f"jpeg/between/{name} before the table", file(before=junk))
        yield file_input(f"jpeg/between/{name} before the scan", file(after=junk))
        yield file_input(f"jpeg/between/{name} after the start", file(head=junk + JFIF))
    for name, content in [("bad profile", b"ICC_PROFILE\0\1\1no profile"),
                          ("two parts of one", b"ICC_PROFILE\0\1\2" + bytes(128)),
                          ("part 0", b"ICC_PROFILE\0\0\1" + bytes(128)),
                          ("part 2 of 1", b"ICC_PROFILE\0\2\1" + bytes(128)), ("empty", b"ICC_PROFILE\0\1\1"),
                          ("zeros", b"ICC_PROFILE\0\1\1" + bytes(200))]:
        yield file_input(f"jpeg/profile/{name}", file(before=segment(0xE2, content)))
    for name, table in [("16 bits", segment(0xDB, b"\x10" + b"\0\x08" * 64)), ("zero", segment(0xDB,
                                                                                               b"\0" + bytes(64))),
                        ("255", segment(0xDB, b"\0" + b"\xff" * 64)), ("number 4", segment(0xDB, b"\4" + b"\x08" * 64)),
                        ("number 1 alone", segment(0xDB, b"\1" + b"\x08" * 64)),
                        ("precision 2", segment(0xDB, b"\x20" + b"\x08" * 64)),
                        ("short", segment(0xDB, b"\0" + b"\x08" * 30)), ("empty", segment(0xDB)),
                        ("two in one", segment(0xDB, (b"\0" + b"\x08" * 64) + (b"\1" + b"\x10" * 64))),
                        ("second replaces", TABLE + segment(0xDB, b"\0" + b"\4" * 64))]:
        yield file_input(f"jpeg/quantization/{name}", file(table=table))
    yield file_input("jpeg/quantization/after the frame", file(table=b"", after=TABLE))
    yield file_input("jpeg/quantization/after the scan header", file(table=b"", data=TABLE + coded()))
    good = HUFFMAN[4:]
    for name, huffman in [("without AC", segment(0xC4, good[:29])), ("without DC", segment(0xC4, good[29:])),
                          ("too many codes", segment(0xC4, b"\0" + bytes([3] + [0] * 15) + b"\0\1\2" + good[29:])),
                          ("all ones code", segment(0xC4, b"\0" + bytes([2] + [0] * 15) + b"\0\1" + good[29:])),
                          ("empty", segment(0xC4)), ("short", segment(0xC4, good[:20])),
                          ("number 4", segment(0xC4, b"\4" + good[1:])),
                          ("category 16", segment(0xC4, good.replace(bytes(range(12)), bytes(range(5, 17))))),
                          ("300 values", segment(0xC4, b"\0" + b"\x20" * 16 + bytes(512))),
                          ("in two", segment(0xC4, good[:29]) + segment(0xC4, good[29:])),
                          ("table 1, too", HUFFMAN + segment(0xC4, b"\1" + good[1:29]))]:
        yield file_input(f"jpeg/Huffman/{name}", file(huffman=huffman))
    yield file_input("jpeg/Huffman/before the frame", file(before=HUFFMAN, huffman=b""))
    for name, head in [("thumbnail", segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\2\2" + bytes(12))),
                       ("cut thumbnail", segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\xff\xff")),
                       ("density 0", segment(0xE0, b"JFIF\0\1\1\1\0\0\0\0\0\0")),
                       ("density 72 300", segment(0xE0, b"JFIF\0\1\1\1\0\x48\1\x2c\0\0")),
                       ("version 9", segment(0xE0, b"JFIF\0\x09\1\0\0\1\0\1\0\0")),
                       ("lower case", segment(0xE0, b"jfif\0\1\1\0\0\1\0\1\0\0")), ("short", segment(0xE0, b"JFIF\0")),
                       ("twice", JFIF * 2), ("JFXX", JFIF + segment(0xE0, b"JFXX\0\x10")), ("none", b"")]:
        yield file_input(f"jpeg/JFIF/{name}", file(head=head))
