"""Uses the package as a typed program does; it is checked, and not run."""

from pathlib import Path
from typing import Any

import dupfind


def clean(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    result: dupfind.Result = dupfind.scan(rows, text="body", id="url", min_jaccard=0.3, drop=["exact", "near"])
    kept: list[int] = result.selected_rows
    similarity: float | None = result.explain(0, "b").jaccard
    print(similarity, result.to_json())
    return [rows[row] for row in kept]


def clean_at_once(rows: list[dict[str, Any]], test: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return dupfind.dedup(rows, against=test, text=["title", "body"])


def folders() -> dupfind.Table:
    return dupfind.scan([Path("docs"), Path("guide")], progress=True).pairs


def index(path: Path) -> tuple[int, int]:
    with dupfind.Index(path, min_jaccard=0.3, shingle_unit="char", threads=2) as texts:
        ids: list[str] = texts.ids
        return texts.update(ids)
