#!/usr/bin/env python3
"""Fails if this library has become slower relative to programs in C, measured at the same time.

    quick.py            compares with baseline.json
    quick.py --accept   writes baseline.json

The measure is the least processor time of several rounds, since it depends least on other programs
of the machine. The tolerance is still generous, and a failed comparison is measured a second time.
"""

import json
import os
import sys

import cases
import programs
from programs import BENCHMARKS, DATA
from server import Server

BASELINE = f"{BENCHMARKS}/baseline.json"
TOLERANCE, ROUNDS = 1.25, 5

# The set, the number of its images, the rival, and the option that selects the decoding process.
CHECKS = [
    ("photos", 60, "floor", "--no-isolate"), ("thumbnails", 600, "floor", "--no-isolate"),
    ("mixed", 60, "pixbuf", "--no-isolate"), ("photos", 60, "floor", "--isolate"),
]


def measure(server):
    ratios = {}
    for name, count, rival, isolation in CHECKS:
        urls = cases.write(f"quick-{name}", cases.addresses(name, limit=count))
        best = {}
        for _ in range(ROUNDS):
            for program in ("ours", rival):
                options = ["--no-disk-cache", isolation] if program == "ours" else []
                run = programs.Programs(server).run(program, urls, options=options)
                best[program] = min(best.get(program, run.processor), run.processor)
        ratios[f"{name}/{rival}" + (", isolated" if isolation == "--isolate" else "")] = round(best["ours"] / best[rival], 3)
    return ratios


def regressions(ratios, baseline):
    return [name for name, ratio in ratios.items() if name in baseline and ratio > baseline[name] * TOLERANCE]


def main():
    programs.build_quick()
    server = Server(DATA, f"{DATA}/nginx", cases.PORT)
    try:
        ratios = measure(server)
        if "--accept" in sys.argv:
            with open(BASELINE, "w") as file:
                json.dump(ratios, file, indent=1)
                file.write("\n")
        with open(BASELINE) as file:
            baseline = json.load(file)
        if regressions(ratios, baseline):
            again = measure(server)
            ratios = {name: min(ratio, again[name]) for name, ratio in ratios.items()}
    finally:
        server.stop()
    slower = regressions(ratios, baseline)
    for name, ratio in ratios.items():
        state = "SLOWER" if name in slower else "ok"
        print(f"{name:24} {ratio:6.2f} × its processor time, baseline {baseline.get(name, 0):.2f}  {state}")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    if not os.path.isdir(f"{DATA}/photos"):
        sys.exit("The images are missing; run scripts/bench-setup.sh quick.")
    main()
