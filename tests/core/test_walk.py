"""Cases on their way down a tree."""

from __future__ import annotations

import numpy as np
from build_trees import Leaf, Test, tree
from hypothesis import given, settings
from hypothesis import strategies as st
from random_data import random_dataset

from treeforge.core.table import Table
from treeforge.core.walk import cases_of_tests, refilled
from treeforge.data import Sample
from treeforge.learn.build import learner
from treeforge.learn.encode import encode


def test_other_cases_fill_the_same_tests_by_hand() -> None:
    """Of 5 known cases 4 go left and 1 right; the one of unknown value, of weight 2, goes 0.8 and 0.2."""
    grown = tree(Test(0, [Leaf([1, 0]), Leaf([0, 1]), Leaf([0, 0])], cuts=[5.0, 9.0]))
    values = np.array([1.0, 2, 3, 5, 6, np.nan, 7, 7])
    classes = np.array(
        [0, 0, 1, 1, 1, 0, -1, 1], dtype=np.int32
    )  # the seventh has no class, the last no weight
    table = Table([values], [0], classes, 2, np.array([1, 1, 1, 1, 1, 2, 1, 0.0]))
    found = refilled(grown, table, Sample.whole(8))
    np.testing.assert_allclose(found.distribution, [[4, 3], [3.6, 2], [0.4, 1], [0, 0]], rtol=1e-15)
    np.testing.assert_allclose(found.share, [1, 0.8, 0.2, 0], rtol=1e-15)
    assert found.empty.tolist() == [0, 0, 0, 1]
    np.testing.assert_array_equal(found.cuts, grown.cuts)


def test_test_without_a_known_value_shares_evenly() -> None:
    grown = tree(Test(0, [Leaf([1, 0]), Leaf([0, 1])], cuts=[5.0]))
    table = Table([np.full(3, np.nan)], [0], np.array([0, 1, 1], dtype=np.int32), 2)
    assert refilled(grown, table, Sample.whole(3)).distribution.tolist() == [[1, 2], [0.5, 1], [0.5, 1]]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_filled_with_its_own_cases_a_tree_stays_as_it_is(number: int, binary: bool) -> None:
    data = random_dataset(number)
    words = {"splitter": {"c45": {"binary": binary}}, "pruner": {"none": {"collapse": False}}}
    grown = learner(words).fit(data).fitted.tree
    found = refilled(grown, encode(data), Sample.whole(data.n_rows))
    for name, array in grown.arrays().items():
        np.testing.assert_allclose(getattr(found, name), array, rtol=1e-9, atol=1e-9, err_msg=name)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_weight_of_the_cases_at_a_test_is_that_of_its_node(number: int) -> None:
    data = random_dataset(number)
    grown = learner({"pruner": "none"}).fit(data).fitted.tree
    for node, rows, weights in cases_of_tests(grown, encode(data), Sample.whole(data.n_rows)):
        here = np.bincount(data.class_codes[rows], weights, grown.n_classes)
        np.testing.assert_allclose(here, grown.distribution[node], rtol=1e-9, atol=1e-9)
