"""Rules of a tree that is there already are those of the ensemble that grows the same tree."""

from __future__ import annotations

import numpy as np
import pytest
from random_data import random_dataset

from treeforge.data import read_arff
from treeforge.errors import DataError, ModelError, ParameterError
from treeforge.estimators import C45Classifier
from treeforge.learn.build import learner
from treeforge.learn.rules import rules_from_tree


def assert_same(one, other):
    for name, array in one.rules.arrays().items():
        np.testing.assert_array_equal(array, other.rules.arrays()[name], err_msg=name)
    for name in ("default", "error", "covered", "decided", "details"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize(
    "words", [{}, {"splitter": "msd"}, {"splitter": "msd", "min_branch": 5}, {"min_branch": 5}]
)
@pytest.mark.parametrize("name", ["weather", "labor", "hepatitis", "iris"])
def test_rules_are_those_of_the_ensemble(repository, name, words):
    data = read_arff(repository / "arff_data" / f"{name}.arff")
    whole = learner({**words, "ensemble": "c45_rules"}).fit(data)
    made = rules_from_tree(learner({**words, "pruner": "none"}).fit(data), data)
    assert_same(made.fitted, whole.fitted)
    np.testing.assert_array_equal(made.predict_proba(data), whole.predict_proba(data))
    assert made.algorithm["ensemble"] == whole.algorithm["ensemble"]


@pytest.mark.parametrize("number", range(20))
def test_so_they_are_with_weights_and_unknown_values(number):
    data = random_dataset(number)
    tree = learner({"pruner": "none"}).fit(data)
    made = rules_from_tree(tree, data, {"c45_rules": {"confidence": 0.1}})
    assert_same(made.fitted, learner({"ensemble": {"c45_rules": {"confidence": 0.1}}}).fit(data).fitted)


def test_estimator_and_columns_in_another_order_will_do(repository):
    data = read_arff(repository / "arff_data" / "weather.arff")
    turned = type(data)(
        type(data.schema)(data.schema.attributes[::-1], 0), data.columns[::-1], name=data.name
    )
    made = rules_from_tree(C45Classifier(pruning="none").fit(data), turned)
    assert_same(made.fitted, learner({"ensemble": "c45_rules"}).fit(data).fitted)


def test_other_cases_are_warned_of(repository):
    data = read_arff(repository / "arff_data" / "weather.arff")
    tree = learner({"pruner": "none"}).fit(data)
    with pytest.warns(
        UserWarning, match=r"grown on other cases \(yes 9, no 5\) than weather has \(yes 4, no 3\)"
    ):
        assert rules_from_tree(tree, data.take(np.array([0, 1, 2, 3, 4, 5, 6]))).fitted.decided.sum() == 7


def test_what_is_no_single_hard_tree_is_refused(repository):
    data = read_arff(repository / "arff_data" / "weather.arff")
    for words, kind in (
        ({"ensemble": "c45_rules"}, "rules already"),
        ({"ensemble": {"random_forest": {"trees": 2}}}, "no single tree"),
        ({"soft_thresholds": True}, "no single tree of hard thresholds"),
    ):
        with pytest.raises(ModelError, match=kind):
            rules_from_tree(learner(words).fit(data), data)
    tree = learner({}).fit(data)
    with pytest.raises(ParameterError, match="bagging makes no rules"):
        rules_from_tree(tree, data, "bagging")
    blank = type(data)(data.schema, (*data.columns[:-1], np.full(14, -1, np.int32)))
    with pytest.raises(DataError, match="no row has a class"):
        rules_from_tree(tree, blank)
