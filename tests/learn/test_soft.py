"""Soft thresholds: how far they reach, what they say, where they are shown, and who refuses them."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from build_trees import Leaf, Test, tree
from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_data import random_dataset
from sklearn.datasets import load_iris

from treeforge.cli import main
from treeforge.core.model import SoftTreeModel, TreeModel
from treeforge.core.table import Table
from treeforge.core.walk import cases_of_tests
from treeforge.data import Sample, read_arff
from treeforge.errors import ModelError, ParameterError
from treeforge.estimators import C45Classifier, TreeClassifier
from treeforge.explain import explain
from treeforge.export.code import to_c, to_java, to_javascript, to_python
from treeforge.export.dot import to_dot
from treeforge.export.html import to_html
from treeforge.export.json import Document, dumps, loads, read
from treeforge.export.pmml import to_pmml
from treeforge.export.sql import to_sql
from treeforge.export.svg import to_svg
from treeforge.export.table import to_csv
from treeforge.export.text import to_text
from treeforge.learn.build import learner
from treeforge.learn.encode import encode
from treeforge.learn.soft import bounds, softened
from treeforge.model_files import load, save

GOLDEN = Path(__file__).parent.parent / "golden"
SOFT = {"soft_thresholds": True}


# ------------------------------------------------------------------ by hand


def eight_cases(*, unknown: int = 0) -> Table:
    """a at 1 to 5 and 7, b at 6 and 8; then some cases whose number is unknown, half of them b."""
    values = np.array([*range(1, 9), *[np.nan] * unknown], dtype=float)
    classes = np.array([0, 0, 0, 0, 0, 1, 0, 1, *[i % 2 for i in range(unknown)]], dtype=np.int32)
    return Table([values], [0], classes, 2)


def at_five() -> TreeModel:
    return TreeModel(tree(Test(0, [Leaf([5, 0]), Leaf([1, 2])], cuts=[5.0])))


def test_bounds_of_eight_cases_by_hand() -> None:
    """One of 8 is wrong at 5 (the a at 7); sqrt(1.5 * 7.5 / 9) = 1.118 more may be, so two in all.

    Errors of the thresholds 1 to 8: 5, 4, 3, 2, 1, 2, 1, 2. From 5 down they are two or fewer as far as 4,
    upwards to the end.
    """
    soft = softened(at_five(), eight_cases(), Sample.whole(8))
    assert (soft.lower.tolist(), soft.upper.tolist()) == ([4.0], [8.0])


def test_probabilities_between_the_bounds_by_hand() -> None:
    """Below 5 everybody is an a, above one of three. The part that goes below is 1, 3/4, 1/2, 1/3, 0."""
    soft = softened(at_five(), eight_cases(), Sample.whole(8))
    values = np.array([4.0, 4.5, 5.0, 6.0, 8.0, -100, 100, np.nan])
    parts = np.array([1, 3 / 4, 1 / 2, 1 / 3, 0, 1, 0, 5 / 8])
    found = soft.predict_proba(Table([values], [0], None, 2))
    np.testing.assert_allclose(found[:, 0], parts + (1 - parts) / 3, rtol=1e-15)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-15)
    assert soft.predict_codes(Table([values], [0], None, 2)).tolist() == [0, 0, 0, 0, 1, 0, 1, 0]


def test_unknown_values_do_not_move_the_bounds() -> None:
    soft = softened(at_five(), eight_cases(unknown=6), Sample.whole(14))
    assert (soft.lower.tolist(), soft.upper.tolist()) == ([4.0], [8.0])


def test_weights_count_as_errors() -> None:
    """The a at 5 ten times: no threshold below 5 will do. 1 of 17 is wrong, sqrt(1.5 * 16.5 / 18) = 1.17 more."""
    table = Table(eight_cases().columns, [0], eight_cases().classes, 2, np.array([1, 1, 1, 1, 10, 1, 1, 1.0]))
    soft = softened(at_five(), table, Sample.whole(8))
    assert (soft.lower.tolist(), soft.upper.tolist()) == ([5.0], [8.0])


def test_value_at_the_cut_goes_where_the_tree_sends_it() -> None:
    """As MSD's tests do: ``x < 6`` parts the cases as ``x <= 5`` does; a threshold at 5 leaves the 5 above it."""
    closed = TreeModel(tree(Test(0, [Leaf([5, 0]), Leaf([1, 2])], cuts=[6.0], closed_left=True)))
    soft = softened(closed, eight_cases(), Sample.whole(8))
    assert (soft.lower.tolist(), soft.upper.tolist()) == ([5.0], [8.0])
    hard = replace(soft, lower=closed.tree.cuts, upper=closed.tree.cuts)
    for model in (hard, closed):
        assert model.predict_codes(eight_cases()).tolist() == [0] * 5 + [1] * 3


