"""The input that ``scan`` accepts, and the errors of bad input."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import UserDict

import pytest

import dupfind

from conftest import OTHER, PAGE, REVISED


def test_iterables():
    expected = [(0, 1), (0, 2), (1, 2)]
    texts = [PAGE, PAGE, REVISED]
    rows = [{"text": text} for text in texts]
    for x in [texts, tuple(texts), iter(texts), (text for text in texts), rows, map(UserDict, rows)]:
        pairs = dupfind.scan(x).pairs
        assert [(pair["row_a"], pair["row_b"]) for pair in pairs] == expected
    assert len(dupfind.scan({text: 1 for text in texts}.keys())) == 1


def test_nulls_and_empty_texts_are_skipped_and_counted():
    result = dupfind.scan([None, PAGE, "", PAGE, "?!", None])
    assert result.skipped.to_dicts() == [
        {"row": 0, "id": "0", "reason": "empty", "detail": "null", "count": 1},
        {"row": 2, "id": "2", "reason": "empty", "detail": "", "count": 1},
        {"row": 4, "id": "4", "reason": "empty", "detail": "", "count": 1},
        {"row": 5, "id": "5", "reason": "empty", "detail": "null", "count": 1},
    ]
    assert [(pair["row_a"], pair["row_b"]) for pair in result.pairs] == [(1, 3)]
    assert result.selected_rows == [0, 1, 2, 4, 5]


def test_nothing_at_all():
    result = dupfind.scan([])
    assert (len(result), len(result.documents), result.selected_rows) == (0, 0, [])


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ("a text", "a str is one text: put texts into a list, and a path into pathlib.Path"),
        ({"text": PAGE}, "a dict is one row: put rows into a list"),
        (7, "int cannot be scanned: expected a table, an iterable of str or dict, or paths"),
        (None, "NoneType cannot be scanned"),
        ([PAGE, 7], "row 1 is int, and not str"),
        ([b"bytes"], "row 0 is bytes, and not str"),
        ([{"text": 7}], "row 0: 'text' is int, and not str"),
        ([{"body": PAGE, "url": "x"}], "there is no column 'text': the columns are 'body', 'url'"),
        ([{}], "there is no column 'text', and no other one"),
    ],
)
def test_what_cannot_be_scanned(x, message):
    with pytest.raises(dupfind.InputError) as refused:
        dupfind.scan(x)
    assert message in str(refused.value)


def test_ids():
    rows = [{"key": key, "text": PAGE} for key in ["a", "b", "a", None, 7, "3"]]
    result = dupfind.scan(rows, id="key")
    names = [document["id"] for document in result.documents]
    assert names == ["a", "b", "a@2", "3", "7", "3@5"]
    with pytest.raises(dupfind.InputError, match="row 0: an id is list, and not str or int"):
        dupfind.scan([{"key": [], "text": PAGE}], id="key")


def test_a_generator_that_raises():
    def broken():
        yield PAGE
        raise LookupError("the disk is gone")

    with pytest.raises(LookupError, match="the disk is gone"):
        dupfind.scan(broken())


def test_lone_surrogates_are_replaced(tmp_path):
    broken = PAGE + " \ud800"
    result = dupfind.scan([broken, PAGE])
    assert result.pairs[0]["relation"] in ("exact", "near")
    assert "\ufffd" in result._repr_html_()
    assert dupfind.compare(broken, PAGE).relation in ("exact", "near")
    assert dupfind.shingles(broken) == dupfind.shingles(PAGE)
    assert dupfind.fingerprint(broken) == dupfind.fingerprint(PAGE)
    stream = dupfind.Stream(memory_limit="1M")
    assert (stream.seen(broken), stream.seen(PAGE)) == (False, True)
    index = dupfind.Index(tmp_path / "texts.dupidx")
    index.update([broken])
    assert len(index.query(broken)) == 1


def test_a_text_of_100_mb():
    long = (OTHER + "\n") * (100_000_000 // len(OTHER))
    result = dupfind.scan([long, OTHER], detectors="shingle")
    assert len(result.documents) == 2


def test_two_threads_at_once():
    texts = [f"{PAGE} {number}" for number in range(300)]
    expected = dupfind.scan(texts).to_json()
    found = []
    threads = [threading.Thread(target=lambda: found.append(dupfind.scan(texts).to_json())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 2


def test_other_threads_go_on():
    texts = [f"{PAGE} {number} {number * 7919}" for number in range(4000)]
    ticks = []
    is_done = threading.Event()

    def tick():
        while not is_done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    dupfind.scan(texts)
    seconds = time.monotonic() - start
    is_done.set()
    thread.join()
    assert len(ticks) >= min(20, seconds / 0.05)


def in_child(texts):
    return len(dupfind.scan(texts))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("there is no such method here")
    # The scan before has left nothing behind that a child would wait for.
    assert in_child([PAGE, PAGE, REVISED]) == 3
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(in_child, [[PAGE, PAGE, REVISED], [PAGE, PAGE]]) == [3, 1]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
def test_a_fork_in_the_middle_of_a_scan():
    texts = [f"{number} {PAGE} {number * 7919}" for number in range(20_000)]
    scan = threading.Thread(target=dupfind.scan, args=(texts,), kwargs={"min_jaccard": 0.9})
    scan.start()
    time.sleep(0.1)
    assert scan.is_alive()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map_async(in_child, [[PAGE, PAGE, REVISED]]).get(timeout=60) == [3]
    scan.join()


def run(code, folder):
    """Runs a program of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # In this folder the sources would be taken for the package.
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], cwd=folder, **pipes)


