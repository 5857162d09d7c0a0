"""``dupfind.dedup``: the rows that stay, in the kind of table that came in, or in a file."""

from __future__ import annotations

import subprocess
import warnings
from collections.abc import Callable
from os import PathLike, environ, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from dupfind import _dupfind
from dupfind._errors import InputError, OptionError
from dupfind._options import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dupfind._dupfind import Texts

    Files = PathLike[str] | Sequence[PathLike[str]]

Rows = TypeVar("Rows")


@overload
def dedup(x: Files, *, output: PathLike[str], against: Files | None = None, **options: Any) -> Path: ...
@overload
def dedup(x: Rows, *, output: None = None, against: Texts | None = None, **options: Any) -> Rows: ...
def dedup(x: Any, *, output: PathLike[str] | None = None, against: Any = None, **options: Any) -> Any:
    """Returns the rows that stay, as they were and in their order, or writes those of files.

    Copies go, and near-copies from a Jaccard similarity of 0.8 on. Each goes only for a row that stays. Rows without a text
    stay. They are those of ``scan(x).selected_rows``, but only pairs that let a row go are kept in memory, and none of equal rows.

    Args:
        x: A frame of polars or pandas, a table of pyarrow, a dataset of Hugging Face, a relation of DuckDB, or a list. Or a
            ``pathlib.Path`` of a file of records, or several, which the command ``dupfind dedup`` reads and writes.
        output: Of files: the file that gets the records that stay, of the kind of ``x``; or a folder, with a file for each.
        against: Another set, such as the test set of a model. Then the rows go that copy, change, hold or are part of one
            of its texts, and those that are like each other stay. Of files it is files.
        options: Those of ``scan``, such as ``text="body"``, ``keep="field:stars"``, ``drop="exact"``, ``min_similarity=0.9``.
            Of files only these four, and ``unless_field``, which keeps rows that differ in that field.

    Returns:
        The same kind of object as ``x``, with all its columns; of a relation of DuckDB a table of pyarrow. Of files the path
        ``output``.

    Raises:
        InputError: The rows of ``x`` cannot be taken, a column is missing, or something is not text. A file cannot be read or
            written; then nothing is written.
        OptionError: An option has a value that it cannot have, or has no effect.

    Warns:
        UserWarning: What the command warns of, such as a line of a file that is no record.

    Examples:
        A frame without its copies and near-copies, training data without the texts of a test set, and a file::

            clean = dupfind.dedup(df, text="text")
            train = dupfind.dedup(train, against=test)
            kept = dupfind.dedup(Path("pages.jsonl"), output=Path("kept.jsonl"))
    """
    files = _paths(x)
    if files:
        others = _paths(against)
        if against is not None and not others:
            raise OptionError("against: of files it is a path, or several")
        return _dedup_files(files, output, others, options)
    if output is not None:
        raise OptionError("output: only of files; the rows that stay are returned")
    # A relation of DuckDB has its rows in another order the next time. Every cursor of a database has the first one.
    if hasattr(x, "fetchall") and hasattr(x, "to_arrow_table"):
        x = x.to_arrow_table()
    take = _taker(x)
    return take(_dupfind.rows_that_stay(x, *words("dedup", {"against": against, **options})))


def _paths(x: Any) -> list[str]:
    """Returns the paths, if these are paths."""
    several: list[Any] = list(x) if _is_list(x) else [x]
    return [fspath(path) for path in several] if all(isinstance(path, PathLike) for path in several) else []


def _is_list(x: Any) -> bool:
    return isinstance(x, (list, tuple))


def _dedup_files(files: list[str], output: PathLike[str] | None, against: list[str], options: dict[str, Any]) -> Path:
    """Writes the records of files that stay, as the command does."""
    names = ("keep", "drop", "min_similarity", "unless_field")
    taken = {"text": "text-field", **{name: name.replace("_", "-") for name in names}}
    if output is None:
        raise OptionError('output: needed for files, such as output=Path("kept.jsonl")')
    named = [("output", fspath(output)), *(("against", path) for path in against)]
    for name, value in options.items():
        if name not in taken:
            raise OptionError(f"{name}: no option of files; they have {', '.join(taken)}")
        values = [value] if isinstance(value, (str, float, int)) else value
        named += [(taken[name], str(each)) for each in values or ()]
    given = ["dedup", "--no-config", *(f"--{name}={value}" for name, value in named), "--", *files]
    # Its errors are read here, so they are in English.
    environment = {**environ, "LC_ALL": "C.UTF-8"}
    ended = subprocess.run(
        [*_dupfind.PROGRAM, *given], stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False
    )
    lines = ended.stderr.decode(errors="replace").splitlines()
    if ended.returncode != 0:
        reasons = [line.split("error: ", 1)[1] for line in lines if "error: " in line]
        raise InputError(reasons[0] if reasons else f"dupfind dedup ended with {ended.returncode}")
    for line in lines:
        if line.startswith("dupfind: warning: "):
            warnings.warn(line.removeprefix("dupfind: warning: "), stacklevel=3)
    return Path(output)


def _taker(x: Any) -> Callable[[list[int]], Any]:
    """Returns the function that selects rows of a table by their numbers."""
    if _is_list(x):
        return lambda rows: type(x)(x[row] for row in rows)
    if hasattr(x, "collect"):
        raise InputError(f"{type(x).__name__}: call its collect() first, which makes a frame of it")
    if hasattr(x, "iloc"):
        return lambda rows: x.iloc[rows]
    # A frame of polars has both; its select is about columns.
    if hasattr(x, "select_columns"):
        return lambda rows: x.select(rows)
    if hasattr(x, "take"):
        return lambda rows: x.take(rows)
    if hasattr(x, "gather_every"):
        return lambda rows: x[rows]
    raise InputError(
        f"the rows of {type(x).__name__} cannot be taken by number: expected a list, or a frame or table of polars, pandas, "
        "pyarrow or Hugging Face; scan tells which rows stay"
    )
