"""Adjusted p-values of a family of tests.

An adjusted p is compared with alpha itself. All methods but Benjamini-Hochberg bound the chance of one or
more false claims in the family; Benjamini-Hochberg bounds the expected share of false ones among the
claims.

References
----------
Holm (1979), Scand. J. Statistics 6. Hochberg (1988), Biometrika 75. Hommel (1988), Biometrika 75. Shaffer
(1986), JASA 81. Benjamini and Hochberg (1995), JRSS B 57. Wright (1992), Biometrics 48, gives the adjusted
forms; Garcia and Herrera (2008), JMLR 9, those for comparisons of algorithms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treeforge.errors import ParameterError

Correction = Literal["holm", "hommel", "hochberg", "shaffer", "bonferroni", "benjamini_hochberg", "none"]

Vector = NDArray[np.float64]


def adjust(p: ArrayLike, method: str = "holm") -> Vector:
    """Adjusted p-values, in the order given.

    Parameters
    ----------
    p : array_like
        The p-values of the whole family, each in [0, 1].
    method : str
        holm, hommel, hochberg, shaffer, bonferroni, benjamini_hochberg or none. ``shaffer`` needs the
        p-values of all pairs of k algorithms.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p, float)
    if values.ndim != 1 or not np.all((values >= 0) & (values <= 1)):
        raise ParameterError("p-values to correct must be numbers from 0 to 1")
    if method not in METHODS:
        raise ParameterError(f"no correction is called '{method}' (corrections: {', '.join(METHODS)})")
    if not len(values):
        return values.copy()
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(METHODS[method](values[order]), 1.0)
    return adjusted


def _none(p: Vector) -> Vector:
    return p


def _bonferroni(p: Vector) -> Vector:
    return p * len(p)


def _holm(p: Vector) -> Vector:
    adjusted: Vector = np.maximum.accumulate(p * np.arange(len(p), 0, -1))
    return adjusted


def _hochberg(p: Vector) -> Vector:
    return _running_minimum(p * np.arange(len(p), 0, -1))


def _benjamini_hochberg(p: Vector) -> Vector:
    return _running_minimum(p * len(p) / np.arange(1, len(p) + 1))


def _hommel(p: Vector) -> Vector:
    """Wright's (1992) algorithm: the closed test with Simes' inequality in every intersection."""
    m = len(p)
    adjusted: Vector = np.full(m, np.min(m * p / np.arange(1, m + 1)))
    for size in range(m - 1, 1, -1):
        first, last = np.arange(m - size + 1), np.arange(m - size + 1, m)
        bound = np.min(size * p[last] / np.arange(2, size + 1))
        trial = np.empty(m)
        trial[first] = np.minimum(size * p[first], bound)
        trial[last] = trial[m - size]
        np.maximum(adjusted, trial, out=adjusted)
    np.maximum(adjusted, p, out=adjusted)
    return adjusted


def _shaffer(p: Vector) -> Vector:
    """Holm with the largest number of hypotheses that can still be true together in place of those left."""
    m = len(p)
    k = (1 + math.isqrt(1 + 8 * m)) // 2
    if k * (k - 1) // 2 != m:
        raise ParameterError(
            f"shaffer corrects the comparison of all pairs; {m} p-values are not all pairs of anything"
        )
    possible = sorted(true_hypotheses(k))
    factors = [max(s for s in possible if s <= m - i) for i in range(m)]
    adjusted: Vector = np.maximum.accumulate(p * np.asarray(factors))
    return adjusted


@cache
def true_hypotheses(k: int) -> frozenset[int]:
    """How many of the pairwise equalities of k algorithms can be true at once (Shaffer 1986).

    Equality is transitive, so the algorithms fall into classes, and a class of size j makes j (j - 1) / 2
    true.

    Examples
    --------
    >>> sorted(true_hypotheses(4))
    [0, 1, 2, 3, 6]
    """
    if k < 2:
        return frozenset({0})
    return frozenset(j * (j - 1) // 2 + rest for j in range(1, k + 1) for rest in true_hypotheses(k - j))


def _running_minimum(p: Vector) -> Vector:
    return np.minimum.accumulate(p[::-1])[::-1]


METHODS: dict[str, Callable[[Vector], Vector]] = {
    "holm": _holm,
    "hommel": _hommel,
    "hochberg": _hochberg,
    "shaffer": _shaffer,
    "bonferroni": _bonferroni,
    "benjamini_hochberg": _benjamini_hochberg,
    "none": _none,
}

#: how a correction is called in a sentence
TITLES: dict[str, str] = {
    "holm": "Holm",
    "hommel": "Hommel",
    "hochberg": "Hochberg",
    "shaffer": "Shaffer",
    "bonferroni": "Bonferroni",
    "benjamini_hochberg": "Benjamini-Hochberg",
    "none": "no",
}


def check_correction(name: str, control: str | None) -> None:
    """Refuse an unknown correction, and Shaffer's where it does not apply."""
    if name not in METHODS:
        raise ParameterError(f"no correction is called '{name}' (corrections: {', '.join(METHODS)})")
    if name == "shaffer" and control is not None:
        raise ParameterError(
            "shaffer corrects the comparison of all pairs; with a control use holm, hochberg or hommel"
        )
