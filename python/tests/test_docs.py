"""Runs the examples of the documentation, and shows a result as a notebook does."""

import re
import shutil
from pathlib import Path

import pytest

import dupfind

from conftest import OTHER, PAGE, REPOSITORY, REVISED

REVIEWS = {
    "id": ["r1", "r2", "r3", "r4", "r5", "r6", "r7"],
    "stars": [5, 4, 5, 3, 1, 2, 3],
    "text": [PAGE, OTHER, REVISED, PAGE, None, PAGE.replace("tree", "rose"), "图书馆明天上午九点开放，请读者带好证件"],
}


def examples(page):
    # ``spark.py`` runs the examples of Spark.
    text = page.read_text(encoding="utf-8").split("\n## Spark\n")[0]
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md"])
def test_examples_run(page, tmp_path, monkeypatch, capsys):
    pl = pytest.importorskip("polars")
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pl.DataFrame(REVIEWS).write_parquet(tmp_path / "reviews.parquet")
    shutil.copytree(REPOSITORY / "fixtures" / "corpus" / "mixed", tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    blocks = examples(REPOSITORY / page)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    if page == "docs/python.md":
        said = capsys.readouterr().out.splitlines()[0]
        assert said == "<dupfind.Result: 6 documents, 1 skipped, 6 pairs, 1 clusters>"
        assert f"# {said}" in blocks[2]
        assert names["clean"].height == 6
        assert names["best"].selected_rows != names["result"].selected_rows
        sources = [document["metadata"]["source"] for document in names["top"]]
        assert sources == ["r1", "r2", "r7"]
        assert names["like"].num_rows == 0
        assert len(names["report"]) > 0 and "<html" in names["page"]


def test_a_notebook_shows_two_texts_side_by_side(texts, repository):
    html = dupfind.scan(texts)._repr_html_()
    assert "5 documents, 0 skipped, 3 pairs" in html
    assert html.count("<mark") == 2 and ">thirty" in html and ">forty" in html
    once = dupfind.scan(iter(texts))._repr_html_()
    assert "<mark" not in once and "near" in once
    assert "no" not in dupfind.scan([])._repr_html_()
    assert "display:flex" in dupfind.scan(Path("fixtures/corpus/mixed"))._repr_html_()
    assert "&lt;b&gt;" in dupfind.scan(["<b> " + text for text in texts])._repr_html_()


def test_the_page_shows_the_texts_of_rows(texts):
    rows = [{"text": text} for text in texts]
    for x in (texts, rows, pytest.importorskip("polars").DataFrame(rows)):
        result = dupfind.scan(x)
        assert "planted a tree" in result.to_html()
    assert "planted a tree" not in dupfind.scan(iter(texts)).to_html()
    # A text that is another one now is not shown.
    result = dupfind.scan(texts)
    texts[0] = texts[2] = texts[3] = OTHER
    assert "planted a tree" not in result.to_html() and "<mark" not in result._repr_html_()
    texts.clear()
    assert "Knead flour" not in result.to_html()


def test_all_of_a_text_is_escaped():
    texts = [f"{PAGE} <script>alert({number})</script>" for number in range(2)]
    html = dupfind.scan(texts)._repr_html_()
    assert "<script" not in html
