"""Every door of Python gives what a file of records gives, as ``tests/cli/doors.rs`` says of the program."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import dupfind

PAGE = "the old park by the river opened to the public {} years ago today, and the town has planted a tree in it for every year"
ZH = "图书馆明天上午{}点开放，请读者带好证件，在一楼大厅排队入馆，谢谢配合"
TEXTS = [
    f"---\ntitle: Release 1\n---\n\n{PAGE.format('thirty')}.",
    f"---\ntitle: Release 2\n---\n\n{PAGE.format('forty')} since then, as the notes of the council tell.",
    f"<!doctype html><title>x</title><nav><a href=x>Home</a></nav><main><p>{PAGE.format('fifty')}.</p></main>",
    f"---\ndupfind: ignore - legal\n---\n\n{PAGE.format('thirty')}.",
    ZH.format("九"),
    ZH.format("十") + "🎉",
    "tea at five",
    "🎉 … !",
]
ROWS = [{"id": f"t{number}", "text": text} for number, text in enumerate(TEXTS)]

Said = dict[tuple[str, str], tuple]


def said(result: dupfind.Result) -> tuple[Said, list]:
    """Returns what is said of each pair, and what was not compared."""

    def short(name: str) -> str:
        return name.rpartition("#")[2]

    keys = ["relation", "jaccard", "weighted", "containment", "hamming", "because"]
    pairs = {(short(pair["a"]), short(pair["b"])): tuple(pair[key] for key in keys) for pair in result.pairs}
    return pairs, sorted((short(row["id"]), row["reason"], row["detail"]) for row in result.skipped)


def of_arrow() -> dupfind.Result:
    pyarrow = pytest.importorskip("pyarrow")
    return dupfind.scan(pyarrow.Table.from_pylist(ROWS), id="id")


def of_polars() -> dupfind.Result:
    polars = pytest.importorskip("polars")
    return dupfind.scan(polars.DataFrame(ROWS), id="id")


def of_pandas() -> dupfind.Result:
    pandas = pytest.importorskip("pandas")
    return dupfind.scan(pandas.DataFrame(ROWS), id="id")


DOORS: dict[str, Callable[[], dupfind.Result]] = {
    "dicts": lambda: dupfind.scan(ROWS, id="id"),
    "iterator": lambda: dupfind.scan(iter(ROWS), id="id"),
    "arrow": of_arrow,
    "polars": of_polars,
    "pandas": of_pandas,
}


@pytest.fixture
def expected(tmp_path: Path) -> tuple[Said, list]:
    """What a file of records gives."""
    file = tmp_path / "x.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return said(dupfind.scan(file, id="id"))


@pytest.mark.parametrize("door", DOORS)
def test_rows_give_what_records_give(door, expected):
    assert len(expected[0]) > 2
    assert said(DOORS[door]()) == expected


def test_an_index_gives_what_records_give(tmp_path, expected):
    with dupfind.Index(tmp_path / "x.dupidx") as index:
        index.update(ROWS, id="id")
        assert set(index.ids) == {row["id"] for row in ROWS} - {name for name, *_ in expected[1]}
        for row in ROWS[:3]:
            found = {hit["id"]: hit["relation"] for hit in index.query(row["text"]) if hit["id"] != row["id"]}
            other = {two: values for two, values in expected[0].items() if row["id"] in two}
            assert found == {next(name for name in two if name != row["id"]): values[0] for two, values in other.items()}
