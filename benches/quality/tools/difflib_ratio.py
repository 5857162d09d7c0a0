from difflib import SequenceMatcher
from itertools import combinations

from adapter import run


def alike(texts):
    """All pairs whose characters match to a half, by the library of Python itself: for small folders."""
    for (x, a), (y, b) in combinations(enumerate(texts), 2):
        match = SequenceMatcher(None, a, b, autojunk=False)
        if match.real_quick_ratio() > 0.5 and match.quick_ratio() > 0.5 and (ratio := match.ratio()) > 0.5:
            yield x, y, ratio


run(alike)
