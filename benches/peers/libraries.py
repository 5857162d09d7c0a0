#!/usr/bin/env python3
"""Find the near-duplicates of a folder with a Python library, from reading to pairs.

    libraries.py LIBRARY FOLDER

prints a JSON object: `preparing`, the seconds until the shingle sets stood in memory; `joining`,
the seconds from there to the pairs; and `pairs`, lists of pairs of names, by how they were chosen.

Every library gets the same shingle sets, those of the definition in fixtures/oracle.py. LIBRARY
`exhaustive` is the measure of all others: it counts the shared shingles of every pair and leaves
nothing out.
"""

import json
import sys
import time
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fixtures"))
import oracle  # noqa: E402

# The oracle asks these of every character; the answers are few.
oracle.is_single = cache(oracle.is_single)
oracle.is_word_part = cache(oracle.is_word_part)

THRESHOLD = 0.2
HASHES = 128
RENSA_BANDS = 64
CANDIDATES = "candidates"
ESTIMATED = "estimated at 0.2 or more"


def shingle_sets(folder):
    """The shingles of each document that has any, by name, each shingle one string."""
    documents = {}
    for path in sorted(Path(folder).rglob("*")):
        text = oracle.decode(path.read_bytes()) if path.is_file() else None
        if text is None:
            continue
        units = oracle.units(oracle.normalise(text))
        if units:
            name = path.relative_to(folder).as_posix()
            documents[name] = set(map(" ".join, oracle.shingles(units)))
    return documents


def exhaustive(sets):
    """Every pair whose sets share a fifth of their union or more, in whole numbers."""
    import numpy
    from scipy.sparse import csr_array

    numbers = {}
    columns = [numbers.setdefault(s, len(numbers)) for one in sets for s in one]
    sizes = numpy.array([len(one) for one in sets])
    starts = numpy.concatenate(([0], sizes.cumsum()))
    ones = numpy.ones(len(columns), dtype=numpy.int32)
    matrix = csr_array((ones, columns, starts), shape=(len(sets), len(numbers)))
    transposed = matrix.T.tocsr()
    pairs = []
    # A few rows at a time: the product of all does not fit into memory.
    for first in range(0, len(sets), 500):
        shared = (matrix[first : first + 500] @ transposed).tocoo()
        a, b = shared.row + first, shared.col
        similar = (a < b) & (5 * shared.data >= sizes[a] + sizes[b] - shared.data)
        pairs.extend(zip(a[similar].tolist(), b[similar].tolist()))
    return {"": pairs}


def datasketch(sets):
    """MinHashLSH with the bands it picks for the threshold itself."""
    from datasketch import MinHash, MinHashLSH

    sketches = MinHash.bulk(
        ([shingle.encode() for shingle in one] for one in sets), num_perm=HASHES
    )
    index = MinHashLSH(threshold=THRESHOLD, num_perm=HASHES)
    for number, sketch in enumerate(sketches):
        index.insert(number, sketch)
    return chosen(sketches, map(index.query, sketches))


def rensa(sets):
    """RMinHashLSH, which wants to be told the number of bands."""
    from rensa import RMinHash, RMinHashLSH

    sketches = RMinHash.from_token_sets(sets, num_perm=HASHES, seed=42)
    index = RMinHashLSH(THRESHOLD, HASHES, RENSA_BANDS)
    index.insert_many(sketches)
    return chosen(sketches, index.query_all(sketches))


def chosen(sketches, answers):
    """The pairs an index answers with, and those of them whose estimate passes."""
    pairs = {(a, b) for a, answer in enumerate(answers) for b in answer if a < b}
    estimated = [(a, b) for a, b in pairs if sketches[a].jaccard(sketches[b]) >= THRESHOLD]
    return {CANDIDATES: list(pairs), ESTIMATED: estimated}


def gaoya(sets):
    """MinHashStringIndex, which picks bands for the threshold and checks the estimate itself."""
    from gaoya.minhash import MinHashStringIndex

    index = MinHashStringIndex(
        jaccard_threshold=THRESHOLD,
        num_bands=None,
        band_size=None,
        num_hashes=HASHES,
        analyzer=list,
    )
    index.par_bulk_insert_docs(list(range(len(sets))), sets)
    answers = index.par_bulk_query(sets)
    pairs = [(a, b) for a, answer in enumerate(answers) for b in answer if a < b]
    return {ESTIMATED: pairs}


def set_similarity_search(sets):
    """The exact join, in Python and numpy."""
    from SetSimilaritySearch import all_pairs

    pairs = all_pairs(sets, similarity_func_name="jaccard", similarity_threshold=THRESHOLD)
    return {"": [(int(a), int(b)) for a, b, _ in pairs]}


LIBRARIES = {
    "exhaustive": exhaustive,
    "datasketch": datasketch,
    "rensa": rensa,
    "gaoya": gaoya,
    "SetSimilaritySearch": set_similarity_search,
}


def main(library, folder):
    start = time.monotonic()
    documents = shingle_sets(folder)
    names = list(documents)
    prepared = time.monotonic()
    found = LIBRARIES[library](list(documents.values()))
    joined = time.monotonic()
    pairs = {
        how: [(names[a], names[b]) for a, b in numbers]
        for how, numbers in found.items()
    }
    json.dump(
        {"preparing": prepared - start, "joining": joined - prepared, "pairs": pairs},
        sys.stdout,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
