"""What a report is made from: a run folder, read once and summarised. Renderers compute no numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treeforge.compare import Comparison
from treeforge.report.factors import FactorTable
from treeforge.report.records import Confusion
from treeforge.report.scores import MetricTable
from treeforge.report.verdicts import all_pairs


@dataclass(frozen=True)
class Failure:
    """Cells of one data set and algorithm that ended for the same reason."""

    dataset: str
    algorithm: str
    folds: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class TreeText:
    """One tree on paper, as the run wrote it down."""

    dataset: str
    algorithm: str
    text: str
    svg: str = ""
    leaves: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class ReportData:
    """Everything a renderer may print."""

    name: str
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    tables: tuple[MetricTable, ...]
    comparisons: tuple[Comparison, ...] = ()
    failures: tuple[Failure, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    factors: tuple[FactorTable, ...] = ()
    trees: tuple[TreeText, ...] = ()
    n_cells: int = 0
    n_failed: int = 0
    n_missing: int = 0  # folds of one algorithm on a data set that another has
    unfinished: bool = False  # no run has come to its end: there may be more data sets and algorithms
    repeated: bool = False
    run: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[Mapping[str, str], ...] = ()
    folder: Path | None = None

    def table(self, name: str) -> MetricTable | None:
        """The table of a metric, if it was measured."""
        return next((t for t in self.tables if t.metric.name == name), None)

    @property
    def primary(self) -> MetricTable | None:
        """What the report talks about first: the metric of the first comparison, else the first column."""
        for comparison in self.comparisons:
            table = self.table(comparison.metric)
            if table is not None:
                return table
        return self.tables[0] if self.tables else None

    @property
    def pairwise(self) -> Comparison | None:
        """The all-pairs comparison of the primary metric: the numbers behind matrix and diagram."""
        primary = self.primary
        name = primary.metric.name if primary else None
        return next((c for c in self.comparisons if all_pairs(c) and c.metric == name), None)