def test_value_at_a_cut_that_is_a_bound_is_parted_if_the_other_bound_is_on_its_side() -> None:
    leaves = [Leaf([5, 0]), Leaf([0, 3])]
    table = Table([np.array([4.9, 5.0, 5.1])], [0], None, 2)
    for closed_left, lower, upper, expected in [
        (False, 4, 5, [0.55, 0.5, 0]),
        (False, 5, 6, [1, 1, 0.45]),
        (True, 4, 5, [0.55, 0, 0]),
        (True, 5, 6, [1, 0.5, 0.45]),
    ]:
        grown = tree(Test(0, leaves, cuts=[5.0], closed_left=closed_left))
        found = SoftTreeModel(grown, np.array([lower]), np.array([upper])).predict_proba(table)[:, 0]
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_threshold_that_every_case_confirms_stays_hard() -> None:
    """No error among 10, and sqrt(0.5 * 10.5 / 11) = 0.69 of a case is none."""
    table = Table([np.arange(10.0)], [0], np.repeat(np.array([0, 1], dtype=np.int32), 5), 2)
    model = TreeModel(tree(Test(0, [Leaf([5, 0]), Leaf([0, 5])], cuts=[4.0])))
    soft = softened(model, table, Sample.whole(10))
    assert soft.lower.tolist() == soft.upper.tolist() == [4.0]


def test_part_of_a_case_at_an_empty_leaf_is_answered_by_the_node_above() -> None:
    below = Test(0, [Leaf([0, 0]), Leaf([3, 1])], cuts=[2.0])
    grown = tree(Test(0, [below, Leaf([0, 4])], cuts=[5.0]))
    soft = SoftTreeModel(grown, np.array([4.0, 1.0]), np.array([6.0, 3.0]))
    found = soft.predict_proba(Table([np.array([1.0, 2.0, 3.0, 5.0])], [0], None, 2))
    np.testing.assert_allclose(found[:, 0], [3 / 4, 3 / 4, 3 / 4, 3 / 8], rtol=1e-15)


# ------------------------------------------------------------------ on any data


def plain_and_soft(number: int, **words: Any) -> tuple[Any, Any, Any]:
    data = random_dataset(number)
    return data, learner(words).fit(data), learner(words | SOFT).fit(data)


ANY = st.integers(0, 10**6)
ALGORITHMS = st.sampled_from(
    [
        {},
        {"pruner": "none"},
        {"laplace": True},
        {"splitter": "cart"},
        {"splitter": "msd"},
        {"discretizer": "mdlp", "pruner": "none"},
    ]
)


