"""Finds near-duplicate texts, exactly.

``scan`` takes texts, rows, files, or anything with the Arrow C stream protocol, and returns a ``Result``. ``dedup`` returns
the rows that stay.
"""

import atexit as _atexit

from dupfind._dupfind import (
    Explanation,
    Result,
    Stream,
    Table,
    __version__,
    close as _close,
    compare,
    fingerprint,
    shingles,
)
from dupfind._dedup import dedup
from dupfind._errors import Error, IndexFileError, InputError, OptionError
from dupfind._options import Index, scan

# A thread that still scans when the interpreter ends is stopped in order.
_atexit.register(_close)

__all__ = [
    "Error",
    "Explanation",
    "Index",
    "IndexFileError",
    "InputError",
    "OptionError",
    "Result",
    "Stream",
    "Table",
    "__version__",
    "compare",
    "dedup",
    "fingerprint",
    "scan",
    "shingles",
]
