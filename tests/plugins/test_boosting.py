"""Boosting: the arithmetic of a round, and what it must do for stumps."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier
from treeforge_boosting import AdaBoostM1Ensemble, C50BoostEnsemble, SammeEnsemble

from treeforge.data import Attribute, Dataset, Schema
from treeforge.learn.build import learner
from treeforge.learn.model import Model
from treeforge.plugin import VoteModel


def numbers(n: int = 400, n_classes: int = 2, seed: int = 1) -> Dataset:
    random = np.random.default_rng(seed)
    x = random.normal(size=(4, n))
    codes = np.digitize(x[0] + x[1], [0.0] if n_classes == 2 else [-0.7, 0.7]).astype(np.int32)
    attributes = [
        *(Attribute(f"x{i}") for i in range(4)),
        Attribute("c", "nominal", tuple("abc"[:n_classes])),
    ]
    return Dataset(Schema(tuple(attributes), 4), (*x, codes))


STUMPS = {"splitter": "cart", "criterion": "gini", "pruner": {"none": {"collapse": False}}, "max_depth": 1}


def votes(model: Model) -> VoteModel:
    assert isinstance(model.fitted, VoteModel)
    return model.fitted


def right(model: Model, data: Dataset) -> float:
    return float((model.predict_proba(data).argmax(axis=1) == data.class_codes).mean())


@pytest.mark.parametrize("ensemble", ["adaboost_m1", "samme"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_errors_of_stumps_are_those_of_scikit_learns_adaboost(ensemble: str, n_classes: int) -> None:
    data = numbers(n_classes=n_classes)
    if ensemble == "adaboost_m1" and n_classes == 3:
        pytest.skip("scikit-learn has SAMME only, which is AdaBoost.M1 for two classes")
    ours = votes(learner({**STUMPS, "ensemble": {ensemble: {"trees": 8}}, "min_branch": 1}).fit(data))
    matrix = np.array(data.columns[:4]).T
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=8, random_state=0)
    theirs.fit(matrix, data.class_codes)
    np.testing.assert_allclose(ours.details["errors"], theirs.estimator_errors_[:8], rtol=1e-6)
    assert ours.weights is not None
    np.testing.assert_allclose(ours.weights, theirs.estimator_weights_[:8], rtol=1e-6)


@pytest.mark.parametrize("ensemble", ["adaboost_m1", "samme", "c50_boost"])
def test_boosted_stumps_beat_one(ensemble: str) -> None:
    data = numbers(n_classes=2)
    one = learner(STUMPS).fit(data)
    many = learner({**STUMPS, "ensemble": {ensemble: {"trees": 30}}}).fit(data)
    assert right(many, data) > right(one, data) + 0.05


def test_a_perfect_first_tree_is_the_whole_ensemble() -> None:
    data = numbers()
    exact = Dataset(data.schema, (*data.columns[:4], (data.columns[0] > 0).astype(np.int32)))
    for ensemble in ("adaboost_m1", "samme", "c50_boost"):
        model = votes(learner({"ensemble": ensemble, "splitter": "c45", "pruner": "none"}).fit(exact))
        assert len(model.trees) == 1


def test_worth_of_a_tree() -> None:
    assert AdaBoostM1Ensemble().worth(0.2, 5) == pytest.approx(log(4))
    assert AdaBoostM1Ensemble().worth(0.5, 2) == 0.0
    assert SammeEnsemble().worth(0.5, 3) == pytest.approx(log(2))
    assert SammeEnsemble().worth(0.7, 3) == 0.0


def test_c50_stops_when_a_tenth_is_wrong() -> None:
    data = numbers()
    model = votes(
        learner({"ensemble": {"c50_boost": {"trees": 20}}, "splitter": "c45", "pruner": "none"}).fit(data)
    )
    assert len(model.trees) == 1
    assert model.details["errors"][0] < 0.1


@pytest.mark.parametrize("kind", [AdaBoostM1Ensemble, SammeEnsemble, C50BoostEnsemble])
def test_no_trees_are_no_ensemble(kind: type[AdaBoostM1Ensemble]) -> None:
    with pytest.raises(ValueError, match="trees"):
        kind(trees=0)
