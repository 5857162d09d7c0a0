"""Measures ``dupfind.spark`` on executors of one core each, against a scan in one process:

    python benches/peers/spark.py FILE [--rows N] [--tiles K] [--executors N] [--memory MB] [--minhash]

FILE has a JSON object with a text in each line. It prints the time and the processor time of each step, the bytes that
were shuffled, the peak memory of executors and of their Python workers, and whether the report is that of the scan.
``--minhash`` compares with MinHashLSH of Spark on hashed shingles of words and characters, as other scripts do it.
"""

import argparse
import json
import os
import sys
import threading
import time
from pathlib import Path

os.environ.update(SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_HOSTNAME="localhost")
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import dupfind
from dupfind import spark as near
from dupfind.spark._job import Job

TICKS = os.sysconf("SC_CLK_TCK")


class Processes(threading.Thread):
    """Watches the processes of Spark."""

    def __init__(self):
        super().__init__(daemon=True)
        self.seconds, self.peaks, self.names = {}, {}, {}
        self.ended = threading.Event()

    def look(self):
        parents, seen = {}, {}
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                rest = (folder / "stat").read_text().rpartition(")")[2].split()
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                status = (folder / "status").read_text()
            except OSError:
                continue
            pid = int(folder.name)
            parents[pid] = int(rest[1])
            resident = status.partition("RssAnon:")[2].split()[:1]
            seen[pid] = ((int(rest[11]) + int(rest[12])) / TICKS, int((resident or ["0"])[0]) >> 10, words)
        own = {os.getpid()}
        for _ in range(8):
            own |= {pid for pid, parent in parents.items() if parent in own}
        for pid in own - {os.getpid()}:
            seconds, megabytes, words = seen[pid]
            self.seconds[pid] = seconds
            self.peaks[pid] = max(self.peaks.get(pid, 0), megabytes)
            kind = "executor" if "CoarseGrained" in words else "worker" if "pyspark" in words and "java" not in words else "driver"
            self.names[pid] = kind

    def run(self):
        while not self.ended.wait(0.25):
            self.look()

    def total(self):
        self.look()
        return sum(self.seconds.values())

    def of_kinds(self):
        self.look()
        kinds = sorted(set(self.names.values()))
        return {kind: round(sum(s for pid, s in self.seconds.items() if self.names[pid] == kind), 1) for kind in kinds}

    def peak(self, kind):
        return max((peak for pid, peak in self.peaks.items() if self.names[pid] == kind), default=0)


