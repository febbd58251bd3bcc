#!/usr/bin/env python3
"""Compares remote-image with Pillow over folders of public test images.

    corpora.py PROGRAM WORK FOLDER...   PROGRAM is the path of remote-image, WORK a folder for its output

Each folder is a corpus. Every file is decoded in the program's own process, in its helper process
and by Pillow. Differences above the usual are listed. A difference is an error if Chromium does not
agree with the program and corpora.md does not explain it, and so are a crash, a timeout and
different results of the two processes. The exit status is 0 if there is no error.

A lossy image is as usual if its PSNR over premultiplied RGBA is at least 45 dB. PNG, GIF, BMP and
ICO images must be equal; a step of 1 is allowed for each rounding: of alpha, of colors, of 16 bits.
"""

import collections
import concurrent.futures
import concurrent.futures.process
import fnmatch
import hashlib
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import urllib.parse

import chromium_opinion
import codec_tools
import reference

EXACT = {"png", "gif", "bmp", "ico"}
SIGNATURES = [
    ("jpeg", re.compile(rb"\xff\xd8\xff")),
    ("png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("gif", re.compile(rb"GIF8[79]a")),
    ("webp", re.compile(rb"RIFF....WEBP", re.S)),
    ("avif", re.compile(rb"....ftypavi[fs]", re.S)),
    ("heic", re.compile(rb"....ftyp(?:hei[cxms]|hev[cx]|mif1|msf1|mif2|mif3)", re.S)),
    ("jxl", re.compile(rb"\xff\x0a|\0\0\0\x0cJXL \r\n\x87\n")),
    ("ico", re.compile(rb"\0\0[\1\2]\0[^\0]\0")),
    ("bmp", re.compile(rb"BM")),
]
SUFFIXES = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".apng": "png", ".gif": "gif", ".webp": "webp",
            ".avif": "avif", ".heic": "heic", ".heif": "heic", ".jxl": "jxl", ".ico": "ico", ".cur": "ico",
            ".bmp": "bmp"}
BATCH = 50
TIMEOUT = 600  # Seconds for a batch; each file has 30 in the program.
MEMORY = 1 << 30  # The limit of the program's resident memory in bytes, with four concurrent decodes.


def format_of(path: pathlib.Path) -> str | None:
    """The format of the file by its signature, or by its suffix if the signature is damaged."""
    with path.open("rb") as file:
        start = file.read(16)
    for name, signature in SIGNATURES:
        if signature.match(start) and (name != "bmp" or path.suffix.lower() in (".bmp", ".dib", "")):
            return name
    return SUFFIXES.get(path.suffix.lower())


class Program:
    """remote-image, in one process for many files."""

    def __init__(self, path: str, output: pathlib.Path, option: str):
        self.path, self.output, self.option = path, output, option
        self.faults: list[str] = []
        output.mkdir(parents=True, exist_ok=True)
        for old in output.glob("*.png"):
            old.unlink()

    def decode(self, links: list[pathlib.Path]) -> dict[str, dict]:
        """The reports by the links' names. Files without a report are decoded again, one by one."""
        results: dict[str, dict] = {}
        for start in range(0, len(links), BATCH):
            batch = links[start:start + BATCH]
            results |= self.run(batch)
            for link in batch:
                if link.name not in results:
                    alone = self.run([link])
                    if link.name not in alone:
                        self.faults.append(link.name)
                        alone[link.name] = {"phase": "failure", "error": {"code": "CRASH", "message": ""}}
                    results |= alone
        return results

    def run(self, links: list[pathlib.Path]) -> dict[str, dict]:
        addresses = [link.absolute().as_uri() for link in links]
        command = [self.path, "fetch", "--no-disk-cache", "--json", "--concurrency", "2", self.option,
                   "--output", str(self.output), *addresses]
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT)
            output = done.stdout
        except subprocess.TimeoutExpired as timeout:
            output = timeout.stdout or b""
        reports = {}
        for line in output.splitlines():
            try:
                report = json.loads(line)
            except ValueError:
                continue  # An incomplete line of a process that was killed.
            reports[urllib.parse.unquote(report["url"]).rsplit("/", 1)[-1]] = report
        return reports


def verdict(format_name: str, ours: dict, theirs: reference.Comparison) -> str:
    """The kind of difference between the two results for one file."""
    accepted = ours["phase"] == "success"
    if not accepted:
        return "both refuse" if theirs.error else "refused by us"
    if theirs.error:
        return "refused by Pillow"
    if theirs.decibels is None:
        return "size"
    if theirs.greatest == 0:
        return "equal"
    if theirs.greatest <= max(theirs.allowed, format_name not in EXACT):
        return "usual"
    if format_name not in EXACT and theirs.decibels >= 45:
        return "usual"
    return "other"


def described(name: str, ours: dict, theirs: reference.Comparison) -> str:
    if name == "refused by us":
        return f"{ours['error']['code']}: {ours['error'].get('message', '')[:100]} (Pillow: {theirs.note})"
    if name == "refused by Pillow":
        return f"{ours['width']}×{ours['height']} (Pillow: {theirs.error})"
    if name == "size":
        return f"ours {ours['width']}×{ours['height']}, Pillow {theirs.note}"
    return f"{theirs.decibels:.1f} dB, at most {theirs.greatest}; {theirs.note}"


