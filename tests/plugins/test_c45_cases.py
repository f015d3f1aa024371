"""Kinds of data on which tree programs went wrong, on data of our own: what is right on any such data.

``test_c45.py`` compares the collected cases themselves with Weka's trees; here each kind stands for itself, so
that it is tried wherever the tests run, with all splitters where it concerns them all.
"""

from __future__ import annotations

import math
import re
import time
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from j48_words import tree_lines
from random_data import random_dataset

from treeforge.data import Attribute, Dataset, Schema
from treeforge.estimators import ForestClassifier
from treeforge.export.code import to_python
from treeforge.export.dot import to_dot
from treeforge.export.json import Document, dumps, loads
from treeforge.export.table import to_table
from treeforge.export.text import to_text
from treeforge.learn.build import learner
from treeforge.learn.encode import encode
from treeforge.plugin import registry

#: all of ours that take numbers
SPLITTERS = sorted(
    entry.name
    for entry in registry.entries("splitter")
    if entry.package == "treeforge" and entry.name != "id3"
)
BARE: dict[str, Any] = {"pruner": {"none": {"collapse": False}}}


def data_of(columns: dict[str, Any], classes: Any, names: tuple[str, ...] = ("a", "b")) -> Dataset:
    """Columns by name: an array of numbers, or (categories, codes)."""
    attributes, values = [], []
    for name, column in columns.items():
        if isinstance(column, tuple):
            attributes.append(Attribute(name, "nominal", column[0]))
            values.append(np.array(column[1], dtype=np.int32))
        else:
            attributes.append(Attribute(name))
            values.append(np.array(column, dtype=np.float64))
    schema = Schema((*attributes, Attribute("class", "nominal", names)), len(attributes))
    return Dataset(schema, (*values, np.array(classes, dtype=np.int32)))


def fit(data: Dataset, **words: Any) -> Any:
    return learner(words).fit(data)


def lines(data: Dataset, **words: Any) -> list[str]:
    return tree_lines(to_text(fit(data, **words)))


HALVES = [0] * 4 + [1] * 4


# ------------------------------------------------------------------ numbers that lie close, or far out (T01, T02)


@settings(deadline=None, max_examples=60)
@given(
    st.floats(-1e300, 1e300, allow_subnormal=False),
    st.integers(1, 3),
    st.sampled_from(["c45", "c45 midpoint", "cart", "sprint"]),
)
def test_cut_between_neighbours_keeps_both_sides(low: float, steps: int, splitter: str) -> None:
    """T01. The mean of two neighbouring doubles may round to the upper one: low <= cut < high all the same."""
    high = low
    for _ in range(steps):
        high = math.nextafter(high, math.inf)
    words: Any = {"c45": {"actual_value": False}} if splitter == "c45 midpoint" else splitter
    tree = fit(data_of({"x": [low] * 4 + [high] * 4}, HALVES), splitter=words).fitted.tree
    if tree.n_nodes > 1:
        assert low <= tree.cuts[0] < high
        assert tree.weight.tolist() == [8, 4, 4]
    else:
        assert splitter.startswith("c45"), "J48 takes what is closer than 1e-5 as equal"


@pytest.mark.parametrize(("gap", "leaves"), [(6e-6, 1), (9.9e-6, 1), (1.01e-5, 2), (2e-5, 2)])
def test_values_closer_than_a_hundred_thousandth_are_not_parted(gap: float, leaves: int) -> None:
    """T01, as J48 has it."""
    assert fit(data_of({"x": [1.0] * 4 + [1.0 + gap] * 4}, HALVES)).measures()["leaves"] == leaves


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("low", [1.5e308, -1.7e308])
def test_huge_numbers_end_in_finite_cuts(splitter: str, low: float) -> None:
    """T02. A sum, a square or a range may overflow; whoever finds a cut finds one between the values."""
    data = data_of({"x": [low] * 4 + [1.7e308] * 4}, HALVES)
    with np.errstate(all="raise"):
        tree = fit(data, splitter=splitter).fitted.tree
    assert np.isfinite(tree.cuts).all()
    assert ((tree.cuts >= low) & (tree.cuts <= 1.7e308)).all()
    assert tree.depth <= 1
    if splitter in ("c45", "cart", "sprint"):
        assert tree.distribution[1:3].tolist() == [[4, 0], [0, 4]]


