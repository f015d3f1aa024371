"""Rules: which hold, how they are counted, and what a model of them says."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree, tree
from hypothesis import given, settings
from hypothesis import strategies as st

from treeforge.core.rule_model import RuleModel
from treeforge.core.rules import CellTest, Rules, both, branch_tests, leaf_rules
from treeforge.core.table import Table

#: input -> number of categories, 0 for a number
ARITY = (0, 3, 0)
numbers = st.sampled_from([-inf, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 3.5, inf, nan])


@st.composite
def cell_tests(draw, attribute=None):
    attribute = draw(st.integers(0, 2)) if attribute is None else attribute
    if ARITY[attribute]:
        cells = draw(st.lists(st.booleans(), min_size=3, max_size=3))
        return CellTest(attribute, None, tuple(cells))
    cuts = sorted(draw(st.sets(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=4)))
    cells = draw(st.lists(st.booleans(), min_size=len(cuts) + 1, max_size=len(cuts) + 1))
    return CellTest(attribute, tuple(cuts), tuple(cells), draw(st.booleans()))


@st.composite
def problems(draw):
    """Rules, rows, and what is known of the rows."""
    n_rules, n_rows = draw(st.integers(0, 6)), draw(st.integers(0, 8))
    tests = [draw(st.lists(cell_tests(), max_size=4)) for _ in range(n_rules)]
    said = [draw(st.integers(0, 2)) for _ in range(n_rules)]
    columns = [
        np.array(draw(st.lists(numbers, min_size=n_rows, max_size=n_rows)), dtype=np.float64),
        np.array(draw(st.lists(st.integers(-1, 2), min_size=n_rows, max_size=n_rows)), dtype=np.int32),
        np.array(draw(st.lists(numbers, min_size=n_rows, max_size=n_rows)), dtype=np.float64),
    ]
    classes = np.array(draw(st.lists(st.integers(-1, 2), min_size=n_rows, max_size=n_rows)), dtype=np.int32)
    weights = np.array(
        draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n_rows, max_size=n_rows))
    )
    return tests, said, Table(columns, ARITY, classes, 3, weights), classes, weights


def passes(test, value):
    """A test of one value, in words as plain as can be."""
    if ARITY[test.attribute]:
        return value >= 0 and test.admitted[int(value)]
    if value != value:
        return False
    below = [value < cut or (value == cut and not test.closed_left) for cut in test.cuts]
    return test.admitted[below.index(True) if True in below else len(below)]


def holding(tests, table, row):
    return [all(passes(t, table.columns[t.attribute][row]) for t in rule) for rule in tests]


@settings(max_examples=300, deadline=None)
@given(problem=problems())
def test_first_rule_and_counts_are_those_of_a_plain_evaluation(problem):
    tests, said, table, classes, weights = problem
    rules = Rules.of(tests, said)
    covered, decided = rules.count(table, classes, weights, 3)
    wanted, wanted_decided = np.zeros((len(tests), 3)), np.zeros((len(tests) + 1, 3))
    firsts = []
    for row in range(table.n_rows):
        holds = holding(tests, table, row)
        firsts.append(holds.index(True) if True in holds else len(tests))
        if classes[row] >= 0:
            wanted[holds, classes[row]] += weights[row]
            wanted_decided[firsts[-1], classes[row]] += weights[row]
    assert rules.first(table).tolist() == firsts
    assert np.array_equal(covered, wanted)
    assert np.array_equal(decided, wanted_decided)
    matrix = np.column_stack([np.asarray(c, dtype=np.float64) for c in table.columns]).reshape(-1, 3)
    assert rules.first(matrix).tolist() == firsts
    rows = np.arange(table.n_rows, dtype=np.int32)[::-1].copy()
    assert rules.first(table, rows).tolist() == firsts[::-1] == rules.first(matrix, rows).tolist()
    assert [rules.tests(r) for r in range(rules.n_rules)] == [list(rule) for rule in tests]


@settings(max_examples=200, deadline=None)
@given(test=cell_tests(), values=st.lists(numbers, max_size=6))
def test_many_values_pass_as_each_does(test, values):
    if test.is_nominal:
        found = np.array([int(v) if v in (0.0, 1.0, 2.0) else -1 for v in values], dtype=np.int32)
    else:
        found = np.array(values, dtype=np.float64)
    assert test.passed(found).tolist() == [bool(passes(test, v)) for v in found.tolist()]


@settings(max_examples=200, deadline=None)
@given(data=st.data(), attribute=st.integers(0, 2), values=st.lists(numbers, min_size=1, max_size=10))
def test_both_passes_what_passes_both(data, attribute, values):
    one, other = data.draw(cell_tests(attribute)), data.draw(cell_tests(attribute))
    other = CellTest(attribute, other.cuts, other.admitted, one.closed_left)
    joined = both(one, other)
    known = [v for v in values if not ARITY[attribute] or v in (0.0, 1.0, 2.0)]
    assert [passes(joined, v) for v in known] == [passes(one, v) and passes(other, v) for v in known]
    if joined.cuts:  # no cut that says nothing
        assert all(a != b for a, b in zip(joined.admitted, joined.admitted[1:], strict=False))


@settings(max_examples=200, deadline=None)
@given(problem=problems(), default=st.integers(0, 2), data=st.data())
def test_class_that_is_said_is_the_only_most_probable_one(problem, default, data):
    tests, said, table, classes, weights = problem
    rules = Rules.of(tests, said)
    covered, decided = rules.count(table, classes, weights, 3)
    error = np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(tests), max_size=len(tests))))
    model = RuleModel(rules, default, error, covered, decided)
    codes, probabilities = model.predict_codes(table), model.predict_proba(table)
    if not decided.any():
        assert not probabilities.any()
        assert (codes == -1).all()
        return
    assert np.allclose(model.answers.sum(axis=1), 1)
    for answer, code in zip(model.answers, model.classes.tolist(), strict=True):
        assert (np.delete(answer, code) < answer[code]).all()
    assert (probabilities.argmax(axis=1) == codes).all()


def test_confident_rule_gives_its_class_what_it_claims():
    rules = Rules.of([[CellTest(0, (1.0,), (True, False))]], [1])
    decided = np.array([[1.0, 5.0, 0.0], [3.0, 1.0, 2.0]])
    model = RuleModel(rules, 0, np.array([0.2]), decided[:1], decided)
    assert model.answers[0] == pytest.approx([0.2 * 4 / 6, 0.8, 0.2 * 2 / 6])
    assert model.answers[1] == pytest.approx([4 / 9, 2 / 9, 3 / 9])
    assert model.measures()["rules"] == 1
    assert model.measures()["conditions"] == 1


def test_unsure_rule_says_its_class_by_a_hair():
    rules = Rules.of([[CellTest(0, (1.0,), (True, False))]], [1])
    decided = np.array([[3.0, 1.0, 0.0], [3.0, 1.0, 0.0]])
    model = RuleModel(rules, 1, np.array([0.6]), decided[:1], decided)
    assert model.answers[0] == pytest.approx([0.5, 0.5, 0.0], abs=1e-5)
    assert model.answers[1] == pytest.approx([0.444, 0.444, 0.111], abs=1e-3)
    assert model.answers.argmax(axis=1).tolist() == [1, 1]


def test_paths_to_the_leaves_come_in_branch_order():
    top = Test(0, [Leaf([1, 0]), Test(1, [Leaf([0, 1]), Leaf([2, 0]), Leaf([0, 3])])], cuts=[1.5])
    grown = tree(top)
    found = list(leaf_rules(grown, [False, True]))
    assert [grown.distribution[leaf].tolist() for leaf, _ in found] == [[1, 0], [0, 1], [2, 0], [0, 3]]
    low, high = branch_tests(grown, 0, nominal=False)
    assert [path[0] for _, path in found] == [low, high, high, high]
    assert found[2][1][1] == CellTest(1, None, (False, True, False), found[2][1][1].closed_left)


def test_deep_tree_has_its_paths_without_recursion():
    found = list(leaf_rules(deep_tree(2000), [False]))
    assert len(found) == 2001
    assert max(len(path) for _, path in found) == 2000
