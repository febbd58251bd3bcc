"""Inputs of browser_trial.py: odd addresses, redirects, header fields, cookies and data: addresses.

Each image is the same small PNG, so only the address and the response differ.
"""

import base64
import functools
import gzip
import struct
import zlib

from browser_inputs.origin import Input, response


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def small_png(width=4, height=3):
    rows = b"".join(b"\0" + b"".join(bytes((40 + 50 * x, 60 * y, 200)) for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


PNG = small_png()
FOUND = "302 Found"
# Characters that address parsers treat specially, and some of each other class. No NUL, which no
# argument of a program can contain.
CHARACTERS = "\1\t\n\r\x1f !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\x7f\x80\xa0é漢\u200b\ufeff😀"


def label(text):
    """The text in printable ASCII without spaces."""
    data = text if isinstance(text, bytes) else text.encode()
    return "".join(chr(byte) if 0x20 < byte < 0x7F and byte not in b"%|*" else f"%{byte:02X}"
                   for byte in data) or "empty"


def inputs():
    yield from encodings()
    yield from heads()
    yield from bodies()
    yield from locations()
    yield from statuses()
    yield from cookies()
    yield from addresses()
    yield from data_addresses()


def fixed(data):
    return lambda request: data


# Content codings


def encodings():
    for name in [
            "", " ", ",", "identity", "Identity", "none", "NONE", "UTF-8", "utf8", "aws-chunked", "undefined", "null",
            "binary", "base64", "8bit", "image/png", "png", "chunked", "compress", "x-compress", "exi", "dcb",
            "identity, identity", "UTF-8, aws-chunked", "none;q=1", "\"identity\"", "*", "é", "gzip", "x-gzip",
            "deflate", "br", "zstd", "gzip, UTF-8"
    ]:
        yield Input(f"encoding/plain as {label(name)}", answer=fixed(response(PNG, f"Content-Encoding: {name}")))
    packed, raw = gzip.compress(PNG), zlib.compress(PNG)[2:-4]
    for name, body in [("gzip", packed), ("GZip", packed), ("x-gzip", packed), ("X-GZIP", packed), (" gzip ", packed),
                       ("gzip,", packed), (",gzip", packed), ("gzip;q=1", packed), ("\"gzip\"", packed),
                       ("gzip gzip", packed), ("gzip, gzip", gzip.compress(packed)),
                       ("gzip,gzip,gzip", gzip.compress(gzip.compress(packed))), ("identity, gzip", packed),
                       ("gzip, identity", packed), ("UTF-8, gzip", packed), ("gzip, UTF-8", packed),
                       ("aws-chunked,gzip", packed), ("gzip,aws-chunked", packed), ("none,gzip", packed),
                       ("deflate", zlib.compress(PNG)), ("deflate", raw), ("Deflate", zlib.compress(PNG)),
                       ("gzip", raw), ("deflate", packed), ("gzip", zlib.compress(PNG)), ("", packed),
                       ("identity", packed), ("gzip", packed + b"trailing"), ("gzip", packed + packed),
                       ("gzip", packed[:-8]), ("gzip", packed[:-4]), ("gzip", packed[:-8] + b"\0" * 8),
                       ("deflate", zlib.compress(PNG) + b"trailing"), ("deflate", zlib.compress(PNG)[:-4]),
                       ("gzip", packed[:30]), ("gzip", b"")]:
        kinds = {packed: "gzip", raw: "raw deflate", zlib.compress(PNG): "zlib"}
        kind = kinds.get(body, f"{len(body)} bytes")
        yield Input(f"encoding/{kind} as {label(name)}", answer=fixed(response(body, f"Content-Encoding: {name}")))
    yield Input("encoding/two fields",
                answer=fixed(response(packed, "Content-Encoding: gzip", "Content-Encoding: UTF-8")))
    yield Input("encoding/two fields, the first unknown",
                answer=fixed(response(packed, "Content-Encoding: UTF-8", "Content-Encoding: gzip")))
    yield Input("encoding/two fields, gzip twice",
                answer=fixed(response(gzip.compress(packed), "Content-Encoding: gzip", "Content-Encoding: gzip")))
    yield Input("encoding/text as UTF-8", answer=fixed(response(b"This is no image.", "Content-Encoding: UTF-8")))


# Status lines and header fields


def heads():
    for code in [
            100, 199, 200, 201, 202, 203, 204, 205, 206, 207, 226, 250, 299, 300, 304, 305, 306, 399, 400, 401, 403,
            404, 407, 410, 416, 429, 451, 500, 503, 599, 600, 999
    ]:
        yield Input(f"status/{code}", answer=fixed(response(PNG, status=f"{code} X")))
    rest = f"Content-Length: {len(PNG)}\r\nConnection: close\r\n\r\n".encode() + PNG
    for line in [
            "HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.1  200  OK", "HTTP/1.1\t200 OK", "HTTP/1.0 200 OK",
            "HTTP/1.2 200 OK", "HTTP/2 200 OK", "HTTP/2.0 200 OK", "HTTP/3 200 OK", "HTTP/0.9 200 OK", "HTTP/1 200 OK",
            "HTTP/11 200 OK", "http/1.1 200 OK", "ICY 200 OK", "HTTP 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK",
            "HTTP/1.1 200OK", "HTTP/1.1 OK", "HTTP/1.1", "HTTP/1.1 0 OK", "HTTP/1.1 -200 OK", " HTTP/1.1 200 OK",
            "\r\nHTTP/1.1 200 OK", "xHTTP/1.1 200 OK", "HTTP/1.1 200 \xff",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK",
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK"
    ]:
        yield Input(f"status line/{label(line)}", answer=fixed(line.encode("latin-1") + b"\r\n" + rest))
    yield Input("status line/none", answer=fixed(PNG))
    for line in [
            b"X", b"X y: z", b": z", b"X : z", b" X: z", b"\tX: z", b"X:", b"X: \xff", b"\xff: z", b"X: \x01",
            b"X: \x7f", b"X: a\0b", b"X\0: a", b"X: a\r\n b", b"X: a\rb", b"X: a\nY: b", b"\"X\": z", b"(X): z",
            b"X" * 9000 + b": z", b"X: " + b"y" * 90000, b"X: " + b"y" * 200000, b"X: y\r\n" * 900 + b"X: y",
            b"X: y\r\n" * 2100 + b"X: y"
    ]:
        name = label(line[:20]) + (f" {len(line)} bytes" if len(line) > 20 else "")
        yield Input(f"field/{name}", answer=fixed(response(PNG, line)))
    for name in [
            "text/html", "text/plain", "application/octet-stream", "application/json", "image/jpeg", "image/svg+xml",
            "image/png", "IMAGE/PNG", "image", "", "/", "image/png;charset=utf-8", "video/mp4", "multipart/form-data",
            "\xff", "image/*", "application/x-unknown-content-type", "text/html; charset=\""
    ]:
        yield Input(f"type/{label(name)}", answer=fixed(response(PNG, f"Content-Type: {name}")))
        yield Input(f"type/nosniff {label(name)}",
                    answer=fixed(response(PNG, f"Content-Type: {name}", "X-Content-Type-Options: nosniff")))
    for line in [
            "Content-Disposition: attachment", "Content-Disposition: attachment; filename=x.exe", "Refresh: 0; url=b",
            "Content-Range: bytes 0-9/10", "Content-Security-Policy: default-src 'none'", "Link: <b>; rel=canonical",
            "Content-Location: /else.png", "Location: b", "Upgrade: h2c", "Alt-Svc: h2=\":1\"", "Trailer: X", "Vary: *",
            "Clear-Site-Data: \"*\"", "WWW-Authenticate: Basic", "Cache-Control: no-store", "Retry-After: 5",
            "Cross-Origin-Resource-Policy: same-origin", "Content-Language: x", "Content-MD5: wrong", "Warning: 199"
    ]:
        yield Input(f"field/{label(line)}", answer=fixed(response(PNG, line)))


def bodies():
    head, size = b"HTTP/1.1 200 OK\r\nConnection: close\r\n", len(PNG)
    for value in [
            f"{size}", f" {size} ", f"+{size}", f"0{size}", f"{size},{size}", f"{size}, {size}", f"{size}.0",
            f"{size}x", f"{size} x", f"0x{size:x}", "", "x", "-1", f"{size},{size + 1}", f"{size - 1}", f"{size - 12}",
            f"{size + 1}", f"{size + 100}", "0", "99999999999999999999", "18446744073709551615", "9223372036854775807"
    ]:
        yield Input(f"length/{label(value)}".replace(f"{size}", "N"),
                    answer=fixed(head + f"Content-Length: {value}\r\n\r\n".encode() + PNG))
    length = f"Content-Length: {size}\r\n".encode()
    for name, lines in [("none", b""), ("twice", length * 2), ("two values", length + b"Content-Length: 9\r\n"),
                        ("two values, short first", b"Content-Length: 9\r\n" + length)]:
        yield Input(f"length/{name}", answer=fixed(head + lines + b"\r\n" + PNG))
    half = size // 2
    def pieces(extra=b""):
        parts = [f"{half:x}".encode() + extra, PNG[:half], f"{size - half:X}".encode(), PNG[half:], b""]
        return b"\r\n".join(parts)

    end = b"0\r\n\r\n"
    for name, coding, body in [("plain", "chunked", pieces() + end), ("upper case", "CHUNKED", pieces() + end),
                               ("extension", "chunked", pieces(b";a=b") + end),
                               ("space after the size", "chunked", pieces(b"  ") + end),
                               ("trailer", "chunked", pieces() + b"0\r\nX: y\r\n\r\n"),
                               ("without the last chunk", "chunked", pieces()),
                               ("without the last line", "chunked", pieces() + b"0\r\n"),
                               ("line feeds", "chunked",
                                pieces().replace(f"{half:x}\r\n".encode(), f"{half:x}\n".encode()) + end),
                               ("leading zeros", "chunked", b"000" + pieces() + end),
                               ("bad size", "chunked", b"zz\r\n" + pieces() + end),
                               ("negative size", "chunked", b"-1\r\n" + pieces() + end),
                               ("0x", "chunked", b"0x" + pieces() + end),
                               ("large size", "chunked", b"fffffffffffffffff\r\n" + PNG),
                               ("without line ends", "chunked", f"{size:x}\r\n".encode() + PNG + end),
                               ("cut", "chunked", pieces()[:-40]), ("plain body", "chunked", PNG),
                               ("after the end", "chunked", pieces() + end + b"more"), ("identity", "identity", PNG),
                               ("unknown", "x", PNG), ("gzip, chunked", "gzip, chunked", pieces() + end),
                               ("chunked, identity", "chunked, identity", pieces() + end),
                               ("chunked twice", "chunked, chunked", pieces() + end),
                               ("quoted", "\"chunked\"", pieces() + end), ("empty", "", PNG)]:
        yield Input(f"chunked/{name}", answer=fixed(head + f"Transfer-Encoding: {coding}\r\n\r\n".encode() + body))
    yield Input("chunked/with a length",
                answer=fixed(head + b"Transfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n" + pieces() + end))
    yield Input("chunked/two fields",
                answer=fixed(head + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces() +
                             end))
    for name, body in [("empty", b""), ("one byte", b"\x89"), ("line end before", b"\r\n" + PNG),
                       ("text", b"no image")]:
        yield Input(f"body/{name}", answer=fixed(response(body)))
    for name, data in [("nothing", b""), ("half a head", b"HTTP/1.1 200 OK\r\nContent-Le"),
                       ("line feeds alone", response(PNG).replace(b"\r\n", b"\n", 3)),
                       ("no empty line", b"HTTP/1.1 200 OK\r\n")]:
        yield Input(f"head/{name}", answer=fixed(data))


# Redirects


def moved(location, request, status=FOUND):
    """Redirects the first request, and shows the image to the second one."""
    if request.number:
        return response(PNG)
    line = location if isinstance(location, bytes) else location.encode()
    names = request.origin.filled(line.decode("latin-1"), int(request.path[2:-1])).encode("latin-1")
    return response(b"", b"Location: " + names, status=status)


LOCATIONS = [
    "",
    " ",
    "#",
    "#f",
    "##",
    "?",
    "?q",
    "?#f",
    ".",
    "./",
    "..",
    "../{t}/b",
    "./b",
    "b",
    "b/",
    "/{t}/b",
    "/./{t}/b",
    "//{h}/{t}/b",
    "///{h}/{t}/b",
    "////{h}/{t}/b",
    "\\{t}\\b",
    "\\b",
    "b\\c",
    "/{t}\\b",
    "b?c\\d",
    "b#c\\d",
    "\\\\{h}\\{t}\\b",
    "/\\{h}/{t}/b",
    "\\/{h}/{t}/b",
    "//{h}\\{t}\\b",
    "http:b",
    "http:/{t}/b",
    "http:///{h}/{t}/b",
    "http:\\\\{h}\\{t}\\b",
    "http:",
    "http:#f",
    "http:?q",
    "HTTP:b",
    "HTTP://{h}/{t}/b",
    "HtTp://{h}/{t}/b",
    " b ",
    "\tb\t",
    "b\tc",
    " {o}/{t}/b",
    "b#f",
    "b c",
    "b  c",
    "b#f g",
    "b?c d",
    "b?c\"d",
    "b?c'd",
    "b?c<d>",
    "b?c^d`e{f}g|h\\i",
    "b\"c'd<e>f^g`h{i}j|k",
    "b%",
    "b%z",
    "b%2",
    "b%2F",
    "b%5C",
    "b%00",
    ";b",
    "b;c",
    "=b",
    "&b",
    "@b",
    ":b",
    "1:b",
    "b:c",
    "./b:c",
    "+b",
    "~b",
    "*b",
    "!b",
    "(b)",
    "[b]",
    "b,c",
    "$b",
    "/{t}//b",
    "/{t}/b//c",
    "/{t}/%2e/b",
    "/{t}/c/%2E%2e/b",
    "/{t}/c/.%2e/b",
    "/{t}/c/..;/b",
    "/{t}/.../b",
    "/../../{t}/b",
    "/{t}/b/.",
    "/{t}/b/..",
    "/{t}/b/../..",
    "{o}:/{t}/b",
    "{o}/{t}/b",
    "http://{h}?{t}",
    "http://{h}",
    "b\x01c",
    "b\x7fc",
    "b\x1f",
    "é",
    "b?é",
    "b#é",
    "http://{h}/{t}/é",
    "javascript:b",
    "data:image/png;base64," + base64.b64encode(PNG).decode(),
    "ftp://{h}/{t}/b",
    "file:///{t}/b",
    "about:blank",
    "blob:{o}/{t}/b",
    "//",
    "///",
    "http://",
    "http:///",
    "//:80/{t}/b",
    "//127.0.0.1:0/{t}/b",
    "//127.0.0.1:99999/{t}/b",
    "//127.0.0.1:x/{t}/b",
    "//127.0.0.1:00{p}/{t}/b",
    "//127.1:{p}/{t}/b",
    "//0x7f.0.0.1:{p}/{t}/b",
    "//2130706433:{p}/{t}/b",
    "//0177.0.0.1:{p}/{t}/b",
    "//127.0.0.1.:{p}/{t}/b",
    "//12%37.0.0.1:{p}/{t}/b",
    "//127.0.0.1 :{p}/{t}/b",
    "//me@{h}/{t}/b",
    "//me:pass@{h}/{t}/b",
    "//@{h}/{t}/b",
    "//a@b@{h}/{t}/b",
    "{other}/{t}/b",
    "<b>",
    "'b'",
    "\"b\"",
    "b, c",
    "URL=b",
    "http://[::1/{t}/b",
    "http://{h}/{t}/b http://{h}/{t}/c",
    "%68ttp://{h}/{t}/b",
    "/%74/b",
]


def locations():
    for text in LOCATIONS:
        name = text if len(text) < 60 else text[:20]
        yield Input(f"location/{label(name)}", "{o}/{t}/{t}?x#y", functools.partial(moved, text))
    for name, data in [("Latin-1", b"b\xe4"), ("Latin-1 in the query", b"b?\xe4"), ("broken UTF-8", b"b\xc3"),
                       ("NUL", b"b\0c"), ("4000 bytes", b"b" * 4000), ("60000 bytes", b"b" * 60000)]:
        yield Input(f"location/{name}", answer=functools.partial(moved, data))
    for name, lines in [("twice the same", ["b", "b"]), ("two values", ["b", "c"]), ("empty, then a value", ["", "b"]),
                        ("a value, then empty", ["b", ""])]:

        def two(request, lines=lines):
            fields = [f"Location: {line}" for line in lines]
            return response(PNG) if request.number else response(b"", *fields, status=FOUND)

        yield Input(f"location/{name}", answer=two)


def statuses():
    for code in [201, 300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 399]:
        yield Input(f"redirect/{code}", answer=functools.partial(moved, "b", status=f"{code} X"))
        yield Input(f"redirect/{code} without a location", answer=fixed(response(PNG, status=f"{code} X")))
    for count in [5, 10, 11, 19, 20, 21]:

        def chain(request, count=count):
            return response(PNG) if request.number >= count else response(
                b"", f"Location: b{request.number}", status=FOUND)

        yield Input(f"redirect/{count} in a row", answer=chain)

    def to_itself(request):
        return response(PNG) if request.number >= 3 else response(b"", f"Location: {request.target}", status=FOUND)

    yield Input("redirect/three times to itself", answer=to_itself)
    yield Input("redirect/with an image as its body",
                answer=lambda request: response(PNG if request.number else b"no",
                                                *([] if request.number else ["Location: b"]),
                                                status="200 OK" if request.number else FOUND))


# Cookies


def guarded(field, needed, request, location="{path}a", limit=4):
    """Redirects to itself until the cookie comes back. Refuses at the fourth request."""
    if needed in request.cookies.split("; "):
        return response(PNG)
    if request.number >= limit:
        return response(status="403 Forbidden")
    lines = [
        f"Set-Cookie: {line}".replace("{path}", request.path) for line in ([field] if isinstance(field, str) else field)
    ]
    return response(b"", *lines, "Location: " + location.replace("{path}", request.path), status=FOUND)


def cookies():
    # Each name is used once, since Chromium keeps cookies for the whole run and for all ports.
    attributes = [
        "", "; Path=/", "; Path={path}", "; path={path}a", "; Path={path}a/", "; Path=/other", "; Path=", "; Path=x",
        "; Path=/t", "; Path", "; PATH=/", ";Path=/;", "; Path=/; Path=/other", "; Path=/other; Path=/",
        "; Domain=127.0.0.1", "; Domain=.127.0.0.1", "; Domain=0.0.1", "; Domain=example.com", "; Domain=",
        "; Domain=localhost", "; Secure", "; HttpOnly", "; SameSite=Strict", "; SameSite=Lax", "; SameSite=None",
        "; SameSite=None; Secure", "; SameSite=x", "; Max-Age=60", "; Max-Age=0", "; Max-Age=-1", "; Max-Age=x",
        "; Max-Age=", "; Max-Age=99999999999999999999", "; Max-Age=0; Max-Age=60", "; Max-Age=60; Max-Age=0",
        "; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "; Expires=Fri, 01 Jan 2100 00:00:00 GMT",
        "; Expires=Fri, 01-Jan-2100 00:00:00 GMT", "; Expires=0", "; Expires=x", "; Expires=",
        "; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60", "; Expires=Fri, 01 Jan 2100 00:00:00 GMT; Max-Age=0",
        "; Expires=Sun Nov  6 08:49:37 1994", "; Expires=Sunday, 06-Nov-94 08:49:37 GMT", "; Expires=Fri, 01 Jan 2100",
        "; Expires=2100-01-01T00:00:00Z", "; Partitioned", "; Priority=High", "; unknown", "; unknown=x", ";;;",
        "; Version=1", "; \"Path\"=/other"
    ]
    for number, text in enumerate(attributes):
        name = f"a{number}"
        yield Input(f"cookie/attribute {label(text[2:])} {number}",
                    answer=functools.partial(guarded, f"{name}=v{text}", f"{name}=v"))
    values = [("b1", "b1=", "b1="), ("b2", "b2=\"v\"", "b2=\"v\""), ("b3", "b3=v w", "b3=v w"),
              ("b4", " b4 = v ", "b4=v"), ("b5", "b5=a=b", "b5=a=b"), ("b6", "b6=a,b", "b6=a,b"),
              ("b7", "b7=é", "b7=é"), ("b8", "b8=\x01", "b8=\x01"), ("b9", "b9=\tv", "b9=v"), ("c1", "c1", "c1"),
              ("c2", "=c2", "c2"), ("c3", "c3=" + "v" * 4000, "c3=" + "v" * 4000),
              ("c4", "c4=" + "v" * 4092, "c4=" + "v" * 4092), ("c5", "c5=" + "v" * 4094, "c5=" + "v" * 4094),
              ("c6", "c6=%00", "c6=%00"), ("c7", "c7=a\\b", "c7=a\\b"), ("c8", "c8=[1]{2}", "c8=[1]{2}"),
              ("c 9", "c 9=v", "c 9=v"), ("d1", "d1(x)=v", "d1(x)=v"), ("__Host", "__Host-e1=v; Path=/", "__Host-e1=v"),
              ("__Host secure", "__Host-e2=v; Path=/; Secure", "__Host-e2=v"),
              ("__Secure", "__Secure-e3=v", "__Secure-e3=v"),
              ("__Secure secure", "__Secure-e4=v; Secure", "__Secure-e4=v"), ("__host", "__host-e5=v", "__host-e5=v")]
    for name, field, needed in values:
        yield Input(f"cookie/value {name}", answer=functools.partial(guarded, field, needed))
    # Chromium may send the next request before it has stored all cookies of a response.
    yield Input("cookie/two fields", answer=functools.partial(guarded, ["f1=v", "f2=w"], "f2=w"), counts=False)
    yield Input("cookie/removed", answer=functools.partial(guarded, ["g2=v", "g2=v; Max-Age=0"], "g2=v"))
    yield Input("cookie/sixty",
                answer=functools.partial(guarded, [f"h{n}=v; Path={{path}}" for n in range(60)], "h59=v"),
                counts=False)
    # Chromium keeps 180 cookies of a host. More of them here would evict those of other inputs.
    yield Input("cookie/sixty, the first",
                answer=functools.partial(guarded, [f"i{n}=v; Path={{path}}" for n in range(60)], "i0=v"))
    yield Input("cookie/query of the target", answer=functools.partial(guarded, "j1=v", "j1=v", location="{path}a?x"))
    yield Input("cookie/deeper target", answer=functools.partial(guarded, "j2=v", "j2=v", location="{path}b/c/d"))
    yield Input("cookie/target outside its path",
                answer=functools.partial(guarded, "j3=v; Path={path}a", "j3=v", location="{path}ab"))
    yield Input("cookie/longest path first",
                answer=lambda request:
                (response(PNG) if "k1=long; k1=short" in request.cookies else response(status="403 Forbidden")
                 if request.number > 2 else response(b"",
                                                     f"Set-Cookie: k1=short; Path={request.path}",
                                                     f"Set-Cookie: k1=long; Path={request.path}a",
                                                     f"Location: {request.path}a",
                                                     status=FOUND)))
    yield Input("cookie/two steps",
                answer=lambda request:
                (response(PNG) if "l1=v; l2=w" in request.cookies else response(status="403 Forbidden")
                 if request.number > 3 else response(b"",
                                                     "Set-Cookie: l2=w"
                                                     if "l1=v" in request.cookies else "Set-Cookie: l1=v",
                                                     f"Location: {request.path}a",
                                                     status=FOUND)))
    yield Input("cookie/over another port", answer=over_another_port)


def over_another_port(request):
    """The first origin sets a cookie, and redirects to another port, which must not receive it."""
    if request.number == 0:
        location = request.origin.filled("{other}", 0) + request.path + "b"
        return response(b"", "Set-Cookie: m1=v; Path=/", f"Location: {location}", status=FOUND)
    return response(status="403 Forbidden") if "m1=v" in request.cookies else response(PNG)


# Addresses


def addresses():
    png = fixed(response(PNG))
    for character in CHARACTERS:
        name = label(character)
        yield Input(f"address/path {name}", "{o}/{t}/a" + character + "b.png", png)
        yield Input(f"address/query {name}", "{o}/{t}/a.png?b" + character + "c", png)
        yield Input(f"address/fragment {name}", "{o}/{t}/a.png#b" + character + "c", png)
        yield Input(f"address/before {name}", character + "{o}/{t}/a.png", png)
        yield Input(f"address/after {name}", "{o}/{t}/a.png" + character, png)
        yield Input(f"address/host {name}", "http://127" + character + ".0.0.1:{p}/{t}/a.png", png)
        yield Input(f"address/port {name}", "http://127.0.0.1:{p}" + character + "/{t}/a.png", png)
        yield Input(f"address/before the port {name}", "http://127.0.0.1:" + character + "{p}/{t}/a.png", png)
        yield Input(f"address/scheme {name}", "ht" + character + "tp://{h}/{t}/a.png", png)
        yield Input(f"address/after the scheme {name}", "http" + character + "://{h}/{t}/a.png", png)
        yield Input(f"address/slashes {name}", "http:/" + character + "/{h}/{t}/a.png", png)
        yield Input(f"address/user {name}", "http://m" + character + "e@{h}/{t}/a.png", png)
    for text in [
            "HTTP://{h}/{t}/a", "http:{h}/{t}/a", "http:/{h}/{t}/a", "http:///{h}/{t}/a", "http:////{h}/{t}/a",
            "http:\\\\{h}\\{t}\\a", "http:\\{h}/{t}/a", "http:/\\{h}/{t}/a", "http://{h}\\{t}\\a",
            "http://{h}\\@127.0.0.2/{t}/a", "{o}/{t}\\a\\b", "{o}/\\{t}/a/../b", "{o}/{t}/..\\{t}\\a",
            "{o}/{t}/a?b\\c#d\\e", "  {o}/{t}/a  ", "\n{o}/{t}/a\n", "\t {o}/{t}/a \r\n", "{o}/{t}/\n  a",
            "\xa0{o}/{t}/a", "\u3000{o}/{t}/a", "\ufeff{o}/{t}/a", "\x1f{o}/{t}/a\x1f", "<{o}/{t}/a>", "\"{o}/{t}/a\"",
            "{o}//{t}//a", "{o}/{t}/./a", "{o}/{t}/b/../a", "{o}/{t}/b/%2e%2e/a", "{o}/{t}/b/.%2E/a", "{o}/{t}/%2E/a",
            "{o}/../{t}/a", "{o}/{t}/a/..", "{o}/{t}/a/.", "{o}/{t}/...", "{o}/{t}/a%", "{o}/{t}/a%2", "{o}/{t}/a%zz",
            "{o}/{t}/a%20b", "{o}/{t}/%e4", "{o}/{t}/a%00", "{o}/{t}/?", "{o}/{t}/a?", "{o}/{t}/a?#", "{o}/{t}/a#?b",
            "{o}/{t}/a??b", "{o}/{t}/a;b", "{o}/{t}/" + "a" * 3000, "http://{h}?/{t}/a", "http://{h}#/{t}/a",
            "http://127.0.0.1:{p}:/{t}/a", "http://127.0.0.1:0{p}/{t}/a", "http://127.0.0.1:00000000{p}/{t}/a",
            "http://127.1:{p}/{t}/a", "http://127.0.1:{p}/{t}/a", "http://0x7f.1:{p}/{t}/a",
            "http://0x7f000001:{p}/{t}/a", "http://0X7F000001:{p}/{t}/a", "http://2130706433:{p}/{t}/a",
            "http://0177.0.0.1:{p}/{t}/a", "http://017700000001:{p}/{t}/a", "http://127.0.0.1.:{p}/{t}/a",
            "http://127.0.0.1..:{p}/{t}/a", "http://127.0.0.0x1:{p}/{t}/a", "http://127.0.0.08:{p}/{t}/a",
            "http://127.0.0.256:{p}/{t}/a", "http://127.0.0.0.1:{p}/{t}/a", "http://4294967296:{p}/{t}/a",
            "http://１２７.０.０.１:{p}/{t}/a", "http://127。0。0。1:{p}/{t}/a",
            "http://%31%32%37.0.0.1:{p}/{t}/a",
            "http://me:pass@{h}/{t}/a", "http://@{h}/{t}/a", "http://:@{h}/{t}/a", "http://a@b@{h}/{t}/a",
            "http://me%40x:p%3Aq@{h}/{t}/a", "//{h}/{t}/a", "{h}/{t}/a", "/{t}/a", "{t}/a", "", " ", "#", "?", "http:",
            "http:/", "http://", "http:///", "about:blank", "ftp://{h}/{t}/a", "view-source:{o}/{t}/a",
            "feed:{o}/{t}/a", "feed://{h}/{t}/a", "url({o}/{t}/a)", "{o}/{t}/a {o}/{t}/b", "{o}/{t}/a,{o}/{t}/b",
            "http://http://{h}/{t}/a", "hhttp://{h}/{t}/a", "http;//{h}/{t}/a", "{o}/{t}/a&amp;b", "{o}/{t}/é",
            "{o}/{t}/e\u0301", "{o}/{t}/漢字.png", "{o}/{t}/a b.png", "{o}/{t}/a+b.png", "{o}/{t}/😀"
    ]:
        name = label(text if len(text) < 80 else text[:20])
        yield Input(f"address/{name}", text, png)


# data: addresses


def data_addresses():
    packed = base64.b64encode(PNG).decode()
    quoted = "".join(f"%{byte:02x}" for byte in PNG)
    raw = "".join(f"%{byte:02X}" if byte < 0x21 or byte > 0x7E or byte in b"%#" else chr(byte) for byte in PNG)
    for name, text in [
        ("plain", f"data:image/png;base64,{packed}"), ("upper case", f"DATA:IMAGE/PNG;BASE64,{packed}"),
        ("no type", f"data:;base64,{packed}"), ("space before base64", f"data:image/png; base64,{packed}"),
        ("space after base64", f"data:image/png;base64 ,{packed}"),
        ("spaces around base64", f"data:image/png;  base64  ,{packed}"),
        ("tab before base64", f"data:image/png;\tbase64,{packed}"),
        ("space after the comma", f"data:image/png;base64, {packed}"),
        ("space before the semicolon", f"data:image/png ;base64,{packed}"),
        ("space before the type", f"data: image/png;base64,{packed}"),
        ("space after the data", f"data:image/png;base64,{packed} "),
        ("space before data", f" data:image/png;base64,{packed}"),
        ("tab within data", f"da\tta:image/png;base64,{packed}"),
        ("lines before data", f"\n\n  data:image/png;base64,{packed}"),
        ("lines", f"data:image/png;base64,{packed[:20]}\n{packed[20:40]}\r\n{packed[40:]}"),
        ("spaces in the data", f"data:image/png;base64,{packed[:20]} {packed[20:]}"),
        ("form feed in the data", f"data:image/png;base64,{packed[:20]}\f{packed[20:]}"),
        ("vertical tab in the data", f"data:image/png;base64,{packed[:20]}\v{packed[20:]}"),
        ("no-break space in the data", f"data:image/png;base64,{packed[:20]}\xa0{packed[20:]}"),
        ("fragment", f"data:image/png;base64,{packed}#x"), ("empty fragment", f"data:image/png;base64,{packed}#"),
        ("fragment in the data", f"data:image/png;base64,{packed[:20]}#{packed[20:]}"),
        ("query", f"data:image/png;base64,{packed}?x"), ("charset", f"data:image/png;charset=utf-8;base64,{packed}"),
        ("base64 first", f"data:base64;image/png,{packed}"),
        ("base64 before charset", f"data:image/png;base64;charset=utf-8,{packed}"),
        ("base64 twice", f"data:image/png;base64;base64,{packed}"), ("base64=", f"data:image/png;base64=,{packed}"),
        ("base64=true", f"data:image/png;base64=true,{packed}"), ("xbase64", f"data:image/png;xbase64,{packed}"),
        ("base64 without a semicolon", f"data:image/png base64,{packed}"), ("base64 alone", f"data:base64,{packed}"),
        ("no base64", f"data:image/png,{packed}"), ("quoted base64", f"data:image/png;%62ase64,{packed}"),
        ("quoted semicolon", f"data:image/png%3Bbase64,{packed}"),
        ("quoted comma", f"data:image/png;base64%2C{packed}"),
        ("comma in a parameter", f"data:image/png;x=\",\";base64,{packed}"),
        ("without padding", f"data:image/png;base64,{packed.rstrip('=')}"),
        ("more padding", f"data:image/png;base64,{packed}===="),
        ("quoted padding", f"data:image/png;base64,{packed.replace('=', '%3D')}"),
        ("padding within", f"data:image/png;base64,{packed[:20]}={packed[20:]}"),
        ("padding for nothing", f"data:image/png;base64,{base64.b64encode(PNG + b'12').decode()}="),
        ("quoted", f"data:image/png,{quoted}"), ("quoted where needed", f"data:image/png,{raw}"),
        ("quoted base64 data", "data:image/png;base64," + packed.replace("+", "%2B").replace("/", "%2f")),
        ("quoted base64 spaces", f"data:image/png;base64,{packed[:20]}%20%0A{packed[20:]}"),
        ("quoted and cut", f"data:image/png,{quoted[:-1]}"),
        ("URL alphabet", "data:image/png;base64," + packed.replace("+", "-").replace("/", "_")),
        ("character outside the alphabet", f"data:image/png;base64,{packed[:20]}!{packed[20:]}"),
        ("minus outside", f"data:image/png;base64,{packed[:20]}-{packed[20:]}"),
        ("one character more", f"data:image/png;base64,{base64.b64encode(PNG + b'12').decode().rstrip('=')[:-2]}"),
        ("one character left", f"data:image/png;base64,{base64.b64encode(PNG[:len(PNG) // 3 * 3]).decode()}A"),
        ("comma in the data", f"data:image/png;base64,{packed[:20]},{packed[20:]}"),
        ("text/html", f"data:text/html;base64,{packed}"), ("text/plain", f"data:text/plain;base64,{packed}"),
        ("image/jpeg", f"data:image/jpeg;base64,{packed}"), ("image/svg+xml", f"data:image/svg+xml;base64,{packed}"),
        ("broken type", f"data:image;base64,{packed}"), ("broken type x", f"data:x/y/z;base64,{packed}"),
        ("slashes", f"data://image/png;base64,{packed}"), ("slash", f"data:/image/png;base64,{packed}"),
        ("empty", "data:"), ("no comma", f"data:image/png;base64{packed}"), ("no data", "data:image/png;base64,"),
        ("only a comma", "data:,"), ("text", "data:,text"), ("after text", f"url(data:image/png;base64,{packed})"),
        ("quotes", f"\"data:image/png;base64,{packed}\""), ("non-ASCII data", f"data:image/png;base64,{packed}é")
    ]:
        yield Input(f"data/{name}", text, lambda request: response(PNG))
    for character in CHARACTERS:
        name = label(character)
        yield Input(f"data/before base64 {name}", f"data:image/png;{character}base64,{packed}")
        yield Input(f"data/after base64 {name}", f"data:image/png;base64{character},{packed}")
        yield Input(f"data/in the data {name}", f"data:image/png;base64,{packed[:20]}{character}{packed[20:]}")
        yield Input(f"data/in the type {name}", f"data:image/p{character}ng;base64,{packed}")
        yield Input(f"data/after data {name}", f"data{character}:image/png;base64,{packed}")
