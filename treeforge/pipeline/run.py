"""The one flow: a pipeline file in, results, verdicts and reports out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from treeforge.compare import Comparison, ScoreTable
from treeforge.errors import ResultError, TreeForgeError
from treeforge.experiment import runner
from treeforge.experiment.cell import Cell
from treeforge.experiment.result import Result
from treeforge.experiment.runner import Event
from treeforge.experiment.schedule import Plan
from treeforge.experiment.schedule import plan as plan_cells
from treeforge.experiment.store import ResultStore
from treeforge.experiment.verify import Check
from treeforge.experiment.verify import verify as verify_cells
from treeforge.pipeline import record, trees
from treeforge.pipeline.build import Study, build
from treeforge.pipeline.document import load
from treeforge.pipeline.folder import claim, default_folder
from treeforge.pipeline.table import ResultTable
from treeforge.report import FORMATS, write


@dataclass(frozen=True, eq=False)
class Run:
    """What a run came to.

    Parameters
    ----------
    folder : Path
        Where everything is on disk.
    results : ResultTable
        One row a cell.
    comparisons : tuple of Comparison
    warnings : tuple of str
    reports : tuple of Path
        Files that were written.
    """

    folder: Path
    study: Study = field(repr=False)
    results: ResultTable = field(repr=False)
    comparisons: tuple[Comparison, ...] = field(repr=False)
    warnings: tuple[str, ...] = ()
    reports: tuple[Path, ...] = ()

    @property
    def n_failed(self) -> int:
        """How many cells came to nothing."""
        return sum(row["status"] != "ok" for row in self.results)

    def report(self, path: str | Path) -> Path:
        """Write a report; the ending says the format: .html, .tex, .md or .csv."""
        ending = Path(path).suffix.lower()
        form = next((form for form, own in FORMATS.items() if own == ending), None)
        if form is None:
            raise TreeForgeError(f"a report ends in {', '.join(FORMATS.values())}, not '{ending}'")
        return write(self.folder, [form], path)[0]

    def _repr_html_(self) -> str:
        """In a notebook: what was found, and the table of the first metric."""
        from treeforge.report import load, notebook

        try:
            data = load(self.folder)
        except ResultError:  # the folder has gone since: the cells are all that is left
            return self.results._repr_html_()
        return notebook.render(data)


def run(
    path: str | Path,
    folder: str | Path | None = None,
    *,
    settings: Sequence[str] = (),
    workers: int = 1,
    engine: str | None = None,
    only: Sequence[str] = (),
    fresh: bool = False,
    retry_failed: bool = False,
    watch: Callable[[Event], None] = lambda event: None,
    command: str = "",
) -> Run:
    """Run a pipeline file: what its folder lacks is computed, then compared and reported.

    Parameters
    ----------
    path : path
        The pipeline file.
    folder : path, optional
        Where results are kept; ``runs/NAME`` where you are, when none is given.
    settings : sequence of str
        ``KEY=VALUE``, as for ``treeforge run --set``.
    workers : int
        How many cells at a time.
    engine : {None, 'threads', 'processes', 'dask:ADDRESS'}
        None chooses by what each algorithm can do.
    only : sequence of str
        Globs: compute only cells whose data set, algorithm, or ``data set/algorithm`` matches one of them.
    fresh : bool
        Forget what the folder holds of these cells.
    retry_failed : bool
        Try cells again that failed before.
    watch : callable
        Told of every step.
    """
    study = build(load(path, settings))
    pipeline = study.pipeline
    folder = Path(folder) if folder is not None else default_folder(pipeline.name)
    claim(folder)
    started = record.now()
    with ResultStore(folder) as store:
        steps = runner.run(
            study.experiment,
            store,
            workers=workers,
            engine=engine,
            time_limit=pipeline.time_limit,
            fresh=fresh,
            retry_failed=retry_failed,
            select=lambda cell: chosen(cell, only),
        )
        with closing(steps):
            for event in steps:
                watch(event)
        results = current(study, store)
    warnings = list(study.experiment.warnings)
    comparisons = compare(study, results, warnings)
    trees.write(study, results, folder, workers)
    facts = {
        "command": command,
        "started": started,
        "engine": engine,
        "workers": workers,
        "pipeline_file": os.path.relpath(path, folder),
        "settings": list(settings),
    }
    record.write(folder, study, results, comparisons, warnings, facts)
    reports = write(folder, [form for form in pipeline.report if form != "terminal"])
    table = ResultTable.of(results, list(study.experiment.metrics))
    return Run(folder, study, table, comparisons, tuple(warnings), tuple(reports))


def plan(
    path: str | Path,
    folder: str | Path | None = None,
    *,
    settings: Sequence[str] = (),
    workers: int = 1,
    only: Sequence[str] = (),
) -> tuple[Study, Plan]:
    """What ``run`` would compute; nothing is run, and nothing is written."""
    study = build(load(path, settings))
    folder = Path(folder) if folder is not None else default_folder(study.pipeline.name)
    cells = [cell for cell in study.experiment.cells if chosen(cell, only)]
    limit = study.pipeline.time_limit
    kept = ResultStore(folder) if (folder / "cells").is_dir() else nullcontext()
    with kept as store:
        found = plan_cells(cells, store, workers=workers, time_limit=limit)
    return study, replace(found, warnings=study.experiment.warnings)


@dataclass(frozen=True)
class Verified:
    """What computing cells again came to.

    Parameters
    ----------
    checks : tuple of Check
    n_cells : int
        Cells of the pipeline.
    n_without : int
        How many of them have no good result that belongs to the present data, parameters and versions.
    warnings : tuple of str
    """

    checks: tuple[Check, ...]
    n_cells: int
    n_without: int
    warnings: tuple[str, ...] = ()


def verify(
    folder: str | Path, *, sample: int = 20, seed: int = 1, workers: int = 1, engine: str | None = None
) -> Verified:
    """Compute a sample of a run's cells again, from its pipeline file and data, and compare."""
    folder = Path(folder)
    facts = record.read(folder)
    if "pipeline_file" not in facts:
        raise ResultError("does not say which pipeline file it is of; run that to the end", file=str(folder))
    pipeline = load(folder / facts["pipeline_file"], facts.get("settings", ()))
    warnings = []
    if pipeline.text_hash != facts.get("pipeline_hash"):
        warnings.append(f"{pipeline.file} has changed since the run")
    cells = build(pipeline).experiment.cells
    with ResultStore(folder) as store:
        good = sum(result is not None and result.ok for cell in cells for result in [store.get(cell.key)])
        steps = verify_cells(
            cells,
            store,
            sample=sample,
            seed=seed,
            workers=workers,
            engine=engine,
            time_limit=pipeline.time_limit,
        )
        with closing(steps):
            checks = tuple(steps)
    return Verified(checks, len(cells), len(cells) - good, tuple(warnings))


