"""``dupfind.dedup``: the rows that stay, in the kind of table that came in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from dupfind import _dupfind
from dupfind._errors import InputError
from dupfind._options import words

if TYPE_CHECKING:
    from dupfind._dupfind import Texts

Rows = TypeVar("Rows")


def dedup(x: Rows, *, against: Texts | None = None, **options: Any) -> Rows:
    """Returns the rows that stay, as they were and in their order.

    Copies go, and near-copies from a Jaccard similarity of 0.8 on. Each goes only for a row that stays. Rows without a text
    stay. They are those of ``scan(x).selected_rows``, but only pairs that let a row go are kept in memory, and none of equal rows.
    Of files of records the command writes those that stay: ``dupfind dedup pages.jsonl -o kept.jsonl``.

    Args:
        x: A frame of polars or pandas, a table of pyarrow, a dataset of Hugging Face, a relation of DuckDB, or a list.
        against: Another set, such as the test set of a model. Then the rows go that copy, change, hold or are part of one
            of its texts, and those that are like each other stay.
        options: Those of ``scan``, such as ``text="body"``, ``keep="field:stars"``, ``drop="exact"``, ``min_similarity=0.9``.

    Returns:
        The same kind of object as ``x``, with all its columns; of a relation of DuckDB a table of pyarrow.

    Raises:
        InputError: The rows of ``x`` cannot be taken, a column is missing, or something is not text.
        OptionError: An option has a value that it cannot have, or has no effect.

    Examples:
        A frame without its copies and near-copies, and training data without the texts of a test set::

            clean = dupfind.dedup(df, text="text")
            train = dupfind.dedup(train, against=test)
    """
    rows: Any = x
    # A relation of DuckDB has its rows in another order the next time. Every cursor of a database has the first one.
    if hasattr(rows, "fetchall") and hasattr(rows, "to_arrow_table"):
        rows = rows.to_arrow_table()
    take = _taker(rows)
    kept: Rows = take(_dupfind.rows_that_stay(rows, *words("dedup", {"against": against, **options})))
    return kept


def _is_list(x: Any) -> bool:
    return isinstance(x, (list, tuple))


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
        "pyarrow or Hugging Face; scan tells which rows stay, and the command 'dupfind dedup' writes files"
    )
