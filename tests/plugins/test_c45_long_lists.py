"""Long sorted lists, of which most cuts are ruled out unseen: the cut is the one that a look at each would find."""

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

ROWS = 9000  # a little above the length from which it is done


def stump(x: NDArray[np.float64], y: NDArray[np.int32], n_classes: int, mdl: bool = True) -> Tree:
    words = {
        "splitter": {"c45": {"mdl_correction": mdl, "actual_value": False}},
        "pruner": {"none": {"collapse": False}},
        "max_depth": 1,
        "min_branch": 2,
    }
    table = Table([x], [0], y, n_classes)
    return Builder(learner(words), table).tree(Sample.whole(len(x)), 1)  # type: ignore[arg-type]


def value_below_each_cut(
    x: NDArray[np.float64], y: NDArray[np.int32], n_classes: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places of the admissible cuts in the sorted column, and `inside` of c45.md 3.1 for each."""
    order, n, smallest = np.argsort(x, kind="stable"), len(x), 25
    left = np.cumsum(np.eye(n_classes)[y[order]], axis=0)[:-1]
    right = np.bincount(y, minlength=n_classes) - left

    def f(c: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(c > 0, c * np.log(np.maximum(c, 1)), 0.0)

    place = np.arange(1, n)
    value = (f(left) + f(right)).sum(axis=1) - f(place.astype(float)) - f(n - place.astype(float))
    admissible = (np.diff(x[order]) > 1e-5) & (place >= smallest) & (n - place >= smallest)
    return place[admissible], value[admissible]


def data(
    seed: int, n_classes: int, n_values: int, signal: float
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    rng = np.random.default_rng(seed)
    x = np.floor(rng.random(ROWS) * n_values)
    p = np.minimum(x / n_values * signal + rng.random(ROWS), 0.999)
    return x, np.floor(p * n_classes).astype(np.int32)


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    n_classes=st.integers(2, 8),
    n_values=st.sampled_from([300, 3000, 10**6]),
    signal=st.sampled_from([0.0, 0.05, 1.0]),
    mdl=st.booleans(),
)
def test_a_ninth_class_without_cases_changes_nothing(
    seed: int, n_classes: int, n_values: int, signal: float, mdl: bool
) -> None:
    # with nine classes there is no room for the counts of a stretch, and every cut is looked at
    x, y = data(seed, n_classes, n_values, signal)
    few, many = stump(x, y, n_classes, mdl), stump(x, y, 9, mdl)
    assert few.cuts.tolist() == many.cuts.tolist()
    assert few.distribution.tolist() == many.distribution[:, :n_classes].tolist()


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32), n_classes=st.integers(2, 8), signal=st.sampled_from([0.05, 1.0]))
def test_cut_is_the_best_of_all(seed: int, n_classes: int, signal: float) -> None:
    x, y = data(seed, n_classes, 10**6, signal)
    tree = stump(x, y, n_classes, mdl=False)
    places, value = value_below_each_cut(x, y, n_classes)
    assert value[places == int(tree.weight[1])] >= value.max() - 1e-6 * np.log(2) * ROWS


def test_of_equal_cuts_the_first_is_taken() -> None:
    # the classes mirror each other around the middle, so the two best cuts are equal
    x = np.arange(ROWS, dtype=float)
    y = np.zeros(ROWS, dtype=np.int32)
    y[3000:6000] = 1
    assert stump(x, y, 2).cuts.tolist() == [2999.5]


@pytest.mark.parametrize("longer", range(-4, 5))
def test_near_ties_are_decided_in_order(longer: int) -> None:
    # the second class fills the middle, a little out of it: two cuts far apart of nearly equal value
    x, y = np.arange(ROWS, dtype=float), np.zeros(ROWS, dtype=np.int32)
    y[3000 : 6000 + longer] = 1
    best, chosen = -np.inf, -1
    for place, value in zip(*value_below_each_cut(x, y, 2), strict=True):
        if value - best > 1e-6 * np.log(2) * ROWS:
            best, chosen = value, int(place)
    assert stump(x, y, 2, mdl=False).cuts.tolist() == [chosen - 0.5]


def test_a_column_of_noise_is_not_split() -> None:
    rng = np.random.default_rng(7)
    tree = stump(rng.random(ROWS), rng.integers(0, 2, ROWS).astype(np.int32), 2)
    assert tree.attribute.tolist() == [-1]


def test_a_class_that_ends_early_and_one_that_begins_late() -> None:
    x = np.arange(ROWS, dtype=float)
    y = np.ones(ROWS, dtype=np.int32)
    y[:40], y[-40:] = 0, 2
    few, many = stump(x, y, 3), stump(x, y, 9)
    assert few.cuts.tolist() == many.cuts.tolist() != []