def explanations(path: pathlib.Path) -> list[tuple[str, re.Pattern, str]]:
    """The lines `verdict | corpus/path pattern` of corpora.md; `*` matches any text."""
    found = []
    for line in path.read_text().splitlines():
        match = re.fullmatch(r"    (refused by us|refused by Pillow|size|other)\s*\| (\S.*?)\s*", line)
        if match:
            pattern = ".*".join(re.escape(part) for part in match[2].split("*"))
            found.append((match[1], re.compile(pattern), match[2]))
    return found


def collect(folders: list[str], links: pathlib.Path) -> dict[str, tuple[str, str, pathlib.Path]]:
    """The label, format and path of each file by its link's name. Duplicates are skipped."""
    links.mkdir(parents=True, exist_ok=True)
    for old in links.iterdir():
        old.unlink()
    found, known = {}, set()
    for folder in map(pathlib.Path, folders):
        for path in sorted(folder.rglob("*")):
            if path.is_symlink() or not path.is_file() or not (format_name := format_of(path)):
                continue
            digest = hashlib.sha256(path.read_bytes()).digest()
            if digest in known:
                continue
            known.add(digest)
            name = f"{len(found):05}.image"
            (links / name).symlink_to(path.absolute())
            # Removes the folder with the version of the package, so that labels stay the same.
            inside = re.sub(r"^[a-z][a-z0-9+.-]*-[0-9][^/]*/", "", str(path.relative_to(folder)))
            label = f"{folder.name}/{inside}"
            found[name] = (label, format_name, path)
    return found


def compare_all(files: dict, output: pathlib.Path) -> dict[str, reference.Comparison]:
    """The comparisons by the links' names."""
    found, jobs = {}, {}
    with concurrent.futures.ProcessPoolExecutor(2, initializer=reference.limit_memory) as pool:
        for name, (_, format_name, path) in files.items():
            arguments = (path, format_name, output / f"{pathlib.Path(name).stem}.png")
            jobs[name] = arguments, pool.submit(reference.compare, *arguments)
        for name, (arguments, job) in jobs.items():
            try:
                found[name] = job.result()
            except concurrent.futures.process.BrokenProcessPool:  # Pillow crashed on this or another file.
                found[name] = reference.compare_apart(*arguments)
    return found


def main() -> int:
    program, work, *folders = sys.argv[1:]
    work = pathlib.Path(work)
    if not shutil.which("chromium"):
        sys.exit("chromium is missing; scripts/setup.sh browser installs it")
    files = collect(folders, work / "links")
    links = [work / "links" / name for name in files]
    here = Program(program, work / "here", "--no-isolate")
    helper = Program(program, work / "helper", "--isolate")
    ours, isolated = here.decode(links), helper.decode(links)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024

    comparisons = compare_all(files, here.output)
    table = collections.defaultdict(collections.Counter)
    rows, errors, cases = [], [], {}
    for name, (label, format_name, path) in files.items():
        theirs = comparisons[name]
        word = verdict(format_name, ours[name], theirs)
        table[label.split("/")[0], format_name][word] += 1
        if word in ("refused by us", "refused by Pillow", "size", "other"):
            text = described(word, ours[name], theirs)
            picture = here.output / f"{pathlib.Path(name).stem}.png"
            rows.append((word, label, format_name, text + codec_tools.opinion(path, format_name, picture), name))
            if format_name in chromium_opinion.FORMATS:
                cases[name] = chromium_opinion.Case(path, ours[name], picture)
        stem = pathlib.Path(name).stem
        one, two = (side.output / f"{stem}.png" for side in (here, helper))
        codes = [report[name].get("error", {}).get("code") for report in (ours, isolated)]
        if codes[0] != codes[1] or one.exists() != two.exists() or (
                one.exists() and one.read_bytes() != two.read_bytes()):
            errors.append(f"differs in the helper process: {label}: {codes[0]}, {codes[1]}")
        errors += [f"crash or hang: {label}" for side in (here, helper) if name in side.faults]
        errors += [f"decode timeout: {label}" for code in codes if code == "decodeTimeout"]

    words = ["equal", "usual", "other", "size", "refused by us", "refused by Pillow", "both refuse"]
    print("| corpus | format | files | " + " | ".join(words) + " |\n" + "| --- " * (3 + len(words)) + "|")
    total = collections.Counter()
    for (corpus, format_name), counts in sorted(table.items()):
        total += counts
        print(f"| {corpus} | {format_name} | {counts.total()} | " + " | ".join(str(counts[w]) for w in words) + " |")
    print(f"| all | | {total.total()} | " + " | ".join(str(total[w]) for w in words) + " |")

    explained, left = explanations(pathlib.Path(__file__).with_name("corpora.md")), []
    opinions = chromium_opinion.opinions(cases)
    for word, label, format_name, text, name in sorted(rows):
        agrees, seen = opinions.get(name, (False, "no format of Chromium"))
        known = agrees or any(word == of and pattern.fullmatch(label) for of, pattern, _ in explained)
        mark = "=" if agrees else " " if known else "!"
        print(f"{mark} {word} | {label} | {format_name} | {text}; {seen} | {name}")
        if not agrees:
            left.append((word, label))
        if not known:
            errors.append(f"not explained: {word} | {label}")
    given = {pathlib.Path(folder).name for folder in folders}
    for of, pattern, text in explained:
        is_given = any(fnmatch.fnmatch(name, text.split("/")[0]) for name in given)
        if is_given and not any(word == of and pattern.fullmatch(label) for word, label in left):
            print(f"explained, but not found: {of} | {text}")
    print(f"peak memory of a process: {peak >> 20} MiB")
    if peak > MEMORY:
        errors.append("a process exceeded the memory limit")
    print("\n".join(errors or ["every difference is explained"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
