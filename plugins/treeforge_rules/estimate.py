"""Release 8's pessimistic estimate of a rule's error (c45.md 9.3)."""

from __future__ import annotations

import itertools
from functools import lru_cache
from math import pow, sqrt

#: confidence -> quantile of the normal distribution, between which Release 8 interpolates
QUANTILES = (
    (0.0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.10, 1.28), (0.20, 0.84),
    (0.40, 0.25), (1.0, 0.0),
)  # fmt: skip


class Estimate:
    """Estimates error rates at one confidence.

    Parameters
    ----------
    confidence : float
        Between 0 and 1; smaller is more pessimistic.
    """

    def __init__(self, confidence: float) -> None:
        self.confidence = confidence
        self.squared = quantile(confidence) ** 2
        self.rate = lru_cache(maxsize=1 << 16)(self._rate)

    def _rate(self, n: float, wrong: float) -> float:
        """Estimated error rate where ``wrong`` of ``n`` cases, n above 0, are of another class."""
        # weights below 1 may lead the formula above 1, which numbers of cases cannot
        return min((wrong + self.extra(n, wrong)) / n, 1.0)

    def extra(self, n: float, wrong: float) -> float:
        """The errors to expect beyond those that were seen.

        Examples
        --------
        >>> round(Estimate(0.25).extra(4, 0), 6), round(Estimate(0.25).extra(4, 1), 6)
        (1.171573, 1.189388)
        """
        if wrong < 0.9999:
            none = n * (1.0 - pow(self.confidence, 1.0 / n))
            return none if wrong < 1e-6 else none + wrong * (self.extra(n, 1.0) - none)
        if wrong + 0.5 >= n:
            return 0.67 * (n - wrong)
        k, middle = self.squared, wrong + 0.5
        root = sqrt(k * (middle * (1.0 - middle / n) + k / 4.0))
        return n * ((middle + k / 2.0 + root) / (n + k)) - wrong


def quantile(confidence: float) -> float:
    """The normal quantile of a confidence, interpolated.

    Examples
    --------
    >>> round(quantile(0.25), 6), quantile(0.1)
    (0.6925, 1.28)
    """
    for (low, z_low), (high, z_high) in itertools.pairwise(QUANTILES):
        if confidence <= high:
            return z_low + (z_high - z_low) * (confidence - low) / (high - low)
    raise ValueError(f"a confidence lies between 0 and 1, not at {confidence}")
