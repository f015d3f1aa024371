"""Corrections against closed testing: reject what every intersection that contains it rejects."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeforge.compare import adjust
from treeforge.compare.corrections import METHODS, true_hypotheses
from treeforge.errors import ParameterError

LEVELS = [0.0, 0.001, 0.004, 0.01, 0.02, 0.03, 0.05, 0.2, 0.6, 1.0]
P_VALUES = st.lists(st.sampled_from(LEVELS), min_size=1, max_size=6)


def closed(p: list[float], local: object) -> list[float]:
    """Adjusted p by closed testing: for each hypothesis the largest p of the intersections with it."""
    m = len(p)
    adjusted = [0.0] * m
    for size in range(1, m + 1):
        for subset in combinations(range(m), size):
            combined = local(sorted(p[i] for i in subset))  # type: ignore[operator]
            for i in subset:
                adjusted[i] = max(adjusted[i], combined)
    return [min(1.0, a) for a in adjusted]


@settings(max_examples=60, deadline=None)
@given(P_VALUES)
def test_holm_is_closed_bonferroni(p: list[float]) -> None:
    assert adjust(p, "holm") == pytest.approx(closed(p, lambda q: len(q) * q[0]))


@settings(max_examples=60, deadline=None)
@given(P_VALUES)
def test_hommel_is_closed_simes(p: list[float]) -> None:
    def simes(q: list[float]) -> float:
        return min(len(q) * value / (i + 1) for i, value in enumerate(q))

    assert adjust(p, "hommel") == pytest.approx(closed(p, simes))


@settings(max_examples=60, deadline=None)
@given(P_VALUES)
def test_more_powerful_methods_give_smaller_p(p: list[float]) -> None:
    bonferroni, holm, hochberg, hommel, bh, none = (
        adjust(p, name) for name in ("bonferroni", "holm", "hochberg", "hommel", "benjamini_hochberg", "none")
    )
    tolerance = 1e-12
    assert np.all(bonferroni + tolerance >= holm)
    assert np.all(holm + tolerance >= hochberg)
    assert np.all(hochberg + tolerance >= hommel)
    assert np.all(hommel + tolerance >= bh)
    assert np.all(bh + tolerance >= none)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=6, max_size=6), st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_every_correction_is_monotone(p: list[float], factor: list[float]) -> None:
    """The bound on what few data sets can show rests on this."""
    smaller = np.array(p) * np.array(factor)
    for name in METHODS:
        assert np.all(adjust(smaller, name) <= adjust(p, name) + 1e-12), name


def test_order_of_input_is_kept() -> None:
    assert adjust([0.04, 0.01, 0.03], "holm").tolist() == pytest.approx([0.06, 0.03, 0.06])


def test_shaffer_counts_what_can_be_true_together() -> None:
    assert sorted(true_hypotheses(5)) == [0, 1, 2, 3, 4, 6, 10]
    # Garcia and Herrera (2008), section 3.1: for k = 5 the factors t_i are 10, 6, 6, 6, 6, 4, 4, 3, 2, 1
    tiny = np.arange(1, 11) * 1e-6
    factors = [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]
    assert adjust(tiny, "shaffer") == pytest.approx(np.maximum.accumulate(tiny * factors))


def test_shaffer_refuses_what_is_not_all_pairs() -> None:
    with pytest.raises(ParameterError, match="4 p-values are not all pairs"):
        adjust([0.1] * 4, "shaffer")


def test_an_unknown_correction_is_named_with_those_that_exist() -> None:
    with pytest.raises(ParameterError, match=r"no correction is called 'holms'.*hommel"):
        adjust([0.1], "holms")
