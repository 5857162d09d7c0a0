#!/usr/bin/env python3
"""Find the similar pairs of texts in one Python process, with dupfind and with its peers, and print a Markdown table.

    python.py RECORDS.jsonl [ROWS]

reads the field `text` of the first ROWS records (10,000). It needs dupfind, numpy, scipy, datasketch, rensa and gaoya.
Each tool runs in a process of its own, which holds the texts before the clock starts. The functions below that take
`texts` and `least` are all a user writes; their lines are counted.

All are judged by the same shingle sets: those of dupfind.shingles, which the peers are given too. The truth is counted,
not sampled: `exhaustive` multiplies the matrix of documents and shingles with its transpose.
"""

import ast
import inspect
import json
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

THRESHOLDS = ("0.2", "0.5", "0.8")
# What 128 hashes are cut into, where a library does not choose for itself: the most bands that find such pairs.
RENSA_BANDS = {0.2: 64, 0.5: 32, 0.8: 16}


def dupfind(texts, least):
    import dupfind

    pairs = dupfind.scan(texts, min_jaccard=least, detectors="shingle").pairs.to_pyarrow()
    return zip(pairs["row_a"].to_pylist(), pairs["row_b"].to_pylist())


def datasketch(texts, least):
    from datasketch import MinHash, MinHashLSH
    from dupfind import shingles

    sets = ([shingle.to_bytes(8, "little") for shingle in shingles(text)] for text in texts)
    sketches = MinHash.bulk(sets, num_perm=128)
    index = MinHashLSH(threshold=least, num_perm=128)
    for row, sketch in enumerate(sketches):
        index.insert(row, sketch)
    found = ((a, b) for a, sketch in enumerate(sketches) for b in index.query(sketch) if a < b)
    return [(a, b) for a, b in found if sketches[a].jaccard(sketches[b]) >= least]


def rensa(texts, least):
    from dupfind import shingles
    from rensa import RMinHash, RMinHashLSH

    sets = [list(map(str, shingles(text))) for text in texts]
    sketches = RMinHash.from_token_sets(sets, num_perm=128, seed=42)
    index = RMinHashLSH(least, 128, RENSA_BANDS[least])
    index.insert_many(sketches)
    found = ((a, b) for a, row in enumerate(index.query_all(sketches)) for b in row if a < b)
    return [(a, b) for a, b in found if sketches[a].jaccard(sketches[b]) >= least]


def gaoya(texts, least):
    from dupfind import shingles
    from gaoya.minhash import MinHashStringIndex

    sets = [list(map(str, shingles(text))) for text in texts]
    index = MinHashStringIndex(jaccard_threshold=least, num_bands=None, band_size=None, num_hashes=128, analyzer=list)
    index.par_bulk_insert_docs(list(range(len(sets))), sets)
    found = index.par_bulk_query(sets)
    return [(a, b) for a, row in enumerate(found) for b in row if a < b]


TOOLS = [dupfind, datasketch, rensa, gaoya]


def exhaustive(texts, least):
    """Every pair that shares so much of its union, in whole numbers."""
    import numpy
    from dupfind import shingles
    from scipy.sparse import csr_array

    sets = [shingles(text) for text in texts]
    sizes = numpy.array([len(one) for one in sets])
    starts = numpy.concatenate(([0], sizes.cumsum()))
    _, columns = numpy.unique(numpy.fromiter((s for one in sets for s in one), numpy.uint64), return_inverse=True)
    matrix = csr_array((numpy.ones(len(columns), numpy.int32), columns, starts), shape=(len(sets), columns.max() + 1))
    transposed = matrix.T.tocsr()
    tenths, pairs = round(least * 10), []
    # A few rows at a time: the product of all does not fit into memory.
    for first in range(0, len(sets), 500):
        shared = (matrix[first : first + 500] @ transposed).tocoo()
        a, b, both = shared.row + first, shared.col, shared.data
        is_pair = (a < b) & (10 * both >= tenths * (sizes[a] + sizes[b] - both))
        pairs.extend(zip(a[is_pair].tolist(), b[is_pair].tolist()))
    return pairs


def peak():
    """The largest memory of this process since it was asked to forget it, in MiB."""
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmHWM:") + 1]) / 1024


def run(tool, least, records, rows, result):
    """Runs one tool in this process, and writes down what it took."""
    with open(records, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for _, line in zip(range(int(rows)), lines)]
    Path("/proc/self/clear_refs").write_text("5")
    before, wall, cpu = peak(), time.monotonic(), time.process_time()
    pairs = sorted({(min(pair), max(pair)) for pair in globals()[tool](texts, float(least))})
    took = {"cpu": time.process_time() - cpu, "wall": time.monotonic() - wall, "memory": peak() - before}
    Path(result).write_text(json.dumps({"pairs": pairs, **took}))


def measured(tool, least, records, rows):
    """What a tool finds and takes, in a process of its own."""
    with tempfile.NamedTemporaryFile() as result:
        subprocess.run([sys.executable, __file__, "--run", tool, least, records, rows, result.name], check=True)
        found = json.load(result)
    found["pairs"] = set(map(tuple, found["pairs"]))
    return found


def lines_of(function):
    """How many lines of code a function has."""
    [body] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    lines = inspect.getsource(function).splitlines()[body.body[0].lineno - 1 :]
    return sum(bool(line.strip()) for line in lines)


def main(records, rows="10000"):
    print("| J | tool | true pairs found | share | others | CPU s | s | memory, MiB | lines |")
    print("|--:|---|--:|--:|--:|--:|--:|--:|--:|")
    for least in THRESHOLDS:
        true = measured("exhaustive", least, records, rows)["pairs"]
        for tool in TOOLS:
            took = measured(tool.__name__, least, records, rows)
            found = len(took["pairs"] & true)
            others = len(took["pairs"] - true)
            share = f"{found / max(len(true), 1):.4f} of {len(true):,}"
            seconds = f"{took['cpu']:.1f} | {took['wall']:.1f} | {took['memory']:,.0f}"
            print(f"| {least} | {tool.__name__} | {found:,} | {share} | {others:,} | {seconds} | {lines_of(tool)} |", flush=True)


if __name__ == "__main__":
    run(*sys.argv[2:]) if sys.argv[1] == "--run" else main(*sys.argv[1:])
