"""CHAID: merge the categories that do not differ, and split if what is left differs enough."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from treeforge.plugin import NodeView, Splitter
from treeforge_chaid.merging import Array, adjusted_p, initial_cuts, merged


@dataclass(frozen=True)
class ChaidSplitter(Splitter):
    """Groups of categories that differ in their classes, found by merging; as many branches as groups.

    Of the pairs of groups (of a number: of neighbouring intervals) the one whose classes differ least, by
    chi-squared, is merged while its p-value exceeds ``alpha_merge``. The attribute is proposed if the p-value of
    what is left, times the number of ways to form so many groups (Bonferroni), is at most ``alpha_split``.
    Attributes are then compared by the criterion, which is ``chi_squared`` unless another is chosen.

    A number is first cut into intervals of about equal weight. Groups once formed are not split again (Kass's
    third step). An unknown value is no category of its own here: such a case goes down all branches in parts.

    Parameters
    ----------
    alpha_merge : float
        Two groups whose difference is less significant than this are merged.
    alpha_split : float
        The adjusted p-value that a test must reach.
    intervals : int
        Into how many a number is cut before merging.
    bonferroni : bool
        Adjust the p-value for the number of groupings.

    References
    ----------
    G. V. Kass, An exploratory technique for investigating large quantities of categorical data, Applied
    Statistics 29 (1980).
    """

    alpha_merge: float = 0.05
    alpha_split: float = 0.05
    intervals: int = 10
    bonferroni: bool = True

    default_criterion: ClassVar[str] = "chi_squared"
    default_pruner: ClassVar[str] = "none"
    waived: ClassVar[Mapping[str, str]] = {
        "weight_scale": "four times the cases make any difference significant"
    }

    def __post_init__(self) -> None:
        for name in ("alpha_merge", "alpha_split"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} must be above 0 and at most 1, not {getattr(self, name)}")
        if self.intervals < 2:
            raise ValueError(f"intervals must be at least 2, not {self.intervals}")

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        known = node.known(attribute)
        values, classes, weights = node.column(attribute)[known], node.classes[known], node.weights[known]
        numeric = node.is_numeric(attribute)
        cuts = initial_cuts(values, weights, self.intervals) if numeric else []
        cells = np.searchsorted(cuts, values) if numeric else values
        counts = np.zeros((len(cuts) + 1 if numeric else node.n_categories(attribute), node.n_classes))
        np.add.at(counts, (cells, classes), weights)
        present = np.flatnonzero(counts.sum(axis=1) > 0)
        groups = merged(counts[present], self.alpha_merge, neighbours=numeric)
        if len(groups) < 2 or not self._significant(counts[present], groups, numeric):
            return
        if numeric:  # between intervals that were merged there is no cut; the last of each group has one
            yield [cuts[int(present[group[-1]])] for group in groups[:-1]]
        else:
            yield with_absent([[int(present[i]) for i in group] for group in groups], counts)

    def _significant(self, counts: Array, groups: list[list[int]], neighbours: bool) -> bool:
        return adjusted_p(counts, groups, neighbours, self.bonferroni) <= self.alpha_split


def with_absent(groups: list[list[int]], counts: Array) -> list[list[int]]:
    """Categories without cases join the heaviest group, the first of equals."""
    absent = np.flatnonzero(counts.sum(axis=1) == 0).tolist()
    heaviest = int(np.argmax([counts[group].sum() for group in groups]))
    return [sorted([*group, *absent]) if i == heaviest else group for i, group in enumerate(groups)]
