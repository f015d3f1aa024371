"""The signed-rank test against counting all sign patterns, and the traps that other programs fell into."""

from __future__ import annotations

import csv
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeforge.compare import signed_rank
from treeforge.errors import ParameterError

ZEROS = ["split", "drop", "pratt"]


def enumerated(differences: list[int], zeros: str) -> tuple[Fraction, Fraction, Fraction]:
    """R+, R- and the two-sided p by the definition: all sign patterns of the nonzero differences."""
    n_zeros = differences.count(0)
    magnitudes = [abs(d) for d in differences if d]
    zero_part = {"split": n_zeros - n_zeros % 2, "drop": 0, "pratt": n_zeros}[zeros]
    ranked = magnitudes + [0] * zero_part

    def rank(value: int) -> Fraction:
        below = sum(other < value for other in ranked)
        same = sum(other == value for other in ranked)
        return Fraction(2 * below + same + 1, 2)

    ranks = [rank(m) for m in magnitudes]
    half = sum((rank(0) for _ in range(zero_part)), Fraction(0)) / 2 if zeros == "split" else Fraction(0)
    signs = [d > 0 for d in differences if d]
    plus = sum((r for r, s in zip(ranks, signs, strict=True) if s), Fraction(0))
    total = sum(ranks, Fraction(0))
    extreme = count = 0
    for pattern in product((False, True), repeat=len(ranks)):
        count += 1
        here = sum((r for r, s in zip(ranks, pattern, strict=True) if s), Fraction(0))
        extreme += abs(2 * here - total) >= abs(2 * plus - total)
    return plus + half, total - plus + half, Fraction(extreme, count)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=0, max_size=10), st.sampled_from(ZEROS))
def test_p_is_the_share_of_sign_patterns_at_least_as_extreme(differences: list[int], zeros: str) -> None:
    plus, minus, p = enumerated(differences, zeros)
    outcome = signed_rank(np.array(differences, float), np.zeros(len(differences)), zeros=zeros)
    assert outcome.method == "exact"
    assert (outcome.positive, outcome.negative) == (float(plus), float(minus))
    assert outcome.p == pytest.approx(float(p), abs=1e-15)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=30),
    st.sampled_from(ZEROS),
    st.sampled_from([1e-3, 1e-1, 1 / 3, 7e5]),
)
def test_float_noise_neither_makes_nor_breaks_ties(
    pairs: list[tuple[int, int]], zeros: str, unit: float
) -> None:
    left, right = np.array(pairs, float).T
    exact = signed_rank(left, right, zeros=zeros)
    # the same scores in another unit: every value is rounded, and so is every difference
    scaled = signed_rank(left * unit, right * unit, zeros=zeros)
    assert scaled == exact


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25), st.sampled_from(ZEROS))
def test_swapping_the_sides_swaps_the_sums_and_keeps_p(pairs: list[tuple[int, int]], zeros: str) -> None:
    left, right = np.array(pairs, float).reshape(-1, 2).T
    one, other = signed_rank(left, right, zeros=zeros), signed_rank(right, left, zeros=zeros)
    assert (one.p, one.positive, one.effect) == (other.p, other.negative, -other.effect)
    greater = signed_rank(left, right, zeros=zeros, alternative="greater")
    less = signed_rank(right, left, zeros=zeros, alternative="less")
    assert greater.p == less.p


def test_one_dataset_can_never_be_significant() -> None:
    assert signed_rank([0.9], [0.1]).p == 1.0
    assert signed_rank([0.9] * 5, [0.1] * 5).minimum_p == 0.0625


def test_minimum_p_is_reached_when_all_differences_have_one_sign() -> None:
    outcome = signed_rank(np.arange(1, 13), np.zeros(12))
    assert outcome.p == outcome.minimum_p == 2 / 2**12
    assert outcome.effect == 1.0


def test_small_and_large_scores_each_keep_their_own_precision() -> None:
    # 1e-13 is noise beside 1e3, and a real difference beside 1e-12
    outcome = signed_rank([1e3 + 1e-10, 3e-13], [1e3, 2e-13])
    assert outcome.zeros == 1


def test_undefined_scores_are_refused() -> None:
    with pytest.raises(ParameterError, match="defined and finite"):
        signed_rank([0.5, np.nan], [0.5, 0.5])
    with pytest.raises(ParameterError, match="split, drop, pratt"):
        signed_rank([1.0], [2.0], zeros="wilcox")  # type: ignore[arg-type]


def columns(path: Path) -> tuple[list[float], list[float]]:
    with path.open() as file:
        rows = list(csv.DictReader(file))
    return [float(row["left"]) for row in rows], [float(row["right"]) for row in rows]


@pytest.mark.parametrize("zeros", ZEROS)
def test_case_s01_identical_columns_are_no_evidence(shared: Path, zeros: str) -> None:
    outcome = signed_rank(*columns(shared / "cases/S01_all_equal.csv"), zeros=zeros)
    assert (outcome.p, outcome.effect, outcome.zeros) == (1.0, 0.0, 6)


def test_case_s02_ties_survive_rounding(shared: Path) -> None:
    outcome = signed_rank(*columns(shared / "cases/S02_rounding_ties.csv"))
    assert (outcome.positive, outcome.negative, outcome.p) == (17.5, 3.5, 7 / 32)


def test_case_s03_both_directions_agree(shared: Path) -> None:
    left, right = columns(shared / "cases/S03_tied_ranks.csv")
    outcome = signed_rank(left, right)
    assert (outcome.positive, outcome.negative, outcome.p) == (20.5, 7.5, 11 / 32)
    assert signed_rank(left, right, zeros="drop").p == 11 / 32
    assert signed_rank(left, right, alternative="greater").p == 11 / 64
    assert signed_rank(right, left, alternative="less").p == 11 / 64


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=9),
    st.sampled_from(ZEROS),
    st.sampled_from([0.05, 0.1, 0.3]),
)
def test_false_claims_stay_below_alpha_whatever_the_ties(
    magnitudes: list[int], zeros: str, alpha: float
) -> None:
    """Over all sign patterns of given magnitudes, which the null hypothesis makes equally likely."""
    patterns = list(product((-1.0, 1.0), repeat=len(magnitudes)))
    sizes = np.array(magnitudes, float)
    claims = sum(
        signed_rank(sizes * signs, np.zeros(len(sizes)), zeros=zeros).p <= alpha for signs in patterns
    )
    assert claims <= alpha * len(patterns) + 1e-9
