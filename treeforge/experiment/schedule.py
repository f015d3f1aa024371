"""What is there already, what is still to be computed, and how long that will take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeforge.errors import TreeForgeError
from treeforge.experiment.cell import Cell, measure, metric_spec
from treeforge.experiment.changes import reasons
from treeforge.experiment.result import Result
from treeforge.experiment.store import ResultStore


@dataclass(frozen=True)
class Schedule:
    """The cells of an experiment, by what a run has to do with them.

    Parameters
    ----------
    done : tuple of Result
        Results that stand for a cell, without computing it.
    failed : tuple of Result
        Failed before, and not to be tried again.
    missing : tuple of Cell
    """

    done: tuple[Result, ...]
    failed: tuple[Result, ...]
    missing: tuple[Cell, ...]


def schedule(
    cells: Iterable[Cell],
    store: ResultStore,
    *,
    retry_failed: bool = False,
    time_limit: float | None = None,
) -> Schedule:
    """Part the cells of an experiment into those that are done, those that failed, and those to compute.

    A failed cell is tried again when that is asked for, or when it had been stopped at a time limit and there
    is more time now. Otherwise it stays: it failed for a reason, which an unchanged algorithm will meet again.
    """
    done, failed, missing = [], [], []
    for cell in cells:
        result = recall(cell, store)
        if result is None:
            missing.append(cell)
        elif result.ok:
            done.append(result)
        elif retry_failed or _has_more_time(result, time_limit):
            missing.append(cell)
        else:
            failed.append(result)
    return Schedule(tuple(done), tuple(failed), tuple(missing))


def recall(cell: Cell, store: ResultStore) -> Result | None:
    """The stored result that stands for a cell, with all of its metrics; None when it has to be computed.

    The same computation under another name counts (an algorithm was renamed, or its fold appears twice), and so
    does one that lacks only metrics which its record suffices for.
    """
    result = store.get(cell.key) or store.same_content(cell.content)
    if result is None or not result.ok:
        return result
    if result.key != cell.key:
        result = replace(
            result,
            key=cell.key,
            dataset=cell.dataset_name,
            algorithm=cell.algorithm,
            repeat=cell.split.repeat,
            fold=cell.split.fold,
        )
    lacking = {
        name: metric
        for name, metric in cell.metrics.items()
        if result.metric_specs.get(name) != metric_spec(metric)
    }
    if any(metric.needs_predictions for metric in lacking.values()):
        return None
    try:
        return measure(result, lacking) if lacking else result
    except TreeForgeError:
        return None  # running the cell will tell


def _has_more_time(result: Result, time_limit: float | None) -> bool:
    return result.time_limit is not None and (time_limit is None or time_limit > result.time_limit)


@dataclass
class Group:
    """Cells of one data set and algorithm: they take about the same time."""

    data_hash: str
    algorithm: str
    n_train: int
    count: int = 0


def groups(cells: Iterable[Cell]) -> dict[tuple[str, str], Group]:
    """How many cells there are of each data set and algorithm."""
    found: dict[tuple[str, str], Group] = {}
    for cell in cells:
        pair = (cell.dataset.content_hash, cell.algorithm)
        found.setdefault(pair, Group(*pair, cell.split.n_train)).count += 1
    return found


class Estimate:
    """Seconds that cells will take, from what has been measured.

    For a cell: the mean of its data set and algorithm; else the algorithm's mean seconds a training row; else
    that of all algorithms; else unknown.
    """

    def __init__(self, results: Iterable[Result] = ()) -> None:
        # each a sum and a count
        self._pairs: dict[tuple[str, str], list[float]] = {}
        self._rates: dict[str, list[float]] = {}
        self._all = [0.0, 0.0]
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        seconds = result.times.get("wall_seconds")
        if seconds is None:
            return
        rate = seconds / max(1, result.n_train)
        pair = self._pairs.setdefault((result.data_hash, result.algorithm), [0.0, 0.0])
        for mean, value in (
            (pair, seconds),
            (self._rates.setdefault(result.algorithm, [0.0, 0.0]), rate),
            (self._all, rate),
        ):
            mean[0] += value
            mean[1] += 1

    def of(self, group: Group) -> float | None:
        """Seconds for one cell of a group."""
        pair = self._pairs.get((group.data_hash, group.algorithm))
        if pair is not None:
            return pair[0] / pair[1]
        total, count = self._rates.get(group.algorithm, self._all)
        return total / count * group.n_train if count else None

    def total(self, left: Iterable[Group], workers: int = 1) -> float | None:
        """Seconds until all of them are done; None when nothing is known."""
        seconds = 0.0
        for group in left:
            each = self.of(group) if group.count else 0.0
            if each is None:
                return None
            seconds += each * group.count
        return seconds / workers


@dataclass(frozen=True)
class Plan:
    """What a run would do."""

    n_done: int
    n_failed: int
    missing: tuple[Cell, ...]
    seconds: float | None
    broken: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    anew: tuple[str, ...] = ()  # why cells are missing that there are results of

    def to_dict(self) -> dict[str, Any]:
        return {
            "cells": self.n_done + self.n_failed + len(self.missing),
            "done": self.n_done,
            "failed": self.n_failed,
            "missing": len(self.missing),
            "seconds": self.seconds,
            "missing_by": self.by_pair(),
            "broken": list(self.broken),
            "warnings": list(self.warnings),
            "anew": list(self.anew),
        }

    def by_pair(self) -> dict[str, dict[str, int]]:
        """Missing cells: data set -> algorithm -> how many."""
        found: dict[str, dict[str, int]] = {}
        for cell in self.missing:
            row = found.setdefault(cell.dataset_name, {})
            row[cell.algorithm] = row.get(cell.algorithm, 0) + 1
        return found


def plan(
    cells: Sequence[Cell],
    store: ResultStore | None,
    *,
    workers: int = 1,
    retry_failed: bool = False,
    time_limit: float | None = None,
) -> Plan:
    """What a run of these cells would compute, and how long it would take."""
    if store is None:
        return Plan(0, 0, tuple(cells), None if cells else 0.0)
    found = schedule(cells, store, retry_failed=retry_failed, time_limit=time_limit)
    return Plan(
        len(found.done),
        len(found.failed),
        found.missing,
        Estimate(store.results()).total(groups(found.missing).values(), workers),
        tuple(map(str, store.broken)),
        anew=reasons(found.missing, store.results()),
    )
