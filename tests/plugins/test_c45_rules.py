"""C4.5rules: the numbers of c45.md, a second program that counts everything anew, and the unusual cases."""

from __future__ import annotations

import csv
from dataclasses import replace
from math import isclose, nan

import numpy as np
import pytest
from c45_rules_reference import c45_rules, predicted
from hypothesis import given, settings
from random_data import random_dataset
from strategies import training_sets
from treeforge_rules import C45RulesEnsemble
from treeforge_rules.candidates import thresholds
from treeforge_rules.estimate import Estimate
from treeforge_rules.streams import additive_feedback
from treeforge_rules.subsets import code

from treeforge.data import Attribute, Dataset, Sample, Schema, read_dataset
from treeforge.errors import ParameterError, TreeForgeError
from treeforge.export.rules import to_rules
from treeforge.learn.build import learner
from treeforge.learn.encode import encode
from treeforge.plugin import CellTest

#: name in c45.md -> (file, generalised rules, rules kept, training errors)
NUMBERS = {
    "iris": ("iris", 5, 4, 4),
    "labor": ("labor", 8, 4, 2),
    "vote": ("vote", 17, 5, 12),
    "glass": ("glass", 29, 17, 12),
    "breast.w": ("breast-w", 22, 8, 17),
    "zoo": ("zoo", 9, 9, 1),
    "tic-tac-toe": ("tic-tac-toe", 105, 18, 0),
    "heart.c": ("clevheart", 39, 15, 26),
    "credit.a": ("credit-a", 49, 14, 68),
    "soybean": ("soybean", 63, 36, 25),
    "diabetes": ("diabetes", 22, 8, 138),
    "vehicle": ("vehicle", 104, 40, 78),
    "ionosphere": ("ionosphere", 18, 9, 3),
    "hepatitis": ("hepatitis", 15, 7, 8),
}


def fit(data, **parameters):
    return learner({"ensemble": {"c45_rules": parameters}}).fit(data)


def said(model, data):
    return model.decide(model.predict_proba(data))


def numbers(data):
    """Generalised rules, rules kept, training errors."""
    model = fit(data)
    known = data.class_codes >= 0
    wrong = int((said(model, data) != data.class_codes)[known].sum())
    return model.fitted.details["generalised"], model.fitted.n_rules, wrong


@pytest.mark.parametrize("name", ["iris", "labor", "vote", "hepatitis"])
def test_numbers_of_the_specification(repository, name):
    assert numbers(read_dataset(repository / "arff_data" / f"{name}.arff")) == NUMBERS[name][1:]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_the_specification_on_shared_data(shared, name):
    file, *wanted = NUMBERS[name]
    assert numbers(read_dataset(shared / "datasets" / f"{file}.arff")) == tuple(wanted)


def test_weather_has_the_rules_order_and_percentages_of_the_specification(repository):
    model = fit(read_dataset(repository / "arff_data" / "weather.arff"))
    rules = model.to_rules()
    assert model.fitted.details["numbers"] == [2, 4, 1, 3]
    assert [(rule.texts, rule.said, f"{100 - 100 * rule.error:.1f}") for rule in rules] == [
        (("outlook = overcast",), "yes", "70.7"),
        (("outlook = rainy", "windy = FALSE"), "yes", "63.0"),
        (("outlook = sunny", "humidity > 75"), "no", "63.0"),
        (("outlook = rainy", "windy = TRUE"), "no", "50.0"),
    ]
    assert rules.default == "yes"


# the second program


def same_as_reference(data, confidence=0.25):
    """Rules in order, their conditions, errors, the default and all predictions are those of the other program."""
    tree = learner({"pruner": "none"}).fit(data).fitted.tree
    wanted, default, generalised = c45_rules(tree, data, confidence)
    model = fit(data, confidence=confidence)
    rules = model.fitted.rules
    found = [[condition(test) for test in rules.tests(r)] for r in range(rules.n_rules)]
    assert model.fitted.details["generalised"] == generalised
    assert found == [rule.conditions for rule in wanted]
    assert rules.classes.tolist() == [rule.said for rule in wanted]
    assert model.fitted.details["numbers"] == [rule.number for rule in wanted]
    assert all(isclose(a, r.p, rel_tol=1e-12) for a, r in zip(model.fitted.error, wanted, strict=True))
    assert model.fitted.default == default
    inputs = [data.columns[i] for i in data.schema.input_indices]
    rows = [
        [
            nan if column.dtype == np.int32 and v < 0 else float(v)
            for column, v in zip(inputs, values, strict=True)
        ]
        for values in zip(*(column.tolist() for column in inputs), strict=True)
    ]
    if (data.class_codes >= 0).any():
        assert said(model, data).tolist() == [predicted(wanted, default, row) for row in rows]
    return rules.n_rules


def condition(test):
    if test.cuts is None:
        return (test.attribute, "=", float(test.admitted.index(True)))
    return (test.attribute, "<=" if test.admitted[0] else ">", test.cuts[0])


