"""The programs and libraries that are compared: how each is run, and what it found.

All of them are run inside the folder, so that every name they print is relative to it.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from itertools import combinations
from pathlib import Path, PurePosixPath

HERE = Path(__file__).resolve().parent
SIMILAR = re.compile(r"(.+) consists for \d+ % of (.+) material")


@dataclass(frozen=True)
class Peer:
    """A command, the file it reports to, and the function that takes the pairs from it.

    `version` is None if it is not installed. `pairs` returns one list of pairs for each way to
    read the report, `joining` the seconds after preparation if the report has them.
    """

    name: str
    version: str | None
    how: str
    command: list[str]
    report: Path
    pairs: Callable[[Path], dict[str, list]]
    joining: Callable[[Path], float | None] = lambda _: None
    standard_input: Path = Path("/dev/null")


def dupfind_pairs(report):
    pairs = json.loads(report.read_text("utf-8"))["pairs"]
    return {"": [(pair["a"], pair["b"]) for pair in pairs]}


def library_pairs(report):
    return json.loads(report.read_text("utf-8"))["pairs"]


def library_joining(report):
    return json.loads(report.read_text("utf-8"))["joining"]


def dupey_pairs(report):
    families = json.loads(report.read_text("utf-8"))["families"]
    return {
        "edges": [(e["a"], e["b"]) for family in families for e in family["edges"]],
        "any two of a family": [
            pair for family in families for pair in combinations(family["files"], 2)
        ],
    }


def jscpd_pairs(report):
    """Names may end in `:` and the language, which is another one inside of a code block."""
    clones = json.loads(report.read_text("utf-8"))["duplicates"]
    sides = [(clone["firstFile"]["name"], clone["secondFile"]["name"]) for clone in clones]
    return {"": [tuple(name.rpartition(":")[0] or name for name in pair) for pair in sides]}


def sim_text_pairs(report):
    lines = report.read_text("utf-8", "surrogateescape").splitlines()
    return {"": [match.groups() for match in map(SIMILAR.fullmatch, lines) if match]}


def distinct(pairs):
    """Unordered pairs of two different documents, their names without `./`."""
    named = {frozenset(str(PurePosixPath(name)) for name in pair) for pair in pairs}
    return {pair for pair in named if len(pair) == 2}


def program_version(program):
    """The last word of the first line of `--version`, or None if it does not run."""
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, text=True)
    except OSError:
        return None
    return answer.stdout.split("\n")[0].split()[-1] if answer.returncode == 0 else None


def library_version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def debian_version(package):
    query = ["dpkg-query", "--show", "--showformat=${Version}", package]
    if not shutil.which("sim_text") or not shutil.which(query[0]):
        return None
    return subprocess.run(query, capture_output=True, text=True).stdout or None


def library(name, how, results, package=None):
    """A part of libraries.py, which needs `package`; called like it unless named."""
    return Peer(
        name,
        library_version(package or name),
        how,
        [sys.executable, str(HERE / "libraries.py"), name, "."],
        results / f"{name}.out",
        library_pairs,
        library_joining,
    )


def exhaustive(results):
    """The measure of all others."""
    return library("exhaustive", "", results, "scipy")


def peers(dupfind, work, results, names):
    """All of them, in the order of the table; `names` is a file with a document a line."""
    dupey = str(work / "cargo/bin/dupey")
    jscpd = str(work / "npm/node_modules/.bin/jscpd")
    scan = [dupfind, "scan", "--hidden", "--no-ignore", "--quiet", "--format", "json"]
    clones = results / "clones"
    found = [
        Peer(
            "dupfind",
            program_version(dupfind),
            "defaults: shingles and SimHash",
            [*scan, "."],
            results / "dupfind.out",
            dupfind_pairs,
        ),
        Peer(
            "dupfind, shingles",
            program_version(dupfind),
            "`--detectors shingle`",
            [*scan, "--detectors", "shingle", "."],
            results / "dupfind, shingles.out",
            dupfind_pairs,
        ),
        library("SetSimilaritySearch", "`all_pairs`, Jaccard 0.2", results),
        library("datasketch", "128 hashes, `MinHashLSH(threshold=0.2)`", results),
        library("rensa", "128 hashes, `RMinHashLSH`, 64 bands of 2", results),
        library("gaoya", "128 hashes, `jaccard_threshold=0.2`", results),
        Peer(
            "dupey",
            program_version(dupey),
            "`--threshold 0.2`",
            [dupey, "scan", "--json", "--threshold", "0.2", "."],
            results / "dupey.out",
            dupey_pairs,
        ),
        Peer(
            "jscpd",
            program_version(jscpd),
            "defaults: clones of 50 tokens, 5 lines",
            [jscpd, "--format", "markdown,txt", "--no-gitignore", "--silent"]
            + ["--reporters", "json", "--output", str(clones), "."],
            clones / "jscpd-report.json",
            jscpd_pairs,
        ),
    ]
    for way, meaning in (("-a", "both ways"), ("-e", "each with each")):
        found.append(
            Peer(
                f"sim_text {way}",
                debian_version("similarity-tester"),
                f"`-p {way}`, {meaning}: runs of 8 words, 20 %",
                ["sim_text", "-i", "-p", "-T", way, "-r", "8", "-t", "20"],
                results / f"sim_text {way}.out",
                sim_text_pairs,
                standard_input=names,
            )
        )
    return found
