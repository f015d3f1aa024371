"""Hellinger distance between the ways two classes spread over the branches; blind to how rare a class is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Criterion, Table
from treeforge_criteria import _kernel


@dataclass(frozen=True)
class HellingerCriterion(Criterion):
    """``sqrt(sum_b (sqrt(n_b+ / n+) - sqrt(n_b- / n-))^2)``, times the share of cases with a known value.

    With more than two classes it is the largest distance of one class from all the others together.

    References
    ----------
    D. Cieslak, N. Chawla, Learning decision trees for unbalanced data, ECML PKDD 2008.
    """

    def score(self, counts: NDArray[np.float64], total: float) -> float:
        known = counts.sum()
        best = 0.0
        for label in range(counts.shape[1]):
            inside = counts[:, label]
            outside = counts.sum(axis=1) - inside
            if inside.sum() > 0 and outside.sum() > 0:
                gap = np.sqrt(inside / inside.sum()) - np.sqrt(outside / outside.sum())
                best = max(best, float(np.sqrt(np.square(gap).sum())))
        return float(known / total * best)

    def kernel(self, table: Table) -> object:
        return _kernel.hellinger()