@settings(max_examples=30, deadline=None)
@given(ANY, ALGORITHMS)
@example(393, {"splitter": "cart"})  # all held out are wrong, and their weights round to more
def test_bounds_lie_about_the_threshold_and_probabilities_are_some(
    number: int, words: dict[str, Any]
) -> None:
    data, plain, soft = plain_and_soft(number, **words)
    fitted = soft.fitted
    assert (fitted.lower <= fitted.tree.cuts).all()
    assert (fitted.tree.cuts <= fitted.upper).all()
    for name, array in plain.fitted.tree.arrays().items():
        assert np.array_equal(array, getattr(fitted.tree, name)), "the tree is not the plain one"
    found = soft.predict_proba(data)
    assert (found >= 0).all()
    np.testing.assert_allclose(found.sum(axis=1), plain.predict_proba(data).sum(axis=1), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(ANY, ALGORITHMS)
def test_where_bounds_coincide_it_is_the_plain_tree_bit_for_bit(number: int, words: dict[str, Any]) -> None:
    data, plain, soft = plain_and_soft(number, **words)
    cuts = plain.fitted.tree.cuts
    hard = replace(soft.fitted, lower=cuts, upper=cuts)
    table = encode(data)
    np.testing.assert_array_equal(hard.predict_proba(table), plain.predict_proba(data))
    np.testing.assert_array_equal(hard.predict_codes(table), plain.fitted.predict_codes(table))


@settings(max_examples=20, deadline=None)
@given(ANY)
def test_cases_outside_all_bounds_are_answered_as_by_the_plain_tree(number: int) -> None:
    data, plain, soft = plain_and_soft(number, pruner="none")
    fitted = soft.fitted
    grown, outside = fitted.tree, np.ones(data.n_rows, dtype=bool)
    for node in np.flatnonzero(np.diff(grown.cut_start) == 1).tolist():
        cut = grown.cut_start[node]
        values = encode(data).columns[grown.attribute[node]]
        small = values <= grown.cuts[cut]
        outside &= ~np.where(small, values > fitted.lower[cut], values < fitted.upper[cut])
    np.testing.assert_array_equal(soft.predict_proba(data)[outside], plain.predict_proba(data)[outside])


@settings(max_examples=20, deadline=None)
@given(ANY)
def test_bounds_are_the_outermost_thresholds_within_a_standard_deviation(number: int) -> None:
    """Every threshold of every test is tried, one after the other, with the tree's own predictions."""
    data, plain, soft = plain_and_soft(number, pruner="none")
    grown, table = plain.fitted.tree, encode(data)
    for node, rows, weights in cases_of_tests(grown, table, Sample.whole(data.n_rows)):
        if grown.cut_start[node + 1] == grown.cut_start[node]:
            continue
        cut = int(grown.cut_start[node])
        known = ~np.isnan(table.columns[grown.attribute[node]][rows])
        rows, weights = rows[known], weights[known]
        values = table.columns[grown.attribute[node]][rows]
        wrong = [
            np.array([said_by(grown, child, table, row) != table.classes[row] for row in rows], dtype=bool)
            for child in (grown.first_child[node], grown.first_child[node] + 1)
        ]

        def errors(threshold: float, values=values, weights=weights, wrong=wrong) -> float:
            return float(weights[np.where(values <= threshold, wrong[0], wrong[1])].sum())

        made, total = errors(grown.cuts[cut]), weights.sum()
        allowed = made + sqrt((made + 0.5) * (total - made + 0.5) / (total + 1)) + 1e-9
        lower = upper = grown.cuts[cut]
        for value in sorted(set(values[values <= grown.cuts[cut]].tolist()), reverse=True):
            if errors(value) > allowed:
                break
            lower = value
        for value in sorted(set(values[values > grown.cuts[cut]].tolist())):
            if errors(value) > allowed:
                break
            upper = value
        assert (soft.fitted.lower[cut], soft.fitted.upper[cut]) == (lower, upper)


def said_by(grown: Any, node: int, table: Table, row: int) -> int:
    """The class that the tree below a node says of a row."""

    def answer(node: int) -> np.ndarray:
        if grown.attribute[node] < 0:
            source = grown.parent[node] if grown.empty[node] else node
            return grown.distribution[source] / grown.weight[source]
        value = table.columns[grown.attribute[node]][row]
        first, n = grown.first_child[node], grown.n_branches[node]
        if table.n_categories[grown.attribute[node]]:
            cell = int(value)
        else:
            cell = -1 if np.isnan(value) else int(value > grown.cuts[grown.cut_start[node]])
        if cell >= 0:
            return answer(first + grown.branch_of[grown.cell_start[node] + cell])
        return sum(grown.share[c] * answer(c) for c in range(first, first + n) if not grown.empty[c])

    return int(answer(node).argmax())


def test_number_of_cases_at_equal_values_is_counted_together() -> None:
    """Three at 2, two of them wrong below: no threshold parts equal values."""
    values = np.array([1.0, 2, 2, 2, 3])
    below, above = np.array([0.0, 1, 1, 0, 1]), np.array([1.0, 0, 0, 1, 0])
    assert bounds(1.0, values, below, above, 5.0) == (1.0, 2.0)


def test_threads_and_a_matrix_make_no_difference() -> None:
    data = read_arff(Path(__file__).parents[2] / "arff_data" / "iris.arff")
    fitted = learner(SOFT).fit(data).fitted
    rng = np.random.default_rng(0)
    matrix = np.ascontiguousarray(rng.uniform(0, 8, size=(9000, 4)))
    matrix[rng.random(matrix.shape) < 0.1] = np.nan
    table = Table(list(np.ascontiguousarray(matrix.T)), [0] * 4, None, 3)
    one = fitted.predict_proba(matrix)
    np.testing.assert_array_equal(one, fitted.predict_proba(matrix, n_threads=3))
    np.testing.assert_array_equal(one, fitted.predict_proba(table, n_threads=2))
    np.testing.assert_array_equal(one[5:9], fitted.predict_proba(table, np.arange(5, 9, dtype=np.int32)))
    np.testing.assert_array_equal(one, pickle.loads(pickle.dumps(fitted)).predict_proba(matrix))
    assert fitted.predict_proba(matrix[:0]).shape == (0, 3)


@pytest.mark.parametrize("huge", [1.7e308, 5e-324])
def test_interval_as_wide_or_as_narrow_as_doubles_allow(huge: float) -> None:
    grown = tree(Test(0, [Leaf([5, 0]), Leaf([0, 3])], cuts=[0.0]))
    soft = SoftTreeModel(grown, np.array([-huge]), np.array([huge]))
    values = np.array([-huge, -huge / 2, 0, huge / 2, huge])
    found = soft.predict_proba(Table([values], [0], None, 2))[:, 0]
    half = 0.25 if huge > 1 else 0.5  # half of the smallest double is 0
    assert found.tolist() == [1, 1 - half, 0.5, half, 0]
    far = SoftTreeModel(
        tree(Test(0, [Leaf([5, 0]), Leaf([0, 3])], cuts=[huge])), np.array([-huge]), np.array([huge])
    )
    assert np.isfinite(far.predict_proba(Table([values], [0], None, 2))).all()


@pytest.mark.parametrize(
    ("lower", "upper", "message"),
    [
        ([4.0, 2.0], [6.0, 2.0], "1 cuts, but 2 lower"),
        ([5.5], [6.0], "do not lie about 5"),
        ([4.0], [4.5], "do not lie about 5"),
        ([np.nan], [6.0], "do not lie about 5"),
        ([-np.inf], [6.0], "do not lie about 5"),
    ],
)
def test_bounds_that_do_not_fit_are_refused(lower: list[float], upper: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SoftTreeModel(at_five().tree, np.array(lower), np.array(upper))


def test_test_of_several_cuts_stays_hard() -> None:
    three = tree(Test(0, [Leaf([4, 1]), Leaf([1, 2]), Leaf([1, 1])], cuts=[3.0, 5.0]))
    soft = softened(TreeModel(three), eight_cases(), Sample.whole(8))
    assert soft.lower.tolist() == soft.upper.tolist() == [3.0, 5.0]
    with pytest.raises(ValueError, match="cut 1 is not that of a test of two branches"):
        SoftTreeModel(three, np.array([3.0, 4.0]), np.array([3.0, 5.0]))


def test_ensemble_of_several_trees_has_no_soft_thresholds(repository: Path) -> None:
    for ensemble in ("bagging", "samme", "vfdt"):
        with pytest.raises(
            ParameterError, match=f"those of a single tree, and {ensemble} makes another model"
        ):
            learner(SOFT | {"ensemble": ensemble})
    data = read_arff(repository / "arff_data" / "weather.arff")
    with pytest.raises(ParameterError, match="the ensemble made a VoteModel"):
        softened(learner({"ensemble": "bagging"}).fit(data).fitted, encode(data), Sample.whole(data.n_rows))


def test_validation_of_a_pipeline_says_where_it_is_asked_of_several_trees(
    repository: Path, tmp_path: Path, capsys: Any
) -> None:
    lines = ["treeforge: 1", "name: soft", f"datasets: [{repository}/arff_data/iris.arff]", "algorithms:"]
    lines += [
        "  forest: {ensemble: random_forest, soft_thresholds: true}",
        "evaluation: {cross_validation: {folds: 3}}",
    ]
    path = tmp_path / "soft.yaml"
    path.write_text("\n".join(lines) + "\n")
    assert main(["validate", str(path)]) == 1
    said = capsys.readouterr()
    [line] = (said.err + said.out).splitlines()
    assert line.startswith(f"{path}:5:")
    assert "random_forest makes another model" in line


def test_specification_names_it_only_where_it_is_on() -> None:
    assert learner(SOFT).spec()["soft_thresholds"] is True
    assert "soft_thresholds" not in learner({}).spec()


# ------------------------------------------------------------------ on paper


@pytest.fixture(scope="module")
def iris() -> Any:
    return read_arff(Path(__file__).parents[2] / "arff_data" / "iris.arff")


@pytest.fixture(scope="module")
def model(iris: Any) -> Any:
    return learner(SOFT).fit(iris)


def test_bounds_are_printed_behind_the_threshold(model: Any) -> None:
    first, second, third = to_text(model).splitlines()[:3]
    assert first == "petalwidth <= 0.6 [0.5, 0.6]: Iris-setosa (50.0)"
    assert second == "petalwidth > 0.6 [0.5, 0.6]"
    assert third == "|   petalwidth <= 1.7 [1.6, 1.7]"


@pytest.mark.parametrize("picture", [to_dot, to_svg, to_html, to_csv])
def test_pictures_show_the_bounds(model: Any, picture: Any) -> None:
    text = picture(model)
    assert "[1.6, 1.7]" in text


@pytest.mark.parametrize("export", [to_c, to_java, to_javascript, to_python, to_sql, to_pmml])
def test_exports_that_would_answer_otherwise_refuse(model: Any, export: Any) -> None:
    with pytest.raises(ModelError, match="cannot express soft thresholds"):
        export(model)


def test_explanation_tells_both_ways_and_adds_up(iris: Any, model: Any) -> None:
    case = iris.take(np.array([70]))
    place = [a.name for a in iris.schema.attributes].index("petalwidth")
    columns = list(case.columns)
    columns[place] = np.array([1.65])
    case = replace(case, columns=tuple(columns))
    found = explain(model, case)
    assert [step.share for step in found.paths[0].steps] == pytest.approx([1.0, 0.75, 1.0])
    assert sum(path.share for path in found.paths) == pytest.approx(1)
    mixed = sum(path.share * np.array(path.distribution) for path in found.paths)
    np.testing.assert_allclose(mixed, model.predict_proba(case)[0], atol=1e-12)
    text = found.to_text()
    assert "(petalwidth is 1.65, 0.75 of it)" in text
    assert "(petalwidth is 1.65, 0.25 of it)" in text
    for change in found.changes:
        assert change.predicted != found.predicted
    json.dumps(found.to_dict())
    assert "<svg" in found.to_svg()


# ------------------------------------------------------------------ on disk


def document(model: Any) -> Document:
    return Document(model.schema, model.fitted, model.algorithm)


def test_saved_and_read_again_it_is_the_same_model(iris: Any, model: Any) -> None:
    text = dumps(document(model))
    again = loads(text)
    assert isinstance(again.fitted, SoftTreeModel)
    assert dumps(again) == text
    assert np.array_equal(again.fitted.predict_proba(encode(iris)), model.predict_proba(iris))
    assert json.loads(text)["version"] == 2
    jsonschema = pytest.importorskip("jsonschema")
    rules = json.loads((Path(dumps.__code__.co_filename).parent / "model.schema.json").read_text())
    jsonschema.validate(json.loads(text), rules)


def test_plain_tree_is_still_written_for_readers_of_the_first_version(iris: Any) -> None:
    assert json.loads(dumps(document(learner({}).fit(iris))))["version"] == 1


def test_soft_model_of_the_second_version_is_read_for_ever(iris: Any) -> None:
    """Never change this file: add one for each new version."""
    found = read(GOLDEN / "model-v2-soft.tree.json")
    expected = json.loads((GOLDEN / "model-v2-soft.predictions.json").read_text())
    matrix = np.array(expected["cases"], dtype=float)  # None: unknown
    assert found.fitted.predict_proba(matrix).tolist() == expected["probabilities"]
    assert found.schema == iris.schema


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("lower", [9.0, 9.0, 9.0, 9.0], "the soft thresholds do not fit the tree: the bounds 9.0"),
        ("upper", [9.0], "4 cuts, but 4 lower and 1 upper bounds"),
        ("upper", None, "'upper' of model is no list"),
        ("lower", ["a"], "where a number is expected"),
    ],
)
def test_damaged_bounds_are_refused_in_one_line(model: Any, name: str, value: Any, message: str) -> None:
    found = json.loads(dumps(document(model)))
    found["model"][name] = value
    with pytest.raises(ModelError, match=message) as caught:
        loads(json.dumps(found), file="m.json", verify=False)
    assert "\n" not in str(caught.value)


