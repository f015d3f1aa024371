"""Dropping conditions from a rule as long as it does not seem to get worse (c45.md 9.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import CellTest
from treeforge_rules.cases import Cases
from treeforge_rules.estimate import Estimate


@dataclass(frozen=True, eq=False)
class Generalised:
    """What is left of a rule.

    Parameters
    ----------
    kept : set of int
        Places of the conditions that stay.
    error : float
        Estimated error rate.
    covered : ndarray of int64
        The cases that satisfy them, ascending.
    """

    kept: set[int]
    error: float
    covered: NDArray[np.int64]


def generalise(tests: Sequence[CellTest], said: int, cases: Cases, estimate: Estimate) -> Generalised | None:
    """The rule without conditions that it does not need; None when nothing worth having is left."""
    hopeless = 1.0 - (cases.of_class[said] + 1.0) / (cases.total + 2.0)
    trimming = Trimming(tests, said, cases, estimate, hopeless)
    while (place := trimming.needless()) is not None:
        trimming.drop(place)
    if not trimming.left or trimming.n <= 0 or trimming.estimated >= hopeless:
        return None
    return Generalised(trimming.left, trimming.estimated, np.flatnonzero(trimming.missed == 0))


class Trimming:
    """A rule on its way: its error now, and without each of its conditions.

    A case that fails one condition alone is what the rule would cover besides without it. So the cases need not
    be looked at once for each condition: dropping one concerns the cases that fail it.

    Parameters
    ----------
    hopeless : float
        Estimated error where nothing is covered.
    """

    def __init__(
        self, tests: Sequence[CellTest], said: int, cases: Cases, estimate: Estimate, hopeless: float
    ) -> None:
        self.cases, self.estimate, self.hopeless = cases, estimate, hopeless
        self.failing = [cases.failing(test) for test in tests]
        self.wrong = cases.classes != said
        self.left = set(range(len(tests)))
        # how many of the conditions left a case fails, and the sum of their places: the place, where it is one
        self.missed = np.zeros(cases.n, dtype=np.int32)
        self.which = np.zeros(cases.n, dtype=np.int32)
        for place, failing in enumerate(self.failing):
            self.missed += failing
            self.which += np.int32(place) * failing
        self.n = self.errors = 0.0
        self.more = np.zeros(len(tests))  # weight of the cases that fail this condition alone,
        self.more_errors = np.zeros(len(tests))  # and of those of another class
        self.without = np.empty((2, len(tests)))  # estimated and observed error without each
        self._count(slice(None))
        self._rate()

    @property
    def estimated(self) -> float:
        """Estimated error rate of the rule as it is."""
        return self._rates(self.n, self.errors)[0]

    def needless(self) -> int | None:
        """The condition to drop next; None when all are needed."""
        estimated, observed = self._rates(self.n, self.errors)
        if not (self.without[0] <= estimated).any() and not (self.without[1] <= observed).any():
            return None
        # which need not be one of those found
        return int(np.flatnonzero(self.without[0] == self.without[0].min())[-1])

    def drop(self, place: int) -> None:
        """Go on without a condition."""
        rows = np.flatnonzero(self.failing[place])
        self.left.remove(place)
        self.without[:, place] = np.inf
        self.missed[rows] -= 1
        self.which[rows] -= place
        self._count(rows)
        self._rate()

    def _count(self, rows: NDArray[np.int64] | slice) -> None:
        """Count cases that are new among those that fail no condition, or one."""
        missed = self.missed[rows]
        here, once = np.flatnonzero(missed == 0), np.flatnonzero(missed == 1)
        if not isinstance(rows, slice):
            here, once = rows[here], rows[once]
        weights, n_tests = self.cases.weights, len(self.more)
        self.n += float(weights[here].sum())
        self.errors += float(weights[here[self.wrong[here]]].sum())
        wrong = once[self.wrong[once]]
        self.more += np.bincount(self.which[once], weights[once], n_tests)
        self.more_errors += np.bincount(self.which[wrong], weights[wrong], n_tests)

    def _rate(self) -> None:
        """Find the errors without each condition; all those that alone keep no case out have the rule's own."""
        left = np.fromiter(self.left, np.int64, len(self.left))
        keeps_out = self.more[left] > 0
        self.without[:, left[~keeps_out]] = np.array(self._rates(self.n, self.errors))[:, None]
        for place in left[keeps_out].tolist():
            rates = self._rates(self.n + self.more[place], self.errors + self.more_errors[place])
            self.without[:, place] = rates

    def _rates(self, n: float, errors: float) -> tuple[float, float]:
        """Estimated and observed error rate."""
        return (self.estimate.rate(n, errors), errors / n) if n > 0 else (self.hopeless, 0.0)
