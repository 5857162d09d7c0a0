"""Run a library of Python on a folder of documents, and print its pairs as CSV.

A tool is three lines: an import of `run`, one of the library, and a function that takes records and
returns pairs of their positions, with a score if it has one:

    from adapter import run
    from library import pairs_of
    run(lambda texts: pairs_of(texts))

`cargo bench --bench quality -- --sets --tool "python3 TOOL.py {docs}" FOLDER` judges it.
"""

import csv
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "peers"))


def texts(folder):
    """The text of each file, by name within the folder."""
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {f.relative_to(folder).as_posix(): f.read_text("utf-8", "replace") for f in files}


def shingle_sets(folder):
    """The shingle set of each document that has one, as dupfind makes it of plain text."""
    import libraries

    return libraries.shingle_sets(folder)


def run(find, records=texts):
    """Print the pairs that `find` returns for the records of the folder named first."""
    found = records(sys.argv[1])
    names = list(found)
    write((names[a], names[b], *score) for a, b, *score in find(list(found.values())))


def write(pairs):
    """Print pairs of names, with a score if they have one."""
    out = csv.writer(sys.stdout)
    out.writerow(["a", "b", "score"])
    for a, b, *score in pairs:
        out.writerow([a, b, *(score or [1])])
