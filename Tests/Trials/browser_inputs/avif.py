"""Odd AVIF files, made of encoded images with 16 x 16 pixels."""

import base64
import struct

from browser_inputs.pieces import file_input, variations

TYPE = "image/avif"
# Encoded by libavif: an image, one with alpha, and a sequence of two frames. The alpha and the
# sequence have limited range, since Debian 12's Chromium takes all of them for that: it is compiled
# for a newer dav1d than the installed one.
PLAIN = base64.b64decode(
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA"
    "AAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAAPgAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEA"
    "AGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwA"
    "AAAAE2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAARm1kYXQSAAoJGAz/2iAhoNCAMi8Tx4eGZQGGGH4V"
    "AAAAOtnzfWv+opntOwEHB7dG83MfAiC/PRFMh1J31xg9O/drwA==")
ALPHA = base64.b64decode(
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAGGbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA"
    "AAAAAAAOcGl0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAHJAAAAPgACAAAAAQAAAa4AAAAbAAAAQmlpbmYAAAAAAAIA"
    "AAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAABppbmZlAgAAAAACAABhdjAxQWxwaGEAAAAAGmlyZWYAAAAAAAAADmF1eGwAAgAB"
    "AAEAAADDaXBycAAAAJ1pcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJu"
    "Y2x4AAEADQAGgAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwAAAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1z"
    "OmF1eGlsaWFyeTphbHBoYQAAAAAeaXBtYQAAAAAAAAACAAEEAQKDBAACBAEFhgcAAABhbWRhdBIACgUYDP/YRDIQE0AIIQAEdYlM"
    "CWJzVVDIKxIACgkYDP/aICGg0IAyLxPHh4ZlAYYYfhUAAAA62fN9a/6ime07AQcHt0bzcx8CIL89EUyHUnfXGD0792vA")
SEQUENCE = base64.b64decode(
    "AAAALGZ0eXBhdmlzAAAAAGF2aWZhdmlzbXNmMWlzbzhtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGlj"
    "dAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAPlAAAANgAAAChpaW5mAAAAAAABAAAA"
    "GmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgI"
    "AAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGAAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAACxm1vb3YAAAB4bXZoZAEAAAAA"
    "AAAA5y0sDgAAAADnLSwOAAAD6P//////////AAEAAAEAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAA"
    "QAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAJGdHJhawAAAGh0a2hkAQAAAQAAAADnLSwOAAAAAOctLA4AAAABAAAA"
    "AP//////////AAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAAAQAAAAEAAAAAAALGVk"
    "dHMAAAAkZWxzdAEAAAEAAAABAAAAAAAAAZAAAAAAAAAAAAABAAAAAAGqbWRpYQAAACxtZGhkAQAAAAAAAADnLSwOAAAAAOctLA4A"
    "AAPoAAAAAAAAAZBVxAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAABVW1pbmYAAAAUdm1oZAAAAAEAAAAAAAAA"
    "AAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAARVzdGJsAAAAlXN0c2QAAAAAAAAAAQAAAIVhdjAxAAAAAAAA"
    "AAEAAAAAAAAAAAAAAAAAAAAAABAAEABIAAAASAAAAAAAAAABCkFPTSBDb2RpbmcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAA"
    "DGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEADQAGAAAAABBjY3N0AAAAAHwAAAAAAAAYc3R0cwAAAAAAAAABAAAAAgAAAMgAAAAcc3Rz"
    "YwAAAAAAAAABAAAAAQAAAAIAAAABAAAAHHN0c3oAAAAAAAAAAAAAAAIAAAA2AAAAHgAAABRzdGNvAAAAAAAAAAEAAAPlAAAAFHN0"
    "c3MAAAAAAAAAAQAAAAEAAABcbWRhdBIACg0AAAABn/m18iAhoMCAMiMQAJoAAAILAAAxsHCbANuAh+3+GihtDRBJIVEPofEuz+MB"
    "XBIAMhowA8CAAABGmgAAAgAAIAAYJrvZB1AocAG9QA==")

CONTAINERS = {
    b"meta": 4, b"iprp": 0, b"ipco": 0, b"iinf": 6, b"moov": 0, b"trak": 0, b"mdia": 0, b"minf": 0, b"stbl": 0
}


def boxes(data):
    found, at = [], 0
    while at + 8 <= len(data):
        size = struct.unpack(">I", data[at:at + 4])[0]
        found.append(data[at:at + size])
        at += max(8, size)
    return found


def box(name, content):
    return struct.pack(">I", len(content) + 8) + name + content


def name_of(piece):
    return piece[4:8].decode("latin-1")


