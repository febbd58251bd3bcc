#!/usr/bin/env python3
"""Compares this library with its alternatives, on this machine.

    bench.py                 everything, in less than ten minutes on two cores
    bench.py CASE …          only these cases, and no other figures
    bench.py --rounds N …    N rounds of each case
    bench.py --no-build …    with the programs of the last build

Prints tables. A complete run also writes results/MACHINE.json and results/comparison.svg.
`make bench-setup` installs the rivals and makes the images.
"""

import argparse
import json
import os
import subprocess
import sys
import time

import cases
import disk
import figures
import machine
import plot
import programs
from server import Proxy, Server
from programs import BENCHMARKS, DATA, ROOT, TITLES


def table(rows):
    """Prints aligned columns: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) if column == 0 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
    print()


def print_case(case, found):
    rows = [[case.title, "wall s", "spread", "CPU s", "peak MB", "requests", "MB sent", "× ours"]]
    ours = found.get("ours")
    for name, figure in found.items():
        fastest, slowest = figure["wallSpread"]
        rows.append([
            TITLES[name], f"{figure['wall']:.3f}", f"{fastest:.3f}–{slowest:.3f}", f"{figure['processor']:.3f}",
            f"{figure['peak']:.0f}", f"{figure['requests']:.0f}", f"{figure['sent'] / 1e6:.1f}",
            f"{figures.ratio({case.name: found}, case.name, 'ours', name):.2f}" if ours else ""])
    cases.note("")
    table(rows)
    if case.runs is not disk.Network and not case.window:
        for name, figure in found.items():
            if "fromResized" in figure["report"]:
                print(f"  {TITLES[name]}: {figure['report']['fromResized']:.0f} images from resized images on disk")
        print()
    if case.window:
        gaps = {TITLES[name]: figure["report"] for name, figure in found.items() if "longestGap" in figure["report"]}
        for title, report in gaps.items():
            print(f"  {title}: first image after {report['firstImage']:.3f} s; "
                  f"longest iteration of the main loop {report['longestGap'] * 1000:.1f} ms, "
                  f"99th percentile {report.get('longGap', 0) * 1000:.2f} ms")
            if "longestLibraryGap" in report:
                print(f"  iterations of the library: longest {report['longestLibraryGap'] * 1000:.2f} ms, "
                      f"99th percentile {report['longLibraryGap'] * 1000:.2f} ms; "
                      f"longest without waiting for a processor {report['longestLibraryHold'] * 1000:.2f} ms, "
                      f"most processor time {report['longestLibraryWork'] * 1000:.2f} ms")
        print()


def number(value):
    return "–" if value is None else f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"


def print_figures(rows):
    lines = [["figure", "measured", "target", "ratio", ""]]
    for row in rows:
        sign = "≥" if row.get("atLeast") else "≤"
        state = {True: "met", False: "MISSED", None: "not measured"}[row["met"]]
        lines.append([row["name"], f"{number(row['measured'])} {row['unit']}".strip(),
                      f"{sign} {number(row['target'])} {row['unit']}".strip(), number(row["ratio"]), state])
    table(lines)


def write_results(result):
    folder = os.environ.get("BENCHMARK_RESULTS") or f"{BENCHMARKS}/results"
    os.makedirs(folder, exist_ok=True)
    words = result["machine"]["processor"].lower().replace("(r)", "").replace("(tm)", "").split("@")[0].split()
    name = "-".join(word for word in words if word.replace("-", "").isalnum()) + f"-{result['machine']['cores']}-cores"
    with open(f"{folder}/{name}.json", "w") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
        file.write("\n")
    with open(f"{folder}/comparison.svg", "w") as file:
        file.write(plot.comparison(result))
    print(f"Written: {folder}/{name}.json and comparison.svg")


def with_display(arguments):
    """Restarts this program on a private display, unless it already runs on one."""
    if os.environ.get("BENCHMARK_DISPLAY"):
        return
    os.environ["BENCHMARK_DISPLAY"] = "own"
    os.execv(f"{ROOT}/scripts/with-display.sh", [f"{ROOT}/scripts/with-display.sh", sys.executable, *arguments])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=" ".join(case.name for case in cases.CASES))
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    # The last image of the set that was enlarged most recently.
    if not os.path.exists(f"{DATA}/alpha/0099.png"):
        sys.exit("The images are missing; run make bench-setup.")
    with_display(sys.argv)
    start = time.monotonic()
    if not options.no_build:
        programs.build()
    about = machine.description(ROOT)
    skipped = programs.missing()
    for name in sorted(skipped):
        print(f"{TITLES[name]} is not installed and is skipped; make bench-setup installs it.")
    cases.write_lists()
    server = Server(DATA, f"{DATA}/nginx", cases.PORT)
    Proxy(cases.FAR_PORT, cases.PORT, cases.ROUND_TRIP)
    try:
        found = {}
        for case in cases.CASES:
            if options.cases and case.name not in options.cases:
                continue
            found[case.name] = cases.compare(case, programs.Programs(server), skipped, options.rounds)
            print_case(case, found[case.name])
        if options.cases:
            return
        rows, more = figures.alone()
    finally:
        server.stop()
    rows = figures.compared(found) + rows
    print_figures(rows)
    print(f"400 photos: all calls of GTK into the views, and the library's work after layout and drawing, took "
          f"at most {more['calls']['longestCallsOfFrame'] * 1000:.1f} ms of processor time in one frame.")
    print(f"{about['processor']}, {about['cores']} cores, {about['system']}; commit {about['commit']}"
          f"{', modified' if about['modified'] else ''}; load before: {about['loadBefore']:.1f}")
    titles = {case.name: case.title for case in cases.CASES}
    write_results({
        "machine": about, "date": time.strftime("%Y-%m-%d"), "seconds": round(time.monotonic() - start),
        "titles": titles, "programs": TITLES, "cases": found, "figures": rows, "more": more})


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(error.cmd[:4])} … failed.")
