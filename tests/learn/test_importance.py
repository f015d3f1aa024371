"""How much attributes count: scikit-learn's numbers where the trees are the same, and what holds without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn import inspection
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier

from treeforge.core.model import TreeModel, VoteModel
from treeforge.data import Attribute, Dataset, Schema
from treeforge.errors import DataError, ModelError
from treeforge.estimators import AMSDClassifier, C45Classifier, ForestClassifier, TreeClassifier
from treeforge.learn.build import learner
from treeforge.learn.importance import (
    entropy,
    gained_by_input,
    gini,
    impurity_importance,
    permutation_importance,
)
from treeforge.learn.model import Model

CRITERIA = {"gini": "gini", "information_gain": "entropy"}


def both_trees(criterion, weights=None, seed=0, depth=3):
    """The same tree, grown here and by scikit-learn: values are distinct, and nodes too large for ties."""
    draw = np.random.default_rng(seed)
    X = np.float32(draw.normal(size=(2000, 5))).astype(float)
    y = (X[:, 0] + X[:, 1] ** 2 + draw.normal(size=2000) > 1).astype(int) + (X[:, 2] > 1)
    mine = TreeClassifier(
        "cart", criterion=criterion, pruner={"none": {"collapse": False}}, min_branch=1e-9, max_depth=depth
    ).fit(X, y, weights)
    theirs = DecisionTreeClassifier(criterion=CRITERIA[criterion], max_depth=depth).fit(X, y, weights)
    tested = theirs.tree_.feature[theirs.tree_.feature >= 0]
    assert sorted(mine.tree_.attribute[mine.tree_.attribute >= 0]) == sorted(tested)
    assert np.allclose(sorted(mine.tree_.cuts), sorted(theirs.tree_.threshold[theirs.tree_.feature >= 0]))
    return mine, theirs


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("weighted", [False, True])
def test_tree_has_the_importances_of_scikit_learn(criterion, weighted):
    for seed in range(3):
        weights = np.random.default_rng(9).uniform(0.2, 3, 2000) if weighted else None
        mine, theirs = both_trees(criterion, weights, seed)
        np.testing.assert_allclose(mine.feature_importances_, theirs.feature_importances_, rtol=1e-9)


def test_forest_has_the_mean_of_its_trees_and_weighs_them_as_they_vote():
    pairs = [both_trees("gini", seed=seed) for seed in range(3)]
    trees = tuple(mine.tree_ for mine, _ in pairs)
    model = pairs[0][0].model_
    parts = [theirs.feature_importances_ for _, theirs in pairs]
    mean = impurity_importance(replace(model, fitted=VoteModel(trees)))
    np.testing.assert_allclose(mean, np.mean(parts, axis=0), rtol=1e-9)
    weights = np.array([1.0, 4.0, 0.0])
    weighed = impurity_importance(replace(model, fitted=VoteModel(trees, weights, votes=True)))
    np.testing.assert_allclose(weighed, (parts[0] + 4 * parts[1]) / 5, rtol=1e-9)


def test_case_of_unknown_value_counts_in_each_branch_with_its_part():
    schema = Schema((Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)
    rows = Dataset(schema, (np.array([1.0, 1, 2, 2, np.nan]), np.array([0, 0, 1, 1, 0])))
    words = {"splitter": "cart", "pruner": {"none": {"collapse": False}}, "min_branch": 1}
    tree = learner(words).fit(rows).fitted.tree
    assert tree.distribution.tolist() == [[3, 2], [2.5, 0], [0.5, 2]]
    # in Gini's words 5 (1 - 13/25) = 2.4 at the root, 0 and 2.5 (1 - 4.25/6.25) = 0.8 below it
    assert gained_by_input(tree, 1, gini) == pytest.approx([1.6])
    bits = 5 * 0.970951 - 2.5 * 0.721928
    assert gained_by_input(tree, 1, entropy) == pytest.approx([bits], abs=1e-4)


def test_trees_without_tests_add_nothing_and_nothing_becomes_nan():
    X, y = np.zeros((8, 2)), [0, 0, 0, 1, 1, 1, 1, 1]
    assert ForestClassifier(5).fit(X, y).feature_importances_.tolist() == [0, 0]
    stump, leaf = (
        C45Classifier().fit(load_iris().data[:, :2], t) for t in (load_iris().target, [1] * 149 + [0])
    )
    assert leaf.tree_.n_nodes == 1
    mixed = replace(stump.model_, fitted=VoteModel((leaf.tree_, stump.tree_)))
    np.testing.assert_allclose(impurity_importance(mixed), stump.feature_importances_)


def test_empty_branches_take_no_part():
    X, y = load_iris(return_X_y=True)
    tree = AMSDClassifier(pruner="none").fit(X, y)
    assert tree.tree_.empty.any()
    assert tree.feature_importances_.sum() == pytest.approx(1)


def test_boosted_trees_and_trees_on_intervals_have_importances():
    X, y = load_iris(return_X_y=True)
    for words in ({"ensemble": "adaboost_m1"}, {"discretizer": "mdlp"}):
        schema = Schema(
            (*(Attribute(f"x{i}") for i in range(4)), Attribute("class", "nominal", tuple("abc"))), 4
        )
        model = learner(words).fit(Dataset(schema, (*X.T, y.astype(np.int32))))
        found = impurity_importance(model)
        assert found.sum() == pytest.approx(1)
        assert found[2:].sum() > 0.5


def test_model_without_trees_says_so():
    X, y = load_iris(return_X_y=True)
    schema = Schema((*(Attribute(f"x{i}") for i in range(4)), Attribute("class", "nominal", tuple("abc"))), 4)
    data = Dataset(schema, (*X.T, y.astype(np.int32)))
    model = learner({"ensemble": "vfdt"}).fit(data)
    with pytest.raises(ModelError, match="no trees whose tests"):
        impurity_importance(model)
    assert permutation_importance(model, data, repeats=2).shape == (4, 2)


# permutation


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, [0, 7, 20, 27, 9]]
    attributes = (*(Attribute(f"x{i}") for i in range(5)), Attribute("class", "nominal", ("no", "yes")))
    data = Dataset(Schema(attributes, 5), (*X[300:].T, y[300:].astype(np.int32)))
    return ForestClassifier(15).fit(X[:300], y[:300]), X[300:], y[300:], data


def test_permutation_is_that_of_scikit_learn(cancer):
    forest, X, y, data = cancer
    mine = permutation_importance(replace(forest.model_, schema=data.schema), data, repeats=40)
    theirs = inspection.permutation_importance(forest, X, y, n_repeats=40, random_state=1).importances
    assert mine.shape == theirs.shape == (5, 40)
    error = np.sqrt((mine.var(axis=1) + theirs.var(axis=1)) / 40)
    assert (np.abs(mine.mean(axis=1) - theirs.mean(axis=1)) <= 4 * error).all()
    assert mine.mean(axis=1).max() > 0.02


def test_permutation_is_the_same_again_whatever_the_threads(cancer):
    forest, _, _, data = cancer
    model = replace(forest.model_, schema=data.schema)
    one = permutation_importance(model, data, repeats=3, seed=4)
    assert np.array_equal(one, permutation_importance(model, data, repeats=3, seed=4, n_threads=3))
    assert not np.array_equal(one, permutation_importance(model, data, repeats=3, seed=5))


def labels(n, weights=None):
    """x0 is the class, x1 is noise."""
    draw = np.random.default_rng(2)
    codes = draw.integers(0, 2, n).astype(np.int32)
    kind = ("nominal", ("a", "b"))
    schema = Schema((Attribute("x0", *kind), Attribute("x1"), Attribute("class", *kind)), 2)
    return Dataset(schema, (codes, draw.normal(size=n), codes), weights)


def test_attribute_that_is_the_class_costs_half_of_the_accuracy_and_an_untested_one_nothing():
    model = learner({}).fit(labels(2000))
    lost = permutation_importance(model, labels(2000))
    assert lost[0] == pytest.approx(np.full(10, 0.5), abs=0.05)
    assert (lost[1] == 0).all()


def test_permutation_counts_weights_and_leaves_out_cases_without_class():
    model = learner({}).fit(labels(200))
    data = labels(200)
    codes = data.class_codes.copy()
    codes[:100] = -1
    partial = replace(data, columns=(*data.columns[:2], codes))
    heavy = replace(data, weights=np.r_[np.zeros(100), np.full(100, 3.0)])
    np.testing.assert_allclose(permutation_importance(model, partial), permutation_importance(model, heavy))
    with pytest.raises(DataError, match="no case has a class"):
        permutation_importance(model, replace(data, columns=(*data.columns[:2], np.full(200, -1))))
    with pytest.raises(ModelError, match="repeats must be at least 1"):
        permutation_importance(model, data, repeats=0)


def test_case_that_the_model_cannot_classify_is_not_right():
    data = labels(10)
    tree = learner({}).fit(data).fitted.tree
    arrays = tree.arrays()
    silent = TreeModel(type(tree)(**{**arrays, "distribution": arrays["distribution"] * 0}))
    assert (permutation_importance(Model(data.schema, silent), data, repeats=1) == 0).all()
