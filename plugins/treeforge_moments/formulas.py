"""Moments, median, and the cuts that the papers make of them; the compiled kernel says the same in C."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: the sums are taken again, from the mean, when the first shift lies further from it than so many deviations:
#: otherwise the third moment would lose digits that the cuts need
FAR = 8.0
#: mean squares between these bounds come from powers that neither overflow nor sink into denormal numbers
TINY_SQUARE, HUGE_SQUARE = 1e-200, 1e200
LARGEST = float(np.finfo(np.float64).max)
#: a cut that lies within so many deviations of a value is that value: two values of equal weight lie just on
#: mean - sd and mean + sd, and rounding must not decide to which side they go
SNAP = 1e-10
#: weights that differ by this share of the whole are the same: they may be sums of parts of cases
SAME = 1e-9


@dataclass(frozen=True)
class Moments:
    """Weighted mean, population standard deviation, third standardised moment; ``sd`` 0: all values equal."""

    mean: float
    sd: float
    g: float


def moments(values: Array, weights: Array) -> Moments:
    """The moments of known values, [n], at weights whose sum is positive.

    One pass sums powers of the differences from a value of the node: raw powers would not survive values
    like 1e9 and a little noise. Where that shift turns out to be far out, or a power leaves the range of a
    double, ``careful`` does it again.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        d = values - values[len(values) // 2]
        m1, m2, m3 = (float((weights * d**k).sum() / weights.sum()) for k in (1, 2, 3))
    variance = m2 - m1 * m1
    if not TINY_SQUARE < m2 < HUGE_SQUARE or m1 * m1 > FAR * FAR * variance:
        return careful(values, weights)
    sd = float(np.sqrt(variance))
    g = (m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1) / (variance * sd)
    return Moments(float(values[len(values) // 2]) + m1, sd, g)


def careful(values: Array, weights: Array) -> Moments:
    """The moments in two passes over values brought into [0, 1]."""
    values, weights = values[weights > 0], weights[weights > 0]
    low, high = float(values.min()), float(values.max())
    if low == high:
        return Moments(low, 0.0, 0.0)
    exponent = int(np.frexp(max(-low, high))[1]) + 1  # a power of two costs no digit
    base = float(np.ldexp(low, -exponent))
    spread = float(np.ldexp(high, -exponent)) - base
    unit = (np.ldexp(values, -exponent) - base) / spread
    total = weights.sum()
    centre = float((weights * unit).sum() / total)
    d = unit - centre
    m1, m2, m3 = (
        float((weights * d**k).sum() / total) for k in (1, 2, 3)
    )  # m1: what rounding left in centre
    variance = m2 - m1 * m1
    sd = float(np.sqrt(variance))
    g = (m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1) / (variance * sd)
    mean = float(np.ldexp(base + (centre + m1) * spread, exponent))
    return Moments(mean, float(np.ldexp(sd * spread, exponent)), g)


def msd_cuts(m: Moments) -> list[float]:
    """Mean minus, at and plus one standard deviation; none for a constant attribute."""
    return amsd_cuts(m, 0.0, 1.0)


def amsd_cuts(m: Moments, alpha: float, gamma_max: float) -> list[float]:
    """The outer cuts move with the skewness: the one on the long side outwards, the other one inwards."""
    if m.sd == 0.0:
        return []
    a = alpha * min(abs(m.g), gamma_max)
    lower, upper = (1.0 - a, 1.0 + a) if m.g > 0.0 else (1.0 + a, 1.0 - a)
    return [max(m.mean - lower * m.sd, -LARGEST), m.mean, min(m.mean + upper * m.sd, LARGEST)]


def snapped(cuts: list[float], values: Array, sd: float) -> list[float]:
    """Cuts that are as good as equal to a value become the value."""
    near = [float(values[np.argmin(np.abs(values - cut))]) for cut in cuts]
    return [value if abs(value - cut) <= SNAP * sd else cut for cut, value in zip(cuts, near, strict=True)]


def weighted_median(values: Array, weights: Array) -> float:
    """The least value at which the cumulative weight reaches half of all.

    Where it reaches half exactly: the midpoint of that value and the next distinct one.
    """
    values, weights = values[weights > 0], weights[weights > 0]
    order = np.argsort(values, kind="stable")
    ascending, reached = values[order], np.cumsum(weights[order])
    last = np.append(ascending[1:] != ascending[:-1], True)  # the last case of each value
    ascending, reached = ascending[last], reached[last]
    half, slack = reached[-1] / 2.0, SAME * reached[-1]
    at = int(np.searchsorted(reached, half - slack))
    if reached[at] <= half + slack:
        return midpoint(float(ascending[at]), float(ascending[at + 1]))
    return float(ascending[at])


def midpoint(low: float, high: float) -> float:
    """Half way, finite even where the sum is not, and below the upper value even if that takes rounding down."""
    middle = (low + high) / 2.0 if abs(low) < 1e300 and abs(high) < 1e300 else low / 2.0 + high / 2.0
    return middle if middle < high else low