# ------------------------------------------------------------------ nothing to be gained (T03, T04, T05, T12)


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_attributes_that_do_not_help_end_in_a_leaf(splitter: str) -> None:
    """T03. Both attributes have the same classes on every value; a tie goes to the class declared first."""
    data = data_of({"x": [0, 0, 0, 0, 1, 1, 1, 1], "c": (("p", "q"), [0, 0, 1, 1, 0, 0, 1, 1])}, [0, 1] * 4)
    assert lines(data, splitter=splitter) == [": a (8.0/4.0)"]


def four_rows() -> Dataset:
    return data_of({"x0": [1, 1, 0, 0], "x1": [1, 0, 1, 0], "x2": [1, 0, 0, 1]}, [1, 0, 0, 0])


def test_first_of_equal_attributes_is_taken_and_collapsed_again() -> None:
    """T04."""
    assert lines(four_rows()) == [": a (4.0/1.0)"]
    assert lines(four_rows(), **BARE) == ["x0 <= 0: a (2.0)", "x0 > 0: a (2.0/1.0)"]


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("min_branch", [1, 2])
def test_four_rows_come_to_an_end_in_every_mode(splitter: str, min_branch: int) -> None:
    tree = fit(four_rows(), splitter=splitter, min_branch=min_branch, **BARE).fitted.tree
    assert tree.depth <= 3
    assert tree.distribution[tree.attribute < 0].sum(axis=0).tolist() == [3, 1]


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_constant_columns_give_one_leaf(splitter: str) -> None:
    """T05."""
    data = data_of({"x": [3.5] * 8, "c": (("p", "q"), [1] * 8)}, [0] * 5 + [1] * 3)
    model = fit(data, splitter=splitter)
    assert lines(data, splitter=splitter) == [": a (8.0/3.0)"]
    assert model.predict_proba(data).tolist() == [[5 / 8, 3 / 8]] * 8


def test_importances_of_a_forest_with_trees_that_have_no_test_are_numbers() -> None:
    """T05. Of so few cases some bags are pure."""
    x, classes = np.array([[1.0], [2], [3], [4]]), [0, 0, 0, 1]
    forest = ForestClassifier(30).fit(x, classes)
    assert {tree.n_nodes > 1 for tree in forest.trees_} == {True, False}
    assert np.isfinite(forest.feature_importances_).all()
    assert ForestClassifier(5).fit(np.ones((6, 2)), [0, 1] * 3).feature_importances_.tolist() == [0, 0]


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_cases_of_one_class_are_not_parted(splitter: str) -> None:
    """T12. Three classes are declared: there are three probabilities."""
    data = data_of({"x": range(6), "c": (("p", "q"), [0, 1] * 3)}, [1] * 6, ("a", "b", "c"))
    assert lines(data, splitter=splitter) == [": b (6.0)"]
    assert fit(data, splitter=splitter).predict_proba(data).tolist() == [[0, 1, 0]] * 6


# ------------------------------------------------------------------ weights (T06)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(0, 2**32 - 1))
def test_rows_of_weight_zero_change_no_tree(number: int, seed: int) -> None:
    """T06. Whatever they hold: other classes, outliers, unknown values."""
    data = random_dataset(number)
    rng = np.random.default_rng(seed)
    picked = rng.integers(0, data.n_rows, size=int(rng.integers(1, 6)))
    columns = []
    for place, column in enumerate(data.columns):
        extra = rng.permuted(column[picked])
        if column.dtype == np.float64:
            extra = extra * 1000.0
        elif place == data.schema.class_index:
            extra = rng.integers(-1, len(data.schema.classes), size=len(picked)).astype(np.int32)
        columns.append(np.concatenate([column, extra]))
    weights = np.ones(data.n_rows) if data.weights is None else data.weights
    more = Dataset(data.schema, tuple(columns), np.concatenate([weights, np.zeros(len(picked))]))
    assert lines(more) == lines(data)
    np.testing.assert_array_equal(fit(more).predict_proba(data), fit(data).predict_proba(data))


# ------------------------------------------------------------------ unknown, and never seen (T07, T08, T10)


def soils() -> Dataset:
    """sand is a, loam b, clay has one of each; peat never occurs."""
    codes = [0] * 4 + [1] * 4 + [2] * 2
    return data_of({"soil": (("sand", "loam", "clay", "peat"), codes)}, [0] * 4 + [1] * 4 + [0, 1])


def asked(model: Any, *values: float) -> list[list[float]]:
    """Probabilities for values of the only input."""
    kind = np.int32 if model.schema.inputs[0].is_nominal else np.float64
    columns = (np.array(values, dtype=kind), np.full(len(values), -1, dtype=np.int32))
    return model.predict_proba(Dataset(model.schema, columns)).tolist()


