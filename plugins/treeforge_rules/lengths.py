"""Bits that it takes to tell a rule (c45.md 9.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import CellTest
from treeforge_rules.cases import Cases

#: Lengths are multiples of this many bits, so that sums of them are exact in any order.
UNIT = 2.0**-32


def lg_factorial(k: int) -> float:
    """lg k!, in bits."""
    return lgamma(k + 1) / log(2)


@dataclass(frozen=True)
class Lengths:
    """Code lengths of conditions.

    Parameters
    ----------
    of_value : tuple of float
        For each attribute the bits that tell a value or a cut of it.
    of_attribute : float
        Bits that tell which attribute is tested, divided by the redundancy.
    """

    of_value: tuple[float, ...]
    of_attribute: float

    @staticmethod
    def of(cases: Cases, redundancy: float) -> Lengths:
        """The lengths that follow from the training cases."""
        bits = [_bits(values, cases) for values in cases.columns] if cases.n else []
        total = sum(bits)
        entropy = -sum(b / total * log2(b / total) for b in bits if b > 0)
        return Lengths(tuple(bits), entropy / redundancy)

    def rule(self, tests: Sequence[CellTest]) -> float:
        """Bits of a rule: its conditions, less what their order would say."""
        k = len(tests)
        bits = sum(self.of_attribute + self.of_value[test.attribute] for test in tests)
        return round((bits + log2(k) - lg_factorial(k)) / UNIT) * UNIT


def _bits(values: NDArray[Any], cases: Cases) -> float:
    """Bits that tell a value of a nominal attribute, or a cut of a numeric one."""
    if values.dtype == np.int32:
        known = values >= 0
        weights = np.bincount(values[known], cases.weights[known])
        weights = weights[weights > 0]
        return float((weights / cases.total * (log2(cases.total) - np.log2(weights))).sum())
    unknown = np.isnan(values)
    distinct = len(np.unique(values[~unknown])) + bool(unknown.any())
    return 1.0 + log2(distinct) / 2.0 if distinct > 1 else 0.0
