"""How a step of a job is run, kept, and brought to the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from dupfind.spark._rows import pack

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Self

# The most partitions of a step.
MAX_PARTITIONS = 10_000


class Steps:
    """The steps of a job, each a DataFrame that is kept until the end."""

    def __init__(self, session: SparkSession, checkpoint: str | None) -> None:
        self.session = session
        self.checkpoint = checkpoint
        self.kept: list[DataFrame] = []

    def __enter__(self) -> Self:
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
        context: Any = self.session.sparkContext
        mark = context._jvm.org.apache.hadoop.fs.Path(f"{path}/_SUCCESS")
        return bool(mark.getFileSystem(context._jsc.hadoopConfiguration()).exists(mark))

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

        count = max(1, min(len(values), MAX_PARTITIONS))
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

        for row in rows.mapInArrow(pack, "content binary").toLocalIterator():
            yield from pyarrow.ipc.open_stream(row["content"])