def inputs():
    for name, data, animation in [("plain", PLAIN, None), ("alpha", ALPHA, None), ("sequence", SEQUENCE, TYPE)]:
        yield from variations(f"avif/{name}", boxes(data), animation, name_of)
        yield from within(f"avif/{name}", boxes(data), lambda parts: b"".join(parts), animation)
        for cut in range(0, len(data), 30):
            yield file_input(f"avif/{name}/cut {cut:04}", data[:cut], animation)
    yield from brands()
    yield from properties()


def within(name, pieces, made, animation):
    """The boxes within a box: each missing, twice, emptied, renamed, and with other sizes. The offsets of
    `iloc` are corrected where boxes before the data change their size."""
    for index, piece in enumerate(pieces):
        kind = piece[4:8]
        if kind not in CONTAINERS:
            continue
        start = 8 + CONTAINERS[kind]
        inner = boxes(piece[start:])

        def rebuilt(parts, index=index, kind=kind, piece=piece, start=start):
            return made(pieces[:index] + [box(kind, piece[8:start] + b"".join(parts))] + pieces[index + 1:])

        whole = rebuilt(inner)
        for number, part in enumerate(inner):
            at = f"{name}/{kind.decode()} {number} {name_of(part)}"
            before, after = inner[:number], inner[number + 1:]
            for label, parts in [("missing", before + after), ("twice", before + [part, part] + after),
                                 ("renamed", before + [part[:4] + b"free" + part[8:]] + after),
                                 ("empty", before + [box(part[4:8], b"")] + after),
                                 ("size 0", before + [bytes(4) + part[4:]] + after),
                                 ("size 7", before + [b"\0\0\0\7" + part[4:]] + after),
                                 ("size too large", before + [b"\0\1\0\0" + part[4:]] + after),
                                 ("version 9", before + [part[:8] + b"\x09" + part[9:]] + after),
                                 ("zeros", before + [part[:8] + bytes(len(part) - 8)] + after)]:
                new = rebuilt(parts)
                if new != whole:
                    yield file_input(f"{at} {label}", moved(new, len(new) - len(whole)), animation)
        yield from within(name, inner, rebuilt, animation)


def moved(data, distance):
    """The file with the offsets of `iloc` (version 0, 4 bytes each) increased by a distance."""
    at = data.find(b"iloc")
    if distance == 0 or at < 0 or data[at + 4] != 0 or data[at + 8] != 0x44 or data.find(b"mdat") < at:
        return data
    out, place = bytearray(data), at + 12
    base = data[at + 9] >> 4
    for _ in range(struct.unpack(">H", data[at + 10:at + 12])[0]):
        place += 4 + base
        count = struct.unpack(">H", data[place:place + 2])[0]
        for number in range(count):
            offset = place + 2 + number * 8
            if offset + 4 > len(out):
                return data
            old = struct.unpack(">I", out[offset:offset + 4])[0]
            out[offset:offset + 4] = struct.pack(">I", (old + distance) & 0xFFFFFFFF)
        place += 2 + count * 8
    return bytes(out)


def brands():
    rest = PLAIN[32:]
    for name, content in [("avif alone", b"avif\0\0\0\0"), ("mif1", b"mif1\0\0\0\0avifmiaf"),
                          ("compatible only", b"mif1\0\0\0\0avif"), ("avis", b"avis\0\0\0\0avisavifmif1"),
                          ("heic", b"heic\0\0\0\0mif1heic"), ("mp42", b"mp42\0\0\0\0mp42isom"),
                          ("unknown", b"abcd\0\0\0\0abcd"), ("none", b""), ("version 1", b"avif\0\0\0\1avifmif1"),
                          ("avio", b"avio\0\0\0\0avio"), ("many", b"avif\0\0\0\0" + b"avif" * 200)]:
        kept = box(b"ftyp", content)
        data = kept + rest
        yield file_input(f"avif/brand/{name}", moved(data, len(kept) - 32))


