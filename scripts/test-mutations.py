#!/usr/bin/env python3
"""Measures the tests: makes mutants of the sources, runs the tests that reach them, and reports which survive.

    scripts/test-mutations.py [--count N] [--seed S] [--folder FOLDER] [--installed]
    scripts/test-mutations.py --listed [--count N] [--seed S] [PATTERN…]

draws N mutants, 100 by default, of the sources in a folder; the printed seed draws the same again. With
--listed it takes those of Tests/Mutations instead, of which each once escaped the tests: all, or those
whose list, file or text contains a pattern, or N of them. It fails if a listed one survives, or if
less than 85 % of the drawn ones are killed and chance (two standard deviations) does not explain it.

All mutants are in one build (see mutants.py). First each suite runs once without a mutant and notes
which ones it reaches; then each mutant runs against these suites alone, until a test fails twice. With
--installed, the tests of Tests/EmbeddingTests in Python and C are suites, too.

A listed mutation is a block of three lines: a file, a text that occurs once in it, and the replacement.
One whose text no longer occurs once is reported as stale, and the others are applied.

    Sources/RemoteImageDecoding/DecodeLimits.swift
    - size.pixelCount <= maxPixelCount
    + size.pixelCount < maxPixelCount

The sources are copied to .build-mutations/tree and built in .build-mutations/build, which are kept
for the next run.
"""

import argparse
import collections
import concurrent.futures
import filecmp
import math
import os
import pathlib
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutants as making
from mutants import Mutant

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / ".build-mutations/tree"
BUILD = ROOT / ".build-mutations/build"
PREFIX = ROOT / ".build-mutations/installed"
BUNDLE = BUILD / "debug/remote-imagePackageTests.xctest"

# name, command, the environment it needs, and the seconds that it takes.
Suite = collections.namedtuple("Suite", "name command environment file")


# ---- The mutants

def read_sources(folder):
    paths = sorted(path for kind in ("swift", "c") for path in (ROOT / folder).rglob(f"*.{kind}"))
    return [making.Source(ROOT, str(path.relative_to(ROOT))) for path in paths]


def listed(patterns):
    """The mutants of the lists, as pairs of a source and a change, and the place of each."""
    sources, found = {}, []
    for path in sorted((ROOT / "Tests/Mutations").glob("*.txt")):
        number = 1
        for block in re.split(r"\n[ \t]*\n", path.read_text()):
            place = f"{path.name}:{number}"
            number += block.count("\n") + 2
            lines = [line for line in block.splitlines() if line and not line.startswith("#")]
            if not lines:
                continue
            if len(lines) != 3 or [line[:1] for line in lines[1:]] != ["-", "+"]:
                sys.exit(f"{place}: the block is not a file name and the lines - and +")
            name, old, new = lines[0], lines[1][2:], lines[2][2:]
            if patterns and not any(pattern in f"{place} {name} {old} {new}" for pattern in patterns):
                continue
            source = sources.get(name) or ((ROOT / name).is_file() and sources.setdefault(name, making.Source(ROOT, name)))
            start = source.text.find(old) if source and source.text.count(old) == 1 else -1
            # The function's head, which many repeat, is not a part of the change.
            same = len(os.path.commonprefix([old, new]))
            end = len(os.path.commonprefix([old[same:][::-1], new[same:][::-1]]))
            start, old, new = start + same, old[same:len(old) - end], new[same:len(new) - end]
            if start < same or not (source.body(start, start + len(old)) or source.value(start, start + len(old))):
                print(f"stale                  {place:16} {name}: {old.strip()}")
                continue
            found.append((source, making.Change(name, start, start + len(old), new, place)))
    return found


def numbered(drawn):
    return [
        (source, change, Mutant(
            number, change.path, source.line(change.start), source.text[change.start:change.end], change.new, change.kind,
            f"{change.path.removeprefix('Sources/')}:{source.line(change.start)}"))
        for number, (source, change) in enumerate(drawn, 1)]


# ---- The build

