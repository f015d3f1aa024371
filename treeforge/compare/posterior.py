"""Posterior probabilities of Bayesian tests: left is better, both practically equal, right is better.

References
----------
Benavoli, Corani, Demsar and Zaffalon (2017), JMLR 18(77): section 4.2 (signed-rank, equations 8-10),
section 3 (correlated t). Benavoli, Mangili, Corani, Zaffalon and Ruggeri (2014), ICML, PMLR 32 (the
Dirichlet process behind the signed-rank test). Corani and Benavoli (2015), Machine Learning 100 (correlated
t).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: samples at a time: bounds the memory at some tens of MB for hundreds of data sets
BLOCK = 2000


def signed_rank_posterior(
    differences: NDArray[np.float64],
    slack: NDArray[np.float64],
    rope: float,
    *,
    prior: float = 0.5,
    samples: int = 50_000,
    seed: int = 1,
) -> tuple[float, float, float]:
    """P(mean of two random differences is mostly below -rope, within, above rope).

    The distribution of the differences has a Dirichlet process prior of strength ``prior``, placed at zero.
    A draw weighs the prior's point and every data set; the weighted share of pairs (i, j) whose mean lies
    below, within or above the region says which of the three that draw favours. The answer is the share of
    draws favouring each.

    Parameters
    ----------
    differences, slack : ndarray, shape [n]
        Left minus right a data set, and how exactly each is known: a mean on the border of the region is
        within it.
    rope : float
        Half width of the region of practical equivalence, in the metric's unit; 0 keeps exact ties only.

    Returns
    -------
    below, within, above : float

    Examples
    --------
    >>> d = np.array([0.05, 0.04, 0.06, 0.05, 0.07])
    >>> signed_rank_posterior(d, np.zeros(5), rope=0.01, samples=2000)[2] > 0.9
    True
    """
    return signed_rank_posteriors([(differences, slack)], rope, prior=prior, samples=samples, seed=seed)[0]


def signed_rank_posteriors(
    pairs: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    rope: float,
    *,
    prior: float = 0.5,
    samples: int = 50_000,
    seed: int = 1,
) -> list[tuple[float, float, float]]:
    """The same for several pairs over equally many data sets: the draws are made once."""
    n = len(pairs[0][0])
    sides = []
    for differences, slack in pairs:
        z, margin = np.append(differences, 0.0), np.append(slack, 0.0)  # the prior's point comes last
        # -z turns "above" into "below"; a pair is below when (z_i + margin_i) + (z_j + margin_j) < -2 rope
        sides.append((_Below(z + margin, -2 * rope), _Below(margin - z, -2 * rope)))
    strengths = np.append(np.ones(n), prior)
    rng = np.random.default_rng(seed)
    votes = np.zeros((len(pairs), 3), np.int64)
    for start in range(0, samples, BLOCK):
        draws = rng.dirichlet(strengths, min(BLOCK, samples - start))
        weights = np.ascontiguousarray(draws.T)  # a row a data set: they are picked and summed by rows
        for k, (low, high) in enumerate(sides):
            below, above = low.share(weights), high.share(weights)
            shares = np.stack([below, 1 - below - above, above])
            votes[k] += np.bincount(shares.argmax(axis=0), minlength=3)
    return [(float(below), float(equal), float(above)) for below, equal, above in votes / samples]


class _Below:
    """Weight of the pairs (i, j) with values[i] + values[j] below a bound.

    With the values in order, the partners of i are the first few: their weight is a running sum, and a draw costs n
    steps in place of n**2.
    """

    def __init__(self, values: NDArray[np.float64], bound: float) -> None:
        self.order = np.argsort(values, kind="stable")
        ordered = values[self.order]
        self.partners = np.searchsorted(ordered, bound - ordered, side="left")

    def share(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each draw: a column of weights, [n, draws]."""
        ordered = weights[self.order]
        running = np.zeros((len(ordered) + 1, weights.shape[1]))
        np.cumsum(ordered, axis=0, out=running[1:])
        total = np.zeros(weights.shape[1])
        for row, partners in zip(ordered, self.partners, strict=True):
            if partners:
                total += row * running[partners]
        return total


def correlated_t_posterior(
    differences: NDArray[np.float64], slack: NDArray[np.float64], rope: float, test_share: float
) -> tuple[float, float, float]:
    """P(mean difference on one data set below -rope, within, above rope).

    The posterior is Student's t around the mean, with the corrected resampled t-test's standard error: for
    a flat prior, 1/J + rho/(1 - rho) with rho = n_test/(n_test + n_train) is 1/J + n_test/n_train.

    Examples
    --------
    >>> d = np.array([0.02, 0.01, 0.03, 0.0, 0.02])
    >>> below, within, above = correlated_t_posterior(d, np.zeros(5), rope=0.01, test_share=0.25)
    >>> round(below, 3), round(within, 3), round(above, 3)
    (0.014, 0.225, 0.762)
    """
    from scipy.special import stdtr

    n = len(differences)
    mean, spread = float(np.mean(differences)), float(np.var(differences, ddof=1))
    if np.ptp(differences) <= 1e-12 * abs(mean):  # no spread: all mass on the mean
        border = rope + float(slack.max())
        return float(mean < -border), float(-border <= mean <= border), float(mean > border)
    error = math.sqrt((1 / n + test_share) * spread)
    below = float(stdtr(n - 1, (-rope - mean) / error))
    above = float(stdtr(n - 1, (mean - rope) / error))
    return below, max(0.0, 1 - below - above), above
