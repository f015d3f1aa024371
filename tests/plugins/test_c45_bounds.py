"""Cuts that are passed over because a bound keeps their gain low: the best is that of a look at each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.learn.learner import Builder

PLAIN = 9  # classes of which there are too many for bounds: every cut is looked at
INPUTS = 6


def grown(
    columns: NDArray[np.float64], y: NDArray[np.int32], n_classes: int, mdl: bool, least: float
) -> Tree:
    """``least``: cases on each side; the sides asked for do not depend on the number of classes."""
    words = {
        "splitter": {"c45": {"mdl_correction": mdl, "smallest_side": False}},
        "pruner": {"none": {"collapse": False}},
        "min_branch": least,
    }
    table = Table(list(columns), [0] * len(columns), y, n_classes)
    return Builder(learner(words), table).tree(Sample.whole(len(y)), 1)  # type: ignore[arg-type]


def drawn(
    seed: int, n_rows: int, n_classes: int, n_values: int, signal: float
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Some inputs, the last ones noise, and classes of different sizes."""
    rng = np.random.default_rng(seed)
    columns = np.floor(rng.random((INPUTS, n_rows)) * n_values)
    score = signal * (columns[0] + columns[1]) / n_values + rng.random(n_rows)
    y = np.searchsorted(np.sort(rng.random(n_classes - 1)), score / (1 + 2 * signal))
    return columns, y.astype(np.int32)


ANY = {
    "seed": st.integers(0, 2**32),
    "n_classes": st.integers(2, 4),
    "signal": st.sampled_from([0.0, 0.3, 3.0]),
    "mdl": st.booleans(),
    "least": st.sampled_from([0.5, 2, 25]),
}


def check(
    columns: NDArray[np.float64], y: NDArray[np.int32], n_classes: int, mdl: bool, least: float
) -> None:
    bounded, plain = grown(columns, y, n_classes, mdl, least), grown(columns, y, PLAIN, mdl, least)
    assert bounded.attribute.tolist() == plain.attribute.tolist()
    assert bounded.cuts.tolist() == plain.cuts.tolist()
    assert bounded.distribution.tolist() == plain.distribution[:, :n_classes].tolist()


@settings(deadline=None, max_examples=60)
@given(n_rows=st.sampled_from([17, 40, 333, 3000]), n_values=st.sampled_from([260, 2000, 10**6]), **ANY)
def test_lists(
    seed: int, n_rows: int, n_classes: int, n_values: int, signal: float, mdl: bool, least: float
) -> None:
    check(*drawn(seed, n_rows, n_classes, n_values, signal), n_classes, mdl, least)


@settings(deadline=None, max_examples=60)
@given(
    n_rows=st.sampled_from([9, 17, 33, 60, 333, 3000]), n_values=st.sampled_from([2, 16, 33, 61, 255]), **ANY
)
def test_coded_columns(
    seed: int, n_rows: int, n_classes: int, n_values: int, signal: float, mdl: bool, least: float
) -> None:
    check(*drawn(seed, n_rows, n_classes, n_values, signal), n_classes, mdl, least)


@settings(deadline=None, max_examples=20)
@given(n_rows=st.sampled_from([60, 900]), n_values=st.sampled_from([61, 2000]), **ANY)
def test_unknown_and_close_values(
    seed: int, n_rows: int, n_classes: int, n_values: int, signal: float, mdl: bool, least: float
) -> None:
    columns, y = drawn(seed, n_rows, n_classes, n_values, signal)
    rng = np.random.default_rng(seed)
    columns[0, rng.random(n_rows) < 0.1] = np.nan
    columns[1] += rng.choice([0.0, 4e-6], n_rows)
    check(columns, y, n_classes, mdl, least)


@pytest.mark.parametrize("n_values", [100, 1000])
@pytest.mark.parametrize("longer", range(-4, 5))
def test_near_ties_are_decided_in_order(longer: int, n_values: int) -> None:
    # the second class fills the middle, a little out of it: two cuts far apart of nearly equal value
    x, y = np.arange(1000.0) // (1000 // n_values), np.zeros(1000, dtype=np.int32)
    y[300 : 700 + longer] = 1
    for columns in ([x], [x, -x], [x, x[::-1].copy()]):
        check(np.array(columns), y, 2, mdl=True, least=2)


@pytest.mark.parametrize("n_values", [100, 1000])
def test_a_class_of_one_case(n_values: int) -> None:
    x, y = np.arange(1000.0) // (1000 // n_values), np.zeros(1000, dtype=np.int32)
    for place in (0, 500, 999):
        y[:] = 0
        y[place] = 1
        check(np.array([x, -x]), y, 2, mdl=False, least=0.5)


def test_noise_is_not_split() -> None:
    rng = np.random.default_rng(7)
    for n_values in (200, 10**6):
        columns, y = np.floor(rng.random((3, 5000)) * n_values), rng.integers(0, 2, 5000).astype(np.int32)
        assert grown(columns, y, 2, mdl=True, least=2).attribute[0] == -1