def test_category_that_never_occurred_is_answered_by_the_node_above() -> None:
    """T07."""
    model = fit(soils(), pruner="none")
    assert asked(model, 3, 0, 1) == [[0.5, 0.5], [1, 0], [0, 1]]


def test_unknown_value_is_answered_by_all_branches_in_proportion() -> None:
    """T08. 4/10 (1, 0) + 4/10 (0, 1) + 2/10 (1/2, 1/2); and the code made of the tree says so too."""
    data = data_of({"x": [1, 2, 3, 5, 6, 7, 8, 9, 10, 11]}, [0, 0, 0, 1, 1, 1, 0, 1, 1, 1])
    model = fit(data, pruner="none")
    assert tree_lines(to_text(model)) == ["x <= 3: a (3.0)", "x > 3: b (7.0/1.0)"]
    [found] = asked(model, math.nan)
    assert found == pytest.approx([0.3 + 0.7 / 7, 0.7 * 6 / 7])
    space: dict[str, Any] = {}
    exec(to_python(model), space)
    assert list(space["predict_proba"]({"x": None})) == pytest.approx(found)
    np.testing.assert_allclose(asked(fit(soils(), pruner="none"), -1), [[0.5, 0.5]])


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_column_without_a_known_value_is_as_good_as_none(number: int, nominal: bool, first: bool) -> None:
    """T10."""
    data = random_dataset(number)
    assume(
        any(a.is_numeric for a in data.schema.inputs)
    )  # J48 asks whether all attributes have many categories
    void = Attribute("void", "nominal", ("p", "q")) if nominal else Attribute("void")
    column = np.full(data.n_rows, -1, dtype=np.int32) if nominal else np.full(data.n_rows, np.nan)
    place = 0 if first else len(data.columns) - 1
    attributes, columns = list(data.schema.attributes), list(data.columns)
    attributes.insert(place, void)
    columns.insert(place, column)
    more = Dataset(Schema(tuple(attributes), len(attributes) - 1), tuple(columns), data.weights)
    assert lines(more) == lines(data)


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("void", [(("p", "q"), [-1] * 12), [math.nan] * 12], ids=["nominal", "numeric"])
def test_no_splitter_chooses_a_column_without_a_known_value(splitter: str, void: Any) -> None:
    data = data_of({"void": void, "x": range(12)}, [0] * 6 + [1] * 6)
    tree = fit(data, splitter=splitter).fitted.tree
    assert 0 not in tree.attribute
    if splitter in ("c45", "cart", "sprint"):
        assert (tree.attribute[0], tree.weight[1:].tolist()) == (1, [6, 6])


# ------------------------------------------------------------------ names, and many of them (T09, T11)

MESSY = (
    "a,a",
    "b: b",
    "c = c",
    "d'd",
    'e "e"',
    "(f)",
    "g|g",
    "100%",
    "{h}",
    "i\\i",
    "j\nj",
    " k ",
    "",
    "<l>&amp;",
)


def test_every_messy_label_can_be_told_from_the_others() -> None:
    """T09."""
    n = len(MESSY)
    codes = np.repeat(np.arange(n), 3)
    data = data_of({"kind, of": (MESSY, codes)}, codes % 2, ("good, very", "bad = 'so'"))
    model = fit(data)
    printed = lines(data)
    assert len(set(printed)) == n
    assert [line.rpartition(": ")[2] for line in printed] == [
        f"{('good, very', 'bad = ' + chr(39) + 'so' + chr(39))[i % 2]} (3.0)" for i in range(n)
    ]
    again = loads(dumps(Document(model.schema, model.fitted)))
    assert again.schema.attributes[0].categories == MESSY
    np.testing.assert_array_equal(again.fitted.predict_proba(encode(data)), model.predict_proba(data))
    edges = re.findall(r'n0 -> n\d+ \[label="((?:[^"\\]|\\.)*)"', to_dot(model))
    assert len(set(edges)) == n
    assert len({row["branch"] for row in to_table(model)}) == n + 1  # and the root


def test_groups_of_messy_labels_can_be_told_apart() -> None:
    """In a list a label with a comma, a brace or a blank at its end is quoted."""
    codes = np.repeat(np.arange(4), 3)
    data = data_of({"k": (("a, b", "a", "b", "c}"), codes)}, [0] * 6 + [1] * 6)
    printed = lines(data, splitter={"c45": {"grouping": True}})
    assert printed == ['k in {"a, b", a}: a (6.0)', 'k in {b, "c}"}: b (6.0)']


