"""Makes dictionary.bin from jieba's idf.txt.

    python crates/engine/src/fingerprint/dictionary/make.py IDF_TXT

IDF_TXT is src/data/idf.txt of the jieba-rs crate (in cargo's registry folder). It needs the package xxhash. The layout is
described in mod.rs, which reads the file.
"""

import struct
import sys
import unicodedata
from pathlib import Path

import xxhash

TABLE = Path(__file__).with_name("dictionary.bin")
BUCKETS = 1 << 16


def slot(term):
    """The bucket of a word and its key there. Of the normal form only what words of the list need."""
    normal = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", term).casefold())
    hash = xxhash.xxh3_64_intdigest(normal.encode())
    return hash >> 48, hash >> 16 & 0xFFFF_FFFF


def made(text):
    """The table."""
    entries = {}
    for line in text.splitlines():
        term, idf = line.split(" ")
        weight, place = int(float(idf) * 4096 + 0.5), slot(term)
        # Two words with one normal form: the commoner one's weight.
        entries[place] = min(weight, entries.get(place, weight))
    counts = [0] * (BUCKETS + 1)
    for bucket, _ in entries:
        counts[bucket + 1] += 1
    for bucket in range(BUCKETS):
        counts[bucket + 1] += counts[bucket]
    places = sorted(entries)
    keys = [key for _, key in places]
    weights = [entries[place] for place in places]
    median = sorted(weights)[len(weights) // 2]
    size = len(places)
    return struct.pack(f"<{BUCKETS + 1}I{size}I{size + 1}H", *counts, *keys, *weights, median)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    TABLE.write_bytes(made(Path(sys.argv[1]).read_text(encoding="utf-8")))


main()
