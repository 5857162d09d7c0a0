"""``scan`` of texts and rows, and its result."""

import inspect
import json
from pathlib import Path

import pytest

import dupfind


def test_pairs_have_row_numbers(texts):
    result = dupfind.scan(texts)
    rows = [(pair["row_a"], pair["row_b"], pair["relation"]) for pair in result.pairs]
    assert rows == [(0, 2, "exact"), (0, 3, "near"), (2, 3, "near")]
    assert result.pairs[0] == {
        "row_a": 0,
        "row_b": 2,
        "a": "0",
        "b": "2",
        "relation": "exact",
        "jaccard": 1.0,
        "weighted": 1.0,
        "containment": 1.0,
        "hamming": 0,
        "container": None,
        "matched_by": ["simhash", "shingle"],
        "because": "the same text but for case, width and white space",
    }
    assert len(result) == 3
    assert "5 documents, 0 skipped, 3 pairs, 1 clusters" in repr(result)


def test_clusters_and_documents(texts):
    result = dupfind.scan(texts)
    assert [(row["cluster"], row["row"]) for row in result.clusters] == [(0, 0), (0, 2), (0, 3)]
    assert sum(row["is_representative"] for row in result.clusters) == 1
    documents = result.documents.to_dicts()
    assert [document["row"] for document in documents] == [0, 1, 2, 3, 4]
    assert [document["near"] for document in documents] == [2, 0, 2, 2, 0]
    assert [document["cluster"] for document in documents] == [0, None, 0, 0, None]
    assert documents[1]["fingerprint"] == dupfind.fingerprint(texts[1])
    assert documents[1]["shingles"] == len(dupfind.shingles(texts[1]))


def test_what_stays_and_what_goes(texts):
    result = dupfind.scan(texts)
    assert result.selected_rows == [0, 1, 3, 4]
    assert [row["row"] for row in result.selected] == result.selected_rows
    [gone] = result.filtered
    assert (gone["row"], gone["duplicate_of_row"], gone["relation"]) == (2, 0, "exact")
    assert (gone["similarity"], gone["rule"]) == (1.0, "path")
    near = result.plan(drop=["exact", "near"], min_similarity=0.5)
    assert near.selected_rows == [0, 1, 4]
    [least] = near.least_similar(1)
    assert (least["row"], least["relation"]) == (3, "near")
    assert least["similarity"] < 1


def test_a_column_chooses_what_stays(texts):
    rows = [{"text": text, "stars": stars} for text, stars in zip(texts, [1, 1, 5, 3, 1])]
    result = dupfind.scan(rows, keep="field:stars", min_similarity=0.5)
    assert result.selected_rows == [1, 2, 4]
    assert {gone["rule"] for gone in result.filtered} == {"field:stars"}
    once = dupfind.scan(iter(rows), keep="field:stars")
    with pytest.raises(dupfind.InputError, match="'stars' is needed to choose what stays, and the rows can be read only"):
        once.selected_rows


def test_unresolved_stay(texts):
    result = dupfind.scan(texts, drop="near", min_similarity=0.95)
    assert result.selected_rows == [0, 1, 2, 3, 4]


def test_explanations(texts):
    result = dupfind.scan([{"id": f"p{row}", "text": text} for row, text in enumerate(texts)], id="id")
    near = result.explain(0, 3)
    assert (near.a, near.b, near.relation, near.is_pair) == ("p0", "p3", "near", True)
    assert str(near) == near.because
    none = result.explain("p1", "p4")
    assert not none.is_pair
    assert str(none).startswith("no pair")
    for key, message in [(9, "no text of row 9 was compared"), ("x", "no text named 'x' was compared")]:
        with pytest.raises(dupfind.InputError, match=message):
            result.explain(key, 0)
    with pytest.raises(dupfind.InputError):
        result.explain(-1, 0)


@pytest.mark.parametrize("limit", [None, 16 << 20, "16M", 1])
def test_memory_does_not_change_the_result(texts, limit, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    result = dupfind.scan(texts * 3, memory_limit=limit)
    assert result.to_json() == dupfind.scan(texts * 3, threads=1).to_json()
    assert list(tmp_path.iterdir()) == []


def test_options(texts):
    assert len(dupfind.scan(texts, detectors="simhash", max_hamming=0)) == 1
    traditional = ["圖書館明天上午九點開放，請讀者帶好證件", "图书馆明天上午九点开放，请读者带好证件"]
    assert len(dupfind.scan(traditional)) == 1
    short = dupfind.scan(["one two three", "one two four"], shingle_size=1, shingle_unit="word")
    assert len(short) == 1
    # Its text repeats itself, which proves nothing.
    contained = dupfind.scan([texts[0], texts[0] + " " + texts[1] * 9], min_containment=0.9)
    assert contained.pairs[0]["relation"] == "related"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_jaccard": 0}, "min_jaccard: "),
        ({"min_jaccard": 1.5}, "min_jaccard: "),
        ({"min_jaccard": float("nan")}, "min_jaccard: "),
        ({"max_hamming": 17}, "max_hamming: expected at most 16 of 64 bits"),
        ({"detectors": "minhash"}, "detectors: 'minhash' is none of simhash, shingle"),
        ({"detectors": []}, "detectors: expected at least one"),
        ({"shingle_unit": "byte"}, "shingle_unit: 'byte' is none of auto, char, word"),
        ({"shingle_size": 0}, "shingle_size: expected a whole number, 1 or more"),
        ({"keep": "best"}, "keep: 'best' is no rule: expected in:GLOB"),
        ({"drop": "related"}, "drop: 'related' is none of exact, near, contains"),
        ({"drop": "same"}, "drop: 'same' is none of"),
        ({"drop": []}, "drop: expected at least one"),
        ({"min_similarity": 2}, "min_similarity: .2. is not a share"),
        ({"memory_limit": "lots"}, "memory_limit: 'lots' is not a size"),
    ],
)
def test_options_that_cannot_be(texts, options, message):
    with pytest.raises(dupfind.OptionError, match=message) as refused:
        dupfind.scan(texts, **options)
    assert isinstance(refused.value, dupfind.Error)
    assert isinstance(refused.value, ValueError)


