"""The factorial view of a ``matrix:``: each factor's effect with all others held fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeforge.compare import Comparison, Verdict
from treeforge.report.scores import MetricTable
from treeforge.report.verdicts import told


@dataclass(frozen=True)
class FactorRow:
    """The levels of a factor under one choice of all other factors.

    ``algorithms``, ``means`` and ``pairs`` go by level; a point left out of the matrix is absent from them.
    ``pairs`` compares a level with the first one, where a declared comparison tested that pair.
    """

    held: tuple[tuple[str, str], ...]
    algorithms: Mapping[str, str]
    means: Mapping[str, float]
    pairs: Mapping[str, Verdict]

    @property
    def label(self) -> str:
        """What is held fixed, in words."""
        return ", ".join(f"{factor} {level}" for factor, level in self.held)


@dataclass(frozen=True)
class FactorTable:
    """One factor and one metric: a row for each choice of the other factors."""

    factor: str
    metric: str
    levels: tuple[str, ...]
    rows: tuple[FactorRow, ...]


def factor_tables(
    algorithms: Iterable[Mapping[str, Any]], tables: Sequence[MetricTable], comparisons: Sequence[Comparison]
) -> tuple[FactorTable, ...]:
    """All factors that vary, for every metric that is better in one direction."""
    points = {
        str(a["name"]): {str(k): str(v) for k, v in a["factors"].items()}
        for a in algorithms
        if a.get("factors")
    }
    factors = list(dict.fromkeys(f for point in points.values() for f in point))
    varying = [f for f in factors if len({p.get(f) for p in points.values()}) > 1]
    return tuple(
        _table(factor, [f for f in varying if f != factor], points, table, comparisons)
        for table in tables
        if table.metric.larger_is_better is not None and table.complete
        for factor in varying
    )


def _table(
    factor: str,
    others: Sequence[str],
    points: Mapping[str, Mapping[str, str]],
    table: MetricTable,
    comparisons: Sequence[Comparison],
) -> FactorTable:
    levels = tuple(dict.fromkeys(p[factor] for p in points.values() if factor in p))
    held = dict.fromkeys(tuple((o, p.get(o, "")) for o in others) for p in points.values())
    rows = []
    for choice in held:
        here = {
            p[factor]: name
            for name, p in points.items()
            if factor in p and tuple((o, p.get(o, "")) for o in others) == choice and name in table.mean
        }
        first = next((level for level in levels if level in here), None)
        pairs = {}
        for level in levels:
            if first is not None and level in here and level != first:
                pair = _pair(here[level], here[first], table.metric.name, comparisons)
                if pair is not None:
                    pairs[level] = pair
        rows.append(FactorRow(choice, here, {level: table.mean[a] for level, a in here.items()}, pairs))
    return FactorTable(factor, table.metric.name, levels, tuple(rows))


def _pair(a: str, b: str, metric: str, comparisons: Sequence[Comparison]) -> Verdict | None:
    for comparison in comparisons:
        if comparison.metric == metric and (verdict := told(comparison, a, b)) is not None:
            return verdict
    return None
