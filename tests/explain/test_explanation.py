"""Explanations: the paths, their shares, and changes that do change the answer."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from build_trees import Leaf, Test, tree
from export_cases import FORESTS, SCHEMA, SINGLES, cases, expected

from treeforge.core.model import TreeModel, VoteModel
from treeforge.data import Attribute, Dataset, Schema, read_arff
from treeforge.errors import DataError
from treeforge.explain import explain
from treeforge.learn.build import learner
from treeforge.learn.model import Model

ROWS = cases(60)


def dataset():
    columns = []
    for attribute in SCHEMA.attributes:
        values = [row.get(attribute.name) for row in ROWS]
        if attribute.is_nominal:
            columns.append(np.array([-1 if v is None else attribute.code(v) for v in values]))
        else:
            columns.append(np.array([np.nan if v is None else v for v in values]))
    return Dataset(SCHEMA, tuple(columns))


DATA = dataset()


@pytest.mark.parametrize("number", range(len(SINGLES)))
def test_paths_add_up_to_the_prediction(number):
    model = Model(SCHEMA, SINGLES[number].fitted)
    probabilities, labels = expected(SINGLES[number], ROWS)
    for row in range(len(ROWS)):
        found = explain(model, DATA, row)
        assert found.predicted == labels[row]
        summed = sum(np.array(path.distribution) * path.share for path in found.paths)
        np.testing.assert_allclose(summed, probabilities[row], atol=1e-12)
        assert [p.share for p in found.paths] == sorted((p.share for p in found.paths), reverse=True)
        for path in found.paths:
            assert np.prod([step.share for step in path.steps]) == pytest.approx(path.share)


@pytest.mark.parametrize("model", [*SINGLES, *FORESTS])
def test_every_form_of_an_explanation_is_sound(model):
    for row in range(10):
        found = explain(Model(SCHEMA, model.fitted), DATA, row)
        json.dumps(found.to_dict(), allow_nan=False)
        ET.fromstring(found.to_svg())
        assert found.to_text().startswith(f"row {row}: ")
        assert str(found) == found.to_text()
        for change in found.changes:
            assert change.predicted != found.predicted
            assert change.probability > 0


def test_iris_reads_as_one_would_tell_it(repository):
    data = read_arff(repository / "arff_data" / "iris.arff")
    model = learner({}).fit(data)
    assert explain(model, data, 70).to_text() == (
        "row 70: Iris-virginica (Iris-virginica 0.978261, Iris-versicolor 0.021739)\n"
        "    petalwidth > 0.6    (petalwidth is 1.8)\n"
        "    petalwidth > 1.7    (petalwidth is 1.8)\n"
        "    -> Iris-virginica (46.0/1.0)\n"
        "what would change the answer:\n"
        "  petalwidth <= 1.7: Iris-versicolor (0.979167)\n"
        "  petalwidth <= 0.6: Iris-setosa (1)\n"
    )


def test_change_of_two_attributes_when_none_alone_would_do():
    schema = Schema(
        (Attribute("x"), Attribute("c", "nominal", ("r", "s")), Attribute("y", "nominal", ("no", "yes"))), 2
    )
    both = Test(1, [Leaf([5, 0]), Leaf([0, 5])])
    model = Model(schema, TreeModel(tree(Test(0, [Leaf([9, 0]), both], cuts=[2.5]))))
    data = Dataset(schema, (np.array([1.0]), np.array([0]), np.array([-1])))
    (change,) = explain(model, data, 0).changes
    assert set(change.conditions) == {"x > 2.5", "c = s"}
    assert change.predicted == "yes"


def test_row_that_is_not_there_is_refused():
    with pytest.raises(DataError, match="no row 60"):
        explain(Model(SCHEMA, SINGLES[0].fitted), DATA, 60)


COSTS = [[0, 10], [1, 0]]  # to say well to the ill costs ten times as much as the reverse


def ill_or_well(costs):
    schema = Schema((Attribute("x"), Attribute("state", "nominal", ("ill", "well"))), 1)
    inner = Test(0, [Leaf([2, 8]), Leaf([0.5, 19.5])], cuts=[5.0])
    grown = TreeModel(tree(Test(0, [inner, Leaf([0, 20])], cuts=[9.0])))
    algorithm = {} if costs is None else {"cost_matrix": costs}
    data = Dataset(schema, (np.array([1.0, 6.0, np.nan]), np.full(3, -1)))
    return Model(schema, grown, algorithm), data


def test_costs_are_obeyed_and_told():
    model, data = ill_or_well(COSTS)
    found = explain(model, data, 0)
    assert found.predicted == "ill"
    assert found.paths[0].predicted == "ill"
    assert found.to_dict()["expected_costs"] == pytest.approx({"ill": 0.8, "well": 2.0})
    assert found.to_text() == (
        "row 0: ill (well 0.8, ill 0.2)\n"
        "  well is more probable, but to say so would cost 2 on average, to say ill costs 0.8\n"
        "    x <= 9    (x is 1)\n"
        "    x <= 5    (x is 1)\n"
        "    -> ill (10.0/2.0)\n"
        "what would change the answer:\n"
        "  x > 5: well (0.975)\n"
    )
    picture = found.to_svg()
    assert "Row 0: ill (well 0.8, ill 0.2)" in picture
    assert picture.count(">ill <tspan") == 1, "the leaf says what the model says"


def test_costs_that_change_nothing_are_not_told():
    model, data = ill_or_well(COSTS)
    assert "would cost" not in explain(model, data, 1).to_text()
    model, data = ill_or_well(None)
    found = explain(model, data, 0)
    assert found.predicted == "well"
    assert found.to_dict()["expected_costs"] is None
    assert "nothing that the model tests would change the answer" in found.to_text()


def test_with_costs_every_change_changes_what_is_said(repository):
    data = read_arff(repository / "arff_data" / "iris.arff")
    costs = [[0, 1, 1], [1, 0, 20], [1, 20, 0]]
    model = learner({"cost_matrix": costs}).fit(data)
    for row in range(0, 150, 10):
        found = explain(model, data, row)
        assert found.predicted == model.schema.classes[model.decide(model.predict_proba(data))[row]]
        assert all(change.predicted != found.predicted for change in found.changes)


def test_costs_of_an_estimator_reach_its_explanation():
    from treeforge.estimators import TreeClassifier

    X, y = np.zeros((10, 1)), ["ill"] * 2 + ["well"] * 8
    tree = TreeClassifier(cost_matrix=COSTS).fit(X, y)
    assert tree.explain(X).predicted == tree.predict(X)[0] == "ill"


# ------------------------------------------------------------------ several trees


@pytest.mark.parametrize("model", FORESTS)
def test_votes_are_what_each_tree_says_alone(model):
    fitted = model.fitted
    weights = np.ones(len(fitted.trees)) if fitted.weights is None else np.array(fitted.weights)
    for row in range(10):
        found = explain(Model(SCHEMA, fitted), DATA, row)
        said = [explain(Model(SCHEMA, TreeModel(tree, fitted.laplace)), DATA, row) for tree in fitted.trees]
        for name, n, share in zip(found.classes, found.votes.trees, found.votes.shares, strict=True):
            agree = np.array([one.predicted == name for one in said])
            assert n == agree.sum()
            assert share == pytest.approx(weights[agree].sum() / weights.sum())
        for asked in found.votes.asked:
            tests = [
                sum(
                    path.share
                    for path in one.paths
                    for step in path.steps
                    if step.attribute == asked.attribute
                )
                for one in said
            ]
            assert asked.tests == pytest.approx(sum(tests))
            assert asked.trees == sum(n > 0 for n in tests)
        assert [a.tests for a in found.votes.asked] == sorted(
            (a.tests for a in found.votes.asked), reverse=True
        )


def test_paths_of_as_many_trees_as_are_asked_for():
    model = FORESTS[0]
    fitted = Model(SCHEMA, model.fitted)
    found = explain(fitted, DATA, 3, max_trees=2)
    assert set(found.trees) == {1, 2}
    alone = explain(Model(SCHEMA, TreeModel(model.fitted.trees[1], model.fitted.laplace)), DATA, 3)
    second = tuple(path for path, tree in zip(found.paths, found.trees, strict=True) if tree == 2)
    assert second == alone.paths
    assert alone.votes is None
    assert "votes" not in alone.to_dict()
    assert set(explain(fitted, DATA, 3, max_trees=10**6).trees) == set(range(1, found.n_trees + 1))
    assert f"tree 2 of {found.n_trees}" in found.to_text()
    none = explain(fitted, DATA, 3, max_trees=0)
    assert (none.paths, none.trees) == ((), ())
    assert "tree 1 of" not in none.to_text()


def test_paths_of_three_trees_follow_the_votes_unless_told_otherwise():
    four = VoteModel(tuple(tree(Test(0, [Leaf([3, 0]), Leaf([0, 3])], cuts=[cut])) for cut in (2.0, 4, 6, 8)))
    schema = Schema((Attribute("x"), Attribute("y", "nominal", ("no", "yes"))), 1)
    found = explain(Model(schema, four), Dataset(schema, (np.array([3.0]), np.array([-1]))))
    assert found.trees == (1, 2, 3)
    assert [path["tree"] for path in found.to_dict()["paths"]] == [1, 2, 3]
    lines = found.to_text().splitlines()
    heads = [
        lines.index(line) for line in ("  of 4 trees 3 say no, 1 says yes", "tree 1 of 4", "tree 3 of 4")
    ]
    assert heads == sorted(heads)
    assert "tree 4 of 4" not in lines


@pytest.mark.parametrize("model", [SINGLES[0], FORESTS[0]])
def test_negative_number_of_trees_is_refused(model):
    with pytest.raises(DataError, match=r"^max_trees is -1; it must be at least 0$"):
        explain(Model(SCHEMA, model.fitted), DATA, 3, max_trees=-1)


def test_forest_reads_as_one_would_tell_it():
    one, two = (Test(0, [Leaf([3, 0]), Leaf([0, 3])], cuts=[cut]) for cut in (2.0, 4.0))
    schema = Schema((Attribute("x"), Attribute("y", "nominal", ("no", "yes"))), 1)
    trees = tuple(map(tree, (one, two, Leaf([1, 2]), Leaf([0, 0]))))
    data = Dataset(schema, (np.array([3.0]), np.array([-1])))
    equal = Model(schema, VoteModel(trees))
    assert explain(equal, data).to_text().splitlines()[1:4] == [
        "  of 4 trees 2 say yes, 1 says no, 1 cannot say",
        "inputs tested most on the way:",
        "  x (it is 3): 2 tests in 2 trees",
    ]
    unequal = Model(schema, VoteModel(trees, np.array([1.0, 2.0, 0.5, 0.5])))
    assert "  of 4 trees 1 says no (weight 50.0 %), 2 say yes (weight 37.5 %), 1 cannot say\n" in str(
        explain(unequal, data)
    )
    assert explain(equal, data)._repr_html_().startswith("<pre>row 0: ")
    assert explain(Model(schema, TreeModel(trees[0])), data)._repr_html_().startswith("<svg")
    leaves = Model(schema, VoteModel((tree(Leaf([1, 2])),)))
    text = explain(leaves, data).to_text()
    assert "inputs tested" not in text
    assert text.endswith("\nno attribute alone would change the answer\n")


@pytest.mark.parametrize(
    "words", [{}, {"ensemble": "c45_rules"}, {"ensemble": {"random_forest": {"trees": 3}}}]
)
def test_a_category_never_seen_in_training_is_told(words, repository):
    weather = read_arff(repository / "arff_data" / "weather.arff")
    outlook = Attribute("outlook", "nominal", ("maybe", "sunny", "overcast", "rainy"))
    schema = Schema((outlook, *weather.schema.attributes[1:]), weather.schema.class_index)
    other = Dataset(schema, (np.array([0, 1]), *(column[:2] for column in weather.columns[1:])))
    model = learner(words).fit(weather)
    found = explain(model, other, 0)
    assert (
        found.to_text().splitlines()[1]
        == "  'maybe' was never seen in training, so outlook counts as unknown"
    )
    assert found.to_dict()["unseen"] == {"outlook": "maybe"}
    assert explain(model, other, 1).unseen == ()


def test_an_unknown_value_is_not_one_never_seen(repository):
    weather = read_arff(repository / "arff_data" / "weather.arff")
    columns = (np.full(14, -1), *weather.columns[1:])
    found = explain(learner({}).fit(weather), Dataset(weather.schema, columns))
    assert found.unseen == ()
    assert "never seen" not in found.to_text()
