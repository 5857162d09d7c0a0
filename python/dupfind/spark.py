"""Finds the near-duplicates of a Spark DataFrame: the same pairs as ``dupfind.scan`` of its rows on one machine.

Spark schedules, stores, shuffles and retries; the engine of dupfind runs inside of its executors. The steps are those of
``docs/tiles.md``:

* *features*: one row for each document, with its shingle set as bytes
* *tiles*: documents are ordered by the sizes of their sets and cut into tiles of about equal work
* *frequencies*: how many sets have each shingle, for one stretch of hashes in each task
* *weights*: what the sets of a tile weigh
* *pairs*: pairs of tiles are joined, a task for each, or several for one that takes long

The driver keeps about 250 bytes for each document and 20 for each pair of different sets. It compares signatures, relates
the documents of pairs, and decides what stays.
"""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from dupfind import _dupfind
from dupfind._errors import Error, InputError, OptionError

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    _Batches = Iterable[pyarrow.RecordBatch]
    _Slice = tuple[int, int, int, int]

__all__ = ["Result", "features", "near_duplicates"]

# How many documents are cut at a time.
_BATCH = 256

# The memory that a task may take for its tiles, in bytes, unless somebody says so.
_TASK_MEMORY = 512 << 20

# The most partitions of a step.
_MOST_PARTITIONS = 10_000

# How many rows of pieces, each of about a megabyte, are sent to a worker at a time.
_PIECES = 16

# The most shingles of a tile that are counted together.
_STRETCH = 1 << 20

# Pairs leave a worker in pieces of this many bytes.
_CHUNK = 8 << 20

_FEATURES = (
    "id string, detail string, size int, length long, fingerprint long, set_key binary, facts binary, "
    "shingles binary, made_with string"
)
_DATA = "tile int, kind string, part int, content binary"

# The kinds of rows of a tile.
_SETS, _COUNTS, _FREQUENCIES, _WORK, _WEIGHTS, _UNSHARED = "sets", "counts", "frequencies", "work", "weights", "unshared"


@dataclass(frozen=True)
class Result:
    """The pairs and clusters of a DataFrame, and what stays of its rows."""

    pairs: DataFrame
    """A row for each pair: ids, relation, measures, the detectors that found it, and the reason."""
    clusters: DataFrame
    """A row for each document of a cluster."""
    selected: DataFrame
    """The rows that stay, as they were. Rows without a text were not compared, and stay."""
    filtered: DataFrame
    """A row for each document that goes, with the one that stays for it."""
    unresolved: DataFrame
    """Documents that stay although they are much like another one."""
    report: str = field(repr=False)
    """What ``dupfind scan --format json`` says of the rows."""
    tiles: int
    """Into how many tiles the documents were cut."""
    tasks: int
    """How many tasks have joined them."""


def features(df: DataFrame, *, text: str = "text", id: str = "id", **options: Any) -> DataFrame:
    """Returns the features of all rows: one row for each document.

    They may be written to Parquet, and given to ``near_duplicates`` any time later. ``options`` are those of
    ``near_duplicates``.
    """
    _dupfind.TileEngine(**options)
    return _made(_checked(df, text, id), options)


def _made(rows: DataFrame, options: dict[str, Any]) -> DataFrame:
    """Returns the features of rows of ids and texts."""

    def make(batches: _Batches) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        engine = _engine(options)
        schema = _schema(_FEATURES)
        for batch in batches:
            for start in range(0, batch.num_rows, _BATCH):
                rows = batch.slice(start, _BATCH)
                texts = rows.column(1).to_pylist()
                keys, facts, sets, lengths, sizes, fingerprints = engine.features(texts)
                details = [None if key else "null" if text is None else "" for key, text in zip(keys, texts)]
                # Spark has no unsigned numbers.
                signed = [None if bits is None else bits - (bits >> 63 << 64) for bits in fingerprints]
                made = [engine.identity] * rows.num_rows
                columns = [rows.column(0), details, sizes, lengths, signed, keys, facts, sets, made]
                yield pyarrow.record_batch(
                    [pyarrow.array(column, kind.type) for column, kind in zip(columns, schema)], schema=schema
                )

    return rows.mapInArrow(make, _FEATURES)


