"""Criteria that ask by how much a test lowers the impurity of a node."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Criterion, Table
from treeforge_criteria import _kernel


class ImpurityCriterion(Criterion):
    """The decrease of an impurity I, scaled by the share of cases whose value is known.

    ``score = known/total * (I(node) - sum_b share_b I(branch_b))``
    """

    @abstractmethod
    def impurity(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Impurity of each set of class shares, [..., n_classes] -> [...]; 0 where one class has all."""

    def score(self, counts: NDArray[np.float64], total: float) -> float:
        known = counts.sum()
        if not known > 0:
            return 0.0
        weight = counts.sum(axis=1)
        shares = np.divide(counts, weight[:, None], out=np.zeros_like(counts), where=weight[:, None] > 0)
        after = (weight / known * self.impurity(shares)).sum()
        return float(known / total * (self.impurity(counts.sum(axis=0) / known) - after))


@dataclass(frozen=True)
class InformationGainCriterion(ImpurityCriterion):
    """Information gain: the decrease of the class entropy, ``-sum_c p_c log2 p_c``, in bits.

    References
    ----------
    J. R. Quinlan, Induction of decision trees, Machine Learning 1 (1986), section 4.
    """

    def impurity(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        logarithm = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
        entropy: NDArray[np.float64] = -(shares * logarithm).sum(axis=-1)
        return entropy

    def kernel(self, table: Table) -> object:
        return _kernel.information_gain()


@dataclass(frozen=True)
class GiniCriterion(ImpurityCriterion):
    """The decrease of the Gini index, ``1 - sum_c p_c^2``.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and regression trees (1984), section 4.3.
    """

    def impurity(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        squares: NDArray[np.float64] = np.square(shares).sum(axis=-1)
        return np.where(shares.any(axis=-1), 1.0 - squares, 0.0)

    def kernel(self, table: Table) -> object:
        return _kernel.gini()


@dataclass(frozen=True)
class DkmCriterion(ImpurityCriterion):
    """The decrease of ``sum_c sqrt(p_c (1 - p_c))``; with two classes ``2 sqrt(p q)``, as published.

    The sum over classes is our reading for more than two; it stays concave, and zero on pure sets.

    References
    ----------
    T. Dietterich, M. Kearns, Y. Mansour, Applying the weak learning framework to understand and improve C4.5,
    ICML 1996.
    """

    def impurity(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        spread: NDArray[np.float64] = np.sqrt(shares * (1.0 - shares)).sum(axis=-1)
        return spread

    def kernel(self, table: Table) -> object:
        return _kernel.dkm()


@dataclass(frozen=True)
class MisclassificationCriterion(ImpurityCriterion):
    """The decrease of the error of the majority class, ``1 - max_c p_c``.

    Not strictly concave: a test that leaves every branch with the same majority counts as useless, however
    much purer one of them is (Breiman et al. 1984, section 4.1).
    """

    def impurity(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        largest: NDArray[np.float64] = shares.max(axis=-1)
        return np.where(shares.any(axis=-1), 1.0 - largest, 0.0)

    def kernel(self, table: Table) -> object:
        return _kernel.misclassification()