def properties():
    for data, name in ((PLAIN, "plain"), (ALPHA, "alpha")):
        at = data.index(b"ispe")
        for width, height in [(0, 16), (16, 0), (1, 1), (15, 16), (17, 16), (16, 17), (32, 32), (65536, 65536),
                              (0xFFFFFFFF, 0xFFFFFFFF)]:
            yield file_input(f"avif/size/{name} {width}x{height}",
                             data[:at + 8] + struct.pack(">II", width, height) + data[at + 16:])
        at = data.index(b"pixi")
        for bits in (0, 1, 7, 9, 10, 12, 255):
            yield file_input(f"avif/bits/{name} {bits}",
                             data[:at + 9] + bytes([bits]) * data[at + 8] + data[at + 9 + data[at + 8]:])
        at = data.index(b"av1C") + 4
        for index in range(4):
            for value in (0, 0xFF, data[at + index] ^ 0x01, data[at + index] ^ 0x40):
                yield file_input(f"avif/av1C/{name} byte {index} {value:02x}",
                                 data[:at + index] + bytes([value]) + data[at + index + 1:])
        at = data.index(b"mdat") + 4
        for index in range(0, min(40, len(data) - at), 3):
            yield file_input(f"avif/data/{name} byte {index}",
                             data[:at + index] + bytes([data[at + index] ^ 0xFF]) + data[at + index + 1:])
    at = PLAIN.index(b"colr")
    for primaries in (0, 1, 2, 5, 9, 12, 255):
        for matrix in (0, 1, 2, 5, 6, 9, 255):
            color = PLAIN[:at + 8] + struct.pack(">HHHB", primaries, 13, matrix, 0x80) + PLAIN[at + 15:]
            yield file_input(f"avif/colors/primaries {primaries} matrix {matrix}", color)
    for transfer in (0, 1, 2, 4, 8, 13, 14, 16, 17, 18, 255):
        yield file_input(f"avif/colors/transfer {transfer}",
                         PLAIN[:at + 8] + struct.pack(">HHHB", 1, transfer, 6, 0x80) + PLAIN[at + 15:])
    yield file_input("avif/colors/limited range", PLAIN[:at + 8] + struct.pack(">HHHB", 1, 13, 6, 0) + PLAIN[at + 15:])
    added = {
        "irot 1": [(b"irot", b"\1")], "irot 2": [(b"irot", b"\2")], "irot 3": [(b"irot", b"\3")],
        "irot 7": [(b"irot", b"\7")], "imir 0": [(b"imir", b"\0")], "imir 1": [(b"imir", b"\1")],
        "imir 2": [(b"imir", b"\2")], "irot and imir": [(b"irot", b"\1"),
                                                        (b"imir", b"\0")], "imir and irot": [(b"imir", b"\0"),
                                                                                             (b"irot", b"\1")],
        "pasp 2 1": [(b"pasp", struct.pack(">II", 2, 1))], "pasp 0 0": [(b"pasp", bytes(8))], "clap of 8": [
            (b"clap", struct.pack(">8I", 8, 1, 8, 1, 0, 1, 0, 1))
        ], "clap of 20": [(b"clap", struct.pack(">8I", 20, 1, 20, 1, 0, 1, 0, 1))], "clap of 0": [
            (b"clap", struct.pack(">8I", 0, 1, 0, 1, 0, 1, 0, 1))
        ], "clap by 0": [(b"clap", bytes(32))], "clap of 15": [
            (b"clap", struct.pack(">8i", 15, 1, 15, 1, -1, 2, -1, 2))
        ], "unknown": [(b"abcd", b"x")], "clli": [(b"clli", bytes(4))], "a1op": [(b"a1op", b"\0")], "a1op 5": [
            (b"a1op", b"\5")
        ], "lsel 0": [(b"lsel", b"\0\0")], "lsel 5": [(b"lsel", b"\0\5")], "lsel ffff": [(b"lsel", b"\xff\xff")],
        "a1lx": [(b"a1lx", bytes(7))], "empty irot": [(b"irot", b"")]
    }
    for name, parts in added.items():
        for essential in (0, 0x80):
            yield file_input(f"avif/property/{name}{' essential' if essential else ''}",
                             with_properties(PLAIN, parts, essential))


def with_properties(data, parts, essential):
    """The file with these properties of its first item."""
    meta = next(piece for piece in boxes(data) if piece[4:8] == b"meta")
    inner = boxes(meta[12:])
    iprp = next(piece for piece in inner if piece[4:8] == b"iprp")
    ipco, ipma = boxes(iprp[8:])
    count = len(boxes(ipco[8:]))
    indices = bytes(essential | count + 1 + number for number in range(len(parts)))
    # Version 0 and no flags: the number of entries, then an item and its properties in a byte each.
    at = 18
    used = ipma[at]
    ipma = box(b"ipma",
               ipma[8:at] + bytes([used + len(parts)]) + ipma[at + 1:at + 1 + used] + indices + ipma[at + 1 + used:])
    ipco = box(b"ipco", ipco[8:] + b"".join(box(name, content) for name, content in parts))
    new = box(b"meta", meta[8:12] + b"".join(box(b"iprp", ipco + ipma) if piece is iprp else piece for piece in inner))
    return moved(data.replace(meta, new), len(new) - len(meta))
