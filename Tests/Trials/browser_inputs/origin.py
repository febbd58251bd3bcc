"""A server on the loopback interface that sends exactly the bytes that an input asks for.

Each input has a path of its own, /t7/ for the seventh, by which its requests are counted.
"""

import collections
import dataclasses
import re
import socket
import threading
import typing

TOKEN = re.compile(r"/t(\d+)/")


@dataclasses.dataclass
class Request:
    target: str  # The path and the query as sent.
    headers: dict[str, str]  # By names in lower case.
    number: int  # The number of requests for the input that this client sent before.
    origin: "Origin"
    path: str  # The path of the input, such as /t7/.

    @property
    def cookies(self):
        return self.headers.get("cookie", "")


@dataclasses.dataclass
class Input:
    name: str
    # The text of the address, in which {o} is the origin, {h} its host and port, {p} its port and
    # {t} the path of the input without slashes.
    address: str = "{o}/{t}/{t}"
    # Returns the bytes of the response. The connection is closed after them.
    answer: typing.Callable[[Request], bytes] | None = None
    file: bytes | None = None  # The body, for inputs that are files.
    counts: bool = True  # Whether the requests are compared; never for files.
    # The media type of a file whose frames are counted.
    animation: str | None = None


def response(body=b"", *lines, status="200 OK", length=None):
    """A response with these header lines, as text in Latin-1 or as bytes."""
    head = [f"HTTP/1.1 {status}", *lines, f"Content-Length: {len(body) if length is None else length}"]
    return b"\r\n".join(line if isinstance(line, bytes) else line.encode("latin-1")
                        for line in [*head, "Connection: close", "", ""]) + body


class Origin:
    def __init__(self, inputs):
        self.inputs = {item.name: (index, item) for index, item in enumerate(inputs)}
        self.answers = dict(enumerate(inputs))
        self.lock = threading.Lock()
        self.seen = collections.defaultdict(list)
        self.listeners = [self.listen(), self.listen()]
        self.port, self.other_port = (listener.getsockname()[1] for listener in self.listeners)

    def address(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def token(self, item):
        return f"t{self.inputs[item.name][0]}"

    def text(self, item):
        return self.filled(item.address, self.inputs[item.name][0])

    def filled(self, text, index):
        names = {
            "{o}": self.address(""), "{h}": f"127.0.0.1:{self.port}", "{p}": str(self.port), "{t}": f"t{index}",
            "{other}": f"http://127.0.0.1:{self.other_port}", "{localhost}": f"http://localhost:{self.port}"
        }
        for name, value in names.items():
            text = text.replace(name, value)
        return text

    def requests(self, item, ours):
        """The targets that one of the two clients requested, in order."""
        with self.lock:
            return list(self.seen[self.inputs[item.name][0], ours])

    def listen(self):
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        threading.Thread(target=self.accept, args=[listener], daemon=True).start()
        return listener

    def accept(self, listener):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                connection.settimeout(30)
                data = b""
                while b"\r\n\r\n" not in data:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    data += piece
                connection.sendall(self.answer(data.decode("latin-1")))
                # Without this, the data that is still unread could reset the connection.
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1)
            except OSError:
                pass

    def answer(self, text):
        first, *lines = text.split("\r\n\r\n")[0].split("\r\n")
        # A raw space may be part of the target.
        target = first.split(" ", 1)[1].rsplit(" ", 1)[0]
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if target == "/page":
            return response(b"<!doctype html><title>Trial</title>", "Content-Type: text/html")
        token = TOKEN.search(target)
        if not token or int(token[1]) not in self.answers:
            return response(status="404 Not Found")
        index = int(token[1])
        ours = "Chrome" not in headers.get("user-agent", "")
        with self.lock:
            seen = self.seen[index, ours]
            number = len(seen)
            seen.append(target)
        item = self.answers[index]
        if item.answer is None:
            return response(item.file or b"")
        return item.answer(Request(target, headers, number, self, token[0]))