@settings(max_examples=60, deadline=None)
@given(data=training_sets())
def test_small_data_sets_give_the_rules_of_the_second_program(data):
    same_as_reference(replace(data, weights=None))


@pytest.mark.parametrize("number", range(30))
def test_random_data_sets_give_the_rules_of_the_second_program(number):
    same_as_reference(
        replace(random_dataset(number, 120), weights=None), confidence=(0.25, 0.6, 0.05)[number % 3]
    )


@pytest.mark.slow
def test_many_random_data_sets_give_the_rules_of_the_second_program():
    counts = [
        same_as_reference(replace(random_dataset(number, 200), weights=None)) for number in range(30, 200)
    ]
    assert max(counts) > 10  # climbing had its turn


# weights, unusual data


def table(columns, codes, categories, classes=("a", "b"), weights=None, names=None):
    names = names or [f"x{i}" for i in range(len(columns))]
    attributes = [
        Attribute(name, "nominal", tuple(labels)) if labels else Attribute(name)
        for name, labels in zip(names, categories, strict=True)
    ]
    schema = Schema((*attributes, Attribute("class", "nominal", tuple(classes))), len(columns))
    columns = [
        np.asarray(c, np.int32 if labels else np.float64)
        for c, labels in zip(columns, categories, strict=True)
    ]
    return Dataset(schema, (*columns, np.asarray(codes, np.int32)), weights, "toy")


@pytest.mark.parametrize("number", [0, 3, 5, 8, 13])
def test_whole_weights_are_so_many_cases(number):
    """Of one and the same tree: growing it is another matter, since J48 counts cases in places."""
    data = replace(random_dataset(number, 100), weights=None)
    times = np.random.default_rng(number).integers(0, 4, data.n_rows)
    weighted = replace(data, weights=times.astype(np.float64))
    repeated = data.take(np.repeat(np.arange(data.n_rows), times))
    tree = learner({"pruner": "none"}).fit(weighted).fitted.tree
    one, other = (
        C45RulesEnsemble().of_tree(tree, encode(d), Sample.whole(d.n_rows)) for d in (weighted, repeated)
    )
    assert str(to_rules(one, schema=data.schema)) == str(to_rules(other, schema=data.schema))


@pytest.mark.parametrize("number", range(0, 40, 4))
def test_fractional_weights_give_sound_rules(number):
    data = random_dataset(number, 150)
    data = replace(data, weights=np.random.default_rng(number).uniform(0.01, 2.0, data.n_rows))
    model = fit(data)
    assert ((model.fitted.error >= 0) & (model.fitted.error <= 1)).all()
    probabilities = model.predict_proba(data)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert str(fit(data).to_rules()) == str(model.to_rules())


def test_tree_of_one_leaf_gives_no_rules_and_the_commonest_class():
    data = table([[1.0] * 6], [1, 1, 1, 1, 0, 0], [None])
    model = fit(data)
    assert model.fitted.n_rules == 0
    assert said(model, data).tolist() == [1] * 6
    assert str(model.to_rules()).startswith("0 rules; the first that holds decides\n\notherwise\n    -> b\n")
    assert model.measures()["rules"] == 0


def test_without_a_case_nothing_is_said():
    data = table([[1.0, 2.0]], [-1, -1], [None])
    model = fit(data)
    assert not model.predict_proba(data).any()
    assert said(model, data).tolist() == [-1, -1]
    assert model.fitted.predict_codes(np.ones((2, 1))).tolist() == [-1, -1]


def test_classes_without_cases_have_no_rules():
    data = table([[*range(20)]], [3] * 10 + [1] * 10, [None], classes=("none", "b", "never", "d"))
    model = fit(data)
    assert set(model.fitted.rules.classes.tolist()) <= {1, 3}
    assert (said(model, data) == data.class_codes).all()
    assert model.predict_proba(data).shape == (20, 4)


def test_unknown_value_satisfies_neither_a_condition_nor_its_opposite(repository):
    data = read_dataset(repository / "arff_data" / "weather.arff")
    model = fit(data)
    columns = list(data.columns)
    columns[0] = np.full(data.n_rows, -1, np.int32)  # outlook, which every rule asks for
    blind = replace(data, columns=tuple(columns))
    assert (model.fitted.rules.first(np.array([[nan, 70.0, 85.0, 0.0]])) == 4).all()
    assert set(said(model, blind).tolist()) == {model.fitted.default}


@pytest.mark.parametrize(
    "splitter",
    [
        "msd",
        "amsd",
        "cart",
        "id3",
        "equal_width",
        "mdlp",
        {"c45": {"grouping": True}},
        {"c45": {"binary": True}},
    ],
)
@pytest.mark.parametrize("name", ["labor", "iris"])
def test_trees_of_other_splitters_give_rules_that_answer_as_their_conditions_do(repository, splitter, name):
    data = read_dataset(repository / "arff_data" / f"{name}.arff")
    try:
        model = learner({"ensemble": "c45_rules", "splitter": splitter}).fit(data)
    except TreeForgeError as refused:
        pytest.skip(str(refused))
    inputs = [data.columns[i] for i in data.schema.input_indices]
    rules = model.fitted.rules
    holding = [
        np.logical_and.reduce([test.passed(inputs[test.attribute]) for test in rules.tests(r)])
        for r in range(rules.n_rules)
    ]
    first = np.argmax([*holding, np.ones(data.n_rows, bool)], axis=0)
    assert (said(model, data) == model.fitted.classes[first]).all()
    assert np.mean(said(model, data) == data.class_codes) > 0.6


