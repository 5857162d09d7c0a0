from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol

__version__: str

class ArrowStream(Protocol):
    """Anything with the Arrow C stream protocol: a frame of polars or pandas, a table of pyarrow, a dataset."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Texts = ArrowStream | Iterable[str | None] | Iterable[Mapping[str, Any]]
_Paths = PathLike[str] | Iterable[PathLike[str]]
_Words = str | Sequence[str]
_Unit = Literal["auto", "char", "word", "ocr"]
_Progress = bool | Callable[[str, int, int | None], object] | None

class Table:
    """A table with named columns, for everything that knows Arrow's C stream."""

    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def to_polars(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_pyarrow(self) -> Any: ...
    def to_dicts(self) -> list[dict[str, Any]]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> dict[str, Any]: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...

class Explanation:
    """What two texts are to each other, and why."""

    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def is_pair(self) -> bool: ...
    @property
    def relation(self) -> str: ...
    @property
    def jaccard(self) -> float | None: ...
    @property
    def weighted(self) -> float | None: ...
    @property
    def containment(self) -> float | None: ...
    @property
    def hamming(self) -> int | None: ...
    @property
    def matched_by(self) -> list[str]: ...
    @property
    def because(self) -> str: ...

class Result:
    """The pairs and clusters of a scan, and what stays of the documents."""

    @property
    def pairs(self) -> Table: ...
    @property
    def clusters(self) -> Table: ...
    @property
    def documents(self) -> Table: ...
    @property
    def skipped(self) -> Table: ...
    @property
    def selected(self) -> Table: ...
    @property
    def selected_rows(self) -> list[int]: ...
    @property
    def filtered(self) -> Table: ...
    @property
    def unresolved(self) -> Table: ...
    def plan(self, *, keep: _Words | None = None, drop: _Words | None = None, min_drop: float = 0.5) -> Result: ...
    def rethreshold(
        self,
        *,
        min_jaccard: float | None = None,
        max_hamming: int | None = None,
        min_containment: float | None = None,
        min_weighted: float | Literal["auto", "off"] | None = None,
        cluster_on: _Words | None = None,
    ) -> Result: ...
    def least_similar(self, n: int) -> Table: ...
    def explain(self, i: int | str, j: int | str) -> Explanation: ...
    def to_json(self) -> str: ...
    def to_html(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...

class Index:
    """Texts on disk, which are asked for what is like another text."""

    def __new__(
        cls,
        path: str | PathLike[str],
        *,
        min_jaccard: float = 0.2,
        max_hamming: int = 3,
        min_containment: float | None = None,
        min_weighted: float | Literal["auto", "off"] = "auto",
        shingle_size: int | None = None,
        shingle_unit: _Unit = "auto",
        fold_han: bool = False,
    ) -> Index: ...
    def update(self, x: _Texts, *, text: str = "text", id: str | None = None) -> tuple[int, int]: ...
    def remove(self, ids: Sequence[str]) -> int: ...
    def query(self, text: str) -> Table: ...
    def gather(self, text: str, n: int = 10) -> Table: ...
    def __len__(self) -> int: ...

class Reuse:
    """The passages that stand in several texts."""

    @property
    def groups(self) -> Table: ...
    @property
    def places(self) -> Table: ...
    def __len__(self) -> int: ...

class Stream:
    """Remembers texts in memory of a fixed size, and says how much of a new one was seen before."""

    def __new__(
        cls,
        state: str | PathLike[str] | None = None,
        *,
        min_seen: float = 0.5,
        memory: int | str | None = None,
        window: int | None = None,
        shingle_size: int = 8,
        shingle_unit: _Unit = "auto",
        fold_han: bool = False,
    ) -> Stream: ...
    def seen(self, text: str) -> bool: ...
    def update(self, x: _Texts, *, text: str = "text", id: str | None = None) -> Table: ...
    def save(self, path: str | PathLike[str] | None = None) -> None: ...
    def __len__(self) -> int: ...

def scan(
    x: _Texts | _Paths,
    *,
    text: str = "text",
    id: str | None = None,
    min_jaccard: float = 0.2,
    max_hamming: int = 3,
    min_containment: float | None = None,
    min_weighted: float | Literal["auto", "off"] = "auto",
    detectors: _Words | None = None,
    require: Literal["any", "all"] = "any",
    shingle_unit: _Unit = "auto",
    shingle_size: int | None = None,
    fold_han: bool = False,
    idf: Literal["dictionary", "corpus"] = "dictionary",
    cluster_on: _Words | None = None,
    keep: _Words | None = None,
    drop: _Words | None = None,
    min_drop: float = 0.5,
    threads: int = 0,
    memory_limit: int | str | None = None,
    temp_dir: str | PathLike[str] | None = None,
    progress: _Progress = None,
    glob: _Words | None = None,
    exclude: _Words | None = None,
    hidden: bool = False,
    ignore_files: bool = True,
) -> Result: ...
def compare(a: str, b: str) -> Explanation: ...
def fingerprint(text: str) -> int | None: ...
def shingles(
    text: str, *, shingle_size: int | None = None, shingle_unit: _Unit = "auto", fold_han: bool = False
) -> list[int]: ...
def features(
    x: _Texts,
    *,
    text: str = "text",
    id: str | None = None,
    shingle_size: int | None = None,
    shingle_unit: _Unit = "auto",
    fold_han: bool = False,
    threads: int = 0,
) -> Table: ...
def reuse(
    x: _Texts | _Paths,
    *,
    text: str = "text",
    id: str | None = None,
    min_units: int = 8,
    min_jaccard: float = 0.6,
    glob: _Words | None = None,
    exclude: _Words | None = None,
    hidden: bool = False,
    ignore_files: bool = True,
) -> Reuse: ...
class TileEngine:
    """The options of a job over tiles. ``dupfind.spark`` uses it."""

    def __new__(
        cls,
        *,
        min_jaccard: float = 0.2,
        max_hamming: int = 3,
        min_containment: float | None = None,
        min_weighted: float | Literal["auto", "off"] = "auto",
        detectors: _Words | None = None,
        require: Literal["any", "all"] = "any",
        shingle_unit: _Unit = "auto",
        shingle_size: int | None = None,
        fold_han: bool = False,
        cluster_on: _Words | None = None,
        threads: int = 0,
    ) -> TileEngine: ...
    @property
    def identity(self) -> str: ...
    def check(self, identity: str) -> None: ...
    def features(
        self, texts: Sequence[str | None]
    ) -> tuple[
        list[bytes | None],
        list[bytes | None],
        list[bytes | None],
        list[int | None],
        list[int | None],
        list[int | None],
    ]: ...
    def join(
        self,
        job: tuple[int, int, int],
        slice: tuple[int, int, int, int],
        candidates: Sequence[tuple[int, int]],
        tiles: Sequence[tuple[int, Sequence[bytes], Sequence[bytes], bytes]],
    ) -> bytes: ...

class Tile:
    """The sets of a tile."""

    def __new__(cls) -> Tile: ...
    def add(self, keys: Sequence[bytes], sets: Sequence[bytes]) -> list[bytes]: ...
    def finish(self, stretches: int) -> tuple[list[bytes], list[bytes]]: ...

class TileJob:
    """What the driver of a job over tiles knows."""

    def __new__(cls, engine: TileEngine) -> TileJob: ...
    def add(
        self,
        ids: Sequence[str],
        keys: Sequence[bytes | None],
        facts: Sequence[bytes | None],
        details: Sequence[str | None],
    ) -> None: ...
    def order(self) -> None: ...
    @property
    def number(self) -> int: ...
    @property
    def documents(self) -> int: ...
    def tiles_for(self, memory: int) -> int: ...
    def cut(self, tiles: int) -> list[tuple[int, int, bytes, int]]: ...
    def set_weights(self, tile: int, weights: bytes) -> None: ...
    def slices(
        self, work: Sequence[tuple[int, int, int]], cores: int
    ) -> list[tuple[tuple[int, int, int, int], int]]: ...
    def candidates(self, earlier: int, later: int) -> list[tuple[int, int]]: ...
    def add_pairs(self, pairs: bytes) -> None: ...
    def finish(
        self,
        load: Callable[[list[bytes]], Sequence[tuple[bytes, bytes]]],
        *,
        rows: object | None = None,
        keep: _Words | None = None,
        drop: _Words | None = None,
        min_drop: float = 0.5,
    ) -> Result: ...

def merge_counts(
    counts: Sequence[tuple[int, bytes]],
) -> tuple[list[tuple[int, bytes]], list[tuple[int, int, int]]]: ...
def weigh_tile(pieces: Sequence[bytes], frequencies: Sequence[bytes]) -> bytes: ...
def run_program(words: Sequence[str]) -> int: ...
def close() -> None: ...
