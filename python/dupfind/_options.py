"""``dupfind.scan`` and ``dupfind.Index``, whose options are those of the command with the same names.

The parameters of ``scan`` are the one list of these options: ``dedup`` takes them by it, and Spark those about pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from dupfind import _dupfind

if TYPE_CHECKING:
    from dupfind._dupfind import Paths, Progress, Result, Texts, Unit, Words


def scan(
    x: Texts | Paths,
    *,
    against: Texts | Paths | None = None,
    text: Words = "text",
    id: str | None = None,
    min_jaccard: float = 0.2,
    max_hamming: int = 3,
    min_containment: float | None = None,
    rewritten: bool = False,
    detectors: Words | None = ("simhash", "shingle"),
    shingle_unit: Unit = "auto",
    shingle_size: int | None = None,
    keep: Words | None = (),
    drop: Words | None = None,
    min_similarity: float | None = None,
    threads: int = 0,
    memory_limit: int | str | None = None,
    progress: Progress = None,
    glob: Words | None = (),
    exclude: Words | None = (),
    hidden: bool = False,
    ignore_files: bool = True,
) -> Result:
    """Compares every text with every other, or with those of another set, and returns all pairs that are alike.

    Args:
        x: The texts: anything with the Arrow C stream protocol (a frame of polars or pandas 3, a table of pyarrow,
            a dataset, a relation of DuckDB), whose texts are not copied; an iterable of str, or of dict; a
            ``pathlib.Path`` of a file or a folder, or several, which are read as the command does.
        against: Another set, such as the test set of a model: texts are compared with those of this set alone. Rows with
            rows, with the same columns of texts and ids; or paths with paths.
        text: The column or key of the texts. Several make one text.
        id: The column or key of the ids. Without one, a row is named by its number from 0.
        min_jaccard: The least Jaccard similarity of a pair.
        max_hamming: The most bits in which the fingerprints of a pair differ.
        min_containment: Also find pairs where one has this share of the other one. With ``against`` it is 0.8 by
            default, so that short texts within longer ones are found.
        rewritten: Also find texts that were rewritten in other words (weighted similarity of 0.05 or more). It needs 100 texts
            or more, which tell what is rare.
        detectors: Which detectors run: ``simhash``, ``shingle``, ``super-shingle``, ``i-match``.
        shingle_unit: What a shingle is made of: ``auto``, ``char``, ``word`` or ``ocr``.
        shingle_size: How many units a shingle has.
        keep: The rules that choose what stays, the first that decides: ``longest``, ``field:NAME``, ``field:NAME:min``,
            ``path`` (the first row); of files also ``linked``, ``newest``, ``oldest``, ``in:GLOB``,
            ``shortest-path``, ``shortest-name``. Where no rule decides, the first one stays.
        drop: The relations that let a document go: ``exact`` (copies), ``near`` (the same text with changes),
            ``contains`` (one text within the other). By default ``exact`` and ``near`` of rows and records, and ``exact`` of
            pages. With ``against`` all that copy, change, hold or are part of a text of the other set, variants too.
        min_similarity: A near-duplicate goes only from this Jaccard similarity on: by default 0.8 of rows and records, 0.5 of
            pages, 0 with ``against``.
        threads: Worker threads; 0 is one for each core. The result does not depend on it.
        memory_limit: Memory for shingles and pairs, such as ``"2G"``; by default half of the memory. Shingles beyond it go to a
            temporary file. Half of it is for pairs, with room for a million in any case: more of them are an error, as the
            result does not depend on it. Names and counts are not limited, some 400 bytes for each text.
        progress: ``True`` shows bars if tqdm is there; a function is called with the stage, the steps done and all steps.
        glob, exclude: Globs of the files that are read or left out, of paths only.
        hidden: Whether hidden files are read, of paths only.
        ignore_files: Whether ``.gitignore`` and the like count, of paths only.

    Returns:
        A ``Result``. ``pairs`` and ``clusters`` were found, ``selected_rows`` are the rows that stay, ``filtered`` those
        that go, with the row that stays for each. ``dedup`` returns the rows themselves.

    Raises:
        InputError: A column is missing, something is not text, or a path cannot be read.
        OptionError: An option has a value that it cannot have, or has no effect.
        Error: There are more pairs than half of ``memory_limit`` has room for.

    Examples:
        The rows of a frame of polars that stay, and why the others go::

            result = dupfind.scan(df, text="text")
            clean = df[result.selected_rows]
            print(result.filtered.to_polars())
    """
    given = locals()
    return _dupfind.scan(x, *words("scan", {name: given[name] for name in scan.__kwdefaults__ or {}}))


class Index(_dupfind.Index):
    """Texts on disk, and a search for those that are like another text. It may be used with ``with``.

    Args:
        path: The file of the index. ``update`` makes it if it is not there.
        min_jaccard: The least Jaccard similarity of a pair.
        max_hamming: The most bits in which the fingerprints of a pair differ.
        min_containment: Also find pairs where one has this share of the other one.
        rewritten: Also find texts that were rewritten in other words (weighted similarity of 0.05 or more). It needs 100 texts.
        shingle_unit: What a unit is: ``auto``, ``char``, ``word`` or ``ocr``.
        shingle_size: How many units a shingle has.
        threads: Worker threads; 0 is one for each core. What is found does not depend on it.
    """

    def __new__(
        cls,
        path: str | PathLike[str],
        *,
        min_jaccard: float = 0.2,
        max_hamming: int = 3,
        min_containment: float | None = None,
        rewritten: bool = False,
        shingle_unit: Unit = "auto",
        shingle_size: int | None = None,
        threads: int = 0,
    ) -> Index:
        return super().__new__(cls, path, _changed(locals(), Index.__new__.__kwdefaults__ or {}))


def words(function: str, given: Mapping[str, Any]) -> tuple[Any, tuple[Words, str | None], Progress, dict[str, Any]]:
    """Returns options of ``scan`` as the module takes them. Fails as a call of the function does if one is unknown."""
    usual: dict[str, Any] = scan.__kwdefaults__ or {}
    _check(function, given, list(usual))
    full = {**usual, **given}
    own = {name: full[name] for name in ("against", "text", "id", "progress")}
    options = _changed(given, {name: value for name, value in usual.items() if name not in own})
    return own["against"], (own["text"], own["id"]), own["progress"], options


def about_pairs(function: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options of ``scan`` about text and detection: those from ``min_jaccard`` to ``shingle_size``, and ``threads``.
    Fails as a call of the function does if there is another one."""
    names = list(scan.__kwdefaults__ or {})
    _check(function, given, [*names[names.index("min_jaccard") : names.index("shingle_size") + 1], "threads"])
    return dict(given)


def _changed(given: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options with other values than the usual ones."""
    return {name: value for name, value in given.items() if name in usual and value != usual[name]}


def _check(function: str, given: Mapping[str, Any], names: list[str]) -> None:
    """Fails if a name of an option is none of these."""
    for name in given:
        if name not in names:
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}': expected one of {', '.join(names)}")
