"""Results and tables in pickles, as processes and caches send and keep them."""

import copy
import pickle
from multiprocessing import get_context
from pathlib import Path

import pytest

import dupfind

from conftest import OTHER, PAGE, REVISED


def again(value):
    return pickle.loads(pickle.dumps(value))


def everything(result):
    """Returns all findings of a result, and its decisions."""
    tables = [result.pairs, result.clusters, result.documents, result.skipped, result.filtered, result.unresolved]
    return [table.to_dicts() for table in tables], result.selected_rows, result.to_json(), result.to_html()


@pytest.mark.parametrize(
    "result",
    [
        lambda rows: dupfind.scan(rows),
        lambda rows: dupfind.scan(rows, text="body", id="key", keep="field:stars", drop="near", min_similarity=0.1),
        lambda rows: dupfind.scan(rows, text=["body", "key"], min_jaccard=1 / 3, memory_limit=1, detectors="shingle"),
        lambda rows: dupfind.scan(rows, keep="longest").plan(keep="field:stars", min_similarity=0.1),
        lambda rows: dupfind.scan(rows, against=[{"text": PAGE}]),
    ],
    ids=["usual", "rules", "options", "plan", "against"],
)
def test_a_result_is_the_same(result):
    texts = zip([PAGE, OTHER, REVISED, PAGE, None], [1, 2, 3, 5, 4])
    found = result([{"key": f"k{stars}", "text": text, "body": text, "stars": stars} for text, stars in texts])
    assert len(found) > 0
    loaded = again(found)
    assert everything(loaded) == everything(found)
    assert everything(again(loaded)) == everything(found)
    assert str(loaded.explain(0, 1)) == str(found.explain(0, 1))


def test_a_result_of_files_is_the_same_or_an_error(tmp_path):
    for name, text in [("a.md", PAGE), ("b.md", REVISED), ("c.txt", PAGE)]:
        (tmp_path / name).write_text(text)
    found = dupfind.scan(tmp_path, glob="*.md")
    assert len(found) == 1
    content = pickle.dumps(found)
    assert everything(pickle.loads(content)) == everything(found)
    (tmp_path / "a.md").write_text(OTHER)
    with pytest.raises(dupfind.InputError, match="the texts have changed since their result was pickled"):
        pickle.loads(content)


@pytest.mark.parametrize(
    "once",
    [lambda texts: dupfind.scan(iter(texts)), lambda texts: dupfind.scan(texts, against=iter(texts))],
    ids=["rows", "against"],
)
def test_rows_that_can_be_read_only_once(texts, once):
    with pytest.raises(dupfind.InputError, match="pickle its tables, such as result.pairs"):
        pickle.dumps(once(texts))


def test_tables(texts):
    found = dupfind.scan(texts)
    for table in [found.pairs, found.documents, found.skipped, dupfind.features(texts)]:
        loaded = again(table)
        assert loaded.to_dicts() == table.to_dicts()
        assert repr(loaded) == repr(table)
    assert copy.deepcopy(found.pairs)[0] == found.pairs[0]
    with pytest.raises(dupfind.Error):
        dupfind.Table(b"no table")


def test_copies(texts):
    found = dupfind.scan(iter(texts))
    assert copy.copy(found) is found
    assert copy.deepcopy({"found": found})["found"] is found


def pairs_of(folder: Path) -> "dupfind.Table":
    return dupfind.scan(folder).pairs


def test_processes(tmp_path):
    for folder in ["one", "two"]:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text(PAGE)
        (tmp_path / folder / "b.md").write_text(REVISED)
    folders = [tmp_path / "one", tmp_path / "two"]
    with get_context("spawn").Pool(2) as pool:
        tables = pool.map(pairs_of, folders)
        results = pool.map(dupfind.scan, folders)
    assert [table.to_dicts() for table in tables] == [pairs_of(folder).to_dicts() for folder in folders]
    assert [everything(result) for result in results] == [everything(dupfind.scan(folder)) for folder in folders]