def near_duplicates(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    tiles: int | None = None,
    task_memory: int = _TASK_MEMORY,
    features: DataFrame | None = None,
    checkpoint: str | None = None,
    keep: str | Sequence[str] | None = None,
    drop: str | Sequence[str] | None = None,
    min_drop: float = 0.5,
    **options: Any,
) -> Result:
    """Returns the pairs of the rows of a DataFrame: those that ``dupfind.scan`` finds in them.

    Args:
        df: The rows.
        text: The column of the texts, which are strings.
        id: The column of the ids: strings or whole numbers, all different, none null.
        tiles: Into how many tiles the documents are cut; by default as few as fit ``task_memory``.
        task_memory: How many bytes a task may take for its tiles.
        features: What the function of this name has made of the same rows, so that it is not made again.
        checkpoint: A folder that all executors see. Every step is written there as Parquet, and a call that was
            interrupted goes on from the steps that are whole.
        keep, drop, min_drop: The rules of ``dupfind.scan`` that choose what stays.
        options: The options of ``dupfind.scan`` about text and detection: ``min_jaccard``, ``max_hamming``,
            ``min_containment``, ``min_weighted``, ``detectors``, ``require``, ``shingle_unit``, ``shingle_size``,
            ``fold_han``, ``cluster_on``.

    Raises:
        InputError: A column is missing, an id is null or stands twice, features were made with other options or of other
            rows.
        OptionError: An option has a value that it cannot have.
    """
    if tiles is not None and not 1 <= tiles <= 1000:
        raise OptionError(f"tiles: expected 1 to 1000, and not {tiles}")
    engine = _dupfind.TileEngine(**options)
    rows = _checked(df, text, id)
    made = _made(rows, options) if features is None else features
    with _Job(df.sparkSession, engine, options, checkpoint) as job:
        job.order(made, rows, features is not None)
        job.cut(tiles or job.known.tiles_for(task_memory))
        job.count()
        job.weigh()
        job.join()
        found = job.finish(_fields(df, id, keep), keep, drop, min_drop)
        return job.result(found, df, id)


def _checked(df: DataFrame, text: str, id: str) -> DataFrame:
    """Returns the ids and texts of the rows, both as strings. Refuses columns of other types."""
    for column, kinds in ((text, ("string",)), (id, ("string", "bigint", "int", "smallint", "tinyint"))):
        if column not in df.columns:
            raise InputError(f"there is no column '{column}': the columns are {', '.join(df.columns)}")
        kind = df.schema[column].dataType.simpleString()
        if kind not in kinds:
            raise InputError(f"the column '{column}' is of the type {kind}: expected {' or '.join(kinds)}")
    return df.select(df[id].cast("string").alias("id"), df[text].alias("text"))


def _fields(df: DataFrame, id: str, keep: str | Sequence[str] | None) -> Any:
    """Returns the columns that the rules ask for, with the rows in the order of their ids; None if there are none."""
    import pyarrow

    rules = keep.split(",") if isinstance(keep, str) else list(keep or ())
    names = sorted({rule.split(":")[1] for rule in rules if rule.startswith("field:")})
    for name in names:
        if name not in df.columns:
            raise InputError(f"keep: there is no column '{name}': the columns are {', '.join(df.columns)}")
    if not names:
        return None
    rows = df.select(df[id].cast("string").alias("id"), *(df[name].cast("string").alias(name) for name in names))
    listed = sorted(rows.toLocalIterator(), key=lambda row: row["id"].encode())
    return pyarrow.table({name: pyarrow.array([row[name] for row in listed], "string") for name in names})


