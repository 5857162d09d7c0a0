"""A job: its steps, and the facts that the driver gets from each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dupfind import _dupfind
from dupfind._errors import Error, InputError
from dupfind.spark._features import engine_of, made_of
from dupfind.spark._rows import COUNTS, DATA, FREQUENCIES, SETS, WEIGHTS, WORK, by_tile, grouped, parts_of, tile_rows
from dupfind.spark._steps import Steps

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame, SparkSession

    from dupfind.spark._rows import Batches

    Slice = tuple[int, int, int, int]

# The memory that a task may take for its tiles by default, in bytes.
TASK_MEMORY = 512 << 20

# How many rows of pieces, each of about a megabyte, are sent to a worker at a time.
PIECES = 16

# How many documents are sent to a worker at a time.
_DOCUMENTS = 1_000

# The most shingles of a tile that are counted together.
_STRETCH = 1 << 20

# Pairs, of 20 bytes each, leave a worker in pieces of this many bytes.
_CHUNK = 20 << 18


class Job(Steps):
    """A job whose steps are DataFrames."""

    def __init__(
        self, session: SparkSession, engine: _dupfind.TileEngine, options: dict[str, Any], checkpoint: str | None
    ) -> None:
        super().__init__(session, checkpoint)
        self.engine = engine
        self.options = options
        self.known = _dupfind.TileJob(engine)
        self.features: DataFrame
        self.bounds: list[tuple[int, int, bytes, int]] = []
        self.tiles = 1
        # The rows of the tiles: sets, frequencies, weights.
        self.data: list[DataFrame] = []
        self.counts: DataFrame
        self.work: list[tuple[int, int, int]] = []
        self.slices: list[tuple[Slice, int]] = []

    def order(self, rows: DataFrame, others: DataFrame | None) -> None:
        """Makes the features of the rows, and orders the sets of all documents. ``others`` are rows that these are compared
        with."""
        from pyspark.sql import functions as F

        self.features = self.add("features", rows, False)
        if others is not None:
            of_others = self.add("against", others, True)
            own = self.features.withColumn("is_reference", F.lit(False))
            self.features = own.unionByName(of_others.withColumn("is_reference", F.lit(True)))
        else:
            # All sets count where there is one side.
            self.features = self.features.withColumn("is_reference", F.lit(True))
        self.known.order()

    def add(self, name: str, rows: DataFrame, is_against: bool) -> DataFrame:
        """Makes the features of rows, and adds the documents to the job, at the driver."""
        made = self.step(name, self.key_of(rows), lambda: made_of(rows, self.options), _DOCUMENTS)
        with self.described("order"):
            for batch in self.packed(made.select("id", "set_key", "facts", "reason", "detail")):
                if batch.column(0).null_count:
                    raise InputError("an id is null: each row needs one")
                self.known.add(is_against, *(column.to_pylist() for column in batch.columns))
        return made

    def key_of(self, rows: DataFrame) -> str:
        """Returns a key of these rows with these options. It is needed only if steps are kept."""
        if self.checkpoint is None:
            return ""
        from pyspark.sql import functions as F

        numbers = F.xxhash64("id", "text").cast("decimal(38,0)")
        found = rows.agg(F.count("*").alias("rows"), F.sum(numbers).alias("sum")).collect()[0]
        identity = f"{found['rows']} {found['sum']} {self.engine.identity}"
        return hashlib.sha256(identity.encode()).hexdigest()[:16]

    def cut(self, tiles: int) -> None:
        """Cuts the documents into tiles, and counts the shingles of each."""
        self.tiles = tiles
        self.bounds = self.known.cut(tiles)
        if not self.bounds:
            return
        numbers = [tile for tile, *_ in self.bounds]
        stretches = self.stretches

        def build(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
            for tile, own in grouped(batches, 0):
                builder = _dupfind.Tile()
                part = 0
                for rows in own:
                    pieces = builder.add(*(rows.column(at).to_pylist() for at in (1, 2, 3)))
                    for piece in pieces:
                        yield tile_rows([(tile, SETS, part, piece)])
                        part += 1
                rest, counts = builder.finish(stretches)
                for piece in rest:
                    yield tile_rows([(tile, SETS, part, piece)])
                    part += 1
                for stretch, content in enumerate(counts):
                    yield tile_rows([(tile, COUNTS, stretch, content)])

        def make() -> DataFrame:
            rows = self.features.where("size > 0")
            placed = rows.select(_tile_of(self.bounds).alias("tile"), "set_key", "shingles", "is_reference")
            return self.by_key(placed, "tile", numbers, "set_key").mapInArrow(build, DATA)

        made = self.step("tiles", self.key(f"{tiles}-{stretches}"), make, _DOCUMENTS)
        self.counts = made.where(made["kind"] == COUNTS)
        self.data = [made.where(made["kind"] == SETS)]

    @property
    def stretches(self) -> int:
        """Into how many stretches the hashes of shingles are cut: as many as make counts of some megabytes, and as keep all
        cores busy."""
        largest = max((shingles for *_, shingles in self.bounds), default=0)
        cores: int = self.session.sparkContext.defaultParallelism
        return max(len(self.bounds), 2 * cores, -(-largest // _STRETCH))

    def key(self, of_step: str) -> str:
        """Returns the key of a step, which no step of another job has."""
        return f"{self.known.number:016x}-{of_step}"

    def count(self) -> None:
        """Counts how many sets of all tiles have each shingle."""
        if not self.bounds:
            return

        def merge(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
            for stretch, own in grouped(batches, 2):
                counts = [row for rows in own for row in zip(rows.column(0).to_pylist(), rows.column(3).to_pylist())]
                of_tiles, work = _dupfind.merge_counts(counts)
                for tile, content in of_tiles:
                    yield tile_rows([(tile, FREQUENCIES, stretch, content)])
                text = ",".join(f"{earlier} {later} {times}" for earlier, later, times in work)
                yield tile_rows([(0, WORK, stretch, text.encode())])

        stretches = self.stretches
        made = self.step(
            "frequencies",
            self.key(f"{self.tiles}-{stretches}"),
            lambda: self.by_key(self.counts, "part", range(stretches), "tile").mapInArrow(merge, DATA),
            PIECES,
        )
        with self.described("frequencies"):
            for row in made.where(made["kind"] == WORK).toLocalIterator():
                entries = (entry.split() for entry in bytes(row["content"]).decode().split(",") if entry)
                self.work.extend((int(earlier), int(later), int(times)) for earlier, later, times in entries)
        self.data.append(made.where(made["kind"] == FREQUENCIES))

    def weigh(self) -> None:
        """Weighs the sets."""
        if not self.bounds:
            return

        def weigh(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
            for tile, own in grouped(batches, 0):
                parts = parts_of(own)
                weights = _dupfind.weigh_tile(parts[SETS], parts[FREQUENCIES])
                yield tile_rows([(tile, WEIGHTS, 0, weights)])

        numbers = [tile for tile, *_ in self.bounds]
        data = self.data[0].unionByName(self.data[1])
        made = self.step(
            "weights",
            self.key(f"{self.tiles}-{self.stretches}"),
            lambda: self.by_key(data, "tile", numbers, "kind", "part").mapInArrow(weigh, DATA),
            PIECES,
        )
        with self.described("weights"):
            for row in made.toLocalIterator():
                self.known.set_weights(row["tile"], bytes(row["content"]))
        self.data.append(made)

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
        documents = self.known.documents
        firsts = {tile: first for tile, first, *_ in self.bounds}
        tasks = [(*slice, memory, self.known.candidates(slice[0], slice[1])) for slice, memory in self.slices]
        options = {**self.options, "threads": 1}

        def run(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
            engine = engine_of(options)
            for number, own in grouped(batches, 0):
                earlier, later, part, count, memory, candidates = tasks[number]
                check_memory(earlier, later, memory)
                of_tiles = by_tile(own)
                wanted = [earlier] if earlier == later else [earlier, later]
                both = [
                    (firsts[tile], parts[SETS], parts[FREQUENCIES], parts[WEIGHTS][0])
                    for tile, parts in ((tile, of_tiles[tile]) for tile in wanted)
                ]
                pairs = engine.join(documents, (earlier, later, part, count), candidates, both)
                for at, start in enumerate(range(0, max(len(pairs), 1), _CHUNK)):
                    yield tile_rows([(number, "pairs", at, pairs[start : start + _CHUNK])])

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
                lambda: self.by_key(joined, "task", range(len(tasks)), "tile", "kind", "part").mapInArrow(run, DATA),
                PIECES,
            )
        except Exception as error:
            memory, (earlier, later, *_) = max((memory, slice) for slice, memory in self.slices)
            raise Error(
                f"a task failed: the largest one, of the tiles {earlier} and {later}, takes about {memory >> 20} MB in the "
                f"Python worker besides what Spark takes; where memory is short, set tiles= above {self.tiles}, or give "
                "executors more with spark.executor.memoryOverhead"
            ) from error
        with self.described("pairs"):
            for row in made.toLocalIterator():
                self.known.add_pairs(row["tile"], row["part"], bytes(row["content"]))

    def finish(self, rows: Any, rules: dict[str, Any]) -> _dupfind.Result:
        """Puts the pairs together on the driver, and decides by these rules what stays."""
        from pyspark.sql import functions as F

        def load(keys: list[bytes]) -> list[tuple[bytes, bytes]]:
            table = self.session.createDataFrame([(bytearray(key),) for key in keys], "set_key binary")
            wanted = self.features.join(F.broadcast(table), "set_key").select("set_key", "shingles")
            found: dict[bytes, bytes] = {}
            with self.described("clusters"):
                for batch in self.packed(wanted):
                    found.update(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist()))
            return list(found.items())

        return self.known.finish(load, rows, rules)


def _tile_of(bounds: list[tuple[int, int, bytes, int]]) -> Column:
    """Returns the tile of a row: the last one whose first key is not above the key of the row."""
    from pyspark.sql import functions as F

    if len(bounds) == 1:
        return F.lit(bounds[0][0])
    middle = len(bounds) // 2
    is_before = F.col("set_key") < F.lit(bounds[middle][2])
    return F.when(is_before, _tile_of(bounds[:middle])).otherwise(_tile_of(bounds[middle:]))


def check_memory(earlier: int, later: int, memory: int) -> None:
    """Fails if a task is expected to take more memory than the worker may."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and memory > limit:
        raise MemoryError(
            f"the tiles {earlier} and {later} take about {memory >> 20} MB, and the worker may take {limit >> 20} MB: set "
            "more tiles, or spark.executor.pyspark.memory"
        )