def test_a_rule_about_files_needs_files(texts):
    with pytest.raises(dupfind.OptionError, match="the rule 'newest' is about files, and these are texts"):
        dupfind.scan(texts, keep="newest").selected


def test_progress_is_told(texts):
    heard = []
    dupfind.scan(texts, progress=lambda *told: heard.append(told))
    assert heard
    stage, done, total = heard[0]
    assert isinstance(stage, str) and done >= 0
    pytest.importorskip("tqdm")
    dupfind.scan(texts, progress=True)
    with pytest.raises(ZeroDivisionError):
        dupfind.scan(texts, progress=lambda *told: 1 // 0)


def test_tables(texts):
    pairs = dupfind.scan(texts).pairs
    assert (len(pairs), pairs.num_rows, pairs.column_names[:2]) == (3, 3, ["row_a", "row_b"])
    assert pairs[-1] == pairs.to_dicts()[2]
    with pytest.raises(IndexError):
        pairs[3]
    assert repr(pairs).startswith("<dupfind.Table: 3 rows of row_a, row_b, a, b")
    assert "<th>row_a</th>" in pairs._repr_html_()
    assert "<td></td><td>[&#39;simhash&#39;, &#39;shingle&#39;]</td>" in pairs._repr_html_()


def test_help_is_enough():
    defaults = {"min_jaccard": 0.2, "max_hamming": 3, "memory_limit": None, "drop": None}
    parameters = inspect.signature(dupfind.scan).parameters
    assert {name: parameters[name].default for name in defaults} == defaults
    assert "Raises:" in dupfind.scan.__doc__
    for name in dupfind.__all__:
        assert getattr(dupfind, name).__doc__, name


def test_compare_and_single_texts(texts):
    why = dupfind.compare(texts[0], texts[3])
    assert (why.relation, why.is_pair, why.hamming is not None) == ("near", True, True)
    assert dupfind.fingerprint("?!") is None
    a, b = (set(dupfind.shingles(text)) for text in (texts[0], texts[3]))
    assert round(len(a & b) / len(a | b), 3) == round(why.jaccard, 3)
    assert dupfind.shingles("图书馆明天", shingle_size=5) == dupfind.shingles("图书馆明天", shingle_size=5, shingle_unit="char")


def test_threads_change_no_result(texts, tmp_path):
    assert dupfind.scan(texts, threads=1).to_json() == dupfind.scan(texts, threads=3).to_json()
    index = dupfind.Index(tmp_path / "texts.dupidx", threads=1)
    index.update(texts)
    found = index.query(texts[3]).to_dicts()
    assert found == dupfind.Index(tmp_path / "texts.dupidx", threads=3).query(texts[3]).to_dicts() != []
    for refused in [lambda: dupfind.scan(texts, threads=257), lambda: dupfind.Index(tmp_path / "more", threads=257)]:
        with pytest.raises(dupfind.OptionError, match="threads"):
            refused()


def test_index(texts, tmp_path):
    path = tmp_path / "pages.dupidx"
    index = dupfind.Index(path)
    assert index.update([{"text": texts[0], "id": "park"}, {"text": texts[1], "id": "bread"}], id="id") == (2, 0)
    assert len(index) == 2
    assert [found["id"] for found in index.query(texts[3])] == ["park"]
    again = dupfind.Index(path)
    assert again.query(texts[3])[0]["id"] == "park"
    assert again.remove(["park"]) == 1
    assert len(again.query(texts[3])) == 0
    with pytest.raises(dupfind.IndexFileError, match="made with shingle_size 3, not 4"):
        dupfind.Index(path, shingle_size=4)
    (tmp_path / "file").write_text("no index")
    with pytest.raises(dupfind.IndexFileError):
        dupfind.Index(tmp_path / "file")


def test_stream(texts):
    stream = dupfind.Stream(memory_limit="1M")
    assert [stream.seen(text) for text in texts] == [False, False, True, True, False]
    assert len(stream) == 5
    table = stream.update([texts[0], None, "something that nobody has ever said in these very words before"])
    assert [row["is_duplicate"] for row in table] == [True, False, False]
    assert [row["seen"] for row in table] == [1.0, None, 0.0]
    with pytest.raises(dupfind.Error, match="the shingles to remember need"):
        dupfind.Stream(memory_limit="900000G")


def test_json_of_rows(texts):
    report = json.loads(dupfind.scan(texts).to_json())
    assert report["summary"]["documents"] == 5
    assert report["pairs"][0]["a"] == "0"


def test_what_cannot_be_read_is_an_error_as_of_the_command(tmp_path: Path):
    with pytest.raises(dupfind.InputError, match="none: not found"):
        dupfind.scan(tmp_path / "none")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"body": "one two three"}\n')
    with pytest.raises(dupfind.InputError, match="no document in it: .*no field 'text'"):
        dupfind.scan(rows)
    with pytest.raises(dupfind.OptionError, match="glob has no effect: rows were given, and no paths"):
        dupfind.scan(["one"], glob="*.md")
    with pytest.raises(dupfind.OptionError, match="min_jaccard has no effect: the detector shingle does not run"):
        dupfind.scan(["one"], detectors="simhash", min_jaccard=0.5)