def test_discretised_numbers_come_back_as_numbers(repository):
    data = read_dataset(repository / "arff_data" / "iris.arff")
    model = learner({"ensemble": "c45_rules", "discretizer": "mdlp"}).fit(data)
    assert any("<" in text for rule in model.to_rules() for text in rule.texts)
    assert np.mean(said(model, data) == data.class_codes) > 0.9


def test_interval_of_a_test_with_several_cuts_becomes_two_conditions():
    middle = CellTest(0, (1.0, 2.0, 5.0), (False, True, True, False))
    assert list(thresholds(middle)) == [
        CellTest(0, (1.0,), (False, True)),
        CellTest(0, (5.0,), (True, False)),
    ]
    apart = CellTest(0, (1.0, 2.0, 5.0), (True, False, True, False))
    assert list(thresholds(apart)) == [apart]


def test_seed_does_not_matter(repository):
    data = read_dataset(repository / "arff_data" / "vote.arff")
    one, other = (learner({"ensemble": "c45_rules"}).fit(data, seed=seed) for seed in (1, 99))
    assert str(one.to_rules()) == str(other.to_rules())


# the parts


def test_random_numbers_are_those_of_the_c_library():
    stream = additive_feedback()
    assert [int(next(stream) * 2**31) for _ in range(4)] == [1804289383, 846930886, 1681692777, 1714636915]


@pytest.mark.parametrize(
    ("n", "wrong", "expected"), [(14, 0, 1.3198687), (4, 3.5, 0.335), (4, 0, 1.17157288), (1, 1, 0.0)]
)
def test_extra_errors(n, wrong, expected):
    assert isclose(Estimate(0.25).extra(n, wrong), expected, rel_tol=1e-6, abs_tol=1e-12)


@pytest.mark.parametrize(
    ("n", "events", "expected", "bits"),
    [
        (8, 0, 0.0, 0.0),
        (8, 1, 0.0, 1e6),
        (8, 8, 8.0, 0.0),
        (8, 7, 8.0, 1e6),
        (8, 4, 4.0, 8.0),
        (0, 0, 0.0, 0.0),
    ],
)
def test_code_of_exceptions(n, events, expected, bits):
    assert code(np.float64(n), np.float64(events), np.float64(expected)) == bits


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"confidence": 0.0}, "confidence"),
        ({"confidence": 1.0}, "confidence"),
        ({"redundancy": 0}, "redundancy"),
    ],
)
def test_impossible_parameters_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        learner({"ensemble": {"c45_rules": parameters}})


def test_laplace_is_refused(repository):
    data = read_dataset(repository / "arff_data" / "weather.arff")
    with pytest.raises(ParameterError, match="rules have none"):
        learner({"ensemble": "c45_rules", "laplace": True}).fit(data)


def test_higher_redundancy_makes_rules_cheaper(repository):
    data = read_dataset(repository / "arff_data" / "hepatitis.arff")
    assert fit(data, redundancy=100.0).fitted.n_rules >= fit(data).fitted.n_rules


@pytest.mark.slow
def test_large_trees_take_seconds(shared):
    """Letter: 1,337 leaves and 20,000 rows; the time is CPU time of a machine that may be busy."""
    import time

    data = read_dataset(shared / "datasets" / "letter.arff.gz")
    start = time.thread_time()
    model = fit(data)
    assert time.thread_time() - start < 60
    assert model.fitted.details["generalised"] == 1335
    assert np.mean(said(model, data) == data.class_codes) > 0.93


def test_pipeline_counts_rules(tmp_path, repository):
    import treeforge

    (tmp_path / "p.yaml").write_text(
        "treeforge: 1\nname: rules\nseed: 1\n"
        f"datasets: ['{repository}/arff_data/weather.arff', '{repository}/arff_data/iris.arff']\n"
        "algorithms:\n  rules: {ensemble: {c45_rules: {confidence: 0.3}}}\n  tree: {pruner: none}\n"
        "evaluation: {cross_validation: {folds: 3}}\nmetrics: [accuracy, rules, leaves]\n"
    )
    treeforge.run(tmp_path / "p.yaml", tmp_path / "out")
    rows = list(csv.DictReader((tmp_path / "out" / "results.csv").open()))
    of_rules = [row for row in rows if row["algorithm"] == "rules"]
    assert len(of_rules) == 6
    assert all(float(row["rules"]) >= 0 and row["leaves"] == "" for row in of_rules)
    assert all(row["rules"] == row["leaves"] for row in rows if row["algorithm"] == "tree")
