"""Runs ``dupfind.spark`` on a real Spark with executors that are processes of their own: ``python tests/spark.py [NAME]...``

It needs Java 17 and ``pip install dupfind[spark]``.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

os.environ.update(SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_HOSTNAME="localhost")
# Workers and the driver must be the same Python.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

import pyspark
from pyspark.sql import SparkSession

import dupfind
from dupfind import spark as near
from leaks import planted
from dupfind.spark._job import Job

REPOSITORY = Path(__file__).parents[2]
PAGE = (
    "The old park by the river opened to the public thirty years ago today, and the town has planted a tree in it "
    "for every year since."
)
SCHEMA = "id string, text string"
# A test is over before it pays that Java optimises code. These options take half of the processor time.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.executor.memory": "1g",
    # What a worker may take in all, shared memory of its libraries included.
    "spark.executor.pyspark.memory": "3g",
    # Nobody waits for the first executor of a job.
    "spark.locality.wait": "0s",
}


def session(master):
    builder = SparkSession.builder.master(master).appName("dupfind")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def documents():
    """The documents of the fixtures, as rows."""
    folders = [REPOSITORY / "fixtures" / "corpus" / name for name in ("en", "zh")]
    paths = sorted(path for folder in folders for path in folder.rglob("*.txt"))
    return [(str(path.relative_to(REPOSITORY)), path.read_bytes().decode("utf-8", "replace")) for path in paths]


def scanned(rows, **options):
    """What a scan of the same rows finds, in the order of their ids."""
    listed = sorted(({"id": str(id), "text": text} for id, text in rows), key=lambda row: row["id"].encode())
    return dupfind.scan(listed, id="id", **options)


def found(spark, rows, schema=SCHEMA, partitions=2, **options):
    df = spark.createDataFrame(rows, schema).repartition(partitions)
    return near.near_duplicates(df, **options)


def refused(error, part, call):
    try:
        call()
    except error as refusal:
        assert part in str(refusal), refusal
    else:
        raise AssertionError(f"not refused: {part}")


@contextmanager
def replaced(owner, name, other):
    """Puts something else in the place of a method."""
    before = getattr(owner, name)
    setattr(owner, name, other(before))
    try:
        yield
    finally:
        setattr(owner, name, before)


def test_the_report_is_that_of_a_scan(spark):
    asks = f"---\ndupfind: ignore - legal\n---\n\n{PAGE}"
    # Spark is a door, too: those of `test_doors.py` have these texts.
    doors = [json.loads(line) for line in Path(__file__).with_name("doors.jsonl").read_text("utf-8").splitlines()]
    doors = [(row["id"], row["text"]) for row in doors]
    rows = [*documents(), *doors, ("asks", asks), ("null", None), ("signs", "…")]
    rules = {"keep": "longest", "min_similarity": 0.5}
    expected = scanned(rows, **rules)
    result = found(spark, rows, tiles=3, **rules)
    assert result.report == expected.to_json()
    assert (result.tiles, result.tasks) == (3, 6)
    assert found(spark, rows).report == expected.to_json()

    def listed(table, *dropped):
        return [{key: value for key, value in row.items() if key not in dropped} for row in table]

    frames = [
        (result.pairs, expected.pairs, "row_a", "row_b"),
        (result.clusters, expected.clusters, "row"),
        (result.filtered, expected.filtered, "row", "duplicate_of_row"),
        (result.unresolved, expected.unresolved, "row", "other_row"),
    ]
    for frame, table, *dropped in frames:
        rows_found = [row.asDict() for row in frame.collect()]
        assert sorted(rows_found, key=str) == sorted(listed(table, *dropped), key=str)
    assert len(expected) > 30 and result.filtered.count() > 3
    stays = {row["id"] for row in result.selected.collect()}
    assert stays == {row["id"] for row in expected.selected}
    assert result.selected.columns == ["id", "text"]


def test_options_and_numbers_as_ids(spark):
    rows = [(number, text, number % 7) for number, (_, text) in enumerate(documents())]
    options = {
        "min_jaccard": 0.5,
        "detectors": ["simhash", "shingle", "super-shingle"],
        "min_containment": 0.9,
        "drop": ["exact", "near"],
        "keep": "field:date",
    }
    result = found(spark, rows, "id bigint, text string, date int", tiles=2, **options)
    listed = sorted(
        ({"id": str(id), "text": text, "date": str(date)} for id, text, date in rows), key=lambda row: row["id"]
    )
    expected = dupfind.scan(listed, id="id", **options)
    assert result.report == expected.to_json()
    assert dict(result.pairs.dtypes)["a"] == "bigint" and dict(result.filtered.dtypes)["id"] == "bigint"
    assert {str(row["id"]) for row in result.filtered.collect()} == {row["id"] for row in expected.filtered}
    assert result.selected.count() + result.filtered.count() == len(rows)
    # No tile is joined if pairs are found by fingerprints alone.
    result = found(spark, rows, "id bigint, text string, date int", detectors="simhash")
    assert result.report == dupfind.scan(listed, id="id", detectors="simhash").to_json()


def test_leaks_of_a_test_set_go(spark):
    train, test, clean = planted()
    schema = "id bigint, text string, answer int"
    frames = [
        spark.createDataFrame([(row["id"], row["text"], row["answer"]) for row in rows], schema).repartition(2)
        for rows in (train, test)
    ]
    result = near.near_duplicates(frames[0], against=frames[1], tiles=2)
    stays = lambda rows: sorted(rows, key=lambda row: row["id"])
    assert stays(row.asDict() for row in result.selected.collect()) == stays(clean)
    # In the order of ids, as the rows of a frame have none.
    by_id = lambda rows: [{**row, "id": str(row["id"])} for row in sorted(rows, key=lambda row: str(row["id"]))]
    expected = dupfind.scan(by_id(train), against=by_id(test), id="id")
    assert result.report == expected.to_json()
    gone = {(str(row["id"]), str(row["duplicate_of"]), row["because"]) for row in result.filtered.collect()}
    assert gone == {(row["id"], row["duplicate_of"], row["because"]) for row in expected.filtered} and len(gone) == 100
    assert {row["is_against"] for row in result.clusters.collect()} == {False, True}
    other = frames[1].selectExpr("cast(id as string) id", "text")
    part = "against: its ids are of the type string, and those of the rows bigint"
    refused(dupfind.InputError, part, lambda: near.near_duplicates(frames[0], against=other))
    part = "keep: there is no column 'scor': the columns are 'id', 'text', 'answer'"
    refused(dupfind.InputError, part, lambda: near.near_duplicates(frames[0], keep="field:scor"))


def test_a_job_goes_on_from_its_steps(spark):
    rows = documents()
    df = spark.createDataFrame(rows, SCHEMA).repartition(2)
    expected = scanned(rows).to_json()
    with tempfile.TemporaryDirectory() as folder:

        def run(**options):
            made = []

            def watched(before):
                def step(job, name, key, make, *rest):
                    return before(job, name, key, lambda: made.append(name) or make(), *rest)

                return step

            with replaced(Job, "step", watched):
                report = near.near_duplicates(df, tiles=2, checkpoint=folder, **options).report
            return made, report

        steps = ["features", "tiles", "frequencies", "weights", "pairs"]
        assert run() == (steps, expected)
        assert run() == ([], expected)
        # A step that was not written to its end is made again.
        (last,) = Path(folder).glob("pairs-*")
        (last / "_SUCCESS").unlink()
        assert run() == (["pairs"], expected)
        # Another option makes other steps.
        made, report = run(min_jaccard=0.7)
        assert made == steps[1:] and report == scanned(rows, min_jaccard=0.7).to_json()


def test_an_executor_that_is_killed_changes_nothing(spark):
    rows = documents()
    killed = []
    parent = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    context = spark.sparkContext

    def kill(ended):
        tracker = context.statusTracker()
        while not ended.is_set():
            infos = [tracker.getStageInfo(id) for id in tracker.getActiveStageIds()]
            # The tasks of the join are the only ones that are so many.
            if any(info and info.numTasks == 21 and info.numActiveTasks and info.numCompletedTasks for info in infos):
                words = ["pgrep", "-P", str(parent), "-f", "CoarseGrainedExecutorBackend"]
                executors = subprocess.run(words, capture_output=True, text=True).stdout.split()
                os.kill(int(executors[0]), signal.SIGKILL)
                killed.append(executors[0])
                return
            time.sleep(0.002)

    def watched(before):
        def step(job, name, *rest):
            ended = threading.Event()
            watcher = threading.Thread(target=kill, args=(ended,))
            if name == "pairs":
                watcher.start()
            try:
                return before(job, name, *rest)
            finally:
                ended.set()
                if name == "pairs":
                    watcher.join()

        return step

    expected = scanned(rows).to_json()
    with replaced(Job, "step", watched):
        # The join of a few documents may be over before anybody has seen it.
        for _ in range(5):
            result = found(spark, rows, tiles=6)
            assert result.tasks == 21
            assert result.report == expected
            if killed:
                return
    raise AssertionError("no executor was killed")


def test_a_task_that_takes_too_much_memory_says_which(spark):
    def larger(before):
        def plan_tasks(job):
            before(job)
            job.slices = [(slice, memory << 30) for slice, memory in job.slices]

        return plan_tasks

    with replaced(Job, "plan_tasks", larger):
        call = lambda: found(spark, documents(), tiles=2)
        refused(dupfind.Error, "the largest one, of the tiles", call)
        try:
            call()
        except dupfind.Error as error:
            reason = str(error.__cause__)
            assert re.search(r"the tiles \d and \d take about \d+ MB, and the worker may take", reason), reason


def test_bad_input(spark):
    rows = [("a", PAGE), ("b", PAGE), ("c", None), ("d", "...")]
    result = found(spark, rows)
    assert [(row["id"], row["duplicate_of"]) for row in result.filtered.collect()] == [("b", "a")]
    assert json.loads(result.report)["summary"]["skipped"] == 2
    assert result.report == scanned(rows).to_json()
    assert {row["id"] for row in result.selected.collect()} == {"a", "c", "d"}
    for rows in ([], [("a", PAGE)]):
        result = found(spark, rows)
        assert result.report == scanned(rows).to_json()
        assert result.pairs.count() == result.clusters.count() == result.filtered.count() == 0
        assert result.selected.count() == len(rows)
    call = lambda rows, schema=SCHEMA, **options: lambda: found(spark, rows, schema, **options)
    refused(dupfind.InputError, "an id is null", call([("a", PAGE), (None, PAGE)]))
    refused(dupfind.Error, "'a'", call([("a", PAGE), ("a", PAGE)]))
    part = "'text' is of the type bigint: expected string"
    refused(dupfind.InputError, part, call([("a", 7)], "id string, text bigint"))
    refused(dupfind.InputError, "'id' is of the type double", call([(0.5, PAGE)], "id double, text string"))
    refused(dupfind.InputError, "there is no column 'body'", call([("a", PAGE)], text="body"))
    refused(dupfind.InputError, "keep: there is no column 'date'", call([("a", PAGE)], keep="field:date"))
    refused(TypeError, "'jaccard'", call([("a", PAGE)], jaccard=0.3))
    refused(dupfind.OptionError, "min_jaccard: ", call([("a", PAGE)], min_jaccard=90))
    refused(dupfind.OptionError, "tiles: expected 1 to 1000", call([("a", PAGE)], tiles=0))


def test_the_example_of_the_guide(spark):
    page = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8").split("\n## Spark\n")[1]
    example = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    assert len(example.strip().splitlines()) <= 15
    with tempfile.TemporaryDirectory() as folder:
        rows = documents()
        spark.createDataFrame(rows, "url string, text string").write.parquet(f"{folder}/pages")
        for name in ("pages", "clean", "removed"):
            assert f'"{name}"' in example, name
            example = example.replace(f'"{name}"', repr(f"{folder}/{name}"))
        exec(compile(example, "docs/python.md", "exec"), {})
        kept, removed = (spark.read.parquet(f"{folder}/{name}") for name in ("clean", "removed"))
        assert 0 < removed.count() and kept.count() + removed.count() == len(rows)
        assert kept.columns == ["url", "text"]


def on_workers():
    """Runs on a master with two workers, which are started as on a cluster."""
    home = Path(pyspark.__file__).parent
    environment = {**os.environ, "SPARK_HOME": str(home)}
    master = "spark://localhost:17077"
    running = []

    def start(name, *words):
        class_name = f"org.apache.spark.deploy.{name}"
        command = [str(home / "bin" / "spark-class"), class_name, *words]
        log = subprocess.DEVNULL
        running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True))

    with tempfile.TemporaryDirectory() as folder:
        try:
            start("master.Master", "--host", "localhost", "--port", "17077", "--webui-port", "18080")
            for port in ("18081", "18082"):
                own = Path(folder, port)
                own.mkdir()
                words = ["--cores", "1", "--memory", "1g", "--webui-port", port, "--work-dir", str(own), master]
                start("worker.Worker", *words)
            spark = session(master)
            test_the_report_is_that_of_a_scan(spark)
            executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
            assert executors == 2, executors
            spark.stop()
        finally:
            for process in running:
                os.killpg(process.pid, signal.SIGKILL)


def said_of(name, test, *arguments):
    """Runs a test. Returns whether it passed."""
    start = time.monotonic()
    try:
        test(*arguments)
        said = "passed"
    except Exception:
        said = traceback.format_exc()
    print(f"{name}: {time.monotonic() - start:.1f} s: {said}", flush=True)
    return said == "passed"


def main(chosen):
    running = session("local-cluster[2,1,1024]")
    tests = {name: test for name, test in globals().items() if name.startswith("test_")}
    wanted = [name for name in tests if not chosen or any(word in name for word in chosen)]
    failed = [name for name in wanted if not said_of(name, tests[name], running)]
    running.stop()
    if (not chosen or "workers" in chosen) and not said_of("on_workers", on_workers):
        failed.append("on_workers")
    return f"failed: {', '.join(failed)}" if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
