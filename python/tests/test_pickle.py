"""Tables in pickles, as processes and caches send and keep them."""

import copy
import pickle
from multiprocessing import get_context
from pathlib import Path

import pytest

import dupfind

from conftest import PAGE, REVISED


def again(value):
    return pickle.loads(pickle.dumps(value))


def test_a_result_is_refused(texts):
    with pytest.raises(TypeError, match="cannot pickle '.*Result' object"):
        pickle.dumps(dupfind.scan(texts))


def test_tables(texts):
    found = dupfind.scan(texts)
    for table in [found.pairs, found.documents, found.skipped]:
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
    assert [table.to_dicts() for table in tables] == [pairs_of(folder).to_dicts() for folder in folders]
