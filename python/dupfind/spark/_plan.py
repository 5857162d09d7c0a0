"""What a job is expected to take."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dupfind import _dupfind
from dupfind._errors import OptionError
from dupfind._options import about_pairs
from dupfind.spark._features import BATCH, checked, made_of
from dupfind.spark._job import TASK_MEMORY, Job

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# How many bytes a task needs for each shingle of a tile, as it has two.
_TASK_BYTES = 36

# The seconds of one core for each time that two sets share a shingle, and for each shingle that is moved to a worker and
# read there. The second was fitted to 63,860 pages in 3 tiles.
_ADDITION = 0.67e-9
_MOVED = 3e-7


@dataclass(frozen=True)
class Plan:
    """What a job is expected to take, from a sample of its rows."""

    documents: int
    """How many rows there are."""
    features: int
    """The bytes of all features."""
    tiles: int
    """Into how many tiles the documents are cut."""
    tasks: int
    """How many pairs of tiles there are at most, each tile with itself among them."""
    shuffle: int
    """The bytes that are shuffled at most."""
    driver: int
    """The bytes of memory that the driver needs, without the pairs."""
    core_hours: float
    """The hours of one core, for features and joins."""


def plan(
    df: DataFrame,
    *,
    fraction: float = 0.01,
    text: str = "text",
    id: str = "id",
    tiles: int | None = None,
    task_memory: int = TASK_MEMORY,
    **options: Any,
) -> Plan:
    """Estimates the costs of ``near_duplicates`` from a share of the rows.

    How many times sets share a shingle is counted in the sample, and grows with the square of the number of rows. The
    arguments besides ``fraction`` are those of ``near_duplicates``.
    """
    if not 0 < fraction <= 1:
        raise OptionError(f"fraction: expected a number above 0 and up to 1, and not {fraction}")
    options = about_pairs("plan", options)
    engine = _dupfind.TileEngine(options)
    rows = checked(df, text, id)
    count = rows.count()
    sampled = rows.sample(fraction=fraction, seed=0) if fraction < 1 else rows
    # One core at work, and one batch to load the dictionary.
    texts = [row["text"] for row in sampled.limit(2 * BATCH).collect()]
    engine.features(texts[:BATCH])
    start = time.perf_counter()
    engine.features(texts)
    each = (time.perf_counter() - start) / max(len(texts), 1)
    with Job(df.sparkSession, engine, options, None) as job:
        job.order(made_of(sampled, options), sampled, False)
        job.cut(1)
        job.count()
        known = max(job.known.documents, 1)
        sizes = job.features.selectExpr("sum(length(facts) + length(shingles) + length(set_key))").collect()[0][0]
    share = count / known
    features = int((sizes or 0) * share)
    shingles = int(sum(shingles for *_, shingles in job.bounds) * share)
    shared = sum(times for *_, times in job.work) * share * share
    cut = tiles or max(1, -(-shingles * _TASK_BYTES // task_memory))
    # Sets go to their tile, to be weighed, and to the tasks of their tile.
    seconds = each * count + shared * _ADDITION + shingles * (cut + 2) * _MOVED
    return Plan(
        documents=count,
        features=features,
        tiles=cut,
        tasks=cut * (cut + 1) // 2,
        shuffle=features * (cut + 2),
        driver=250 * count,
        core_hours=seconds / 3600,
    )
