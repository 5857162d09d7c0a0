"""Rows of Spark in a worker: their columns and their groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow

    Batches = Iterable[pyarrow.RecordBatch]

FEATURES = "id string, reason string, detail string, size int, set_key binary, facts binary, shingles binary"
DATA = "tile int, kind string, part int, content binary"

# The kinds of rows of a tile.
SETS, COUNTS, FREQUENCIES, WORK, WEIGHTS = "sets", "counts", "frequencies", "work", "weights"


def schema_of(ddl: str) -> pyarrow.Schema:
    """Returns the schema of Arrow for columns as Spark writes them."""
    import pyarrow

    types = {"string": "string", "int": "int32", "binary": "binary"}
    columns = (column.split() for column in ddl.split(", "))
    return pyarrow.schema([(name, types[kind]) for name, kind in columns])


def tile_rows(rows: list[tuple[int, str, int, bytes]]) -> pyarrow.RecordBatch:
    import pyarrow

    schema = schema_of(DATA)
    columns = [pyarrow.array(column, kind.type) for column, kind in zip(zip(*rows), schema)]
    return pyarrow.record_batch(columns, schema=schema)


def grouped(batches: Batches, column: int) -> Iterator[tuple[int, Iterator[pyarrow.RecordBatch]]]:
    """Groups sorted rows by a column of whole numbers. Each group must be used up before the next one."""
    pieces = (piece for batch in batches for piece in runs(batch, column))
    head = next(pieces, None)

    def own(key: int) -> Iterator[pyarrow.RecordBatch]:
        nonlocal head
        while head is not None and head[0] == key:
            yield head[1]
            head = next(pieces, None)

    while head is not None:
        key = head[0]
        group = own(key)
        yield key, group
        for _ in group:
            pass


def runs(batch: pyarrow.RecordBatch, column: int) -> Iterator[tuple[int, pyarrow.RecordBatch]]:
    """Cuts a batch of sorted rows where a column changes."""
    keys = batch.column(column).to_pylist()
    start = 0
    for at in range(1, len(keys) + 1):
        if at == len(keys) or keys[at] != keys[start]:
            yield keys[start], batch.slice(start, at - start)
            start = at


def parts_of(batches: Batches) -> dict[str, list[bytes]]:
    """Returns the contents of the rows of a tile, by kind and in the order of their parts."""
    parts: dict[str, list[bytes]] = {SETS: [], FREQUENCIES: [], WEIGHTS: []}
    for rows in batches:
        columns = (rows.column(name).to_pylist() for name in ("kind", "content"))
        for kind, content in zip(*columns):
            parts[kind].append(content)
    return parts


def by_tile(batches: Batches) -> dict[int, dict[str, list[bytes]]]:
    """Returns the contents of the rows of the tiles of a task."""
    return {tile: parts_of(own) for tile, own in grouped(batches, 1)}


def packed(batch: pyarrow.RecordBatch) -> bytes:
    """Returns a batch as a stream of Arrow."""
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())


def pack(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
    """Returns each batch as one value."""
    import pyarrow

    for batch in batches:
        yield pyarrow.record_batch([pyarrow.array([packed(batch)], pyarrow.binary())], names=["content"])


def unpack(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
    """Returns the batches that ``pack`` has packed."""
    import pyarrow

    for batch in batches:
        for content in batch.column(0).to_pylist():
            yield from pyarrow.ipc.open_stream(content)
