"""MSD and AMSD: four branches around the mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from treeforge.plugin import NodeView, Splitter, Table
from treeforge_moments import _kernel
from treeforge_moments.formulas import amsd_cuts, moments, snapped

#: checks that do not hold by definition
OUTSIDE = {
    "cuts_lie_between_values": "mean - sd may lie below all values, mean + sd above: that branch is empty"
}


@dataclass(frozen=True)
class MsdSplitter(Splitter):
    """Cut a number at its mean and one standard deviation to either side; one branch a category.

    With the mean m and the standard deviation s (population form) of the known values at the node, the
    branches are ``x < m - s``, ``m - s <= x < m``, ``m <= x < m + s`` and ``x >= m + s``. Nothing is searched
    for, so nothing is sorted, and nothing is charged to the gain.

    References
    ----------
    P. Rim, E. Liu, Optimizing the C4.5 decision tree algorithm using MSD-splitting, IJACSA 11 (2020).
    """

    closed_left: ClassVar[bool] = True
    releases_gil: ClassVar[bool] = True
    waived: ClassVar[Mapping[str, str]] = OUTSIDE

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        return propose_moments(node, attribute, 0.0, 1.0)

    def kernel(self, table: Table) -> object:
        return _kernel.moment_kernel(0.0, 1.0)


@dataclass(frozen=True)
class AmsdSplitter(Splitter):
    """MSD whose outer cuts follow the skewness of the node's values.

    With the third standardised moment g and ``a = alpha * min(|g|, gamma_max)``, the outer cuts are
    ``m - (1 - a) s`` and ``m + (1 + a) s`` for g > 0, and the other way round for g < 0: the long tail gets
    the wider bin. No skew: MSD.

    Parameters
    ----------
    alpha : float
        How far skewness moves the outer cuts; 0 is MSD.
    gamma_max : float
        Skewness counts up to this. ``alpha * gamma_max`` must stay below 1, or a cut would cross the mean.

    References
    ----------
    J. Lee, Adaptive MSD-Splitting: enhancing C4.5 and random forests for skewed continuous attributes,
    arXiv:2604.19722 (2026).
    """

    alpha: float = 0.25
    gamma_max: float = 2.0

    closed_left: ClassVar[bool] = True
    releases_gil: ClassVar[bool] = True
    examples: ClassVar[tuple[Mapping[str, Any], ...]] = ({}, {"alpha": 0.9, "gamma_max": 1.0})
    waived: ClassVar[Mapping[str, str]] = OUTSIDE

    def __post_init__(self) -> None:
        if not self.alpha >= 0:
            raise ValueError(f"alpha must not be negative, not {self.alpha}")
        if not self.gamma_max > 0:
            raise ValueError(f"gamma_max must be positive, not {self.gamma_max}")
        if not self.alpha * self.gamma_max < 1:
            raise ValueError(
                f"alpha * gamma_max must be below 1, or the outer cuts would cross the mean: "
                f"{self.alpha} * {self.gamma_max}"
            )

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        return propose_moments(node, attribute, self.alpha, self.gamma_max)

    def kernel(self, table: Table) -> object:
        return _kernel.moment_kernel(self.alpha, self.gamma_max)


def propose_moments(node: NodeView, attribute: int, alpha: float, gamma_max: float) -> Iterable[Any]:
    """The reference of the compiled kernel: three cuts, or one branch a category."""
    if not node.is_numeric(attribute):
        yield [[category] for category in range(node.n_categories(attribute))]
    elif node.known(attribute).any():
        known = node.known(attribute)
        values, weights = node.column(attribute)[known], node.weights[known]
        found = moments(values, weights)
        cuts = amsd_cuts(found, alpha, gamma_max)
        if cuts:
            yield distinct(snapped(cuts, values, found.sd))


def distinct(cuts: list[float]) -> list[float]:
    """Without repeats, which rounding makes of neighbours at the limit of precision."""
    return sorted(set(cuts))
