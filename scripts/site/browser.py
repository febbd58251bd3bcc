"""Chromium without a window, driven by the DevTools protocol over a pipe.

The pipe needs no port and no library: each message is JSON that ends with a zero byte.
https://chromedevtools.github.io/devtools-protocol/
"""

import json
import os
import queue
import subprocess
import tempfile
import threading
import time

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows", "--hide-scrollbars",
    "--remote-debugging-pipe",
    # Nothing reaches the network, whatever a page requests.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]  # fmt: skip


class Browser:
    def __init__(self, program="chromium", flags=()):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        from_browser, to_us = os.pipe()
        from_us, to_browser = os.pipe()

        def connect():
            # Chromium reads from file 3 and writes to file 4.
            os.dup2(from_us, 33)
            os.dup2(to_us, 34)
            os.dup2(33, 3)
            os.dup2(34, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, *flags, f"--user-data-dir={self.profile.name}"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=connect)  # fmt: skip
        os.close(from_us)
        os.close(to_us)
        self.output = os.fdopen(to_browser, "wb", buffering=0)
        self.input = os.fdopen(from_browser, "rb")
        self.lock = threading.Lock()
        self.count = 0
        self.answers, self.tabs = {}, {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        rest = b""
        while data := self.input.read1(1 << 20):
            *messages, rest = (rest + data).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.answers.pop(message["id"]).put(message)
                elif tab := self.tabs.get(message.get("sessionId")):
                    tab.events.put(message)

    def call(self, method, session=None, **parameters):
        answer = queue.Queue()
        with self.lock:
            self.count += 1
            message = {"id": self.count, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            self.answers[self.count] = answer
            self.output.write(json.dumps(message).encode() + b"\0")
        result = answer.get(timeout=60)
        if "error" in result:
            raise RuntimeError(f"{method}: {result['error']['message']}")
        return result["result"]

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(timeout=10)
        except (OSError, queue.Empty, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()


class Tab:
    """A page with its own window, so that it is drawn while other tabs are."""

    def __init__(self, browser):
        self.browser = browser
        self.events = queue.Queue()
        target = browser.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.tabs[self.session] = self
        # The addresses that the page requested, and the messages of its console.
        self.requests, self.messages = [], []
        self.pending, self.is_loaded, self.loader = set(), False, None
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", "exception"))
        return result["result"].get("value")

    def show_as(self, width, height, scheme, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address, timeout=60):
        """Returns when the page is loaded and requests nothing more."""
        self.requests, self.messages = [], []
        self.pending, self.is_loaded = set(), False
        # Events of the page before can still arrive; their requests never end.
        self.loader = self.call("Page.navigate", url=address).get("loaderId")
        self.settle(timeout)

    def go(self, address, request, timeout=60):
        """Shows another page of a program in JavaScript without loading the program again. Returns
        when an address that ends with `request` was requested, and nothing is pending."""
        self.requests, self.messages = [], []
        self.evaluate(f"history.pushState({{}}, '', {json.dumps(address)}); dispatchEvent(new PopStateEvent('popstate'))")
        end = time.monotonic() + timeout
        while time.monotonic() < end and not any(url.endswith(request) for url in self.requests):
            self.take_events(wait=True)
        self.settle(timeout)

    def settle(self, timeout=60):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self.take_events(wait=not self.is_loaded or bool(self.pending))
            if self.is_loaded and not self.pending:
                self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")
                self.take_events()
                if not self.pending:
                    return
        self.messages.append(f"The page did not finish loading: {sorted(self.pending)}.")

    def take_events(self, wait=False):
        try:
            while True:
                self.take(self.events.get(timeout=0.5) if wait else self.events.get_nowait())
                wait = False
        except queue.Empty:
            pass

    def take(self, event):
        method, values = event["method"], event["params"]
        if method == "Page.loadEventFired":
            self.is_loaded = True
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
            if values["loaderId"] == self.loader and not values["request"]["url"].startswith("data:"):
                self.pending.add(values["requestId"])
        elif method in ("Network.loadingFinished", "Network.loadingFailed"):
            self.pending.discard(values["requestId"])
        elif method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.messages.append(" ".join(str(part.get("value", part.get("description"))) for part in values["args"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.messages.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
