"""The result table laid out once for every format: cells with their marks, rows below the line, notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeforge.compare import Comparison
from treeforge.compare.words import show_p
from treeforge.report import numbers
from treeforge.report.data import ReportData
from treeforge.report.scores import MetricTable, Score
from treeforge.report.verdicts import all_pairs, over_datasets, told


@dataclass(frozen=True)
class Cell:
    """One cell: its text, and what a renderer should make visible about it.

    ``mark`` is ``better`` or ``worse`` than the control on this data set by a declared test; ``notes`` are
    numbers of footnotes, from 1.
    """

    text: str
    spread: str = ""
    rank: str = ""
    best: bool = False
    mark: str = ""
    notes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Row:
    """A data set, or a line below the table."""

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class ResultTable:
    """One metric: rows are data sets, columns algorithms."""

    metric: str
    title: str
    direction: str
    algorithms: tuple[str, ...]
    rows: tuple[Row, ...]
    footer: tuple[Row, ...]
    notes: tuple[str, ...]
    legend: tuple[str, ...]


def result_table(data: ReportData, table: MetricTable) -> ResultTable:
    """Lay out a metric's table."""
    local = _local(data, table.metric.name)
    marks = _marks(local)
    best = {d: table.best(d) for d in table.complete}
    notes: list[str] = []
    rows = tuple(
        Row(
            d,
            tuple(
                _cell(table, d, a, marks.get((d, a), ""), a in best.get(d, ()), notes)
                for a in data.algorithms
            ),
        )
        for d in data.datasets
    )
    name = table.metric.name
    unit = numbers.unit(name)
    better = table.metric.larger_is_better
    legend = []
    if table.ranks:
        legend.append(
            "Bold: best of its row. Small figures: standard deviation over folds and rank in the row."
        )
    else:
        legend.append("Small figures: standard deviation over folds.")
    footer, said = _footer(data, table)
    legend += said
    if local is not None:
        where = f"{local.control} on {'that' if marks else 'any'} data set ({how(local)})."
        found = (
            "▲ significantly better, ▼ significantly worse than"
            if marks
            else "None differs significantly from"
        )
        legend.append(f"{found} {where}")
    return ResultTable(
        name,
        table.metric.label[:1].upper() + table.metric.label[1:] + (f" ({unit})" if unit else ""),
        "" if better is None else "more is better" if better else "less is better",
        data.algorithms,
        rows,
        footer,
        tuple(notes),
        tuple(legend),
    )


def _local(data: ReportData, metric: str) -> Comparison | None:
    """The comparison with a control that has a verdict on each data set, where one was declared."""
    return next(
        (
            c
            for c in data.comparisons
            if c.metric == metric and c.control and any(v.dataset for v in c.verdicts)
        ),
        None,
    )


def _marks(local: Comparison | None) -> dict[tuple[str, str], str]:
    """``better`` or ``worse`` than the control, by data set and algorithm."""
    found: dict[tuple[str, str], str] = {}
    for verdict in local.verdicts if local is not None else ():
        if verdict.dataset is not None and verdict.significant and verdict.better:
            other = verdict.left if verdict.right == local.control else verdict.right  # type: ignore[union-attr]
            found[verdict.dataset, other] = "better" if verdict.better == other else "worse"
    return found


def _cell(table: MetricTable, dataset: str, algorithm: str, mark: str, best: bool, notes: list[str]) -> Cell:
    score = table.scores[dataset, algorithm]
    rank = table.ranks.get((dataset, algorithm))
    return Cell(
        text=_text(table.metric.name, score),
        spread="" if score.sd is None else numbers.spread(table.metric.name, score.sd),
        rank="" if rank is None else f"{rank:g}",
        best=best,
        mark=mark,
        notes=tuple(_note(text, notes) for text in _remarks(score)),
    )


def _text(metric: str, score: Score) -> str:
    if score.mean is not None:
        return numbers.value(metric, score.mean)
    if score.failed and not score.undefined:
        return "failed"
    return "undefined" if score.undefined else "not run"


def _remarks(score: Score) -> list[str]:
    """What the reader of a mean must know about it (case S07): which folds it does not stand for, and why."""
    run = score.n + len(score.undefined) + len(score.failed)
    over = f"mean over {score.n} of {numbers.count(run, 'fold')}; " if score.n else ""
    found = []
    for what, where in (("undefined", score.undefined), ("failed", score.failed)):
        if len(where) == run and where:
            found.append(
                f"{what} in all {numbers.count(run, 'fold')}" if run > 1 else f"{what} in its only fold"
            )
        elif where:
            found.append(f"{over}{what} in {folds(where)}")
    return found


def folds(names: Sequence[str], most: int = 12) -> str:
    """Which folds, in words; long lists are cut, with the count."""
    if all(n.isdigit() for n in names):
        shown = ", ".join(names[:most])
        text = f"{'fold' if len(names) == 1 else 'folds'} {shown}"
    else:
        text = ", ".join(names[:most])
    return text + (f" and {len(names) - most} more" if len(names) > most else "")


def _note(text: str, notes: list[str]) -> int:
    if text not in notes:
        notes.append(text)
    return notes.index(text) + 1


