"""``dupfind.dedup``, and comparisons with another set: the same rows go as with the command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dupfind
from conftest import OTHER, PAGE, REVISED
from leaks import planted, words

LONG = " ".join([PAGE, OTHER, "Two hives stand on the roof of the town library, and each of them holds many bees."])
# A copy, a near-copy above 0.8, one below it, and rows that say something else or nothing.
TEXTS = [LONG, OTHER, LONG, LONG.replace("today", "tomorrow"), PAGE, REVISED, None, "", None]
STAY = [0, 1, 4, 5, 6, 7, 8]


def rows_of(x):
    """The rows of any kind of table, as dicts."""
    for method in ("to_dicts", "to_pylist"):
        if hasattr(x, method):
            return getattr(x, method)()
    return x.to_dict("records") if hasattr(x, "iloc") else list(x)


def test_the_rows_that_stay_are_of_the_kind_that_came_in():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    rows = [{"n": number, "text": text} for number, text in enumerate(TEXTS)]
    columns = {"n": list(range(len(TEXTS))), "text": TEXTS}
    tables = [rows, tuple(rows), polars.DataFrame(columns), pandas.DataFrame(columns), pyarrow.table(columns)]
    try:
        from datasets import Dataset

        tables.append(Dataset.from_dict(columns))
    except ImportError:
        pass
    for x in tables:
        kept = dupfind.dedup(x)
        assert type(kept) is type(x)
        assert [row["n"] for row in rows_of(kept)] == STAY
        assert [row["n"] for row in rows_of(dupfind.dedup(x, drop="exact"))] == [0, 1, 3, 4, 5, 6, 7, 8]
    assert dupfind.dedup(TEXTS) == [TEXTS[row] for row in STAY]
    assert dupfind.scan(rows).selected_rows == dupfind.scan(rows).plan().selected_rows == STAY
    assert [row["id"] for row in dupfind.scan(rows).selected] == [str(row) for row in STAY]


def test_the_command_and_the_package_have_one_rule(tmp_path):
    rows = [{"n": number, "text": text} for number, text in enumerate(TEXTS)]
    source, target = tmp_path / "in.jsonl", tmp_path / "kept.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = program("dedup", source, "-o", target)
    assert [json.loads(line)["n"] for line in target.read_text().splitlines()] == STAY
    assert "near-copies went from a similarity of 0.8 on; --drop exact keeps them" in said
    # A scan of a file of records decides as one of its rows.
    assert [row["id"][-1] for row in dupfind.scan(source, id="n").filtered] == ["2", "3"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"drop": "exact"},
        {"drop": ["near", "contains"], "min_similarity": 0.3},
        {"drop": "similar", "min_similarity": 0.5},
        {"drop": "similar", "min_similarity": 0.95, "keep": "path"},
        {"keep": "field:n", "min_similarity": 0.4},
        {"min_jaccard": 0.9, "detectors": "shingle"},
    ],
)
def test_the_rows_that_stay_are_those_of_a_scan(options):
    # Chains of texts of which each is like the next ones, some of them twice, and texts that are within others.
    own = [words(number // 9, 90) for number in range(300)]
    for number, text in enumerate(own):
        for place in range(number % 9):
            text[place * 9] = f"changed{number if number % 4 else place}"
    rows = [{"n": number * 37 % 101, "text": " ".join(text[: 90 - number % 3 * 30])} for number, text in enumerate(own)]
    rows += rows[::7]
    result = dupfind.scan(rows, **options)
    assert dupfind.dedup(rows, **options) == [rows[row] for row in result.selected_rows]
    assert 20 < len(result.filtered) < len(rows) - 20


def test_memory_is_limited_to_what_is_needed():
    rows = [f"{PAGE} The number of this page is {number}, and its other number {number * 7919}." for number in range(1_600)]
    assert len(dupfind.scan(rows)) == 1_600 * 1_599 // 2
    with pytest.raises(dupfind.Error, match="more than 1048576 pairs were found, and there is no memory for more"):
        dupfind.scan(rows, memory_limit="1MB")
    assert dupfind.dedup(rows, memory_limit="1MB") == dupfind.dedup(rows)
    # Of copies there is a pair of each with the first one.
    assert len(dupfind.scan([PAGE] * 100_000, memory_limit="1MB")) == 99_999
    assert dupfind.dedup([PAGE] * 100_000, memory_limit="1MB") == [PAGE]


def program(*words: object) -> str:
    command = [Path(sys.executable).with_name("dupfind"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    return done.stderr


def test_files_without_the_field_are_refused(tmp_path):
    train, test = tmp_path / "train.jsonl", tmp_path / "test.jsonl"
    train.write_text(json.dumps({"text": PAGE}))
    test.write_text(json.dumps({"question": PAGE}))
    with pytest.raises(dupfind.InputError, match="no field 'text'; it has 'question'"):
        dupfind.scan(train, against=test)
    with pytest.raises(dupfind.InputError, match="no record has the text field 'titel'"):
        dupfind.scan(train, text=["text", "titel"])


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (Path("a.jsonl"), r"the rows of \w+Path cannot be taken by number: .* the command 'dupfind dedup' writes files"),
        ([Path("a.jsonl")], "expected rows, and no paths: the command 'dupfind dedup' writes files"),
        ((text for text in TEXTS), "the rows of generator cannot be taken by number"),
    ],
)
def test_what_cannot_be_done_is_said(x, message):
    with pytest.raises(dupfind.InputError, match=message):
        dupfind.dedup(x)


def test_a_relation_of_duckdb_gives_a_table():
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"n": list(range(len(TEXTS))), "text": TEXTS})
    kept = dupfind.dedup(duckdb.from_arrow(table))
    assert kept.equals(dupfind.dedup(table))


def test_a_lazy_frame_is_collected_first():
    polars = pytest.importorskip("polars")
    lazy = polars.DataFrame({"text": TEXTS}).lazy()
    for call in (dupfind.dedup, dupfind.scan):
        with pytest.raises(dupfind.InputError, match=r"call its collect\(\) first"):
            call(lazy)


def test_leaks_of_a_test_set_go(tmp_path):
    train, test, clean = planted()
    before = json.dumps(test)
    assert dupfind.dedup(train, against=test, id="id") == clean
    assert json.dumps(test) == before
    result = dupfind.scan(train, against=test, id="id")
    # Which item it is, in the table that it is of.
    found = {int(gone["id"]): gone for gone in result.filtered}
    assert sorted(found) == [2000 + number for number in range(100)]
    for id, gone in found.items():
        item = test[gone["duplicate_of_row"]]
        assert (str(item["id"]), item["answer"]) == (gone["duplicate_of"], train[gone["row"]]["answer"])
        assert gone["rule"] == "against" and train[gone["row"]]["id"] == id
    assert len(result.documents) == 201 and len(result.skipped) == 1
    assert all(pair["row_a"] < len(train) and pair["row_b"] < len(test) for pair in result.pairs)
    assert {member["is_against"] for member in result.clusters} == {False, True}
    assert [row["id"] for row in result.selected] == [str(row["id"]) for row in clean]
    # Other thresholds, and texts that are read again.
    strict = {"min_jaccard": 0.9, "max_hamming": 0, "min_containment": 0.95}
    assert len(result) == 101
    assert len(dupfind.scan(train, against=test, **strict)) == 76
    assert test[3]["text"].split()[0] in result.to_html()

    paths = [tmp_path / f"{name}.jsonl" for name in ("train", "test", "clean")]
    for path, rows in zip(paths, (train, test)):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = program("dedup", paths[0], "--against", paths[1], "--id-field", "id", "-o", paths[2])
    assert "202 records: 102 kept, 100 removed" in said
    assert [json.loads(line) for line in paths[2].read_text().splitlines()] == clean
    assert [json.loads(line) for line in paths[1].read_text().splitlines()] == test
    of_files = dupfind.scan(paths[0], against=paths[1], id="id")
    of = lambda filtered: {(gone["id"].split("#")[-1], gone["duplicate_of"].split("#")[-1]) for gone in filtered}
    assert of(of_files.filtered) == of(result.filtered)

    # Ids in one folder name two subjects, on whichever side the rows are.
    rest = " is done by a member of the staff who first opens the console and then looks for the name in the list, checks that"
    rest += " the name is spelled as it is in the register, waits for the page to load, and confirms with the key of the day."
    rows = [[{"id": f"ops/{verb}-user", "text": f"{verb} a user\n\nThe command {verb}{rest}"}] for verb in ("create", "drop")]
    for path, row in zip(paths, rows):
        path.write_text(json.dumps(row[0]) + "\n")
    results = dupfind.scan(rows[0], against=rows[1], id="id"), dupfind.scan(paths[0], against=paths[1], id="id")
    assert [[pair["relation"] for pair in result.pairs] for result in results] == [["variant"]] * 2


def test_what_cannot_be_compared():
    with pytest.raises(dupfind.InputError, match="against: it is what is scanned"):
        dupfind.scan(TEXTS, against=TEXTS)
    for call in (dupfind.dedup, dupfind.scan):
        with pytest.raises(dupfind.InputError, match="against: expected rows, as x has them"):
            call(TEXTS, against=Path("test.jsonl"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'min_jacard'"):
        dupfind.dedup(TEXTS, min_jacard=0.3)
    with pytest.raises(dupfind.OptionError, match="min_similarity: with 'similar' it is above 0"):
        dupfind.dedup(TEXTS, drop="similar", min_similarity=0)
    with pytest.raises(dupfind.OptionError, match="glob has no effect"):
        dupfind.dedup(TEXTS, glob="*.md")
    with pytest.raises(dupfind.InputError, match="against: expected paths, as x has them"):
        dupfind.scan(Path("."), against=TEXTS)
    with pytest.raises(dupfind.InputError, match="there is no column 'text'"):
        dupfind.scan([{"text": PAGE}], against=[{"body": PAGE}])
    with pytest.raises(dupfind.InputError, match="there is no column 'answr'"):
        dupfind.dedup([{"text": PAGE}, {"text": PAGE, "answer": "no"}], text=["text", "answr"])
    # An empty set is like nothing, and rows are not compared with each other.
    assert dupfind.dedup([PAGE, PAGE], against=[]) == [PAGE, PAGE]
