"""Hodges-Lehmann's estimate and its interval."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from treeforge.compare import hodges_lehmann


def test_interval_holds_what_the_test_does_not_reject() -> None:
    d = np.random.default_rng(1).normal(0.3, 1, 15)
    estimate = hodges_lehmann(d)
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    for inside, outside in (
        (estimate.low + 1e-9, estimate.low - 1e-9),
        (estimate.high - 1e-9, estimate.high + 1e-9),
    ):
        assert stats.wilcoxon(d - inside, method="exact").pvalue > 0.05
        assert stats.wilcoxon(d - outside, method="exact").pvalue <= 0.05


def test_estimate_is_the_shift_that_balances_the_ranks() -> None:
    d = np.random.default_rng(2).normal(0.3, 1, 21)
    estimate = hodges_lehmann(d)
    assert estimate is not None
    shifted = stats.wilcoxon(d - estimate.value, method="exact")
    assert shifted.pvalue > 0.95


@pytest.mark.parametrize(("n", "exists"), [(5, False), (6, True)])
def test_five_differences_have_no_interval_of_95_percent(n: int, exists: bool) -> None:
    estimate = hodges_lehmann(np.arange(1.0, n + 1))
    assert estimate is not None
    assert (estimate.low is not None) == exists


def test_large_samples_take_the_normal_quantile_without_a_jump() -> None:
    # with n + 1 ordered differences the interval hardly moves when the method changes
    d = np.sort(np.random.default_rng(3).normal(0, 1, 501))
    below, above = hodges_lehmann(d[:500]), hodges_lehmann(d)
    assert below is not None
    assert above is not None
    assert below.low == pytest.approx(above.low, abs=0.02)
    assert below.high == pytest.approx(above.high, abs=0.02)


def test_zeros_pull_the_estimate_to_zero() -> None:
    estimate = hodges_lehmann(np.array([0.0, 0.0, 0.0, 0.0, 0.1]))
    assert estimate is not None
    assert estimate.value == 0.0
    assert hodges_lehmann(np.empty(0)) is None
