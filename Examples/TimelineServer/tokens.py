"""The tokens of the server (RFC 6749): one access token at a time, and refresh tokens for one use."""

import secrets
import threading


class Tokens:
    """A sign-in code gives an access token that is valid for some requests only, so that it expires
    while the user scrolls. The access token of a refresh is valid for ever."""

    def __init__(self, requests=30):
        self.lock = threading.Lock()
        self.requests = requests
        self.code = secrets.token_urlsafe(8)
        self.access = self.refresh = None
        self.left = 0
        # How many refreshes there were, and how many refresh tokens were used twice.
        self.refreshes = self.reuses = 0
        self.used = set()

    def grant(self, form):
        """The response to a token request: a pair of tokens, or an error."""
        with self.lock:
            kind = form.get("grant_type")
            if kind == "authorization_code" and self.code and form.get("code") == self.code:
                self.code = None
                return self._pair(self.requests)
            if kind == "refresh_token":
                token = form.get("refresh_token")
                if token in self.used:
                    # Another client may have the token, so its successors become invalid too.
                    self.reuses += 1
                    self.access = self.refresh = None
                elif token and token == self.refresh:
                    self.used.add(token)
                    self.refreshes += 1
                    return self._pair(None)
            return None

    def _pair(self, requests):
        self.access, self.refresh, self.left = secrets.token_urlsafe(16), secrets.token_urlsafe(16), requests
        return {
            "access_token": self.access, "token_type": "Bearer", "scope": "read", "created_at": 1_750_000_000,
            "refresh_token": self.refresh}  # fmt: skip

    def allows(self, header):
        """Whether an `Authorization` header is valid. It counts as a request with the token."""
        with self.lock:
            if not self.access or header != f"Bearer {self.access}" or self.left == 0:
                return False
            if self.left:
                self.left -= 1
            return True
