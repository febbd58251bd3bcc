"""The account of the timeline: its tokens, its pages and its files. Uses the standard library alone."""

import http.client
import json
import os
import re
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

from gi.repository import GLib

# In seconds, without a byte from the server.
TIMEOUT = 30


def in_background(work, done):
    """Calls `work` in a thread, then `done` with its result and its error on the main thread."""

    def run():
        try:
            outcome = work(), None
        except (OSError, ValueError, http.client.HTTPException) as error:
            outcome = None, error
        GLib.idle_add(done, *outcome)

    threading.Thread(target=run, daemon=True).start()


def is_refusal(error):
    """Whether the server has responded, with a status other than 200."""
    return isinstance(error, urllib.error.HTTPError)


def message_of(error):
    return f"The server responded with {error.code}" if is_refusal(error) else "The server cannot be reached"


class StoredFile:
    """A value in a JSON file, which only the user can read. Each host has its own: another one must
    neither receive the tokens nor stand beside the posts."""

    def __init__(self, name, server):
        name = f"{name}-{urllib.parse.urlsplit(server).hostname}.json"
        self.path = os.path.join(GLib.get_user_data_dir(), "org.example.Timeline", name)

    def read(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    def write(self, value):
        part = f"{self.path}.part"
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            with open(part, "w", encoding="utf-8", opener=lambda *path: os.open(*path, 0o600)) as file:
                json.dump(value, file)
            os.replace(part, self.path)
        except OSError as error:
            print(f"{self.path} cannot be written: {error}", file=sys.stderr)


class Session:
    """The tokens of the account. A refresh token can be used only once, so all requests whose token
    was refused wait for the same refresh."""

    def __init__(self, server, read_code):
        self.server, self.read_code = server, read_code
        # A program for users keeps its tokens in the keyring instead.
        self.file = StoredFile("session", server)
        self.tokens = self.file.read()
        self.waiting = []

    def credential(self, refused, done):
        """Calls `done` with an `Authorization` header other than `refused`, or with an error."""
        if self.tokens and self.header() != refused:
            done(self.header(), None)
            return
        self.waiting.append(done)
        if len(self.waiting) == 1:
            in_background(self.request, self.received)

    def header(self):
        return f"Bearer {self.tokens['access_token']}"

    def request(self):
        if self.tokens:
            try:
                return self.grant(grant_type="refresh_token", refresh_token=self.tokens["refresh_token"])
            except urllib.error.HTTPError as error:
                if error.code != 400:
                    raise
        # At the first start, or if the server has ended the session (RFC 6749 section 5.2).
        return self.grant(grant_type="authorization_code", code=self.read_code())

    def grant(self, **form):
        data = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(f"{self.server}/oauth/token", data, TIMEOUT) as response:
            return json.load(response)

    def received(self, tokens, error):
        if tokens:
            self.tokens = tokens
            self.file.write(tokens)
        waiting, self.waiting = self.waiting, []
        for done in waiting:
            done(tokens and self.header(), error)


class HomeTimeline:
    """The pages of the home timeline (docs.joinmastodon.org/methods/timelines#home)."""

    def __init__(self, server, session):
        self.first = f"{server}/api/v1/timelines/home"
        self.session = session

    def page(self, address, done, refused=None):
        """Calls `done` with the statuses and the address of the page with older ones, or with an
        error. Without an address, the page is the newest."""

        def authorized(credential, error):
            if error:
                done(None, error)
            else:
                in_background(lambda: self.get(address or self.first, credential), lambda *outcome: received(credential, *outcome))

        def received(credential, page, error):
            if is_refusal(error) and error.code == 401 and not refused:
                self.page(address, done, refused=credential)
            else:
                done(page, error)

        self.session.credential(refused, authorized)

    def get(self, address, credential):
        request = urllib.request.Request(address, headers={"Authorization": credential})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            # The next page (RFC 8288 section 3).
            older = re.search(r'<([^>]*)>; *rel="next"', response.headers.get("Link", ""))
            return json.load(response), older and older[1]
