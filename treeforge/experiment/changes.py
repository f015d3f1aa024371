"""Why cells are computed although the folder has results of their names: what has changed since, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from treeforge.experiment.cell import Cell, versions
from treeforge.experiment.result import Result

_MOST = 3  # changes that are told of an algorithm


def reasons(missing: Iterable[Cell], results: Iterable[Result]) -> tuple[str, ...]:
    """A line for each change: which algorithms it concerns, and how many of their cells."""
    kept: dict[tuple[str, str, int, int], list[Result]] = {}
    for result in results:
        kept.setdefault((result.dataset, result.algorithm, result.repeat, result.fold), []).append(result)
    found: Counter[tuple[str, str]] = Counter()
    for cell in missing:
        same_names = kept.get((cell.dataset_name, cell.algorithm, cell.split.repeat, cell.split.fold), ())
        told = [list(changes(result, cell)) for result in same_names]
        if told and (nearest := min(told, key=len)):
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


def changes(result: Result, cell: Cell) -> Iterator[str]:
    """What a kept result depends on that is another thing now; nothing where only metrics are."""
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
    before_all, now_all = dict(_flat(result.spec)), dict(_flat(cell.spec))
    for path in sorted(before_all.keys() | now_all.keys()):
        before, now = before_all.get(path), now_all.get(path)
        if before == now or path == "versions.treeforge":
            continue
        if path.rpartition(".")[2] == "code":
            of = cell.spec.get(path.partition(".")[0], {})
            name = of["name"] if isinstance(of, Mapping) else cell.spec.get("estimator", "")
            yield f"the code of {name} {'has changed' if before and now else 'was not told apart before'}"
        else:
            yield f"{path.removeprefix('versions.')} was {_shown(before)}, is {_shown(now)}"


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