@pytest.mark.parametrize(
    "splitter", [*SPLITTERS, "id3", {"c45": {"grouping": True}}, {"c45": {"binary": True}}]
)
def test_ninety_two_towns_take_seconds(splitter: Any) -> None:
    """T11. Two to the ninety-first subsets are not tried one by one."""
    codes = np.repeat(np.arange(92), 2)
    classes = np.random.default_rng(5).integers(0, 3, size=184)
    data = data_of({"town": (tuple(f"town {i}" for i in range(92)), codes)}, classes, ("a", "b", "c"))
    started = time.process_time()
    tree = fit(data, splitter=splitter, pruner="none", min_branch=1).fitted.tree
    assert tree.weight[0] == 184
    assert time.process_time() - started < 30


def test_attribute_of_many_values_does_not_make_the_average_alone() -> None:
    """T11, as J48 has it (c45.md 4.1, 4.2): pure towns are taken where all attributes are such, else they need company.

    92 categories are more than 0.3 of 184 cases. The column of numbers is constant: its gain is not to be had.
    """
    codes = np.repeat(np.arange(92), 2)
    town = (tuple(map(str, range(92))), codes)
    classes = np.where(codes < 42, 0, 1)
    assert len(lines(data_of({"town": town}, classes), pruner="none")) == 92
    for words in ({}, {"pruner": "none"}):
        assert lines(data_of({"town": town, "x": [1.0] * 184}, classes), **words) == [": b (184.0/84.0)"]


# ------------------------------------------------------------------ one column's figures and another's (T19, T21)


@pytest.mark.parametrize("seed", range(8))
def test_order_of_columns_makes_no_other_tree(seed: int) -> None:
    """T19. Each column lacks some values, so that what is counted for one must not stay for the next."""
    rng = np.random.default_rng(seed)
    columns = {name: np.where(rng.random(60) < 0.25, np.nan, rng.normal(size=60)) for name in "uvz"}
    score = np.nansum(list(columns.values()), axis=0) + 0.3 * rng.normal(size=60)
    classes = (score > 0).astype(int)
    found = []
    for names in permutations("uvz"):
        data = data_of({name: columns[name] for name in names}, classes)
        found.append((lines(data), fit(data).predict_proba(data)))
    for printed, probabilities in found[1:]:
        assert printed == found[0][0]
        np.testing.assert_allclose(probabilities, found[0][1], atol=1e-9)


@pytest.mark.parametrize("splitter", ["c45", "cart", "sprint"])
def test_column_that_is_constant_in_one_branch_is_useful_in_the_other(splitter: str) -> None:
    """T21."""
    groups = (("0", "1"), [0] * 11 + [1] * 11)
    x = [5] * 11 + [4] * 4 + [6] * 4 + [8] * 3
    data = data_of({"g": groups, "x": x}, [0] * 10 + [1] + [1] * 8 + [0] * 3)
    tree = fit(data, splitter=splitter, pruner="none").fitted.tree
    ends = sorted(tree.distribution[tree.attribute < 0].tolist())
    assert ends == [[0, 8], [3, 0], [10, 1]]
    if splitter == "c45":
        assert lines(data) == ["g = 0: a (11.0/1.0)", "g = 1", "|   x <= 6: b (8.0)", "|   x > 6: a (3.0)"]


# ------------------------------------------------------------------ small numbers on paper (X02)


def test_cut_on_a_small_scale_is_written_so_that_it_parts_the_same_rows() -> None:
    """X02. With six decimals 0.0000031 and 0.0000034 would be one number."""
    rates = np.array([11, 17, 23, 29, 31, 34, 37, 41, 47, 53]) * 1e-7
    classes = [0] * 5 + [1] * 5
    data = data_of({"rate": rates}, classes)
    assert lines(data) == [": a (10.0/5.0)"], "J48 sees no two values"
    model = fit(data, splitter="cart", pruner="none")
    [cut] = model.fitted.tree.cuts.tolist()
    assert 3.1e-6 <= cut < 3.4e-6
    texts = [to_text(model, exact=True), to_table(model)[1]["branch"]]
    texts += re.findall(r'label="(<= [^"]+)"', to_dot(model))
    assert len(texts) == 3
    for text in texts:
        [told] = re.findall(r"<=? ([-+.0-9e]+)", text)
        assert [int(rate > float(told)) for rate in rates] == classes
