"""The runs of a case, by where its images come from: the network, the disk, or the network with a
store that each run fills."""

import tempfile

import running
from programs import DATA, TITLES


class Runs:
    """The runs of a case. What they keep is below `folder`, which exists as long as the case runs."""

    def __init__(self, case, programs, folder):
        self.case, self.programs, self.folder = case, programs, folder
        self.urls, self.files = f"{DATA}/lists/{case.urls}.txt", f"{DATA}/lists/files-{case.urls}.txt"

    def fill(self, name):
        """The first run of a program, which is not measured."""

    def run(self, name):
        raise NotImplementedError


class Network(Runs):
    """Fetches all images and stores none."""

    def run(self, name):
        return self.programs.run(name, self.urls, self.case.window)


class Warm(Runs):
    """Shows images that are on disk: in the store or the profile that a first run has filled. The
    rivals in C read the originals from files."""

    # How the first run fills a store, and how the measured runs use it.
    FILLING = {"ours": ["--stored-sizes", "wait"], "originals": ["--stored-sizes", "never"]}
    READING = {"ours": [], "originals": ["--stored-sizes", "never"]}

    def fill(self, name):
        if name in self.FILLING:
            self.programs.run("ours", self.urls, options=["--cache-dir", self.kept(name), *self.FILLING[name]])
        elif name == "chromium":
            self.programs.run(name, self.urls, True, [self.kept(name)])

    def run(self, name):
        if name == "chromium":
            return self.programs.run(name, self.urls, True, [self.kept(name)])
        if name not in self.READING:
            return self.programs.run(name, self.files)
        options = [self.kept(name)] if self.case.window else ["--cache-dir", self.kept(name), *self.READING[name]]
        result = self.programs.run("ours", self.urls, self.case.window, options)
        if result.requests:
            raise running.Failure(f"{TITLES[name]}: {result.requests} images were fetched again.")
        return result

    def kept(self, name):
        """The store or the profile of a program, for all runs of the case."""
        return f"{self.folder}/{name}"


class Storing(Runs):
    """Fetches all images and stores them, each run in an empty folder."""

    OPTIONS = {"storing": [], "second": [],
               "unsized": ["--stored-sizes", "never"], "waiting": ["--stored-sizes", "wait"]}

    def run(self, name):
        if name == "floor_files":
            return self.programs.run("floor", self.files)
        if name in ("ours", "floor"):
            return self.programs.run(name, self.urls)
        with tempfile.TemporaryDirectory(dir=self.folder) as store:
            if name == "floor_storing":
                return self.programs.run("floor", self.urls, options=["store", store])
            if name == "second":
                self.programs.run("ours", self.urls, options=["--cache-dir", store])
            return self.programs.run("ours", self.urls, options=["--cache-dir", store, *self.OPTIONS[name]])
