"""Makes simplified.txt from the converter of OpenCC.

    python crates/engine/src/text/han/make.py [--check]

With --check it fails if the file is not what it would make. OpenCC has the version of
tests/adoption/requirements.txt: another version may have other pairs. The layout is described in mod.rs,
which reads the file.
"""

import sys
from pathlib import Path

from opencc import OpenCC

TABLE = Path(__file__).with_name("simplified.txt")
HAN = [*range(0x3400, 0xA000), *range(0x20000, 0x40000)]


def made():
    """The text of the table: a line for each character that changes and keeps its number of bytes."""
    converter = OpenCC("t2s")
    simplified = {}
    for character in map(chr, HAN):
        to = converter.convert(character)
        if len(to) == 1 and to != character and len(to.encode()) == len(character.encode()):
            simplified[character] = to
    lines = []
    for character, to in sorted(simplified.items()):
        # Where the result is itself a character that changes: to the end.
        while to in simplified:
            to = simplified[to]
        lines.append(f"{character}{to}\n")
    return "".join(lines)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    table = made()
    if not sys.argv[1:]:
        TABLE.write_text(table, encoding="utf-8", newline="\n")
    elif TABLE.read_text(encoding="utf-8") != table:
        sys.exit(f"{TABLE} is not what this script makes: run it without --check")
    print(f"{TABLE.name}: {table.count(chr(10))} characters")


main()
