"""The figures that have a target: the measured value, and whether it meets the target."""

import os
from statistics import median

import running
from programs import BIN, DATA, OURS, PARTS, TITLES, WINDOW, GTK


def figure(name, unit, measured, target, at_least=False):
    """`ratio` is the measured value over the target, or `None` if the figure was not measured."""
    if measured is None:
        return {"name": name, "unit": unit, "target": target, "atLeast": at_least, "measured": None, "ratio": None, "met": None}
    met = measured >= target if at_least else measured <= target
    ratio = measured / target if target else None
    return {"name": name, "unit": unit, "target": target, "atLeast": at_least, "measured": measured, "ratio": ratio,
            "met": met}


def ratio(cases, case, over, under="ours", times="walls"):
    """The time of `under` over that of `over`, as the median of the ratios of the rounds. With the
    times `processors`, the processor times."""
    found = cases.get(case, {})
    if under not in found or over not in found:
        return None
    return median(mine / theirs for mine, theirs in zip(found[under][times], found[over][times]))


def compared(cases):
    rows = [
        figure("photos, over the floor", "×", ratio(cases, "photos", "floor"), 1.10),
        figure("thumbnails, over the floor", "×", ratio(cases, "thumbnails", "floor"), 1.6),
        figure("mixed, over C with GdkPixbuf", "×", ratio(cases, "mixed", "pixbuf"), 1.10),
    ] + on_disk(cases)
    for case in ("window-photos", "window-thumbnails", "window-mixed", "window-large"):
        others = {name: found for name, found in cases.get(case, {}).items() if name != "ours"}
        if "ours" in cases.get(case, {}) and others:
            fastest = min(others, key=lambda name: others[name]["wall"])
            speed = ratio(cases, case, over="ours", under=fastest)
            rows.append(figure(f"{case}, {TITLES[fastest]} over ours", "×", speed, 2, at_least=True))
        else:
            rows.append(figure(f"{case}, fastest rival over ours", "×", None, 2, at_least=True))
    report = cases.get("window-photos", {}).get("ours", {}).get("report", {})
    for name, key in (("held", "longestLibraryGap"), ("held, less waiting for a processor", "longestLibraryHold"),
                      ("worked", "longestLibraryWork")):
        found = report.get(key)
        rows.append(figure(f"400 photos, between frames: main thread {name}", "ms", found and found * 1000, 1))
    return rows


def on_disk(cases):
    """The figures of images that are on disk, or that are stored there."""
    cpu = lambda case, over, under="ours": ratio(cases, case, over, under, "processors")
    rows = [figure(f"{case}, over files in C", "× CPU", cpu(case, rival), target)
            for case, rival, target in (("warm", "floor", 0.40), ("warm-large", "floor", 0.15),
                                        ("warm-alpha", "pixbuf", 0.20), ("warm-mixed", "pixbuf", 0.30))]
    return rows + [
        figure("warm, originals only, over files in C", "× CPU", cpu("warm", "floor", "originals"), 1.10),
        figure("the second run at once, over files in C", "× CPU", cpu("storing", "floor_files", "second"), 1.00),
        figure("a store, over the same writes in C", "×", cost_of_store(cases), 1.10),
        figure("warm: peak over originals only", "MB", more_memory(cases, "warm", "originals"), 8),
        figure("storing resized images: peak over originals only", "MB",
               more_memory(cases, "storing", "unsized", "waiting"), 8),
    ]


def cost_of_store(cases):
    """Processor time with a store over that without one, divided by the same ratio in C."""
    found = cases.get("storing", {})
    names = ("storing", "ours", "floor_storing", "floor")
    if not all(name in found for name in names):
        return None
    rounds = zip(*(found[name]["processors"] for name in names))
    return median(storing / ours / (floor_storing / floor) for storing, ours, floor_storing, floor in rounds)


def more_memory(cases, case, than, program="ours"):
    """The difference of two peaks in MB, each the sum over the program and its decoder processes."""
    found = cases.get(case, {})
    return found[program]["totalPeak"] - found[than]["totalPeak"] if program in found and than in found else None


