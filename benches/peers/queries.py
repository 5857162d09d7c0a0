#!/usr/bin/env python3
"""Ask an index about documents it does not have, and libraries the same.

    queries.py DUPFIND RECORDS [INDEXED [ASKED]]

RECORDS is a file of JSON Lines with the field "text". The first INDEXED records (10,000) are indexed, the next ASKED (1,000)
are asked about. Prints a Markdown table: CPU seconds for making the index and for all questions, of one core, and what was
found of the documents with a Jaccard similarity of at least 0.2. These are counted exactly.

The libraries get finished shingle sets, in memory. dupfind gets the records: it cuts them, and reads its index from the
disk. Its exact answers have the measures and relations of each pair too.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict

from libraries import HASHES, RENSA_BANDS, THRESHOLD, oracle


def sets_of(texts):
    shingles = (oracle.shingles(oracle.units(oracle.normalise(text))) for text in texts)
    return [set(map(" ".join, one)) for one in shingles]


def exact(indexed, asked):
    """The documents that are similar to each one asked about."""
    lists = defaultdict(list)
    for number, one in enumerate(indexed):
        for shingle in one:
            lists[shingle].append(number)
    for one in asked:
        shared = Counter(number for shingle in one for number in lists.get(shingle, ()))
        size = len(one)
        yield {n for n, count in shared.items() if 5 * count >= size + len(indexed[n]) - count}


def datasketch(indexed):
    from datasketch import MinHash, MinHashLSH

    def sketch(one):
        made = MinHash(num_perm=HASHES)
        made.update_batch([shingle.encode() for shingle in one])
        return made

    index = MinHashLSH(threshold=THRESHOLD, num_perm=HASHES)
    for number, one in enumerate(indexed):
        index.insert(number, sketch(one))
    return lambda one: set(index.query(sketch(one)))


def rensa(indexed):
    from rensa import RMinHash, RMinHashLSH

    def sketch(one):
        made = RMinHash(num_perm=HASHES, seed=42)
        made.update(list(one))
        return made

    index = RMinHashLSH(THRESHOLD, HASHES, RENSA_BANDS)
    for number, one in enumerate(indexed):
        index.insert(number, sketch(one))
    return lambda one: set(index.query(sketch(one)))


def gaoya(indexed):
    from gaoya.minhash import MinHashStringIndex

    index = MinHashStringIndex(
        jaccard_threshold=THRESHOLD, num_bands=None, band_size=None, num_hashes=HASHES, analyzer=list
    )
    for number, one in enumerate(indexed):
        index.insert_document(number, one)
    return lambda one: set(index.query(one))


def of_library(make, indexed, asked):
    """CPU seconds for making the index and for asking, and the answers."""
    start = time.process_time()
    query = make(indexed)
    made = time.process_time()
    answers = [query(one) for one in asked]
    return made - start, time.process_time() - made, answers


def run(command):
    before = os.times()
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system, output


def of_dupfind(dupfind, lines, indexed):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "pages"))
        # The name of a record is that of its file and its number.
        for name, some in (("pages/indexed", lines[:indexed]), ("asked", lines[indexed:])):
            with open(os.path.join(folder, f"{name}.jsonl"), "w", encoding="utf-8") as out:
                out.writelines(json.dumps({"text": json.loads(line)["text"]}) + "\n" for line in some)
        common = ["-j", "1", "--quiet", "--no-config"]
        ask = [dupfind, "query", f"{folder}/pages", f"{folder}/asked.jsonl", "--format", "json", *common]
        # The first one makes the index.
        made, _ = run(ask)
        asked, output = run(ask)
    answers = [set() for _ in lines[indexed:]]
    for found in json.loads(output)["pairs"]:
        a, b = (int(found[side].rsplit("#", 1)[1]) - 1 for side in "ab")
        if found["jaccard"] >= THRESHOLD:
            answers[a].add(b)
    return made, asked, answers


def main(dupfind, records, indexed="10000", asked="1000"):
    indexed, asked = int(indexed), int(asked)
    with open(records, encoding="utf-8") as source:
        lines = [line for line, _ in zip(source, range(indexed + asked))]
    sets = sets_of(json.loads(line)["text"] for line in lines)
    known, questions = sets[:indexed], sets[indexed:]
    truth = list(exact(known, questions))
    total = sum(map(len, truth))
    print(f"{len(known)} documents, {len(questions)} questions, {total} answers of at least {THRESHOLD}\n")
    print("| | index, s | questions, s | a second | answers | right ones | share found |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    measured = {"dupfind": lambda: of_dupfind(dupfind, lines, indexed)}
    for library in (datasketch, rensa, gaoya):
        measured[library.__name__] = lambda library=library: of_library(library, known, questions)
    for name, measure in measured.items():
        try:
            made, took, answers = measure()
        except ImportError as error:
            print(f"| {name} | {error} | | | | | |")
            continue
        found = sum(map(len, answers))
        right = sum(len(answer & true) for answer, true in zip(answers, truth))
        rate = len(questions) / took
        share = right / total if total else 1.0
        print(f"| {name} | {made:.1f} | {took:.2f} | {rate:.0f} | {found} | {right} | {share:.4f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