def copy_sources(changed):
    """Updates the working copy, with the given texts in place of those files, without touching unchanged files."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(git, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    names = {name for name in names + ["Package.resolved"] if (ROOT / name).is_file()}
    for old in [path for path in TREE.rglob("*") if not path.is_dir()]:
        name = str(old.relative_to(TREE))
        if name not in names and name not in changed:
            old.unlink()
    for name in names - changed.keys():
        source, copy = ROOT / name, TREE / name
        if not copy.is_file() or not filecmp.cmp(source, copy, shallow=False):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    for name, text in changed.items():
        copy = TREE / name
        if not copy.is_file() or copy.read_text() != text:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text)


def helpers():
    """What the choices call, for each module; and the decoder process gets the variables."""
    texts = {"Sources/CRemoteImagePlatform/mutants.c": making.C_DEFINITION}
    for module in {path.relative_to(ROOT).parts[1] for path in (ROOT / "Sources").rglob("*.swift")}:
        texts[f"Sources/{module}/{making.SWIFT_CALL}.swift"] = making.SWIFT_HELPER
    return texts


def pass_environment(texts):
    name = "Sources/RemoteImageDecoders/Isolation/IsolatedDecoder+Configuration.swift"
    text = texts.get(name) or (ROOT / name).read_text()
    passed = text.replace('"LD_LIBRARY_PATH",', '"LD_LIBRARY_PATH", "REMOTE_IMAGE_MUTANT", "REMOTE_IMAGE_REACHED",', 1)
    if passed == text:
        sys.exit(f"{name}: the names of environment variables were not found.")
    texts[name] = passed


def build(mutants):
    """Builds all mutants together, without those that do not compile. Returns those that do."""
    left = list(mutants)
    while True:
        texts, ranges = helpers(), {}
        by_path = collections.defaultdict(list)
        for source, change, mutant in left:
            by_path[change.path].append((source, (mutant.number, change)))
        for path, members in by_path.items():
            texts[path], ranges[path] = making.with_choices(members[0][0], [member for _, member in members])
        pass_environment(texts)
        copy_sources(texts)
        command = ["swift", "build", "--build-tests", "--scratch-path", str(BUILD)]
        done = subprocess.run(
            command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode == 0:
            return left
        failed = set()
        for path, line in re.findall(r"^(/\S+?):(\d+):\d+: error:", done.stdout, re.MULTILINE):
            name = os.path.relpath(path, TREE)
            hit = {number for first, last, number in ranges.get(name, []) if first <= int(line) <= last}
            # An error elsewhere in a file comes from one of its mutants.
            failed |= hit or {number for _, _, number in ranges.get(name, [])}
        if not failed:
            sys.exit(f"{done.stdout[-4000:]}\nThe build fails without a mutant.")
        for source, change, mutant in left:
            if mutant.number in failed:
                print(outcome_line("not compiled", mutant), flush=True)
        left = [entry for entry in left if entry[2].number not in failed]


# ---- The tests

class Worker:
    """A display of its own and the run of one suite at a time."""

    def __init__(self):
        # The environment of the tests on a display, as the script makes it.
        self.process = subprocess.Popen(
            ["scripts/with-display.sh", "sh", "-c", "env -0; printf '\\n'; exec cat"], cwd=TREE, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        pairs = self.process.stdout.readline().decode().rstrip("\n").split("\0")
        self.environment = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        self.folder = tempfile.mkdtemp(prefix="mutations")
        self.environment |= {"XDG_CACHE_HOME": self.folder, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, suite, limit, **variables):
        """Runs a suite until its first failure. Returns None if it passes, or what failed."""
        process = subprocess.Popen(
            suite.command, cwd=TREE, env=self.environment | suite.environment | variables, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        hung = threading.Event()

        def stop():
            hung.set()
            subprocess.run(["pkill", "-KILL", "--session", str(process.pid)])
        timer = threading.Timer(limit, stop)
        timer.start()
        failure = None
        for line in process.stdout:
            text = re.sub(r"\x1b\[[0-9;]*m", "", line.decode(errors="replace"))
            if failure is None and re.search(r"✘|: error: |^(?:ERROR|FAIL): |Assertion|Fatal error", text):
                failure = text.strip()
                # Children of the suite hold the pipe, too.
                subprocess.run(["pkill", "-KILL", "--session", str(process.pid)])
                break
        process.stdout.close()
        status = process.wait()
        timer.cancel()
        subprocess.run(["pkill", "-KILL", "--session", str(process.pid)])
        if hung.is_set():
            return f"no end within {limit:.0f} s"
        if failure is None and status != 0:
            return f"exit status {status}" if status > 0 else signal.Signals(-status).name
        return failure


def suites(installed):
    """The suites of the test bundle; and with installed, the tests of the library for other languages."""
    listing = subprocess.run(
        [BUNDLE, "--testing-library", "swift-testing", "--list-tests"], check=True, capture_output=True, text=True).stdout
    names = sorted({line.split("/")[0] if "/" in line else line for line in listing.split("\n") if line})
    for name in names:
        yield Suite(name, testing_command([name]), {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4"}, name.split(".")[-1])
    listing = subprocess.run([BUNDLE, "--list-tests"], check=True, capture_output=True, text=True).stdout
    for name in sorted({line.strip().split("/")[0] for line in listing.split("\n") if "/" in line}):
        yield Suite(name, widget_command([name]), {}, name.split(".")[-1])
    if installed:
        yield from installed_suites()


def testing_command(names):
    filters = [part for name in names for part in ("--filter", f"^{re.escape(name)}(/|$)")]
    return [str(BUNDLE), "--testing-library", "swift-testing", *filters]


def widget_command(names):
    return [str(BUNDLE), ",".join(names)]


def installed_suites():
    """Lays the library out as an installation, and builds the tests in C."""
    library, programs = PREFIX / "lib", PREFIX / "libexec"
    for folder in (library, programs, PREFIX / "tests"):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(BUILD / "debug/libremoteimage.so", library / "libremoteimage-1.so.0")
    shutil.copy(BUILD / "debug/remote-image-decoder", programs)
    link = library / "libremoteimage-1.so"
    link.unlink(missing_ok=True)
    link.symlink_to("libremoteimage-1.so.0")
    subprocess.run(["scripts/build-bindings.sh", str(library)], cwd=TREE, check=True)
    # Python of the system, which has PyGObject.
    environment = {"LD_LIBRARY_PATH": str(library), "GI_TYPELIB_PATH": str(library), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    for path in sorted((TREE / "Tests/EmbeddingTests").glob("test_*.py")):
        if path.stem not in ("test_await", "test_guide", "test_programs", "test_timeline", "test_timeline_server", "test_words"):
            yield Suite(path.name, ["python3", str(path), "-v"], environment, path.name)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gtk4"], check=True, capture_output=True, text=True).stdout.split()
    for path in sorted((TREE / "Tests/EmbeddingTests").glob("test_*.c")):
        program = PREFIX / "tests" / path.stem
        subprocess.run(
            ["cc", "-std=gnu11", str(path), "-o", str(program), f"-I{TREE}/Sources/CRemoteImage/include", f"-L{library}",
             "-lremoteimage-1", *flags], check=True)
        # The server sends some images only once, so each run has its own.
        script = ('coproc server { exec python3 Tests/EmbeddingTests/images.py; }; read -r address <&"${server[0]}"; "$0" "$address"; '
                  'status=$?; kill "$server_PID"; exit $status')
        yield Suite(path.name, ["bash", "-c", script, str(program)], environment, path.name)


class Tests:
    """All suites, the time that each takes, and which mutants it reaches."""

    def __init__(self, all_suites, workers):
        self.suites, self.workers = all_suites, workers
        self.seconds, self.reached, self.failed = {}, {}, {}

    def measure(self):
        def run(suite):
            with tempfile.NamedTemporaryFile() as file:
                file.truncate(making.REACHED_SIZE)
                worker = self.workers.get()
                start = time.monotonic()
                failure = worker.run(suite, 600, REMOTE_IMAGE_REACHED=file.name)
                if failure:
                    failure = worker.run(suite, 600, REMOTE_IMAGE_REACHED=file.name)
                self.seconds[suite.name] = time.monotonic() - start
                self.workers.put(worker)
                marks = pathlib.Path(file.name).read_bytes()
                self.reached[suite.name] = {number for number, mark in enumerate(marks) if mark}
                if failure:
                    self.failed[suite.name] = failure
        in_parallel(run, self.suites, self.workers.qsize())
        for name, failure in self.failed.items():
            print(f"fails without a mutant, and is left out: {name}: {failure}")
        self.suites = [suite for suite in self.suites if suite.name not in self.failed]

    def order(self, source, mutant):
        """The suites that reach a mutant: first those whose name or folder is that of its file, and the short ones."""
        stem = re.sub(r"\W.*", "", pathlib.Path(mutant.path).stem)
        found = [suite for suite in self.suites if mutant.number in self.reached[suite.name]]
        return sorted(found, key=lambda suite: self.seconds[suite.name] / (10 if stem in suite.file else 1))

    def result(self, source, mutant):
        """What kills a mutant; None if it survives; and the number of suites that reach it."""
        found = self.order(source, mutant)
        worker = self.workers.get()
        try:
            for suite in self.batches(found):
                limit = 30 + 5 * sum(self.seconds[name] for name in suite.name.split(" "))
                failure = worker.run(suite, limit, REMOTE_IMAGE_MUTANT=str(mutant.number))
                # Once may be chance.
                if failure and worker.run(suite, limit, REMOTE_IMAGE_MUTANT=str(mutant.number)):
                    return f"{suite.name}: {failure}" if " " not in suite.name else failure, len(found)
        finally:
            self.workers.put(worker)
        return None, len(found)

    def batches(self, found):
        """The first ones run alone, which kills most mutants; then those of a kind in one process."""
        alone, rest = found[:12], found[12:]
        yield from alone
        for command in (testing_command, widget_command):
            members = [suite for suite in rest if suite.command == command([suite.name])]
            if members:
                names = [suite.name for suite in members]
                yield Suite(" ".join(names), command(names), members[0].environment, "")
            rest = [suite for suite in rest if suite not in members]
        yield from rest


def in_parallel(function, values, count):
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for future in concurrent.futures.as_completed([pool.submit(function, value) for value in values]):
            future.result()


def outcome_line(outcome, mutant):
    old, new = (" ".join(text.split())[:70] for text in (mutant.old, mutant.new))
    return f"{outcome:13} {mutant.place} [{mutant.kind}] {old} → {new or '(left out)'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--listed", action="store_true")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(100000))
    parser.add_argument("--folder", default="Sources")
    parser.add_argument("--installed", action="store_true")
    parser.add_argument("--jobs", type=int, default=(os.cpu_count() or 1) + 1)
    options = parser.parse_args()
    if options.listed:
        drawn = listed(options.patterns)
        if options.count and options.count < len(drawn):
            print(f"{options.count} of {len(drawn)}, seed {options.seed}", flush=True)
            drawn = random.Random(options.seed).sample(drawn, options.count)
    else:
        options.count = options.count or 100
        print(f"{options.count} mutants of {options.folder}, seed {options.seed}", flush=True)
        # Some do not compile.
        drawn = making.draw(read_sources(options.folder), options.count * 3 // 2, options.seed)
    if not drawn:
        sys.exit("No mutation matches.")

    TREE.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    mutants = build(numbered(drawn))
    print(f"{len(mutants)} of {len(drawn)} compile: {time.monotonic() - begin:.0f} s", flush=True)
    count_not_compiled = len(drawn) - len(mutants)
    if not options.listed:
        mutants = mutants[:options.count]
    workers = queue.Queue()
    for _ in range(options.jobs):
        workers.put(Worker())
    tests = Tests(list(suites(options.installed)), workers)
    begin = time.monotonic()
    tests.measure()
    print(f"{len(tests.suites)} suites: {time.monotonic() - begin:.0f} s", flush=True)
    begin = time.monotonic()
    survivors = []

    def judge(entry):
        source, _, mutant = entry
        killer, count = tests.result(source, mutant)
        if killer is None:
            survivors.append(mutant)
        note = killer if killer else f"{count} suites reach it"
        print(f"{outcome_line('killed' if killer else 'SURVIVED', mutant)}\n{'':14}{note[:150]}", flush=True)
    in_parallel(judge, mutants, options.jobs)
    for worker in list(workers.queue):
        worker.close()
    killed = len(mutants) - len(survivors)
    print(f"{killed} of {len(mutants)} killed ({100 * killed / max(1, len(mutants)):.0f} %), {len(survivors)} survived, "
          f"{count_not_compiled} not compiled: {time.monotonic() - begin:.0f} s")
    if options.listed:
        sys.exit(bool(survivors))
    sys.exit(killed < 0.85 * len(mutants) - 2 * math.sqrt(0.85 * 0.15 * len(mutants)))


if __name__ == "__main__":
    main()
