"""Extra-Trees: cuts and subsets drawn as Geurts et al. say, and forests as accurate as scikit-learn's."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare, kstest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import StratifiedKFold

from treeforge.data import Attribute, Dataset, Sample, Schema
from treeforge.errors import ParameterError
from treeforge.learn.build import learner
from treeforge.plugin import Tree

#: a tree of one test, kept even if it does not lower the training error
STUMP: dict[str, Any] = {
    "splitter": "random_cut",
    "pruner": {"none": {"collapse": False}},
    "min_branch": 1,
    "max_depth": 1,
}


def table(column: NDArray[Any], labels: NDArray[Any], n_categories: int = 0) -> Dataset:
    names = tuple(f"v{i}" for i in range(n_categories))
    attribute = Attribute("x", "nominal", names) if n_categories else Attribute("x")
    schema = Schema((attribute, Attribute("class", "nominal", ("a", "b", "c"))), 1)
    return Dataset(schema, (column, np.asarray(labels, dtype=np.int32)))


def matrix(X: NDArray[np.float64], y: NDArray[Any]) -> Dataset:
    attributes = [Attribute(f"x{i}") for i in range(X.shape[1])]
    names = tuple(str(c) for c in range(int(y.max()) + 1))
    schema = Schema((*attributes, Attribute("class", "nominal", names)), X.shape[1])
    return Dataset(schema, (*np.ascontiguousarray(X.T), y.astype(np.int32)))


def stumps(data: Dataset, n: int, **limits: Any) -> list[Tree]:
    grower = learner({**STUMP, **limits})
    return [grower.fit(data, seed=seed).fitted.tree for seed in range(n)]  # type: ignore[union-attr]


@pytest.mark.parametrize("n", [9, 400])  # counted by code; a sorted list
def test_cut_is_uniform_between_the_least_and_the_largest_value(n: int) -> None:
    values = np.r_[-3.0, 5.0, np.linspace(-2.9, -2.0, n - 2)]  # most values lie at one end: cuts must not
    data = table(values, values > np.median(values))  # so that any cut gains
    cuts = [tree.cuts[0] for tree in stumps(data, 400) if tree.n_nodes > 1]
    assert len(cuts) == 400
    assert kstest(cuts, "uniform", (-3.0, 8.0)).pvalue > 1e-3


def test_every_subset_of_the_categories_present_is_equally_likely() -> None:
    codes = np.array([0, 2, 3, 5] * 5, dtype=np.int32)  # categories 1 and 4 are absent
    data = table(codes, np.array([0, 1, 2, 0] * 3 + [0, 1, 2, 1] * 2), 6)  # any subset gains
    found = [tuple(tree.branch_of.tolist()) for tree in stumps(data, 1400)]
    assert all(sides[0] == 0 for sides in found), "the first category present is on side 0"
    present = Counter((sides[2], sides[3], sides[5]) for sides in found)
    assert len(present) == 7, "all but the one where the four are together"
    assert chisquare(list(present.values())).pvalue > 1e-3
    absent = Counter((sides[1], sides[4]) for sides in found)
    assert chisquare([absent[0, 0], absent[0, 1], absent[1, 0], absent[1, 1]]).pvalue > 1e-3


def test_cut_never_leaves_a_side_empty_however_near_the_values_are() -> None:
    low = 1.0
    high = np.nextafter(low, 2.0)
    data = table(np.array([low, high] * 4), np.array([0, 1] * 4))
    for tree in stumps(data, 50):
        assert low <= tree.cuts[0] < high


def test_cut_is_finite_over_the_whole_range_of_numbers() -> None:
    data = table(np.array([-1.7e308, 1.7e308] * 4), np.array([0, 1] * 4))
    cuts = np.array([tree.cuts[0] for tree in stumps(data, 100)])
    assert np.isfinite(cuts).all()
    assert kstest(cuts / 1.7e308, "uniform", (-1.0, 2.0)).pvalue > 1e-3


def test_more_categories_than_a_byte_holds_are_drawn_as_well() -> None:
    codes = np.array([7, 290, 299] * 20, dtype=np.int32)
    found = {
        tuple(tree.branch_of[[7, 290, 299]].tolist()) for tree in stumps(table(codes, codes % 3, 300), 60)
    }
    assert found == {(0, 0, 1), (0, 1, 0), (0, 1, 1)}


def test_unknown_values_are_no_part_of_the_range_and_go_down_both_sides() -> None:
    data = table(np.array([1.0, 2.0, np.nan, np.nan]), np.array([0, 1, 0, 1]))
    for tree in stumps(data, 20):
        assert 1.0 <= tree.cuts[0] < 2.0
        assert tree.distribution[1:].tolist() == [[1.5, 0.5, 0.0], [0.5, 1.5, 0.0]]


def test_attribute_without_a_known_value_or_with_one_is_not_tested() -> None:
    for column in (np.full(4, np.nan), np.full(4, 3.0)):
        assert stumps(table(column, np.array([0, 1, 0, 1])), 1)[0].n_nodes == 1
    for codes in (np.full(4, -1, np.int32), np.full(4, 1, np.int32)):
        for n_categories in (3, 300):
            assert stumps(table(codes, np.array([0, 1, 0, 1]), n_categories), 1)[0].n_nodes == 1


def test_trees_train_on_all_cases_unless_bootstrap_is_asked_for() -> None:
    data = matrix(*load_iris(return_X_y=True))
    plain = learner({"ensemble": {"extra_trees": {"trees": 5}}}).fit(data).fitted
    assert [tree.weight[0] for tree in plain.trees] == [150] * 5
    assert all((tree.distribution[0] == 50).all() for tree in plain.trees)
    bagged = learner({"ensemble": {"extra_trees": {"trees": 5, "bootstrap": True}}}).fit(data).fitted
    assert any((tree.distribution[0] != 50).any() for tree in bagged.trees)


def test_forest_is_the_same_to_the_bit_on_any_number_of_threads() -> None:
    data = matrix(*load_wine(return_X_y=True))
    forest = learner({"ensemble": {"extra_trees": {"trees": 12}}})
    one, two, four = (forest.fit(data, seed=5, n_threads=n).fitted for n in (1, 2, 4))
    for other in (two, four):
        for mine, theirs in zip(one.trees, other.trees, strict=True):
            for name, array in mine.arrays().items():
                np.testing.assert_array_equal(array, theirs.arrays()[name])
    assert len({tree.cuts[0] for tree in one.trees}) == 12, "each tree has its own stream"


def test_out_of_bag_estimate_needs_a_bag() -> None:
    with pytest.raises(ParameterError, match="out_of_bag needs bootstrap"):
        learner({"ensemble": {"extra_trees": {"out_of_bag": True}}})
    data = matrix(*load_iris(return_X_y=True))
    forest = learner({"ensemble": {"extra_trees": {"out_of_bag": True, "bootstrap": True}}})
    assert 0.0 < forest.fit(data).fitted.details["out_of_bag_error"] < 0.1


@pytest.mark.slow
def test_accuracy_is_that_of_scikit_learn() -> None:
    """Over four data sets and 3 x 5 folds: within 1.5 points on each, and within half a point on average."""
    differences = {}
    for load in (load_iris, load_wine, load_breast_cancer, load_digits):
        X, y = load(return_X_y=True)
        data = matrix(X, y)
        ours, theirs = [], []
        for seed in range(3):
            for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y):
                forest = learner({"ensemble": {"extra_trees": {"trees": 40}}})
                model = forest.fit(data, Sample(train.astype(np.int32)), seed=seed + 1)
                ours.append(
                    (model.predict_proba(data, test.astype(np.int32)).argmax(axis=1) == y[test]).mean()
                )
                other = ExtraTreesClassifier(40, random_state=seed).fit(X[train], y[train])
                theirs.append(other.score(X[test], y[test]))
        differences[load.__name__] = 100 * (np.mean(ours) - np.mean(theirs))
    assert all(abs(difference) < 1.5 for difference in differences.values()), differences
    assert abs(np.mean(list(differences.values()))) < 0.5, differences
