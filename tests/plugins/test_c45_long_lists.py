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
KNOWN = 8192  # that length
LEAST = st.sampled_from([0.5, 25, 500])


def stump(
    x: NDArray[np.float64], y: NDArray[np.int32], n_classes: int, mdl: bool = True, least: float = 25
) -> Tree:
    """``least``: cases on each side; 25 is what C4.5 asks for by itself."""
    c45 = {"mdl_correction": mdl, "actual_value": False, "smallest_side": least >= 25}
    words = {
        "splitter": {"c45": c45},
        "pruner": {"none": {"collapse": False}},
        "max_depth": 1,
        "min_branch": 2 if least == 25 else least,
    }
    table = Table([x], [0], y, n_classes)
    return Builder(learner(words), table).tree(Sample.whole(len(x)), 1)  # type: ignore[arg-type]


def value_below_each_cut(
    x: NDArray[np.float64], y: NDArray[np.int32], n_classes: int, least: float = 25
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places of the admissible cuts in the sorted known values, and `inside` of c45.md 3.1 for each."""
    x, y = x[~np.isnan(x)], y[~np.isnan(x)]
    order, n = np.argsort(x, kind="stable"), len(x)
    left = np.cumsum(np.eye(n_classes)[y[order]], axis=0)[:-1]
    right = np.bincount(y, minlength=n_classes) - left

    def f(c: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(c > 0, c * np.log(np.maximum(c, 1)), 0.0)

    place = np.arange(1, n)
    value = (f(left) + f(right)).sum(axis=1) - f(place.astype(float)) - f(n - place.astype(float))
    admissible = (np.diff(x[order]) > 1e-5) & (place >= least) & (n - place >= least)
    return place[admissible], value[admissible]


def chosen(x: NDArray[np.float64], y: NDArray[np.int32], n_classes: int) -> int:
    """Place of the cut that wins when they are looked at in order: it beats the best before it by a step."""
    best, place = -np.inf, -1
    for here, value in zip(*value_below_each_cut(x, y, n_classes), strict=True):
        if value - best > 1e-6 * np.log(2) * len(x):
            best, place = value, int(here)
    return place


def data(
    seed: int, n_classes: int, n_values: int, signal: float, unknown: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    rng = np.random.default_rng(seed)
    x = np.floor(rng.random(ROWS) * n_values)
    p = np.minimum(x / n_values * signal + rng.random(ROWS), 0.999)
    if unknown:
        x[rng.permutation(ROWS)[: ROWS - KNOWN]] = np.nan
    return x, np.floor(p * n_classes).astype(np.int32)


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    n_classes=st.integers(2, 8),
    n_values=st.sampled_from([300, 3000, 10**6]),
    signal=st.sampled_from([0.0, 0.05, 1.0]),
    unknown=st.booleans(),
    mdl=st.booleans(),
    least=LEAST,
)
def test_a_ninth_class_without_cases_changes_nothing(
    seed: int, n_classes: int, n_values: int, signal: float, unknown: bool, mdl: bool, least: float
) -> None:
    # with nine classes there is no room for the counts of a stretch, and every cut is looked at
    x, y = data(seed, n_classes, n_values, signal, unknown)
    few, many = stump(x, y, n_classes, mdl, least), stump(x, y, 9, mdl, least)
    assert few.cuts.tolist() == many.cuts.tolist()
    assert few.distribution.tolist() == many.distribution[:, :n_classes].tolist()


@settings(deadline=None, max_examples=20)
@given(
    seed=st.integers(0, 2**32),
    n_classes=st.integers(2, 8),
    signal=st.sampled_from([0.05, 1.0]),
    unknown=st.booleans(),
    least=LEAST,
)
def test_cut_is_the_best_of_all(
    seed: int, n_classes: int, signal: float, unknown: bool, least: float
) -> None:
    x, y = data(seed, n_classes, 10**6, signal, unknown)
    tree = stump(x, y, n_classes, mdl=False, least=least)
    places, value = value_below_each_cut(x, y, n_classes, least)
    assert value[places == np.sum(x <= tree.cuts[0])] >= value.max() - 1e-6 * np.log(2) * ROWS


@pytest.mark.parametrize("n_unknown", [0, ROWS - KNOWN])
@pytest.mark.parametrize(
    ("least", "place", "cut"), [(0.5, 1, 1), (500, 499, 500), (500, 500, 500), (500, 501, 501)]
)
def test_sides_are_as_heavy_as_they_must_be(least: float, place: int, cut: int, n_unknown: int) -> None:
    # the classes part at `place`, at either end; the unknown values are no part of a side
    x, y = np.arange(ROWS, dtype=float), np.zeros(ROWS, dtype=np.int32)
    y[:place] = 1
    x[ROWS - n_unknown :] = np.nan
    assert stump(x, y, 2, mdl=False, least=least).cuts.tolist() == [cut - 0.5]
    assert stump(-x, y, 2, mdl=False, least=least).cuts.tolist() == [0.5 - cut]


@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 2**32), n_classes=st.integers(2, 8), unknown=st.booleans())
def test_no_cut_between_values_that_are_the_same_to_j48(seed: int, n_classes: int, unknown: bool) -> None:
    x, y = data(seed, n_classes, 3000, 1.0, unknown)
    x += np.random.default_rng(seed).choice([0.0, 4e-6], ROWS)
    tree = stump(x, y, n_classes, mdl=False)
    assert np.sum(x <= tree.cuts[0]) == chosen(x, y, n_classes)


def test_classes_that_part_within_a_pair_of_close_values() -> None:
    x = np.repeat(np.arange(ROWS // 2, dtype=float), 2)
    x[1::2] += 4e-6
    y = (np.arange(ROWS) > 3000).astype(np.int32)  # between the values of a pair
    assert chosen(x, y, 2) in (3000, 3002)
    for n_classes in (2, 8):
        tree = stump(x, y, n_classes, mdl=False)
        assert np.sum(x <= tree.cuts[0]) == chosen(x, y, 2)


def test_a_column_whose_neighbours_are_all_close_is_not_split() -> None:
    x, y = np.arange(ROWS) * 4e-6, (np.arange(ROWS) > 3000).astype(np.int32)
    assert stump(x, y, 2).attribute.tolist() == [-1]
    assert stump(x * 10, y, 2).cuts.tolist() == [pytest.approx(0.12002)]


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
    assert stump(x, y, 2, mdl=False).cuts.tolist() == [chosen(x, y, 2) - 0.5]


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
