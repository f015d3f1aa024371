"""Fayyad and Irani's entropy cuts with their minimum description length as the stop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Discretizer
from treeforge_discretize.table import Array, boundaries, value_table


@dataclass(frozen=True)
class MdlpDiscretizer(Discretizer):
    """Recursive binary cuts of least class entropy, each of which must pay for itself.

    A cut of N cases with entropy H into N1, N2 with H1, H2 is accepted when
    ``gain > log2(N - 1)/N + delta/N``, ``delta = log2(3^c - 2) - (c H - c1 H1 - c2 H2)``; c, c1, c2 are the numbers
    of classes present. Only boundary points are tried; the lowest of equal ones is taken.

    References
    ----------
    U. Fayyad, K. Irani, Multi-interval discretization of continuous-valued attributes, IJCAI 1993.
    """

    def cuts(self, values: Array, classes: NDArray[np.int32], weights: Array, n_classes: int) -> list[float]:
        table = value_table(values, classes, weights, n_classes)
        may_cut = boundaries(table)
        found: list[int] = []
        waiting = [(0, len(table.values))]  # ranges of distinct values that are still to be cut
        while waiting:
            start, stop = waiting.pop()
            at = best_cut(
                table.counts[start:stop], may_cut[(may_cut >= start) & (may_cut < stop - 1)] - start
            )
            if at is not None:
                found.append(start + at)
                waiting += [(start, start + at + 1), (start + at + 1, stop)]
        return [table.between(i) for i in sorted(found)]


def best_cut(counts: Array, may_cut: NDArray[np.int64]) -> int | None:
    """The boundary of least entropy if the description gets shorter by it, else None."""
    if len(may_cut) == 0:
        return None
    whole = counts.sum(axis=0)
    left = np.cumsum(counts, axis=0)[may_cut]
    right = whole - left
    n = whole.sum()
    after = entropy_bits(left) + entropy_bits(right)
    at = int(np.flatnonzero(after <= after.min() + 1e-9 * n)[0])
    gain = (entropy_bits(whole) - after[at]) / n
    if n <= 1 or gain <= price(whole, left[at], right[at]) + 1e-12:
        return None
    return int(may_cut[at])


def price(whole: Array, left: Array, right: Array) -> float:
    """Gain that a cut has to exceed, in bits a case."""
    n = whole.sum()
    c, c1, c2 = (np.count_nonzero(part) for part in (whole, left, right))
    mean_entropies = [entropy_bits(part) / part.sum() for part in (whole, left, right)]
    described = c * np.log2(3.0) + np.log2(1.0 - 2.0 * 3.0**-c)  # log2(3^c - 2), for any c
    delta = described - (c * mean_entropies[0] - c1 * mean_entropies[1] - c2 * mean_entropies[2])
    return float((np.log2(n - 1.0) + delta) / n)


def entropy_bits(counts: Array) -> Array:
    """Weight times class entropy, [..., n_classes] -> [...]."""
    total = counts.sum(axis=-1, keepdims=True)
    part = np.divide(counts, total, out=np.ones_like(counts), where=counts > 0)
    bits: Array = -(counts * np.log2(part)).sum(axis=-1)
    return bits
