"""Discretisers that start from every distinct value and merge neighbours: ChiMerge and Chi2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Discretizer
from treeforge_discretize.table import Array, ValueTable, value_table


@dataclass(frozen=True)
class ChiMergeDiscretizer(Discretizer):
    """Merge the two neighbouring intervals whose classes differ least until all neighbours differ enough.

    Neighbours are compared by chi-squared over the two intervals and all classes. The threshold is the value
    that chi-squared with (classes at the node - 1) degrees stays below with the chance ``significance``.

    Parameters
    ----------
    significance : float
        0.95 merges whatever is not different at the five per cent level; more merges more.
    max_intervals : int, optional
        Go on merging until no more than so many intervals are left.
    min_intervals : int
        Stop merging when so few are left, whatever chi-squared says.
    least_expected : float
        An expected count below it is taken as this in the denominator (Kerber: 0.5); 0 takes it as it is.

    References
    ----------
    R. Kerber, ChiMerge: discretization of numeric attributes, AAAI 1992.
    """

    significance: float = 0.95
    max_intervals: int | None = None
    min_intervals: int = 1
    least_expected: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.significance < 1:
            raise ValueError(f"significance must lie between 0 and 1, not {self.significance}")
        if self.max_intervals is not None and self.max_intervals < 1:
            raise ValueError(f"max_intervals must be at least 1, not {self.max_intervals}")
        if self.min_intervals < 1:
            raise ValueError(f"min_intervals must be at least 1, not {self.min_intervals}")
        if not self.least_expected >= 0:
            raise ValueError(f"least_expected must not be negative, not {self.least_expected}")

    def cuts(self, values: Array, classes: NDArray[np.int32], weights: Array, n_classes: int) -> list[float]:
        table = value_table(values, classes, weights, n_classes)
        merger = Merger(table, self.least_expected)
        merger.merge(merger.threshold(self.significance), self.max_intervals, self.min_intervals)
        return merger.cuts()


@dataclass(frozen=True)
class Chi2Discretizer(Discretizer):
    """ChiMerge again and again, each time with a threshold that merges more, until classes get mixed up.

    The level starts at the first of ``levels`` and falls. After each round the inconsistency rate is the share of
    cases that are not of the most frequent class of their interval; the first round that passes
    ``inconsistency`` is undone, and the one before is the answer. (The paper counts inconsistency over all
    attributes at once; here, as everywhere in this house, an attribute is discretised by itself.)

    Parameters
    ----------
    inconsistency : float
        The rate that must not be passed, beyond what the distinct values themselves have.
    levels : tuple of float
        Falling chances that neighbours of one kind would differ so much.
    least_expected : float
        As for ChiMerge.

    References
    ----------
    H. Liu, R. Setiono, Chi2: feature selection and discretization of numeric attributes, ICTAI 1995.
    """

    inconsistency: float = 0.05
    levels: tuple[float, ...] = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01, 0.005, 0.001, 1e-4, 1e-5, 1e-6)
    least_expected: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.inconsistency <= 1:
            raise ValueError(f"inconsistency must lie between 0 and 1, not {self.inconsistency}")
        if not self.levels or not all(0 < level < 1 for level in self.levels):
            raise ValueError(f"levels must lie between 0 and 1, not {self.levels}")
        if list(self.levels) != sorted(set(self.levels), reverse=True):
            raise ValueError(f"levels must fall, not {self.levels}")
        if not self.least_expected >= 0:
            raise ValueError(f"least_expected must not be negative, not {self.least_expected}")

    def cuts(self, values: Array, classes: NDArray[np.int32], weights: Array, n_classes: int) -> list[float]:
        table = value_table(values, classes, weights, n_classes)
        merger = Merger(table, self.least_expected)
        allowed = merger.inconsistency() + self.inconsistency
        answer = merger.cuts()
        for level in self.levels:
            merger.merge(merger.threshold(1.0 - level), None, 1)
            if merger.inconsistency() > allowed + 1e-12:
                break
            answer = merger.cuts()
        return answer


def thresholds(chances: Sequence[float], n_classes: int) -> Array:
    """What chi-squared exceeds with one minus each chance, by degrees of freedom, [n_chances, n_classes].

    Degrees are those of 1 to ``n_classes`` classes; with one class nothing differs, and the value is infinite.
    """
    from scipy.special import chdtri

    freedoms = np.arange(max(n_classes, 1))
    found = np.full((len(chances), len(freedoms)), np.inf)
    found[:, 1:] = chdtri(freedoms[1:], 1.0 - np.array(chances)[:, None])
    return found


class Merger:
    """Neighbouring intervals of distinct values, and the merging of the pair of least chi-squared."""

    def __init__(self, table: ValueTable, least_expected: float) -> None:
        self.table = table
        self.counts = table.counts[:, table.counts.any(axis=0)]
        self.last = np.arange(len(table.values))  # the last distinct value of each interval
        self.least_expected = least_expected
        self.chi = self._chi(np.arange(len(self.last) - 1))

    def threshold(self, chance: float) -> float:
        """What chi-squared with (classes - 1) degrees exceeds with ``1 - chance``; infinite for one class."""
        return float(thresholds([chance], self.counts.shape[1])[0, -1])

    def merge(self, threshold: float, at_most: int | None, at_least: int) -> None:
        """Until all neighbours exceed the threshold and there are few enough; the lower pair on a tie.

        Values that differ by rounding are the same.
        """
        while len(self.last) > at_least and len(self.chi):
            least = self.chi.min()
            pair = int(np.flatnonzero(self.chi <= least + 1e-12 * (1.0 + least))[0])
            enough = at_most is None or len(self.last) <= at_most
            if enough and self.chi[pair] > threshold:
                return
            self.counts[pair + 1] += self.counts[pair]
            self.counts = np.delete(self.counts, pair, axis=0)
            self.last = np.delete(self.last, pair)
            self.chi = np.delete(self.chi, pair)
            near = np.array([i for i in (pair - 1, pair) if 0 <= i < len(self.chi)], dtype=np.int64)
            self.chi[near] = self._chi(near)

    def inconsistency(self) -> float:
        """Share of the weight that is not of the most frequent class of its interval."""
        total = self.counts.sum()
        return float((total - self.counts.max(axis=1).sum()) / total) if total > 0 else 0.0

    def cuts(self) -> list[float]:
        return [self.table.between(int(i)) for i in self.last[:-1]]

    def _chi(self, pairs: NDArray[np.int64]) -> Array:
        """Chi-squared of intervals i and i + 1, [n_pairs]."""
        two = np.stack([self.counts[pairs], self.counts[pairs + 1]], axis=1)
        expected = two.sum(axis=2, keepdims=True) * two.sum(axis=1, keepdims=True)
        expected /= two.sum(axis=(1, 2), keepdims=True)
        below = np.maximum(expected, self.least_expected)
        off = np.divide(np.square(two - expected), below, out=np.zeros_like(two), where=expected > 0)
        chi: Array = off.sum(axis=(1, 2))
        return chi
