#!/usr/bin/env python3
"""Run dupfind and its peers on a folder by turns, and print a Markdown table of what they found.

run.sh installs the peers and calls this.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from peers import distinct, exhaustive, peers

MEASURE = Path(__file__).resolve().with_name("measure.py")
HEADING = ("tool", "version", "run with", "pairs", "true", "share", "others")
HEADING += ("wall s", "CPU s", "peak MiB")


def measure(peer, folder, results, seconds):
    """Run it once: what measure.py says of the run, and `joining` if the report tells it."""
    result = results / f"{peer.name}.run"
    launcher = [sys.executable, "-S", str(MEASURE), str(result), str(seconds)]
    files = [str(peer.standard_input), str(results / f"{peer.name}.out")]
    subprocess.run([*launcher, *files, *peer.command], cwd=folder, check=True)
    run = json.loads(result.read_text("utf-8"))
    if run["status"] == "ok":
        run["joining"] = peer.joining(peer.report)
    return run


def by_turns(found, folder, results, options):
    """The runs of each peer; one that fails or has to be stopped gets no further turn."""
    runs = {peer.name: [] for peer in found}
    for _ in range(options.repeats):
        for peer in found:
            done = runs[peer.name]
            if peer.version is None or any(run["status"] != "ok" for run in done):
                continue
            done.append(measure(peer, folder, results, options.timeout))
            print(f"{peer.name}: {done[-1]['wall']:.2f} s", file=sys.stderr)
    return runs


def rows(peer, runs, truth, timeout):
    """The lines of the table for one peer, one for each way to read its report."""
    start = [peer.name, peer.version or "-", peer.how]
    if not runs:
        return [start + ["not installed"] + ["-"] * 6]
    if runs[-1]["status"] != "ok":
        stopped = runs[-1]["status"] == "stopped"
        return [start + [f"> {timeout:g} s" if stopped else "failed"] + ["-"] * 6]
    wall = f"{median(runs, 'wall'):.2f}"
    if runs[-1]["joining"] is not None:
        wall += f" ({median(runs, 'joining'):.2f})"
    costs = [wall, f"{median(runs, 'cpu'):.2f}", f"{max(run['memory'] for run in runs):.0f}"]
    lines = []
    for way, pairs in peer.pairs(peer.report).items():
        pairs = distinct(pairs)
        true = len(pairs & truth)
        share = f"{100 * true / len(truth):.1f} %" if truth else "-"
        how = f"{peer.how}; {way}" if way else peer.how
        counts = [str(len(pairs)), str(true), share, str(len(pairs) - true)]
        lines.append([peer.name, peer.version, how, *counts, *costs])
    return lines


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def table(lines):
    ruler = ["---"] * 3 + ["---:"] * (len(HEADING) - 3)
    return "\n".join(f"| {' | '.join(line)} |" for line in [HEADING, ruler, *lines])


def processor():
    """The model of the processor and the number of cores this process may use."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
    return f"{model}, {len(os.sched_getaffinity(0))} cores"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the documents")
    parser.add_argument("work", type=Path, help="where the peers are installed")
    parser.add_argument("dupfind", type=Path, help="the program dupfind")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each [%(default)s]")
    parser.add_argument(
        "--timeout", type=float, default=300, help="seconds until one is stopped [%(default)s]"
    )
    options = parser.parse_args()
    folder, work = options.folder.resolve(), options.work.resolve()
    results = work / "results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)

    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = results / "names"
    names.write_bytes(b"".join(os.fsencode(f"{file.relative_to(folder)}\n") for file in files))

    reference = exhaustive(results)
    run = measure(reference, folder, results, 10 * options.timeout)
    if run["status"] != "ok":
        sys.exit(f"the exhaustive count {run['status']}: see {results}")
    truth = distinct(reference.pairs(reference.report)[""])

    found = peers(str(options.dupfind.resolve()), work, results, names)
    runs = by_turns(found, folder, results, options)
    size = sum(file.stat().st_size for file in files) / 1e6
    print(f"{processor()}; {len(files)} files, {size:.1f} MB; ", end="")
    print(f"{len(truth)} pairs by exhaustive count; medians of {options.repeats} runs.\n")
    lines = [row for peer in found for row in rows(peer, runs[peer.name], truth, options.timeout)]
    print(table(lines))


if __name__ == "__main__":
    main()
