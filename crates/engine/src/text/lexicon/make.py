"""Makes lexicon.bin from jieba's dict.txt.

    python crates/engine/src/text/lexicon/make.py DICT_TXT

DICT_TXT is src/data/dict.txt of the jieba-rs crate (in cargo's registry folder). It takes some minutes. The layout is
described in mod.rs, which reads the file.
"""

import math
import re
import struct
import sys
from pathlib import Path

TABLE = Path(__file__).with_name("lexicon.bin")
# What jieba looks for: ideographs, ASCII letters and digits, and some signs.
FOUND = re.compile("[0-9A-Za-z+#&._%\\-\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
EMPTY = 0x3FFF << 20


class Prefix:
    """A prefix of words: those that are one character longer, by the code of this character, and the weight of the word, if it
    is one."""

    def __init__(self):
        self.longer, self.weight, self.node, self.place = {}, 0, 0, 0


def trie(words, codes, weights):
    """All prefixes. The root comes first."""
    prefixes = [Prefix()]
    for word, frequency in words:
        at = prefixes[0]
        for character in word:
            code = codes[character]
            if code not in at.longer:
                at.longer[code] = Prefix()
                prefixes.append(at.longer[code])
            at = at.longer[code]
        at.weight = weights[frequency]
    return prefixes


def placed(prefixes, codes):
    """The nodes of the prefixes, each at its place. No two prefixes have the same base, so the character of a node identifies
    its prefix."""
    # Sets of numbers, a bit each. The root has the base 0. At the code of a character that begins no word there is nothing.
    taken, bases = (1 << codes) - 1, 0
    # After the root come those with many longer prefixes. Each gets the first base at which all places are free.
    parents = [prefix for prefix in prefixes if prefix.longer]
    parents.sort(key=lambda prefix: (prefix is not prefixes[0], -len(prefix.longer)))
    for parent in parents:
        base = 0
        if parent is not prefixes[0]:
            used = bases
            for code in parent.longer:
                used |= taken >> code
            base = (~used & used + 1).bit_length() - 1
        assert base < 1 << 20
        bases |= 1 << base
        parent.node |= base
        for code, child in parent.longer.items():
            child.place = base + code
            taken |= 1 << child.place
            child.node |= code << 20 | child.weight << 34
            parent.node |= 1 << 48 + code % 16
    nodes = [EMPTY] * (max(prefix.place for prefix in prefixes) + 1)
    for prefix in prefixes[1:]:
        nodes[prefix.place] = prefix.node
    return nodes


def made(text):
    """The table."""
    words = [line.split()[:2] for line in text.splitlines()]
    words = [(word, int(frequency)) for word, frequency in words]
    total = sum(frequency for _, frequency in words)
    # jieba finds the others in no text.
    words = [(word, frequency) for word, frequency in words if FOUND.fullmatch(word)]
    # Characters of frequent words have low codes. So codes that are looked up together are close together.
    frequencies = {}
    for word, frequency in words:
        for character in word:
            frequencies[character] = frequencies.get(character, 0) + frequency
    characters = sorted(frequencies, key=lambda character: (-frequencies[character], character))
    codes = {character: code for code, character in enumerate(characters, 2)}
    distinct = sorted({frequency for _, frequency in words})
    weights = {frequency: weight for weight, frequency in enumerate(distinct, 1)}
    assert len(codes) + 2 < 1 << 14 and len(distinct) < 1 << 13
    # jieba's logarithms, and its order of operations.
    logs = [math.log(frequency) - math.log(total) for frequency in distinct]
    logs = [math.nan, *logs, 0.0 - math.log(total)]
    of_all = [codes.get(chr(number), int(bool(FOUND.fullmatch(chr(number))))) for number in range(1 << 16)]
    nodes = placed(trie(words, codes, weights), len(codes) + 2)
    return struct.pack(f"<{len(logs)}d{1 << 16}H{len(nodes)}Q", *logs, *of_all, *nodes)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    TABLE.write_bytes(made(Path(sys.argv[1]).read_text(encoding="utf-8")))


main()