def chosen(cell: Cell, globs: Sequence[str]) -> bool:
    """Whether a cell is among those that ``--only`` asks for."""
    names = (cell.dataset_name, cell.algorithm, f"{cell.dataset_name}/{cell.algorithm}")
    return not globs or any(fnmatchcase(name, glob) for glob in globs for name in names)


def current(study: Study, store: ResultStore) -> list[Result]:
    """The results of the study's cells, in its order; a folder may hold others besides."""
    found = (store.get(cell.key) for cell in study.experiment.cells)
    return [result for result in found if result is not None]


def compare(study: Study, results: Sequence[Result], warnings: list[str]) -> tuple[Comparison, ...]:
    """The declared comparisons, one after the other; one that cannot be made is a warning."""
    found = []
    for declared in study.comparisons:
        metric = study.experiment.metrics[declared.metric]
        table = ScoreTable.from_cells(
            [_scores(result, declared.metric) for result in results],
            declared.metric,
            larger_is_better=metric.larger_is_better,
            datasets=[task.name for task in study.experiment.tasks],
            algorithms=list(study.experiment.learners),
        )
        try:
            found.append(declared.test.compare(table))
        except TreeForgeError as wrong:
            warnings.append(f"{declared.words['test']} on {declared.metric}: {wrong.message}")
    return tuple(found)


def _scores(result: Result, metric: str) -> dict[str, Any]:
    names = ("dataset", "algorithm", "status", "repeat", "fold", "n_train", "n_test")
    return {name: getattr(result, name) for name in names} | {"metrics": {metric: result.value(metric)}}
