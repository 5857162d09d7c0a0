"""Training rows with planted leaks of a test set, for the tests of all ways to remove them."""

from typing import Any

KINDS = ("verbatim", "re-cased", "edited", "held")
SYLLABLES = ("ba", "den", "fo", "gir", "hul", "ka", "lem", "mo", "nar", "pit", "ro", "sul", "ta", "vin", "wex", "zo")

Row = dict[str, Any]


def words(seed: int, count: int) -> list[str]:
    """Words that nobody has written: others for each seed."""
    state = seed * 2654435761 + 12345
    made = []
    for _ in range(count):
        word = ""
        for _ in range(3):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            word += SYLLABLES[state >> 60]
        made.append(word)
    return made


def item(number: int) -> list[str]:
    return words(number + 1, 40)


def leak(number: int) -> str:
    """A leak of an item of the test set."""
    own = item(number)
    kind = KINDS[number % 4]
    if kind == "edited":
        # One word of twenty.
        own[7], own[29] = "another", "changed"
    elif kind == "held":
        own = words(number + 10_000, 300) + own + words(number + 20_000, 300)
    text = " ".join(own)
    return text.upper() if kind == "re-cased" else text


def planted() -> tuple[list[Row], list[Row], list[Row]]:
    """A training set with 100 leaks, a test set, and the rows of the training set that stay."""
    test: list[Row] = [{"id": number, "text": " ".join(item(number)), "answer": number} for number in range(100)]
    # What is like another row of the same set stays.
    test.append({"id": 100, "text": test[0]["text"], "answer": 0})
    clean: list[Row] = [
        {"id": 1000 + number, "text": " ".join(words(number + 30_000, 60)), "answer": number} for number in range(100)
    ]
    clean += [{"id": 1100, "text": clean[0]["text"], "answer": 0}, {"id": 1101, "text": None, "answer": 0}]
    leaks: list[Row] = [{"id": 2000 + number, "text": leak(number), "answer": number} for number in range(100)]
    train = [row for pair in zip(clean, leaks) for row in pair] + clean[100:]
    return train, test, clean
