"""Why cells are computed although the folder has results of their names: what has changed since, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from treeforge.experiment.cell import Cell, versions
from treeforge.experiment.result import Result
from treeforge.plugin.registry import KINDS

_MOST = 3  # changes that are told of an algorithm


def reasons(missing: Sequence[Cell], results: Iterable[Result]) -> tuple[str, ...]:
    """A line for each change: which algorithms it concerns, and how many of their cells."""
    kept: dict[tuple[str, str, int, int], list[Result]] = {}
    for result in results:
        kept.setdefault((result.dataset, result.algorithm, result.repeat, result.fold), []).append(result)
    found: Counter[tuple[str, str]] = Counter()
    known: dict[tuple[str, int], tuple[str, ...]] = {}

    def told(result: Result, cell: Cell) -> list[str]:
        """All changes; those of a pair of specifications, which thousands of cells share, are sought once."""
        pair = repr(result.spec), id(cell.spec)  # each record has been read into a specification of its own
        if pair not in known:
            known[pair] = tuple(_of_specs(result.spec, cell.spec))
        return [*_around(result, cell), *known[pair]]

    for cell in missing:
        same_names = kept.get((cell.dataset_name, cell.algorithm, cell.split.repeat, cell.split.fold), ())
        if same_names and (nearest := min((told(result, cell) for result in same_names), key=len)):
            more = len(nearest) - _MOST
            words = "; ".join(nearest[:_MOST]) + (f"; and {more} more changes" if more > 0 else "")
            found[words, cell.algorithm] += 1
    together: dict[str, dict[str, int]] = {}
    for (words, algorithm), n in found.items():
        together.setdefault(words, {})[algorithm] = n
    return tuple(
        f"{', '.join(algorithms)}: {_cells(sum(algorithms.values()))} computed anew: {words}"
        for words, algorithms in together.items()
    )


def _around(result: Result, cell: Cell) -> Iterator[str]:
    """What a kept result depends on that is another thing now, except its specification; nothing of metrics."""
    if result.data_hash != cell.dataset.content_hash:
        yield "the data have changed"
    elif result.split_hash != cell.split.hash:
        yield "the splits have changed"
    pairs: list[tuple[str, Any, Any]] = [
        ("seed", result.seed, cell.seed),
        ("treeforge", result.versions.get("treeforge"), versions()["treeforge"]),
    ]
    for name, before, now in pairs:
        if before != now:
            yield f"{name} was {before}, is {now}"


def _of_specs(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """How two specifications of an algorithm differ."""
    old, new = dict(_flat(before)), dict(_flat(now))
    for path in sorted(old.keys() | new.keys()):
        was, is_ = old.get(path), new.get(path)
        if was == is_ or path == "versions.treeforge":
            continue
        if path in _NAMES:
            name = old.get(_NAMES[path])
            if name == new.get(
                _NAMES[path]
            ):  # of another plugin the name is told: so is its code another one
                yield f"the code of {name} {_told_apart(was, is_)}"
        else:
            yield f"{path.removeprefix('versions.')} was {_shown(was)}, is {_shown(is_)}"


#: where the code of a plugin or of an outside estimator stands in a specification -> where its name does
_NAMES = {f"{kind}.code": f"{kind}.name" for kind in KINDS} | {"code": "estimator"}


def _told_apart(was: str | None, is_: str | None) -> str:
    if was and is_:
        return "has changed"
    return "is told by its version now" if was else "was not told apart before"


def _flat(spec: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Each value of a specification by its dotted path."""
    for key, value in spec.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{key}.")
        else:
            yield path + key, value


def _shown(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _cells(n: int) -> str:
    return "1 cell is" if n == 1 else f"{n} cells are"
