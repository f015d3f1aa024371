"""Forests: the same on any number of threads, in the columns of all classes, honest about who is out of bag."""

from __future__ import annotations

import numpy as np
import pytest

from treeforge.data import Attribute, Dataset, Schema
from treeforge.errors import ParameterError
from treeforge.learn.build import learner


def table(n: int, classes: tuple[str, ...], labels: np.ndarray, seed: int = 0) -> Dataset:
    generator = np.random.default_rng(seed)
    numbers = [generator.normal(size=n).round(2) for _ in range(4)]
    numbers[0] += labels
    numbers[1][generator.random(n) < 0.1] = np.nan
    attributes = (*(Attribute(f"x{i}") for i in range(4)), Attribute("class", "nominal", classes))
    return Dataset(Schema(attributes, 4), (*numbers, labels.astype(np.int32)))


def test_forest_is_the_same_on_any_number_of_threads() -> None:
    data = table(300, ("a", "b", "c"), np.arange(300) % 3)
    forest = learner({"ensemble": {"random_forest": {"trees": 20, "out_of_bag": True}}})
    one, two, four = (forest.fit(data, seed=7, n_threads=n) for n in (1, 2, 4))
    for other in (two, four):
        assert other.fitted.details == one.fitted.details
        for mine, theirs in zip(one.fitted.trees, other.fitted.trees, strict=True):
            for name, array in mine.arrays().items():
                np.testing.assert_array_equal(array, theirs.arrays()[name])
        np.testing.assert_array_equal(one.predict_proba(data), other.predict_proba(data, n_threads=2))


def test_trees_of_another_seed_differ() -> None:
    data = table(200, ("a", "b"), np.arange(200) % 2)
    forest = learner({"ensemble": {"random_forest": {"trees": 3}}})
    first, second = (forest.fit(data, seed=seed).predict_proba(data) for seed in (1, 2))
    assert not np.array_equal(first, second)


def test_trees_without_the_rare_class_keep_its_column() -> None:
    labels = np.array([1] * 30 + [2] * 30 + [0])
    data = table(61, ("c", "a", "b"), labels)
    model = learner({"ensemble": {"random_forest": {"trees": 15}}}).fit(data)
    assert any(tree.distribution[0, 0] == 0 for tree in model.fitted.trees)
    assert all(tree.n_classes == 3 for tree in model.fitted.trees)
    np.testing.assert_allclose(model.predict_proba(data).sum(axis=1), 1.0, atol=1e-12)


def test_cases_in_every_bag_have_no_vote_and_are_counted() -> None:
    data = table(12, ("a", "b"), np.arange(12) % 2)
    details = (
        learner({"ensemble": {"random_forest": {"trees": 2, "out_of_bag": True}}}).fit(data).fitted.details
    )
    assert details["out_of_bag_without_vote"] > 0
    assert details["out_of_bag_cases"] + details["out_of_bag_without_vote"] == 12


def test_estimate_without_any_vote_is_not_available() -> None:
    data = table(1, ("a", "b"), np.array([1]))
    details = learner({"ensemble": {"bagging": {"trees": 3, "out_of_bag": True}}}).fit(data).fitted.details
    assert details["out_of_bag_error"] is None


def test_rows_of_weight_zero_are_never_drawn() -> None:
    data = table(40, ("a", "b"), np.arange(40) % 2)
    weights = np.r_[np.zeros(30), np.ones(10)]
    weighted = Dataset(data.schema, data.columns, weights)
    for seed in range(5):
        model = learner({"ensemble": {"random_forest": {"trees": 4}}}).fit(weighted, seed=seed)
        assert all(tree.weight[0] == 10 for tree in model.fitted.trees)
        assert np.isfinite(model.predict_proba(weighted)).all()


@pytest.mark.parametrize(
    ("wanted", "inputs", "found"), [("log2", 16, 5), ("sqrt", 16, 4), (0.5, 16, 8), (3, 16, 3), (99, 16, 16)]
)
def test_number_of_attributes_a_node_looks_at(wanted: object, inputs: int, found: int) -> None:
    forest = learner({"ensemble": {"random_forest": {"max_attributes": wanted}}})
    assert forest.ensemble.attributes_of(inputs) == found


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ParameterError, match="trees must be at least 1"):
        learner({"ensemble": {"bagging": {"trees": 0}}})
    with pytest.raises(ParameterError, match="max_attributes"):
        learner({"ensemble": {"random_forest": {"max_attributes": "many"}}})


def informative(n: int) -> Dataset:
    """x0 alone says the class, but for one case in ten."""
    labels = np.random.default_rng(3).integers(0, 2, n)
    data = table(n, ("a", "b"), labels)
    numbers = labels * 2.0 + np.random.default_rng(4).normal(size=n) * 0.8
    return Dataset(data.schema, (numbers, *data.columns[1:]))


def test_importance_out_of_bag_is_high_for_what_decides_and_the_same_on_any_number_of_threads() -> None:
    data = informative(300)
    forest = learner({"ensemble": {"random_forest": {"trees": 25, "permutation_importance": True}}})
    one, four = (forest.fit(data, seed=3, n_threads=n).fitted for n in (1, 4))
    assert one.details == four.details
    found = one.details["permutation_importance"]
    assert len(found) == 4
    assert found[0] > 0.2
    assert np.abs(found[1:]).max() < 0.05


def test_importance_of_what_no_tree_tests_is_zero_and_without_any_case_out_of_bag_there_is_none() -> None:
    data = informative(60)
    constant = Dataset(data.schema, (*data.columns[:3], np.zeros(60), data.columns[4]))
    forest = learner({"ensemble": {"bagging": {"trees": 5, "permutation_importance": True}}})
    assert forest.fit(constant).fitted.details["permutation_importance"][3] == 0.0
    alone = table(1, ("a", "b"), np.array([1]))
    assert forest.fit(alone).fitted.details == {"permutation_importance": None}


def test_out_of_bag_error_is_that_of_the_votes_of_trees_that_did_not_see_the_case() -> None:
    """The definition, worked out again from the bags by brute force."""
    from treeforge_forest.streams import bootstrap, generator_of

    from treeforge.data import Sample
    from treeforge.learn.encode import encode

    data = informative(120)
    model = learner({"ensemble": {"random_forest": {"trees": 12, "out_of_bag": True}}}).fit(data, seed=5)
    cases = encode(data)
    wrong = judged = 0
    bags = [set(bootstrap(cases, Sample.whole(120), generator_of(5, t)).rows.tolist()) for t in range(12)]
    for row in range(120):
        votes = [
            tree.predict_proba(cases, np.array([row], dtype=np.int32))[0]
            for tree, bag in zip(model.fitted.trees, bags, strict=True)
            if row not in bag
        ]
        if votes:
            judged += 1
            wrong += np.sum(votes, axis=0).argmax() != data.class_codes[row]
    assert model.fitted.details["out_of_bag_cases"] == judged
    assert model.fitted.details["out_of_bag_error"] == pytest.approx(wrong / judged)
    assert model.measures()["out_of_bag_error"] == model.fitted.details["out_of_bag_error"]


def test_out_of_bag_error_is_near_the_error_on_new_cases() -> None:
    data, new = informative(600), informative(4000)
    model = learner({"ensemble": {"random_forest": {"trees": 60, "out_of_bag": True}}}).fit(data)
    error = (model.predict_proba(new).argmax(axis=1) != new.class_codes).mean()
    assert model.fitted.details["out_of_bag_error"] == pytest.approx(error, abs=0.04)
