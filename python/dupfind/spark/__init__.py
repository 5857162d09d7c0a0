"""Finds the near-duplicates of a Spark DataFrame: the same pairs as ``dupfind.scan`` of its rows on one machine.

Spark schedules, stores, shuffles and retries; the engine of dupfind runs inside of its executors. The steps are:

* *features*: one row for each document, with its shingle set as bytes
* *tiles*: documents are ordered by the sizes of their sets and cut into tiles of about equal work
* *frequencies*: how many sets have each shingle, for one stretch of hashes in each task
* *weights*: what the sets of a tile weigh
* *pairs*: pairs of tiles are joined, a task for each, or several for one that takes long

The driver keeps about 250 bytes for each document and 20 for each pair of different sets. It compares signatures, relates
the documents of pairs, and decides what stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dupfind import _dupfind
from dupfind._errors import InputError, OptionError
from dupfind._options import about_pairs
from dupfind.spark._features import check_fields, checked, field_columns, kind_of
from dupfind.spark._job import TASK_MEMORY, Job
from dupfind.spark._result import Result

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Result", "near_duplicates"]


def near_duplicates(
    df: DataFrame,
    *,
    against: DataFrame | None = None,
    text: str = "text",
    id: str = "id",
    tiles: int | None = None,
    task_memory: int = TASK_MEMORY,
    checkpoint: str | None = None,
    keep: str | Sequence[str] | None = None,
    drop: str | Sequence[str] | None = None,
    min_similarity: float | None = None,
    **options: Any,
) -> Result:
    """Returns the pairs of the rows of a DataFrame: those that ``dupfind.scan`` finds in them.

    Args:
        df: The rows.
        against: Other rows with the same columns of texts and ids, such as the test set of a model: the rows of ``df`` are
            compared with these alone, as ``dupfind.scan(x, against=...)`` does it.
        text: The column of the texts, which are strings.
        id: The column of the ids: strings or whole numbers, all different, none null.
        tiles: Into how many tiles the documents are cut; by default as few as fit ``task_memory``.
        task_memory: How many bytes a task may take for its tiles.
        checkpoint: A folder that all executors see. Every step is written there as Parquet, and a call that was
            interrupted goes on from the steps that are whole.
        keep, drop, min_similarity: The rules of ``dupfind.scan`` that choose what stays.
        options: The options of ``dupfind.scan`` about text and detection, from ``min_jaccard`` to ``shingle_size``.

    Raises:
        InputError: A column is missing, an id is null or is there twice, the ids of both frames are of two types.
        OptionError: An option has a value that it cannot have.
    """
    if tiles is not None and not 1 <= tiles <= 1000:
        raise OptionError(f"tiles: expected 1 to 1000, and not {tiles}")
    options = about_pairs("near_duplicates", options)
    check_fields(df, keep)
    rows = checked(df, text, id)
    others = None
    if against is not None:
        options["against"] = True
        others = checked(against, text, id)
        kinds = kind_of(df, id), kind_of(against, id)
        if kinds[0] != kinds[1]:
            raise InputError(f"against: its ids are of the type {kinds[1]}, and those of the rows {kinds[0]}: cast one of them")
    engine = _dupfind.TileEngine(options)
    with Job(df.sparkSession, engine, options, checkpoint) as job:
        job.order(rows, others)
        job.cut(tiles or job.known.tiles_for(task_memory))
        job.count()
        job.weigh()
        job.join()
        found = job.finish(field_columns(df, id, keep), {"keep": keep, "drop": drop, "min_similarity": min_similarity})
        return Result(found, df, id, job.tiles, len(job.slices))