MANY = f"""
import dupfind, sys, threading, time
texts = [f"{{number}} {PAGE} {{number * 7919}} {{number * 104729}}" for number in range(200_000)]
print("ready", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="there are no signals")
def test_an_interrupt_is_heard_at_once(tmp_path):
    program = run(MANY + """
try:
    dupfind.scan(texts)
except KeyboardInterrupt:
    print("stopped", time.time(), flush=True)
""", tmp_path)
    assert program.stdout.readline() == "ready\n"
    time.sleep(1)
    asked = time.time()
    program.send_signal(signal.SIGINT)
    said, stopped = program.stdout.readline().split()
    assert said == "stopped"
    # A machine that does much else may need longer.
    assert float(stopped) - asked < 0.5
    program.communicate()
    assert program.returncode == 0


@pytest.mark.parametrize("target", [
    "dupfind.scan(texts)",
    "dupfind.Stream(memory_limit='64M').update(texts)",
    "[dupfind.scan(texts[:500]) for _ in range(1000)]",
])
def test_the_interpreter_ends_during_a_call_of_a_daemon_thread(tmp_path, target):
    program = run(MANY + f"""
def call():
    try:
        {target}
    except Exception as error:
        print(error, flush=True)
threading.Thread(target=call, daemon=True).start()
time.sleep(0.3)
""", tmp_path)
    assert program.communicate(timeout=60) == ("ready\n", "")
    assert program.returncode == 0


def test_the_end_waits_for_the_scan_of_another_thread(tmp_path):
    program = run(MANY + """
threading.Thread(target=lambda: print(len(dupfind.scan(texts[:300])) > 0)).start()
sys.exit(3)
""", tmp_path)
    assert program.communicate(timeout=60) == ("ready\nTrue\n", "")
    assert program.returncode == 3


def test_what_runs_at_the_end_may_scan(tmp_path):
    program = run(MANY + """
import atexit
atexit.register(lambda: print(len(dupfind.scan(texts[:300])) > 0))
""", tmp_path)
    assert program.communicate(timeout=60) == ("ready\nTrue\n", "")


@pytest.mark.skipif(os.name == "nt", reason="there are no signals")
def test_an_interrupt_ends_a_scan_of_a_daemon_thread(tmp_path):
    program = run(MANY + """
threading.Thread(target=dupfind.scan, args=(texts,), daemon=True).start()
try:
    time.sleep(60)
except KeyboardInterrupt:
    print("stopped", flush=True)
""", tmp_path)
    assert program.stdout.readline() == "ready\n"
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=60) == ("stopped\n", "")
    assert program.returncode == 0


def test_columns_that_are_not_needed_are_not_read():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"text": [PAGE, PAGE], "nothing": [None, None], "n": [1, 2], "list": [[1], []]})
    assert frame.schema["nothing"] == pl.Null
    assert len(dupfind.scan(frame)) == 1
    assert dupfind.dedup(frame, keep="field:n")["n"].to_list() == [2]
    with pytest.raises(dupfind.InputError, match="keep: there is no column 'm': the columns are 'text', 'nothing', 'n', 'list'"):
        dupfind.scan(frame, keep="field:m")


def test_several_columns_make_one_text():
    pl = pytest.importorskip("polars")
    rows = [{"title": "The park", "body": PAGE}, {"title": "The park", "body": PAGE}, {"title": None, "body": OTHER}]
    as_one = [{"text": "\n\n".join(filter(None, row.values()))} for row in rows]
    expected = [pair for pair in dupfind.scan(as_one).pairs]
    for x in (rows, pl.DataFrame(rows)):
        result = dupfind.scan(x, text=["title", "body"])
        assert [pair for pair in result.pairs] == expected
        assert "The park" in result.to_html()
    with pytest.raises(dupfind.OptionError, match="text: expected at least one"):
        dupfind.scan(rows, text=[])


def test_rows_may_lack_what_others_have():
    nan = float("nan")
    rows = [{"text": PAGE, "key": "a"}, {"text": nan, "key": nan}, {"body": OTHER}, {"text": PAGE}]
    result = dupfind.scan(rows, id="key")
    assert [row["id"] for row in result.documents] == ["a", "3"]
    assert result.selected_rows == [0, 1, 2]
    for options, message in [
        ({"id": "ky"}, "id: there is no column 'ky'"),
        ({"keep": "field:stars"}, "keep: there is no column 'stars'"),
    ]:
        with pytest.raises(dupfind.InputError, match=message):
            dupfind.scan(rows, **options)
    with pytest.raises(dupfind.InputError, match="id: there is no column 'key', and no other one"):
        dupfind.scan([PAGE], id="key")


def test_an_index_must_be_there_to_be_asked(tmp_path):
    path = tmp_path / "texts.dupidx"
    for ask in (lambda index: index.query(PAGE), lambda index: index.ids, len, lambda index: index.remove(["0"])):
        with pytest.raises(dupfind.IndexFileError):
            ask(dupfind.Index(path))
    assert not path.exists()
    with dupfind.Index(path) as index:
        index.update([{"id": "b", "text": PAGE}, {"id": "a", "text": OTHER}], id="id")
        assert index.ids == ["a", "b"]
    assert (len(index), len(dupfind.Index(path))) == (2, 2)