# ------------------------------------------------------------------ typed


def test_command_line_fits_shows_predicts_and_refuses(repository: Path, tmp_path: Path, capsys: Any) -> None:
    data, path = str(repository / "arff_data" / "iris.arff"), str(tmp_path / "iris.json")
    assert main(["fit", data, "--set", "soft_thresholds=true", "-o", path]) == 0
    assert "petalwidth > 0.6 [0.5, 0.6]" in capsys.readouterr().out
    assert main(["show", path]) == 0
    assert "|   petalwidth <= 1.7 [1.6, 1.7]" in capsys.readouterr().out
    assert main(["predict", path, data]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 151
    assert main(["explain", path, data, "--row", "70"]) == 0
    assert "petalwidth > 1.7 [1.6, 1.7]" in capsys.readouterr().out
    assert main(["show", path, "--as", "sql"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "SQL cannot express soft thresholds, which part a case between two branches; "
        "text, json, dot, svg, html and table show them"
    ]
    assert main(["evaluate", data, "--set", "soft_thresholds=true", "--folds", "3"]) == 0


def test_estimators_have_them_too(tmp_path: Path) -> None:
    x, y = load_iris(return_X_y=True)
    for estimator in (C45Classifier, TreeClassifier):
        plain, soft = estimator().fit(x, y), estimator(soft_thresholds=True).fit(x, y)
        assert soft.tree_.n_nodes == plain.tree_.n_nodes
        assert not np.array_equal(soft.predict_proba(x), plain.predict_proba(x))
        leaves = soft.tree_.attribute < 0
        parts = soft.decision_path(x).toarray()[:, leaves]
        assert ((parts > 0) & (parts < 1)).any()
        answers = soft.tree_.distribution[leaves] / soft.tree_.weight[leaves, None]
        np.testing.assert_allclose(parts @ answers, soft.predict_proba(x), atol=1e-12)
        assert np.array_equal(soft.apply(x), plain.apply(x))
        assert soft.explain(x, 77).n_trees == 1
        np.testing.assert_array_equal(soft.feature_importances_, plain.feature_importances_)
        save(soft, tmp_path / "soft.json")
        np.testing.assert_array_equal(load(tmp_path / "soft.json").predict_proba(x), soft.predict_proba(x))
    with pytest.raises(ParameterError, match="soft_thresholds"):
        TreeClassifier(ensemble="bagging", soft_thresholds=True).fit(x, y)
