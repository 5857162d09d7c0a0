"""Runs the notebook of the documentation, and compares its output with the output that is stored in it."""

import os

import pytest

from conftest import REPOSITORY

NOTEBOOK = REPOSITORY / "docs" / "reviews.ipynb"


def shown(notebook):
    """The output of the cells, without parts that differ from run to run."""
    kinds = ("text/plain", "text/html")
    return [
        {kind: text for kind, text in output.get("data", {"text/plain": output.get("text")}).items() if kind in kinds}
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]


# The tools of Jupyter have warnings of their own.
@pytest.mark.filterwarnings("default")
def test_the_notebook_shows_what_is_written_in_it(tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("polars")
    # A kernel must not take the sources for the package.
    monkeypatch.chdir(tmp_path)
    written = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(run, timeout=120, kernel_name="python3").execute()
    if os.environ.get("DUPFIND_UPDATE_DOCS"):
        for cell in run.cells:
            cell.metadata.clear()
        run.metadata = {"kernelspec": run.metadata["kernelspec"], "language_info": {"name": "python"}}
        nbformat.write(run, NOTEBOOK)
        return
    assert shown(run) == shown(written)
    page = "".join(text for output in shown(run) for text in output.values())
    for part in ("12 documents, 0 skipped, 5 pairs, 3 clusters", "<mark", "duplicate_of_row"):
        assert part in page
    html = pytest.importorskip("nbconvert").HTMLExporter().from_notebook_node(run)[0]
    assert html.count("<mark") == page.count("<mark")
