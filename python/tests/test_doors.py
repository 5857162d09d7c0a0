"""Every door of Python gives what a file of records gives, as ``tests/cli/doors.rs`` says of the program."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import dupfind

# Some of the texts of `tests/cli/doors.rs`, which writes them.
FILE = Path(__file__).with_name("doors.jsonl")
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]

Said = tuple[dict, dict, list]


def short(name: str) -> str:
    return name.rpartition("#")[2]


def by_names(pairs, *dropped: str) -> dict:
    """Returns everything that is said of each pair."""
    names = {"a", "b", "container"}
    plain = [{key: short(value) if key in names and value else value for key, value in row.items()} for row in pairs]
    return {(row["a"], row["b"]): {key: row[key] for key in row if key not in dropped} for row in plain}


def said(result: dupfind.Result) -> Said:
    """Returns what the report and the table say of each pair, and what was not compared."""
    skipped = sorted((short(row["id"]), row["reason"], row["detail"]) for row in result.skipped)
    return by_names(json.loads(result.to_json())["pairs"]), by_names(result.pairs, "row_a", "row_b"), skipped


def of_arrow(_: Path) -> dupfind.Result:
    pyarrow = pytest.importorskip("pyarrow")
    return dupfind.scan(pyarrow.Table.from_pylist(ROWS), id="id")


def of_polars(_: Path) -> dupfind.Result:
    polars = pytest.importorskip("polars")
    return dupfind.scan(polars.DataFrame(ROWS), id="id")


def of_pandas(_: Path) -> dupfind.Result:
    pandas = pytest.importorskip("pandas")
    return dupfind.scan(pandas.DataFrame(ROWS), id="id")


def of_parquet(folder: Path) -> dupfind.Result:
    polars = pytest.importorskip("polars")
    polars.DataFrame(ROWS).write_parquet(folder / "x.parquet")
    return dupfind.scan(folder / "x.parquet", id="id")


# A new door is a line here. Those that answer otherwise are an index, below, and Spark, in `spark.py`.
DOORS: dict[str, Callable[[Path], dupfind.Result]] = {
    "dicts": lambda _: dupfind.scan(ROWS, id="id"),
    "iterator": lambda _: dupfind.scan(iter(ROWS), id="id"),
    "arrow": of_arrow,
    "polars": of_polars,
    "pandas": of_pandas,
    "parquet": of_parquet,
}


@pytest.fixture(scope="module")
def expected() -> Said:
    """What a file of records gives."""
    return said(dupfind.scan(FILE, id="id"))


@pytest.mark.parametrize("door", DOORS)
def test_rows_give_what_records_give(door, expected, tmp_path):
    assert len(expected[0]) > 100
    assert said(DOORS[door](tmp_path)) == expected


def test_an_index_gives_what_records_give(tmp_path, expected):
    known: dict[str, dict] = {row["id"]: {} for row in ROWS}
    for two, pair in expected[1].items():
        for name, other in (two, two[::-1]):
            known[name][other] = pair
    others = 0
    with dupfind.Index(tmp_path / "x.dupidx") as index:
        index.update(ROWS, id="id")
        assert set(index.ids) == known.keys() - {name for name, *_ in expected[2]}
        for row in (row for row in ROWS if row["id"] in index.ids):
            usual = known[row["id"]]
            hits = {hit.pop("id"): hit for hit in index.query(row["text"])}
            # It is a new text for the index, and its own text is a copy of it.
            assert hits.pop(row["id"])["relation"] == "exact"
            assert hits.keys() == usual.keys()
            for name, hit in hits.items():
                pair, relation, because = usual[name], hit.pop("relation"), hit.pop("because")
                assert hit == {key: pair[key] for key in ("jaccard", "weighted", "containment", "hamming")}
                # With a copy of it there two pages may be duplicates that are variants without.
                if (pair["relation"], relation) == ("variant", "near"):
                    others += 1
                else:
                    assert (relation, because) == (pair["relation"], f"{relation}: {pair['because']}")
    # Each pair is asked for twice.
    assert others < len(expected[1]) / 5
