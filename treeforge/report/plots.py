"""Which figures a report has: from its data to drawings, the same for every format."""

from __future__ import annotations

from treeforge.compare import Comparison
from treeforge.report import numbers
from treeforge.report.data import ReportData
from treeforge.report.drawing import Drawing
from treeforge.report.figures.critical_difference import critical_difference
from treeforge.report.figures.interaction import interaction
from treeforge.report.figures.scatter import Dot, scatter
from treeforge.report.figures.strip import MOST_DOTS, StripRow, strip
from treeforge.report.figures.three_parts import Tally, posterior, win_tie_loss
from treeforge.report.scores import MetricTable
from treeforge.report.verdicts import all_pairs, over_datasets, told


def rank_diagram(comparison: Comparison, width: float) -> Drawing | None:
    """The critical-difference diagram of an all-pairs comparison."""
    if not all_pairs(comparison) or len(comparison.mean_ranks) < 2:
        return None
    return critical_difference(
        comparison.mean_ranks, comparison.groups, width, comparison.critical_difference
    )


def trade_offs(data: ReportData, width: float) -> list[Drawing]:
    """The primary metric against tree size and against training time, averaged over the complete data sets."""
    primary = data.primary
    if primary is None or not primary.mean or len(data.algorithms) < 2:
        return []
    found = []
    size = data.table("size") or data.table("leaves")
    for other in (size, data.table("fit_seconds")):
        if other is None or other is primary or not other.mean:
            continue
        means = other.geometric_mean or other.mean
        kind = "geometric mean of " if other.geometric_mean else "mean of "
        dots = [
            Dot(a, means[a], numbers.scaled(primary.metric.name, primary.mean[a]), i)
            for i, a in enumerate(data.algorithms)
        ]
        found.append(
            scatter(
                dots,
                kind + other.metric.label,
                f"mean {_axis(primary)}",
                log=bool(other.geometric_mean),
                width=width,
                y_up=primary.metric.larger_is_better is not False,
            )
        )
    return found


def _axis(table: MetricTable) -> str:
    unit = numbers.unit(table.metric.name)
    return table.metric.label + (f" ({unit})" if unit else "")


def strips(data: ReportData, width: float = 300.0) -> list[tuple[str, Drawing]]:
    """A plot of the folds of each data set by the primary metric; nothing where there is one fold only."""
    table = data.primary
    if table is None or all(s.n < 2 for s in table.scores.values()):
        return []
    name = table.metric.name
    found = []
    for d in data.datasets:
        rows = []
        for a in data.algorithms:
            score = table.scores[d, a]
            values = tuple(numbers.scaled(name, v) for v in score.values)
            rows.append(
                StripRow(
                    a,
                    values,
                    None if score.mean is None else numbers.scaled(name, score.mean),
                    tuple(numbers.scaled(name, q) for q in score.quartiles) if values else (),
                    "failed" if score.failed else "undefined",
                )
            )
        found.append((d, strip(f"{_axis(table)} on {d}, fold by fold", rows, width)))
    return found


def reference(comparison: Comparison) -> str | None:
    """Whom the others are counted against: the control, or the best mean rank."""
    if comparison.control is None and all_pairs(comparison) and comparison.mean_ranks:
        return min(comparison.algorithms, key=lambda a: comparison.mean_ranks.get(a, 0.0))
    return comparison.control


def strip_legend(data: ReportData) -> str:
    """What the marks in the plots of the folds are."""
    table = data.primary
    most = max((s.n for s in table.scores.values()), default=0) if table else 0
    return "line: mean" if most <= MOST_DOTS else "box: quartiles, line: median, dot: mean"


def new_tallies(data: ReportData) -> set[int]:
    """Places of the comparisons whose wins, ties and losses no earlier one has shown already."""
    seen: dict[tuple[str, str | None], int] = {}
    for i, comparison in enumerate(data.comparisons):
        if over_datasets(comparison):
            seen.setdefault((comparison.metric, reference(comparison)), i)
    return set(seen.values())


def tallies(comparison: Comparison, width: float) -> Drawing | None:
    """Wins, ties and losses against the control, or against the best mean rank."""
    against = reference(comparison)
    if against is None or not over_datasets(comparison):
        return None
    rows = []
    for a in comparison.algorithms:
        verdict = told(comparison, a, against)
        if verdict is not None:
            mark = ""
            if verdict.significant and verdict.better:
                mark = "better" if verdict.better == a else "worse"
            rows.append(Tally(a, verdict.wins, verdict.ties, verdict.losses, mark))
    return win_tie_loss(rows, against, width) if rows else None


def posteriors(comparison: Comparison, width: float) -> Drawing | None:
    """What a Bayesian test says of each algorithm against the control, or against the best mean rank."""
    against = reference(comparison)
    if against is None:
        return None
    rows = []
    for a in comparison.algorithms:
        verdict = told(comparison, a, against)
        if verdict is not None and verdict.probabilities is not None:
            found = verdict.probabilities
            rows.append((a, found.left, found.equal, found.right))
    return posterior(rows, against, width) if rows else None


def interactions(data: ReportData, width: float) -> list[tuple[str, Drawing]]:
    """For each factor of a matrix, the primary metric by its levels."""
    primary = data.primary
    if primary is None:
        return []
    name = primary.metric.name
    return [
        (
            factor.factor,
            interaction(
                factor.levels,
                [
                    (row.label or "mean", {lv: numbers.scaled(name, m) for lv, m in row.means.items()})
                    for row in factor.rows
                    if row.means
                ],
                f"mean {_axis(primary)}",
                width,
            ),
        )
        for factor in data.factors
        if factor.metric == name
    ]
