"""Variations of a file that consists of pieces, such as the chunks of a PNG."""

from browser_inputs.origin import Input


def file_input(name, data, animation=None):
    return Input(name, "{o}/{t}/{t}", file=data, animation=animation)


def variations(name, pieces, animation=None, label=lambda piece: piece[:4].hex()):
    """The file without each piece, with each piece twice, exchanged with the next one, cut and emptied;
    the file cut between and within its pieces, and with bytes before, between and after them."""
    whole = b"".join(pieces)
    yield file_input(f"{name}/whole", whole, animation)
    for index, piece in enumerate(pieces):
        before, after = b"".join(pieces[:index]), b"".join(pieces[index + 1:])
        at = f"{index} {label(piece)}"
        half = piece[:len(piece) // 2]
        for kind, data in [("missing", before + after), ("twice", before + piece + piece + after),
                           ("exchanged",
                            b"".join(pieces[:index] + pieces[index + 1:index + 2] + [piece] + pieces[index + 2:])),
                           ("half", before + half + after), ("without its last byte", before + piece[:-1] + after),
                           ("first", piece + before + after), ("zeros", before + bytes(len(piece)) + after),
                           ("cut within", before + half), ("cut after", before + piece),
                           ("zeros before", before + b"\0\0\0" + piece + after)]:
            if data != whole:
                yield file_input(f"{name}/{at} {kind}", data, animation)
    for kind, data in [("zeros after", whole + bytes(20)), ("ones after", whole + b"\xff" * 20),
                       ("itself after", whole + whole), ("text before", b"text" + whole),
                       ("line end before", b"\r\n" + whole), ("line ends of Windows", whole.replace(b"\n", b"\r\n")),
                       ("first byte wrong", b"\0" + whole[1:]), ("empty", b"")]:
        yield file_input(f"{name}/{kind}", data, animation)


def changed(name, data, fields, animation=None):
    """The file with each of these fields replaced: `(label, offset, old length, values)`."""
    for label, offset, length, values in fields:
        for value in values:
            new = data[:offset] + value + data[offset + length:]
            if new != data:
                yield file_input(f"{name}/{label} {value.hex() if len(value) < 20 else len(value)}", new, animation)
