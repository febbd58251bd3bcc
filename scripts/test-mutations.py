#!/usr/bin/env python3
"""Applies the one-line mutations of Tests/Mutations one at a time, and reports each that survives.

    scripts/test-mutations.py [--count N] [--seed S] [PATTERN…]

applies all, or those whose list, file or text contains a pattern; with --count, a random N of them, which
the printed seed selects again.

A mutation is a block of four lines: a file, a text that occurs once in it, the replacement, and a
regular expression for `swift test --filter`. TEST_SECONDS limits each run of tests. A mutation whose
text no longer occurs once is reported as stale, and the others are applied.

    Sources/RemoteImageDecoding/DecodeLimits.swift
    - size.pixelCount <= maxPixelCount
    + size.pixelCount < maxPixelCount
    ! DecodeLimitsTests

The sources are copied to .build-mutations/tree and built in .build-mutations/build, which are kept
for the next run.
"""

import argparse
import collections
import filecmp
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / ".build-mutations/tree"
BUILD = ROOT / ".build-mutations/build"
# The limit is necessary, since a mutant may hang.
TEST_SECONDS = int(os.environ.get("TEST_SECONDS", 180))
BUILD_SECONDS = 3600

Mutation = collections.namedtuple("Mutation", "place path old new filter")


def read_list(path):
    """The mutations of a list. Exits if a block is malformed."""
    number = 1
    for block in re.split(r"\n[ \t]*\n", path.read_text()):
        place = f"{path.name}:{number}"
        number += block.count("\n") + 2
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        if len(lines) != 4 or [line[0] for line in lines[1:]] != ["-", "+", "!"]:
            sys.exit(f"{place}: the block is not a file name and the lines -, + and !")
        yield Mutation(place, lines[0], *(line[2:] for line in lines[1:]))


def is_stale(mutation):
    file = ROOT / mutation.path
    return not file.is_file() or file.read_text().count(mutation.old) != 1


def copy_sources():
    """Updates the working copy from the sources, without touching unchanged files."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    names = {name for name in listed.stdout.decode().split("\0") + ["Package.resolved"] if (ROOT / name).is_file()}
    for old in [path for path in TREE.rglob("*") if not path.is_dir()]:
        if str(old.relative_to(TREE)) not in names:
            old.unlink()
    for name in names:
        source, copy = ROOT / name, TREE / name
        if not copy.is_file() or not filecmp.cmp(source, copy, shallow=False):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)


def run(seconds, *command):
    """Runs a command in the working copy. Returns its exit status, None after a timeout, and output."""
    process = subprocess.Popen(
        command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except (subprocess.TimeoutExpired, KeyboardInterrupt) as stop:
        # Kills the whole session, since SwiftPM runs the tests in a separate process group.
        subprocess.run(["pkill", "-KILL", "--session", str(process.pid)])
        output, _ = process.communicate()
        if isinstance(stop, KeyboardInterrupt):
            raise
        return None, output


def build():
    return run(BUILD_SECONDS, "swift", "build", "--build-tests", "--scratch-path", str(BUILD))


def test(expression, seconds=TEST_SECONDS):
    return run(
        seconds, "scripts/with-display.sh", "swift", "test", "--skip-build", "--no-parallel", "--scratch-path",
        str(BUILD), "--filter", expression)


def result(mutation):
    """Applies a mutation, builds and tests it, and restores the file."""
    path = TREE / mutation.path
    original = path.read_text()
    path.write_text(original.replace(mutation.old, mutation.new))
    try:
        if build()[0] != 0:
            return "does not build"
        status, output = test(mutation.filter)
    finally:
        path.write_text(original)
    if status is None:
        return "killed (timeout)"
    if status != 0:
        return "killed"
    ran = re.search(r"(Executed|Test run with) [1-9]\d* tests?", output)
    return "SURVIVED" if ran else "no such test"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(100000))
    options = parser.parse_args()
    patterns = options.patterns
    mutations = [m for path in sorted((ROOT / "Tests/Mutations").glob("*.txt")) for m in read_list(path)]
    mutations = [m for m in mutations if not patterns or any(p in " ".join(m) for p in patterns)]
    if not mutations:
        sys.exit("No mutation matches.")
    if options.count and options.count < len(mutations):
        print(f"{options.count} of {len(mutations)} mutations, seed {options.seed}")
        mutations = random.Random(options.seed).sample(mutations, options.count)
    counts = collections.Counter()
    for mutation in filter(is_stale, mutations):
        counts["stale"] += 1
        print(f"stale                    {mutation.place:12} {mutation.path}: {mutation.old.strip()}")
    mutations = [mutation for mutation in mutations if not is_stale(mutation)]

    copy_sources()
    status, output = build()
    if status == 0:
        status, output = test("|".join(sorted({f"({m.filter})" for m in mutations})), seconds=BUILD_SECONDS)
    if status != 0:
        sys.exit(f"{output[-4000:]}\nThe tests fail or time out without any mutation.")

    # Sorted by file, so that consecutive builds compile few files again.
    for mutation in sorted(mutations, key=lambda m: m.path):
        start = time.monotonic()
        outcome = result(mutation)
        counts[outcome] += 1
        print(f"{outcome:16} {time.monotonic() - start:4.0f} s  {mutation.place:12} {mutation.path}: "
              f"{mutation.old.strip()} → {mutation.new.strip()}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    sys.exit(any(not outcome.startswith(("killed", "stale")) for outcome in counts))


if __name__ == "__main__":
    main()
