"""What a job has found."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from dupfind.spark._features import kind_of
from dupfind.spark._rows import packed, unpack
from dupfind.spark._steps import MAX_PARTITIONS

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    from dupfind.spark._rows import Batches

    from dupfind import _dupfind

# How many rows of a result are sent to an executor at a time.
_ROWS = 1 << 16


class Result:
    """The pairs and clusters of a DataFrame, and the rows that stay. A DataFrame is made when it is first used."""

    def __init__(self, found: _dupfind.Result, df: DataFrame, id: str, tiles: int, tasks: int) -> None:
        self._found = found
        self._df = df
        self._id = id
        self._tiles = tiles
        self._tasks = tasks

    @property
    def tiles(self) -> int:
        """Into how many tiles the documents were cut."""
        return self._tiles

    @property
    def tasks(self) -> int:
        """How many tasks have joined them."""
        return self._tasks

    @cached_property
    def pairs(self) -> DataFrame:
        """A row for each pair: ids, relation, measures, the detectors that found it, and the reason."""
        return self._frame(self._found.pairs, "a", "b", "container")

    @cached_property
    def clusters(self) -> DataFrame:
        """A row for each document of a cluster."""
        return self._frame(self._found.clusters, "id")

    @cached_property
    def filtered(self) -> DataFrame:
        """A row for each document that goes, with the one that stays for it."""
        return self._frame(self._found.filtered, "id", "duplicate_of")

    @cached_property
    def unresolved(self) -> DataFrame:
        """Documents that stay although they are much like another one."""
        return self._frame(self._found.unresolved, "id", "other")

    @cached_property
    def selected(self) -> DataFrame:
        """The rows that stay, as they were. Rows without a text were not compared, and stay."""
        goes = self.filtered.select(self.filtered["id"].alias(self._id))
        return self._df.join(goes, self._id, "left_anti").select(self._df.columns)

    @property
    def report(self) -> str:
        """The report of ``dupfind scan --format json`` for the rows."""
        return self._found.to_json()

    def _frame(self, table: _dupfind.Table, *ids: str) -> DataFrame:
        """Returns a table as a DataFrame, without the numbers of its rows and with ids as the caller has them."""
        import pyarrow

        rows = table.to_pyarrow()
        rows = rows.select([name for name in rows.column_names if not re.fullmatch("row(_.*)?|.*_row", name)])
        # Spark has no unsigned numbers.
        signed = {"uint32": pyarrow.int64(), "uint64": pyarrow.int64()}
        fields = [pyarrow.field(field.name, signed.get(str(field.type), field.type)) for field in rows.schema]
        rows = rows.cast(pyarrow.schema(fields))
        made = frame_of(self._df.sparkSession, rows)
        kind = kind_of(self._df, self._id)
        for name in ids:
            made = made.withColumn(name, made[name].cast(kind))
        return made


def frame_of(session: SparkSession, rows: pyarrow.Table) -> DataFrame:
    """Returns a table of Arrow as a DataFrame. Executors read its batches: they are no part of the plan."""
    import pyarrow

    names = {"string": "string", "int64": "long", "double": "double", "bool": "boolean"}
    types = ", ".join(f"`{field.name}` {names.get(str(field.type), 'array<string>')}" for field in rows.schema)
    values = [(bytearray(packed(batch)),) for batch in rows.to_batches(max_chunksize=_ROWS)]
    parts = session.sparkContext.parallelize(values, max(1, min(len(values), MAX_PARTITIONS)))
    content = session.createDataFrame(parts, "content binary")
    return content.mapInArrow(unpack, types)
