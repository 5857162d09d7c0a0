"""The features of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dupfind import _dupfind
from dupfind._errors import InputError
from dupfind.spark._rows import FEATURES, schema_of

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

    from dupfind.spark._rows import Batches

# How many documents are cut at a time.
BATCH = 256


def checked(df: DataFrame, text: str, id: str) -> DataFrame:
    """Returns the ids and texts of the rows, both as strings. Refuses columns of other types."""
    for column, kinds in ((text, ("string",)), (id, ("string", "bigint", "int", "smallint", "tinyint"))):
        if column not in df.columns:
            raise InputError(missing(column, df))
        kind = kind_of(df, column)
        if kind not in kinds:
            raise InputError(f"the column '{column}' is of the type {kind}: expected {' or '.join(kinds)}")
    return df.select(df[id].cast("string").alias("id"), df[text].alias("text"))


def kind_of(df: DataFrame, column: str) -> str:
    """Returns the type of a column, in words."""
    kind: str = df.schema[column].dataType.simpleString()
    return kind


def fields(keep: str | Sequence[str] | None) -> list[str]:
    """Returns the columns that the rules ask for."""
    rules = keep.split(",") if isinstance(keep, str) else list(keep or ())
    return sorted({rule.split(":")[1] for rule in rules if rule.startswith("field:")})


def check_fields(df: DataFrame, keep: str | Sequence[str] | None) -> None:
    """Refuses rules that ask for columns that are not there."""
    for name in fields(keep):
        if name not in df.columns:
            raise InputError(f"keep: {missing(name, df)}")


def missing(name: str, df: DataFrame) -> str:
    """Returns the message about a column that is not there."""
    return f"there is no column '{name}': the columns are " + ", ".join(f"'{known}'" for known in df.columns)


def field_columns(df: DataFrame, id: str, keep: str | Sequence[str] | None) -> Any:
    """Returns the columns that the rules ask for, with the rows in the order of their ids; None if there are none."""
    import pyarrow

    names = fields(keep)
    if not names:
        return None
    rows = df.select(df[id].cast("string").alias("id"), *(df[name].cast("string").alias(name) for name in names))
    listed = sorted(rows.toLocalIterator(), key=lambda row: row["id"].encode())
    return pyarrow.table({name: pyarrow.array([row[name] for row in listed], "string") for name in names})


def made_of(rows: DataFrame, options: dict[str, Any]) -> DataFrame:
    """Returns the features of rows of ids and texts."""

    def make(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        engine = engine_of(options)
        schema = schema_of(FEATURES)
        for batch in batches:
            for start in range(0, batch.num_rows, BATCH):
                rows = batch.slice(start, BATCH)
                texts = rows.column(1).to_pylist()
                refused, keys, facts, sets, sizes = engine.features(texts)
                reasons, details = zip(*(why or (None, None) for why in refused))
                columns = [rows.column(0), reasons, details, sizes, keys, facts, sets]
                yield pyarrow.record_batch(
                    [pyarrow.array(column, kind.type) for column, kind in zip(columns, schema)], schema=schema
                )

    return rows.mapInArrow(make, FEATURES)


# The engines of this process, by their options.
_engines: dict[str, _dupfind.TileEngine] = {}


def engine_of(options: dict[str, Any]) -> _dupfind.TileEngine:
    """Returns the engine of these options. A worker of Spark runs many tasks, and loads the dictionary once."""
    key = repr(sorted(options.items()))
    if key not in _engines:
        _engines[key] = _dupfind.TileEngine(options)
    return _engines[key]