def alone():
    """The figures that need no rival."""
    parts = running.run([PARTS, "--json", "requests", "pack", "store"]).report
    # So short a time depends on the memory layout of the process: the median of several processes.
    hits = [running.run([PARTS, "--json", "memory"]).report for _ in range(9)]
    parts |= {name: median(hit[name] for hit in hits) for name in hits[0]}
    jumps = [running.run([PARTS, "--json", "jump", f"{DATA}/lists/jump.txt"]).report["jump"] for _ in range(5)]
    empty = running.run([WINDOW, "empty"], environment=GTK)
    scroll = running.run([WINDOW, "scroll", f"{DATA}/lists/scroll.txt"], environment=GTK)
    idle = running.run([WINDOW, "idle", f"{DATA}/lists/photos.txt"], environment=GTK).report
    long = running.run([WINDOW, "animations", f"{DATA}/lists/one-long.txt"], environment=GTK)
    many = running.run([WINDOW, "animations", f"{DATA}/lists/long.txt"], environment=GTK)
    # The longest of several runs, as for the figures between frames.
    calls = [running.run([WINDOW, "calls", f"{DATA}/lists/photos.txt"], environment=GTK).report for _ in range(3)]
    calls = {name: max(run[name] for run in calls) for name in ("longestCall", "longestCallsOfFrame")}
    decoding = decoding_ratio()
    starts = sorted(running.run([OURS, "--version"]).wall for _ in range(21))
    budget = scroll.report["cacheBudget"] / 2**20 + 40
    rows = [
        figure("a memory hit", "ns", parts.get("memoryHit"), 150),
        figure("allocations of a memory hit", "", parts.get("memoryHitAllocations"), 0),
        figure("a hit through a model", "ns", parts.get("modelHit"), 1000),
        figure("a request, no network, no decode", "µs CPU", parts.get("request5000"), 15),
        figure("each of 100,000 waiting, over each of 1,000", "×", parts["queued100000"] / parts["queued1000"], 1.5),
        figure("a jump over 5,000 waiting, over alone", "×", median(jumps), 1.2),
        figure("scrolling 10,000: peak over an empty window", "MB", scroll.peak - empty.peak, budget),
        figure("scrolling 10,000 again: peak over the first time", "×",
               scroll.report["secondPassPeak"] / scroll.report["firstPassPeak"], 1.05),
        figure("scrolling 10,000: main thread held", "ms", scroll.report["longestLibraryGap"] * 1000, 1),
        figure("scrolling 10,000: held, less waiting for a processor", "ms", scroll.report["longestLibraryHold"] * 1000, 1),
        figure("400 photos, within frames: a call into a view, worked", "ms", calls["longestCall"] * 1000, 1),
        figure("a GIF of 300 frames: peak over an empty window", "MB", long.peak - empty.peak, 32),
        # Processor time, since software rendering of a thousand frames a second keeps both cores
        # busy.
        figure("20 such GIFs on screen: main thread worked at a time", "ms", many.report["longestLibraryWork"] * 1000, 1),
        figure("400 photos decoded, over libjpeg-turbo in C", "× CPU", decoding, 1.05),
        figure("400 photos in the helper process, over in ours", "×", isolation_ratio(), 1.10),
        figure("a store of 50,000 entries: opened and read from", "ms", parts.get("storeFirstRead"), 1),
        figure("a store of 50,000 entries: longest read while it is trimmed", "ms", parts.get("storeReadWhileTrimmed"), 16),
        figure("packing opaque RGBA, over copying it", "×", parts.get("packOpaque"), 1.5),
        figure("packing transparent RGBA, over copying it", "×", parts.get("packTransparent"), 1.5),
        figure("idle after 400 photos", "% CPU", idle["idleProcessorTime"] * 100, 0.1),
        figure("the C library, stripped", "MiB", library_size(), 8),
        figure("remote-image --version", "ms", starts[len(starts) // 2] * 1000, 10),
    ]
    return rows, {"parts": parts, "scroll": scroll.report, "scrollPeak": scroll.peak, "emptyPeak": empty.peak,
                  "calls": calls, "animations": many.report, "jumps": jumps}


def decoding_ratio():
    """Processor time to decode files at 320 pixels on two threads, over that of the floor."""
    files = f"{DATA}/lists/files-photos.txt"
    programs = {"ours": [PARTS, "--json", "decode", files], "floor": [f"{BIN}/fetch-turbo", files, "320", "8", "2"]}
    if not os.path.exists(programs["floor"][0]):
        return None
    best = {}
    for _ in range(5):
        for name, command in programs.items():
            best[name] = min(best.get(name, 1e9), running.run(command).processor)
    return best["ours"] / best["floor"]


def isolation_ratio():
    """Time to decode files at 320 pixels in `remote-image-decoder`, over that in the process."""
    # A list may contain web addresses only.
    with open(f"{DATA}/lists/file-addresses.txt", encoding="utf-8") as addresses:
        command = [OURS, "fetch", "--no-disk-cache", "--size", "320", *addresses.read().split()]
    if not os.path.exists(f"{BIN}/remote-image-decoder"):
        return None
    best = {}
    for _ in range(5):
        for name, options in {"ours": ["--no-isolate"], "helper": ["--isolate"]}.items():
            best[name] = min(best.get(name, 1e9), running.run(command + options).wall)
    return best["helper"] / best["ours"]


def library_size():
    """The size of the shared C library in MiB."""
    path = f"{BIN}/libremoteimage-1.so.0"
    return os.path.getsize(path) / 2**20 if os.path.exists(path) else None
