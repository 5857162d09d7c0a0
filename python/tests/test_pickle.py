"""What cannot be sent to other processes, and what is copied within one."""

import copy
import pickle

import pytest

import dupfind


def test_a_result_and_its_tables_are_refused(texts):
    found = dupfind.scan(texts)
    for value, name in [(found, "Result"), (found.pairs, "Table")]:
        with pytest.raises(TypeError, match=f"cannot pickle '.*{name}' object"):
            pickle.dumps(value)


def test_copies(texts):
    found = dupfind.scan(iter(texts))
    assert copy.copy(found) is found
    assert copy.deepcopy({"found": found})["found"] is found