def pairs_of_minhash(frame, count):
    """The pairs at .2 of MinHashLSH over hashed shingles, as bigcode's and text-dedup's scripts for Spark have them."""
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, Tokenizer

    words = Tokenizer(inputCol="text", outputCol="words").transform(frame)
    shingles = NGram(n=3, inputCol="words", outputCol="shingles").transform(words)
    vectors = HashingTF(inputCol="shingles", outputCol="vector", binary=True, numFeatures=1 << 20).transform(shingles)
    vectors = vectors.where(F.size("shingles") > 0).cache()
    model = MinHashLSH(inputCol="vector", outputCol="hashes", numHashTables=count, seed=1).fit(vectors)
    joined = model.approxSimilarityJoin(vectors, vectors, 0.8, distCol="distance")
    return joined.select(F.col("datasetA.id").alias("a"), F.col("datasetB.id").alias("b")).where("a < b")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("file")
    options.add_argument("--rows", type=int, default=sys.maxsize)
    options.add_argument("--tiles", type=int)
    options.add_argument("--executors", type=int, default=2)
    options.add_argument("--memory", type=int, default=1024)
    options.add_argument("--minhash", type=int, default=0, help="how many hash tables")
    options.add_argument("--no-scan", action="store_true")
    chosen = options.parse_args()
    started = time.time()
    builder = SparkSession.builder.master(f"local-cluster[{chosen.executors},1,{chosen.memory}]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": f"{chosen.memory}m",
        "spark.locality.wait": "0s",
        "spark.driver.memory": "4g",
        "spark.sql.files.maxPartitionBytes": str(16 << 20),
        "spark.ui.retainedStages": "10000",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    processes = Processes()
    processes.start()
    lines = spark.read.text(chosen.file).limit(chosen.rows) if chosen.rows < sys.maxsize else spark.read.text(chosen.file)
    texts = lines.select(F.get_json_object("value", "$.text").alias("text"))
    numbered = texts.rdd.zipWithIndex().map(lambda row: (f"{row[1]:09}", row[0]["text"]))
    folder = f"/tmp/dupfind-spark-{os.getpid()}"
    spark.createDataFrame(numbered, "id string, text string").write.parquet(folder)
    frame = spark.read.parquet(folder)
    rows = frame.count()
    print(f"{rows} rows in {frame.rdd.getNumPartitions()} partitions; Spark was there after {time.time() - started:.1f} s")

    spent = {}
    for name in ("order", "cut", "count", "weigh", "join", "finish"):

        def timed(before, name=name):
            def step(*words):
                start, used = time.time(), processes.total()
                try:
                    return before(*words)
                finally:
                    spent[name] = (time.time() - start, processes.total() - used)

            return step

        setattr(Job, name, timed(getattr(Job, name)))
    before = processes.of_kinds()
    start, used = time.time(), processes.total()
    result = near.near_duplicates(frame, tiles=chosen.tiles, drop=["exact", "near"])
    wall, cpu = time.time() - start, processes.total() - used
    for name, (seconds, processor) in spent.items():
        print(f"  {name:8} {seconds:7.1f} s {processor:7.1f} s of processor time")
    after = processes.of_kinds()
    print("processor time:", ", ".join(f"{kind} {after[kind] - before.get(kind, 0):.1f} s" for kind in after))
    stages = spark.sparkContext._jsc.sc().statusStore().stageList(None, False, False, spark.sparkContext._gateway.new_array(spark._jvm.double, 0), None)
    shuffled = sum(stages.apply(at).shuffleWriteBytes() for at in range(stages.size()))
    print(f"spark: {wall:.1f} s, {cpu:.1f} s of processor time, {result.tiles} tiles, {result.tasks} tasks, {shuffled >> 20} MB shuffled")
    print(f"peak memory: executor {processes.peak('executor')} MB, Python worker {processes.peak('worker')} MB")
    summary = json.loads(result.report)["summary"]
    print(f"{summary['documents']} documents, {summary['pairs']['total'] if isinstance(summary['pairs'], dict) else summary['pairs']} pairs")

    if not chosen.no_scan:
        listed = [row.asDict() for row in frame.orderBy("id").toLocalIterator()]
        start, used = time.time(), time.process_time()
        scanned = dupfind.scan(listed, id="id", drop=["exact", "near"])
        scan_wall, scan_cpu = time.time() - start, time.process_time() - used
        print(f"scan: {scan_wall:.1f} s, {scan_cpu:.1f} s of processor time")
        print(f"spark / scan: {wall / scan_wall:.2f}, processor time {cpu / scan_cpu:.2f}")
        print("the report is", "the same" if scanned.to_json() == result.report else "ANOTHER ONE")
    if chosen.minhash:
        true = {(row["a"], row["b"]) for row in result.pairs.where("jaccard >= 0.2").select("a", "b").collect()}
        start, used = time.time(), processes.total()
        found = {(row["a"], row["b"]) for row in pairs_of_minhash(frame, chosen.minhash).collect()}
        wall, cpu = time.time() - start, processes.total() - used
        share = len(true & found) / max(len(true), 1)
        print(f"MinHashLSH, {chosen.minhash} tables: {share:.3f} of {len(true)} pairs, {len(found - true)} others, {wall:.1f} s, {cpu:.1f} s of processor time")
    processes.ended.set()
    spark.stop()


if __name__ == "__main__":
    main()
