"""Shows progress with tqdm, or calls a function."""

from __future__ import annotations

from typing import Any, Callable, Union

Progress = Union[bool, None, Callable[[str, int, "int | None"], object]]


class Bar:
    """One bar of tqdm for each stage."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._stage = ""
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(total=total, desc=stage, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def callback(progress: Progress) -> Callable[[str, int, int | None], object] | None:
    """Returns the receiver of the progress, if there is one."""
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        return Bar(tqdm)
    return progress or None