class _Job:
    """A job, of which every step is a DataFrame."""

    def __init__(
        self, session: SparkSession, engine: _dupfind.TileEngine, options: dict[str, Any], checkpoint: str | None
    ) -> None:
        self.session = session
        self.engine = engine
        self.options = options
        self.checkpoint = checkpoint
        self.known = _dupfind.TileJob(engine)
        self.kept: list[DataFrame] = []
        self.features: DataFrame
        self.bounds: list[tuple[int, int, bytes, int]] = []
        self.tiles = 1
        # The rows of the tiles: sets, frequencies, weights.
        self.data: list[DataFrame] = []
        self.counts: DataFrame
        self.work: list[tuple[int, int, int]] = []
        self.slices: list[tuple[_Slice, int]] = []

    def __enter__(self) -> _Job:
        return self

    def __exit__(self, *_: object) -> None:
        for made in self.kept:
            made.unpersist()

    def step(self, name: str, key: str, make: Callable[[], DataFrame], rows: int = 0) -> DataFrame:
        """Makes the rows of a step, or reads them if a call before has. Each worker gets so many rows at a time."""
        from pyspark import StorageLevel

        with self.described(name), self.batches_of(rows):
            if self.checkpoint is not None:
                path = f"{self.checkpoint.rstrip('/')}/{name}-{key}"
                if not self.is_whole(path):
                    make().write.mode("overwrite").parquet(path)
                return self.session.read.parquet(path)
            made = make().persist(StorageLevel.DISK_ONLY)
            self.kept.append(made)
            # All rows are made now, and once.
            made.count()
            return made

    def is_whole(self, path: str) -> bool:
        """Returns whether a step was written to its end."""
        jvm: Any = self.session.sparkContext._jvm
        mark = jvm.org.apache.hadoop.fs.Path(f"{path}/_SUCCESS")
        configuration = self.session.sparkContext._jsc.hadoopConfiguration()  # type: ignore[attr-defined]
        return bool(mark.getFileSystem(configuration).exists(mark))

    @contextmanager
    def described(self, name: str) -> Iterator[None]:
        """Names the step in Spark's interface."""
        context = self.session.sparkContext
        before = context.getLocalProperty("spark.job.description")
        context.setJobDescription(f"dupfind: {name}")
        try:
            yield
        finally:
            context.setLocalProperty("spark.job.description", cast(str, before))

    @contextmanager
    def batches_of(self, rows: int) -> Iterator[None]:
        """Has Spark send at most so many rows at a time to a worker; 0 is as many as it usually does."""
        name = "spark.sql.execution.arrow.maxRecordsPerBatch"
        before = self.session.conf.get(name)
        if rows:
            self.session.conf.set(name, str(rows))
        try:
            yield
        finally:
            self.session.conf.set(name, cast(str, before))

    def by_key(self, rows: DataFrame, key: str, values: Sequence[int], *order: str) -> DataFrame:
        """Brings together the rows of each key, which is one of some numbers, each in a partition of its own as long as
        there are no more than some thousands."""
        from pyspark.sql import functions as F

        count = max(1, min(len(values), _MOST_PARTITIONS))
        # Spark chooses a partition by a hash. So each key gets a number whose hash leads to its own partition.
        numbers = self.session.range(count * 20 + 1000).select(F.col("id").cast("int").alias("number"))
        placed = numbers.select("number", F.pmod(F.hash("number"), F.lit(count)).alias("place"))
        with self.described("partitions"):
            of_place = {row["place"]: row["number"] for row in placed.collect()}
        places = [(value, of_place.get(at % count, at)) for at, value in enumerate(values)]
        table = self.session.createDataFrame(places, f"{key} int, place int")
        placed_rows = rows.join(F.broadcast(table), key).repartition(count, "place")
        return placed_rows.sortWithinPartitions(key, *order).select(rows.columns)

    def packed(self, rows: DataFrame) -> Iterator[pyarrow.RecordBatch]:
        """Returns rows to the driver, one partition after the other."""
        import pyarrow

        def pack(batches: _Batches) -> Iterator[pyarrow.RecordBatch]:
            for batch in batches:
                sink = pyarrow.BufferOutputStream()
                with pyarrow.ipc.new_stream(sink, batch.schema) as writer:
                    writer.write_batch(batch)
                content = pyarrow.array([sink.getvalue().to_pybytes()], pyarrow.binary())
                yield pyarrow.record_batch([content], names=["content"])

        for row in rows.mapInArrow(pack, "content binary").toLocalIterator():
            yield from pyarrow.ipc.open_stream(row["content"])

    def order(self, made: DataFrame, rows: DataFrame, is_given: bool) -> None:
        """Makes the features of the rows, or takes those that are given, and orders the sets of all documents."""
        if is_given:
            self.features = made
        else:
            self.features = self.step("features", self.key_of(rows), lambda: made)
        with self.described("order"):
            for row in self.features.select("made_with").distinct().collect():
                self.engine.check(row["made_with"])
            if is_given and _ids(rows) != _ids(made):
                raise InputError("the features are not those of these rows: make them again")
            columns = self.features.select("id", "set_key", "facts", "detail")
            for batch in self.packed(columns):
                if batch.column(0).null_count:
                    raise InputError("an id is null: each row needs one")
                self.known.add(*(column.to_pylist() for column in batch.columns))
        self.known.order()

    def key_of(self, rows: DataFrame) -> str:
        """Returns what tells these rows, with these options, from others. It is needed only where steps are kept."""
        if self.checkpoint is None:
            return ""
        from pyspark.sql import functions as F

        numbers = F.xxhash64("id", "text").cast("decimal(38,0)")
        found = rows.agg(F.count("*").alias("rows"), F.sum(numbers).alias("sum")).collect()[0]
        told = f"{found['rows']} {found['sum']} {self.engine.identity}"
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def cut(self, tiles: int) -> None:
        """Cuts the documents into tiles, and counts the shingles of each."""
        self.tiles = tiles
        self.bounds = self.known.cut(tiles)
        if not self.bounds:
            return
        keys = [key for _, _, key, _ in self.bounds]
        numbers = [tile for tile, *_ in self.bounds]
        stretches = self.stretches

        def assign(batches: _Batches) -> Iterator[pyarrow.RecordBatch]:
            import pyarrow

            for batch in batches:
                of_rows = [numbers[bisect.bisect_right(keys, key) - 1] for key in batch.column(0).to_pylist()]
                columns = [pyarrow.array(of_rows, "int32"), *batch.columns]
                yield pyarrow.record_batch(columns, names=["tile", "set_key", "shingles"])

        def build(batches: _Batches) -> Iterator[pyarrow.RecordBatch]:
            for tile, own in _grouped(batches, 0):
                builder = _dupfind.Tile()
                part = 0
                for rows in own:
                    pieces = builder.add(rows.column(1).to_pylist(), rows.column(2).to_pylist())
                    for piece in pieces:
                        yield _data([(tile, _SETS, part, piece)])
                        part += 1
                rest, counts = builder.finish(stretches)
                for piece in rest:
                    yield _data([(tile, _SETS, part, piece)])
                    part += 1
                for stretch, content in enumerate(counts):
                    yield _data([(tile, _COUNTS, stretch, content)])

        def make() -> DataFrame:
            rows = self.features.where("size > 0").select("set_key", "shingles")
            placed = rows.mapInArrow(assign, "tile int, set_key binary, shingles binary")
            return self.by_key(placed, "tile", numbers, "set_key").mapInArrow(build, _DATA)

        made = self.step("tiles", self.key(f"{tiles}-{stretches}"), make)
        self.counts = made.where(made["kind"] == _COUNTS)
        self.data = [made.where(made["kind"] == _SETS)]

    @property
    def stretches(self) -> int:
        """Into how many stretches the hashes of shingles are cut: as many as make counts of some megabytes, and as keep all
        cores busy."""
        largest = max((shingles for *_, shingles in self.bounds), default=0)
        return max(len(self.bounds), 2 * self.session.sparkContext.defaultParallelism, -(-largest // _STRETCH))

    def key(self, of_step: str) -> str:
        """Returns what tells a step of this job from those of others."""
        return f"{self.known.number:016x}-{of_step}"

    def count(self) -> None:
        """Counts how many sets of all tiles have each shingle."""
        if not self.bounds:
            return

        def merge(batches: _Batches) -> Iterator[pyarrow.RecordBatch]:
            for stretch, own in _grouped(batches, 2):
                counts = [row for rows in own for row in zip(rows.column(0).to_pylist(), rows.column(3).to_pylist())]
                of_tiles, work = _dupfind.merge_counts(counts)
                for tile, content in of_tiles:
                    yield _data([(tile, _FREQUENCIES, stretch, content)])
                text = ",".join(f"{earlier} {later} {times}" for earlier, later, times in work)
                yield _data([(0, _WORK, stretch, text.encode())])

        stretches = self.stretches
        made = self.step(
            "frequencies",
            self.key(f"{self.tiles}-{stretches}"),
            lambda: self.by_key(self.counts, "part", range(stretches), "tile").mapInArrow(merge, _DATA),
            _PIECES,
        )
        with self.described("frequencies"):
            for row in made.where(made["kind"] == _WORK).toLocalIterator():
                entries = (entry.split() for entry in bytes(row["content"]).decode().split(",") if entry)
                self.work.extend((int(earlier), int(later), int(times)) for earlier, later, times in entries)
        self.data.append(made.where(made["kind"] == _FREQUENCIES))

    def weigh(self) -> None:
        """Weighs the sets."""
        if not self.bounds:
            return

        def weigh(batches: _Batches) -> Iterator[pyarrow.RecordBatch]:
            for tile, own in _grouped(batches, 0):
                parts = _parts(own)
                weights, unshared = _dupfind.weigh_tile(parts[_SETS], parts[_FREQUENCIES])
                yield _data([(tile, _WEIGHTS, 0, weights)])
                yield _data([(tile, _UNSHARED, 0, unshared)])

        numbers = [tile for tile, *_ in self.bounds]
        data = self.data[0].unionByName(self.data[1])
        made = self.step(
            "weights",
            self.key(f"{self.tiles}-{self.stretches}"),
            lambda: self.by_key(data, "tile", numbers, "kind", "part").mapInArrow(weigh, _DATA),
            _PIECES,
        )
        weights: dict[int, dict[str, bytes]] = {}
        with self.described("weights"):
            for row in made.toLocalIterator():
                weights.setdefault(row["tile"], {})[row["kind"]] = bytes(row["content"])
        for tile, parts in weights.items():
            self.known.set_weights(tile, parts[_WEIGHTS], parts[_UNSHARED])
        self.data.append(made.where(made["kind"] == _WEIGHTS))

    def plan_tasks(self) -> None:
        """Decides which tasks there are."""
        cores = self.session.sparkContext.defaultParallelism
        self.slices = self.known.slices(self.work, cores) if self.bounds else []

    def join(self) -> None:
        """Joins the tiles of all tasks."""
        from pyspark.sql import functions as F

        self.plan_tasks()
        if not self.slices:
            return
        job = (self.known.number, self.tiles, self.known.documents)
        firsts = {tile: first for tile, first, *_ in self.bounds}
        tasks = [(*slice, memory, self.known.candidates(slice[0], slice[1])) for slice, memory in self.slices]
        options = {**self.options, "threads": 1}

        def run(batches: _Batches) -> Iterator[pyarrow.RecordBatch]:
            engine = _engine(options)
            for number, own in _grouped(batches, 0):
                earlier, later, part, count, memory, candidates = tasks[number]
                _check_memory(earlier, later, memory)
                of_tiles = _by_tile(own)
                wanted = [earlier] if earlier == later else [earlier, later]
                both = [
                    (firsts[tile], parts[_SETS], parts[_FREQUENCIES], parts[_WEIGHTS][0])
                    for tile, parts in ((tile, of_tiles[tile]) for tile in wanted)
                ]
                pairs = engine.join(job, (earlier, later, part, count), candidates, both)
                for at, start in enumerate(range(0, len(pairs), _CHUNK)):
                    yield _data([(number, "pairs", at, pairs[start : start + _CHUNK])])

        needed = [(at, tile) for at, task in enumerate(tasks) for tile in sorted({task[0], task[1]})]
        table = self.session.createDataFrame(needed, "task int, tile int")
        data = self.data[0].unionByName(self.data[1]).unionByName(self.data[2])
        joined = data.join(F.broadcast(table), "tile").select("task", "tile", "kind", "part", "content")
        cores = self.session.sparkContext.defaultParallelism
        key = self.key(f"{self.tiles}-{self.stretches}-{cores}")
        try:
            made = self.step(
                "pairs",
                key,
                lambda: self.by_key(joined, "task", range(len(tasks)), "tile", "kind", "part").mapInArrow(run, _DATA),
                _PIECES,
            )
        except Exception as error:
            memory, (earlier, later, *_) = max((memory, slice) for slice, memory in self.slices)
            raise Error(
                f"a task failed: the largest one, of the tiles {earlier} and {later}, takes about {memory >> 20} MB in the "
                f"Python worker besides what Spark takes; where memory is short, set tiles= above {self.tiles}, or give "
                "executors more with spark.executor.memoryOverhead"
            ) from error
        with self.described("pairs"):
            for number, rows in groupby(made.orderBy("tile", "part").toLocalIterator(), key=lambda row: row["tile"]):
                pairs = b"".join(row["content"] for row in rows)
                self.known.add_pairs(self.slices[number][0], pairs)

    def finish(
        self, rows: Any, keep: str | Sequence[str] | None, drop: str | Sequence[str] | None, min_drop: float
    ) -> _dupfind.Result:
        """Puts the pairs together on the driver."""
        from pyspark.sql import functions as F

        def load(keys: list[bytes]) -> list[tuple[bytes, bytes]]:
            table = self.session.createDataFrame([(bytearray(key),) for key in keys], "set_key binary")
            asked = self.features.join(F.broadcast(table), "set_key").select("set_key", "shingles")
            found = {}
            with self.described("clusters"):
                for batch in self.packed(asked):
                    found.update(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist()))
            return list(found.items())

        return self.known.finish(load, rows=rows, keep=keep, drop=drop, min_drop=min_drop)

    def result(self, found: _dupfind.Result, df: DataFrame, id: str) -> Result:
        """Returns what was found as DataFrames."""
        kind = df.schema[id].dataType.simpleString()

        def frame(table: _dupfind.Table, *ids: str) -> DataFrame:
            made = self.frame(table.to_pyarrow())
            for name in ids:
                made = made.withColumn(name, made[name].cast(kind))
            return made

        filtered = frame(found.filtered, "id", "duplicate_of")
        goes = filtered.select(filtered["id"].alias(id))
        return Result(
            pairs=frame(found.pairs, "a", "b", "container"),
            clusters=frame(found.clusters, "id"),
            selected=df.join(goes, id, "left_anti").select(df.columns),
            filtered=filtered,
            unresolved=frame(found.unresolved, "id", "other"),
            report=found.to_json(),
            tiles=self.tiles,
            tasks=len(self.slices),
        )

    def frame(self, table: pyarrow.Table) -> DataFrame:
        """Returns a table as a DataFrame, without the numbers of its rows."""
        import pyarrow

        names = [name for name in table.column_names if not (name.startswith("row") or name.endswith("_row"))]
        table = table.select(names)
        signed = {"uint32": pyarrow.int64(), "uint64": pyarrow.int64()}
        fields = [pyarrow.field(field.name, signed.get(str(field.type), field.type)) for field in table.schema]
        table = table.cast(pyarrow.schema(fields))
        types = ", ".join(f"`{field.name}` {_sql_type(field.type)}" for field in fields)
        rows: Any = table.to_pylist()
        return self.session.createDataFrame([tuple(row.values()) for row in rows], types)


def _sql_type(kind: Any) -> str:
    """Returns the name that Spark has for a type of Arrow."""
    names = {"string": "string", "int64": "long", "double": "double", "bool": "boolean"}
    return names.get(str(kind), "array<string>")


def _ids(rows: DataFrame) -> Any:
    """Returns how many rows there are, and the sum of the hashes of their ids."""
    from pyspark.sql import functions as F

    numbers = F.xxhash64("id").cast("decimal(38,0)")
    return rows.agg(F.count("*").alias("rows"), F.sum(numbers).alias("ids")).collect()[0]


# The engines of this process, by their options.
_engines: dict[str, _dupfind.TileEngine] = {}


def _engine(options: dict[str, Any]) -> _dupfind.TileEngine:
    """Returns the engine of these options. A worker of Spark runs many tasks, and loads the dictionary once."""
    key = repr(sorted(options.items()))
    if key not in _engines:
        _engines[key] = _dupfind.TileEngine(**options)
    return _engines[key]


def _schema(ddl: str) -> pyarrow.Schema:
    """Returns the schema of Arrow for columns as Spark writes them."""
    import pyarrow

    types = {"string": "string", "int": "int32", "long": "int64", "binary": "binary"}
    columns = (column.split() for column in ddl.split(", "))
    return pyarrow.schema([(name, types[kind]) for name, kind in columns])


def _data(rows: list[tuple[int, str, int, bytes]]) -> pyarrow.RecordBatch:
    import pyarrow

    schema = _schema(_DATA)
    columns = [pyarrow.array(column, kind.type) for column, kind in zip(zip(*rows), schema)]
    return pyarrow.record_batch(columns, schema=schema)


def _grouped(batches: _Batches, column: int) -> Iterator[tuple[int, Iterator[pyarrow.RecordBatch]]]:
    """Groups sorted rows by a column of whole numbers. Each group must be used up before the next one is asked for."""
    pieces = (piece for batch in batches for piece in _runs(batch, column))
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


def _runs(batch: pyarrow.RecordBatch, column: int) -> Iterator[tuple[int, pyarrow.RecordBatch]]:
    """Cuts a batch of sorted rows where a column changes."""
    keys = batch.column(column).to_pylist()
    start = 0
    for at in range(1, len(keys) + 1):
        if at == len(keys) or keys[at] != keys[start]:
            yield keys[start], batch.slice(start, at - start)
            start = at


def _parts(batches: _Batches) -> dict[str, list[bytes]]:
    """Returns the contents of the rows of a tile, by kind and in the order of their parts."""
    parts: dict[str, list[bytes]] = {_SETS: [], _FREQUENCIES: [], _WEIGHTS: []}
    for rows in batches:
        columns = (rows.column(name).to_pylist() for name in ("kind", "content"))
        for kind, content in zip(*columns):
            parts[kind].append(content)
    return parts


def _by_tile(batches: _Batches) -> dict[int, dict[str, list[bytes]]]:
    """Returns the contents of the rows of the tiles of a task."""
    return {tile: _parts(own) for tile, own in _grouped(batches, 1)}


def _check_memory(earlier: int, later: int, memory: int) -> None:
    """Fails if a task is expected to take more memory than the worker may."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and memory > limit:
        raise MemoryError(
            f"the tiles {earlier} and {later} take about {memory >> 20} MB, and the worker may take {limit >> 20} MB: set "
            "more tiles, or spark.executor.pyspark.memory"
        )