def _footer(data: ReportData, table: MetricTable) -> tuple[tuple[Row, ...], list[str]]:
    rows, legend = [], []
    name = table.metric.name
    if not table.complete or len(data.datasets) < 2:
        return (), []
    if len(table.complete) < len(data.datasets):
        many = len(table.complete) > 1
        over = f"the {numbers.count(len(table.complete), 'data set')}" if many else "the only data set"
        legend.append(f"Mean and mean rank are over {over} on which every algorithm has a score.")
    rows.append(_line("Mean", [numbers.value(name, table.mean[a]) for a in data.algorithms]))
    if table.mean_rank:
        least = min(table.mean_rank.values())
        rows.append(
            Row(
                "Mean rank",
                tuple(
                    Cell(numbers.fixed(table.mean_rank[a], 2), best=table.mean_rank[a] == least)
                    for a in data.algorithms
                ),
            )
        )
    mine = [c for c in data.comparisons if c.metric == name and set(c.algorithms) == set(data.algorithms)]
    joint = next((c for c in mine if all_pairs(c)), None)
    if joint is not None:
        letters = group_letters(joint, table)
        rows.append(_line("Groups", [letters[a] for a in data.algorithms]))
        legend.append(
            f"Groups: algorithms that share a letter could not be told apart over the data sets "
            f"({how(joint)})."
        )
    for comparison in mine:
        control = comparison.control
        if control is not None and over_datasets(comparison) and not bayesian(comparison):
            cells = tuple(_against(comparison, a, control) for a in data.algorithms)
            rows.append(Row(f"Against {control} (w/t/l)", cells))
            legend.append(
                f"Against {control}: wins, ties and losses over the data sets; ▲ ▼ significant "
                f"({how(comparison)})."
            )
    return tuple(rows), legend


def _against(comparison: Comparison, algorithm: str, control: str) -> Cell:
    if algorithm == control:
        return Cell("control")
    verdict = told(comparison, algorithm, control)
    if verdict is None:
        return Cell("not tested")
    mark = ""
    if verdict.significant and verdict.better:
        mark = "better" if verdict.better == algorithm else "worse"
    return Cell(f"{verdict.wins}/{verdict.ties}/{verdict.losses}", mark=mark)


def _line(name: str, texts: Sequence[str]) -> Row:
    return Row(name, tuple(Cell(t) for t in texts))


def how(comparison: Comparison) -> str:
    """The test in words, as a verdict in brackets needs it."""
    return f"{comparison.title}, {level(comparison)}"


def level(comparison: Comparison) -> str:
    """From where on a difference is claimed."""
    if bayesian(comparison):
        return f"probability at least {1 - comparison.alpha:g}"
    return f"alpha = {comparison.alpha:g}"


def bayesian(comparison: Comparison) -> bool:
    """Whether its verdicts are probabilities, not significances."""
    return any(v.probabilities is not None for v in comparison.verdicts)


def group_letters(comparison: Comparison, table: MetricTable) -> dict[str, str]:
    """A letter a group, from the best mean rank on; an algorithm unlike all others has one alone."""
    ranks = comparison.mean_ranks or table.mean_rank
    order = sorted(comparison.algorithms, key=lambda a: ranks.get(a, 0.0))
    place = {a: i for i, a in enumerate(order)}
    alone = [(a,) for a in order if not any(a in g for g in comparison.groups)]
    groups = sorted([*comparison.groups, *alone], key=lambda g: sorted(place[a] for a in g))
    return {a: "".join(letter(i) for i, g in enumerate(groups) if a in g) for a in order}


def letter(index: int) -> str:
    """a, b, ... z, then a1, b1, ..."""
    return "abcdefghijklmnopqrstuvwxyz"[index % 26] + (str(index // 26) if index >= 26 else "")


@dataclass(frozen=True)
class MatrixCell:
    """One pair in the multi-comparison matrix, told from the row's side; ``words`` is the verdict as a sentence."""

    difference: str
    tally: str
    p: str
    mark: str
    words: str


@dataclass(frozen=True)
class Matrix:
    """All pairs of a comparison, best mean rank first; None on the diagonal."""

    algorithms: tuple[str, ...]
    ranks: tuple[str, ...]
    rows: tuple[tuple[MatrixCell | None, ...], ...]


def matrix(comparison: Comparison) -> Matrix:
    """Lay out the multi-comparison matrix (Ismail-Fawaz et al. 2023) of an all-pairs comparison."""
    ranks = comparison.mean_ranks
    order = tuple(sorted(comparison.algorithms, key=lambda a: ranks.get(a, 0.0)))
    rows = tuple(tuple(_pair(comparison, a, b) for b in order) for a in order)
    return Matrix(order, tuple(numbers.fixed(ranks[a], 2) if a in ranks else "" for a in order), rows)


def _pair(comparison: Comparison, a: str, b: str) -> MatrixCell | None:
    verdict = told(comparison, a, b) if a != b else None
    if verdict is None:
        return None
    mark = ""
    if verdict.significant and verdict.better:
        mark = "better" if verdict.better == a else "worse"
    return MatrixCell(
        numbers.signed(comparison.metric, verdict.estimate.value) if verdict.estimate else "",
        f"{verdict.wins}/{verdict.ties}/{verdict.losses}",
        show_p(verdict.p if verdict.adjusted_p is None else verdict.adjusted_p),
        mark,
        verdict.sentence,
    )
