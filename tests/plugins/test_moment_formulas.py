"""Moments, median and cuts against the worked example and against arithmetic of more digits."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from treeforge_moments.formulas import Moments, amsd_cuts, midpoint, moments, msd_cuts, weighted_median

Array = NDArray[np.float64]

DENSITY = [
    0.697, 0.774, 0.634, 0.608, 0.556, 0.403, 0.481, 0.437, 0.666,
    0.243, 0.245, 0.343, 0.639, 0.657, 0.360, 0.593, 0.719,
]  # fmt: skip
SUGAR = [
    0.460, 0.376, 0.264, 0.318, 0.215, 0.237, 0.149, 0.211, 0.091,
    0.267, 0.057, 0.099, 0.161, 0.198, 0.370, 0.042, 0.103,
]  # fmt: skip


def cases_between(values: list[float], cuts: list[float]) -> list[int]:
    return np.bincount(np.searchsorted(cuts, values, side="right"), minlength=len(cuts) + 1).tolist()


@pytest.mark.parametrize(
    ("values", "mean", "sd", "g", "msd", "msd_cases", "amsd", "amsd_cases", "median"),
    [
        (DENSITY, 0.532647, 0.161922, -0.430777, [0.370725, 0.532647, 0.694569], [4, 3, 7, 3],
         [0.353287, 0.532647, 0.677131], [3, 4, 7, 3], 0.593),
        (SUGAR, 0.212824, 0.116299, 0.412173, [0.096524, 0.212824, 0.329123], [3, 6, 5, 3],
         [0.108508, 0.212824, 0.341107], [5, 4, 5, 3], 0.211),
    ],
)  # fmt: skip
def test_worked_example_of_the_watermelons(
    values: list[float], mean: float, sd: float, g: float, msd: list[float], msd_cases: list[int],
    amsd: list[float], amsd_cases: list[int], median: float,
) -> None:  # fmt: skip
    found = moments(np.array(values), np.ones(17))
    assert (found.mean, found.sd, found.g) == pytest.approx((mean, sd, g), abs=5e-7)
    assert msd_cuts(found) == pytest.approx(msd, abs=5e-7)
    assert amsd_cuts(found, 0.25, 2.0) == pytest.approx(amsd, abs=5e-7)
    assert cases_between(values, msd_cuts(found)) == msd_cases
    assert cases_between(values, amsd_cuts(found, 0.25, 2.0)) == amsd_cases
    assert weighted_median(np.array(values), np.ones(17)) == median


def test_watermelon_columns_are_those_of_the_shared_file(shared: Path) -> None:
    text = (shared / "datasets" / "watermelon.arff").read_text()
    rows = [line.split(",") for line in text.split("@data")[1].split("\n") if line.count(",") >= 8]
    numbers = [[float(v) for v in row if re.fullmatch(r"\s*0?\.\d+\s*", v)] for row in rows]
    assert [row[0] for row in numbers] == DENSITY
    assert [row[1] for row in numbers] == SUGAR


def exact_moments(values: Array, weights: Array) -> Moments:
    """In rational arithmetic up to the square root."""
    x, w = [Fraction(v) for v in values.tolist()], [Fraction(v) for v in weights.tolist()]
    total = sum(w)
    mean = sum(a * b for a, b in zip(x, w, strict=True)) / total
    m2, m3 = (sum(b * (a - mean) ** k for a, b in zip(x, w, strict=True)) / total for k in (2, 3))
    if m2 == 0:
        return Moments(float(mean), 0.0, 0.0)
    return Moments(float(mean), root(m2), float(m3 / (m2 * Fraction(root(m2)))))


def root(x: Fraction) -> float:
    """Square root by way of a whole number of 200 bits or more."""
    scale = max(0, 200 - x.numerator.bit_length() + x.denominator.bit_length())
    scale += scale % 2
    from math import isqrt

    return float(Fraction(isqrt((x.numerator << scale) // x.denominator), 1 << (scale // 2)))


def assert_cuts_agree(values: Array, weights: Array) -> None:
    found, exact = moments(values, weights), exact_moments(values, weights)
    tolerance = 1e-9 * exact.sd + np.spacing(abs(exact.mean)) + np.spacing(exact.sd)
    for mine, true in zip(amsd_cuts(found, 0.25, 2.0), amsd_cuts(exact, 0.25, 2.0), strict=True):
        assert abs(mine - true) <= tolerance


@pytest.mark.parametrize(
    "values",
    [
        1e9 + np.random.default_rng(1).normal(size=500),
        1e9 + 1e-3 * np.random.default_rng(2).random(400),
        np.r_[1e6, np.random.default_rng(3).random(999)],
        np.r_[
            np.random.default_rng(3).random(500), 1e6, np.random.default_rng(4).random(500)
        ],  # far in the middle
        np.random.default_rng(5).lognormal(0, 4, size=700),
        np.array([1.5e308] * 4 + [1.7e308] * 4),
        np.array([-1.7e308, 1.7e308, 0.0]),
        np.array([5e-324, 1e-323, 1.5e-323, 1e-322]),
        np.array([0.0] * 999 + [1.0]),
        np.array([1e-200, 3e-200, 4e-200]),
        np.array([1.0, 1.0 + 2**-52]),
    ],
)
def test_cuts_agree_with_exact_arithmetic(values: Array) -> None:
    random = np.random.default_rng(0)
    assert_cuts_agree(values, np.ones(len(values)))
    assert_cuts_agree(values, random.integers(1, 5, len(values)) / 4.0)


finite = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(st.lists(st.tuples(finite, st.integers(1, 8)), min_size=1, max_size=30))
@settings(max_examples=300, deadline=None)
def test_cuts_agree_with_exact_arithmetic_on_any_floats(cases: list[tuple[float, int]]) -> None:
    assert_cuts_agree(np.array([v for v, _ in cases]), np.array([w / 2 for _, w in cases]))


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=40), st.integers(-3, 3), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_cuts_follow_a_change_of_units(values: list[int], shift: int, scale: int) -> None:
    assume(len(set(values)) > 1)
    x = np.array(values, dtype=float)
    plain = amsd_cuts(moments(x, np.ones(len(x))), 0.25, 2.0)
    changed = amsd_cuts(moments(scale * x + shift, np.ones(len(x))), 0.25, 2.0)
    np.testing.assert_allclose(changed, scale * np.array(plain) + shift, rtol=1e-9, atol=1e-9)


def test_cases_of_weight_zero_change_nothing() -> None:
    x, w = np.array([1.0, 2.0, 4.0, 4.0]), np.ones(4)
    with_zeros = np.r_[x, 1e300, -5.0], np.r_[w, 0.0, 0.0]
    found, plain = moments(*with_zeros), moments(x, w)
    assert (found.mean, found.sd, found.g) == pytest.approx((plain.mean, plain.sd, plain.g))
    assert weighted_median(*with_zeros) == weighted_median(x, w) == 3.0
    constant = moments(np.array([3.0, 7.0, 3.0]), np.array([1.0, 0.0, 1.0]))
    assert constant == Moments(3.0, 0.0, 0.0)


def test_a_constant_attribute_has_no_cuts() -> None:
    assert msd_cuts(moments(np.full(5, 0.1), np.full(5, 0.3))) == []


def test_skewness_moves_the_outer_cuts_by_at_most_alpha_times_gamma_max() -> None:
    assert amsd_cuts(Moments(0.0, 1.0, 9.0), 0.25, 2.0) == [-0.5, 0.0, 1.5]
    assert amsd_cuts(Moments(0.0, 1.0, -9.0), 0.25, 2.0) == [-1.5, 0.0, 0.5]
    assert amsd_cuts(Moments(0.0, 1.0, 0.0), 0.25, 2.0) == [-1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("values", "weights", "median"),
    [
        ([1, 2, 3], [1, 1, 1], 2.0),
        ([1, 2, 3, 4], [1, 1, 1, 1], 2.5),
        ([1, 2, 2, 9], [1, 1, 1, 1], 2.0),
        ([1, 1, 3, 3], [1, 1, 1, 1], 2.0),
        ([5, 1, 3], [0.5, 1.0, 0.5], 2.0),
        ([5, 1, 3], [3.0, 1.0, 1.0], 5.0),
        ([7], [0.1], 7.0),
    ],
)
def test_weighted_median(values: list[float], weights: list[float], median: float) -> None:
    assert weighted_median(np.array(values, float), np.array(weights, float)) == median


@given(finite, finite)
def test_midpoint_lies_at_or_above_the_lower_and_below_the_upper_value(a: float, b: float) -> None:
    assume(a != b)
    low, high = min(a, b), max(a, b)
    assert low <= midpoint(low, high) < high
