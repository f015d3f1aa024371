"""Compute some of a run's cells again and compare: are the results still what this code makes of these data?"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeforge.experiment.cell import Cell
from treeforge.experiment.engine import execute
from treeforge.experiment.result import Result
from treeforge.experiment.store import ResultStore

#: what a cell came to; the rest of a record says what the cell was, and on which Python
COMPARED = ("status", "metrics", "per_class", "measures", "confusion", "unclassified", "n_train", "n_test")


@dataclass(frozen=True)
class Check:
    """A stored result, and the same cell computed again.

    Parameters
    ----------
    stored, again : Result
    differences : tuple of str
        What is not the same, each with both values.
    """

    stored: Result
    again: Result
    differences: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        names = ("dataset", "algorithm", "repeat", "fold", "key")
        return {n: getattr(self.stored, n) for n in names} | {"differences": list(self.differences)}


def choose(cells: Sequence[Cell], n: int, seed: int = 1) -> list[Cell]:
    """A sample of cells, as even as can be over algorithms; all of them when n is not smaller."""
    chance = random.Random(seed)
    by_algorithm: dict[str, list[Cell]] = {}
    for cell in cells:
        by_algorithm.setdefault(cell.algorithm, []).append(cell)
    piles = list(by_algorithm.values())
    for pile in piles:
        chance.shuffle(pile)
    chance.shuffle(piles)
    chosen: list[Cell] = []
    while piles and len(chosen) < n:
        chosen += [pile.pop() for pile in piles[: n - len(chosen)]]
        piles = [pile for pile in piles if pile]
    places = {cell.key: place for place, cell in enumerate(cells)}
    return sorted(chosen, key=lambda cell: places[cell.key])


def verify(
    cells: Sequence[Cell],
    store: ResultStore,
    *,
    sample: int = 20,
    seed: int = 1,
    workers: int = 1,
    engine: str | None = None,
    time_limit: float | None = None,
) -> Generator[Check, None, None]:
    """Compute a sample of the cells that have a good result again, and compare.

    A cell whose data, split, parameters, code or versions have changed has no stored result: it is not among them.
    Each is computed with the metrics that its record has, as far as the experiment still names them.
    """
    stored = {cell.key: store.get(cell.key) for cell in cells}
    done = [cell for cell in cells if (result := stored[cell.key]) is not None and result.ok]
    chosen = choose(done, sample, seed)
    for again in execute(chosen, workers=workers, engine=engine, time_limit=time_limit):
        before = stored[again.key]
        assert before is not None
        yield Check(before, again, tuple(differences(before, again)))


def differences(stored: Result, again: Result) -> Iterator[str]:
    """What two results of one cell disagree about."""
    if not again.ok:
        yield f"status: ok is stored, computed again it failed: {again.reason}"
        return
    same = [name for name, spec in stored.metric_specs.items() if again.metric_specs.get(name) == spec]
    stored, again = (
        replace(
            result,
            metrics={name: result.metrics[name] for name in same if name in result.metrics},
            per_class={name: result.per_class[name] for name in same if name in result.per_class},
        )
        for result in (stored, again)
    )
    for part in COMPARED:
        before, after = getattr(stored, part), getattr(again, part)
        if before == after:
            continue
        if isinstance(before, dict):
            for name in sorted({*before, *after}):
                if before.get(name) != after.get(name):
                    yield f"{name}: {before.get(name)} is stored, {after.get(name)} computed again"
        else:
            yield f"{part}: {before} is stored, {after} computed again"
