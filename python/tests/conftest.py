"""What all tests share."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]

PAGE = (
    "The old park by the river opened to the public thirty years ago today, and the town has planted a tree in it "
    "for every year since."
)
REVISED = PAGE.replace("thirty", "forty")
OTHER = "Knead flour, water and salt until the dough no longer sticks to your hands, then let it rest for an hour."
PARK = "图书馆明天上午九点开放，请读者带好证件，在一楼大厅排队入馆，谢谢配合"


@pytest.fixture
def texts() -> list[str]:
    """A copy, a revision, and two texts of their own."""
    return [PAGE, OTHER, PAGE, REVISED, PARK]


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the repository, which is the current folder."""
    monkeypatch.chdir(REPOSITORY)
    return REPOSITORY
