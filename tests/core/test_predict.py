"""Prediction by compact steps: what the tree says, whoever asks and however many ask."""

import pickle

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree, tree
from export_cases import FORESTS, SCHEMA, SINGLES, cases

from treeforge.core.model import TreeModel, VoteModel
from treeforge.core.predict import predict_codes, predict_proba, refuse_infinite
from treeforge.core.steps import Walker, _py_steps
from treeforge.core.table import Table

ROWS = cases(3000, seed=4)
MANY = 16  # times these are enough for threads to be worth it, even with one tree


def make_table(rows=ROWS):
    columns = []
    for attribute in SCHEMA.inputs:
        values = [row[attribute.name] for row in rows]
        if attribute.is_nominal:
            columns.append(np.array([-1 if v is None else attribute.code(v) for v in values], dtype=np.int32))
        else:
            columns.append(np.array([np.nan if v is None else v for v in values]))
    return Table(columns, [len(a.categories) for a in SCHEMA.inputs], None, 3)


TABLE = make_table()


def by_hand(grown, laplace, row):
    """A case's probabilities, straight from c45.md 7.1; recursion does for these small trees."""

    def answer(node, part):
        weights = grown.distribution[node]
        if laplace:
            return part * ((weights + 1) / (grown.weight[node] + len(weights)))
        return part * (weights / grown.weight[node]) if grown.weight[node] >= 1e-6 else 0 * weights

    def go(node, part):
        if grown.attribute[node] < 0:
            return answer(node, part)
        value = TABLE.columns[grown.attribute[node]][row]
        cells = grown.branch_of[grown.cell_start[node] : grown.cell_start[node + 1]]
        cuts = grown.cuts[grown.cut_start[node] : grown.cut_start[node + 1]]
        first, n = grown.first_child[node], grown.n_branches[node]
        if value < 0 if value.dtype == np.int32 else np.isnan(value):
            total = np.zeros(3)
            for child in range(first, first + n):
                if not grown.empty[child]:
                    total = total + go(child, grown.share[child] * part)
            return total
        if value.dtype == np.int32:
            branch = cells[value]
        else:
            branch = cells[sum(value >= c if grown.closed_left[node] else value > c for c in cuts)]
        return answer(node, part) if grown.empty[first + branch] else go(first + branch, part)

    return go(0, 1.0)


@pytest.mark.parametrize("model", SINGLES)
def test_probabilities_are_those_of_the_specification_to_the_last_bit(model):
    found = model.fitted.predict_proba(TABLE)
    for row in range(400):
        assert found[row].tolist() == by_hand(model.tree, model.laplace, row).tolist()


@pytest.mark.parametrize("model", FORESTS)
def test_votes_are_added_in_the_order_of_the_trees(model):
    fitted = model.fitted
    total = np.zeros((TABLE.n_rows, 3))
    for grown, weight in zip(
        fitted.trees, np.ones(5) if fitted.weights is None else fitted.weights, strict=True
    ):
        part = TreeModel(grown).predict_proba(TABLE)
        if fitted.votes:
            part = np.eye(3)[part.argmax(1)] * (part.max(1) > 0)[:, None]
        total += part * weight
    sums = total[:, 0] + total[:, 1] + total[:, 2]
    wanted = np.divide(total, sums[:, None], out=np.zeros_like(total), where=sums[:, None] > 0)
    assert fitted.predict_proba(TABLE).tolist() == wanted.tolist()


@pytest.mark.parametrize("model", [*SINGLES, *FORESTS])
def test_codes_are_the_first_largest_probability(model):
    probabilities = model.fitted.predict_proba(TABLE)
    wanted = np.where(probabilities.any(1), probabilities.argmax(1), -1)
    assert model.fitted.predict_codes(TABLE).tolist() == wanted.tolist()


@pytest.mark.parametrize("model", [SINGLES[1], *FORESTS])
@pytest.mark.parametrize("n_threads", [2, 3, 64])
def test_threads_change_no_bit(model, n_threads):
    table = make_table(ROWS * MANY)
    alone = model.fitted.predict_proba(table)
    assert np.array_equal(model.fitted.predict_proba(table, n_threads=n_threads), alone)
    assert np.array_equal(
        model.fitted.predict_codes(table, n_threads=n_threads), model.fitted.predict_codes(table)
    )


@pytest.mark.parametrize("model", [SINGLES[2], FORESTS[2]])
def test_any_choice_of_rows(model):
    everything = model.fitted.predict_proba(TABLE)
    for rows in ([], [7], [5, 5, 2], np.arange(TABLE.n_rows)[::-1], np.arange(3, 2000, 7)):
        rows = np.array(rows, dtype=np.int32)
        assert np.array_equal(model.fitted.predict_proba(TABLE, rows), everything[rows])
    with pytest.raises(IndexError, match="outside"):
        model.fitted.predict_proba(TABLE, np.array([TABLE.n_rows]))


@pytest.mark.parametrize("model", [*SINGLES, *FORESTS])
def test_matrix_of_codes_and_numbers_is_as_good_as_a_table(model):
    matrix = np.column_stack(
        [np.where(c < 0, np.nan, c) if c.dtype == np.int32 else c for c in TABLE.columns]
    )
    assert np.array_equal(model.fitted.predict_proba(matrix), model.fitted.predict_proba(TABLE))


@pytest.mark.parametrize("closed_left", [False, True])
def test_values_next_to_a_cut_go_to_the_right_side(closed_left):
    cuts = sorted([-1e300, -0.0, 5e-324, 0.1, 1 / 3, 2.0**53, 1.7976931348623157e308])
    leaves = [Leaf([1.0 if c == i else 0 for c in range(8)]) for i in range(8)]
    grown = tree(Test(0, leaves, cuts=cuts, closed_left=closed_left))
    values = np.array([v for c in cuts for v in (np.nextafter(c, -np.inf), c)] + [np.inf, -np.inf, 0.0])
    table = Table([values], [0], None, 8)
    wanted = np.searchsorted(cuts, values, side="right" if closed_left else "left")
    assert TreeModel(grown).predict_codes(table).tolist() == wanted.tolist()


def test_category_that_a_test_does_not_know_is_unknown_to_it():
    grown = tree(Test(0, [Leaf([3, 0]), Leaf([0, 1])]))  # knows two categories of three
    table = Table([np.array([0, 1, 2, -1], dtype=np.int32)], [3], None, 2)
    assert TreeModel(grown).predict_proba(table).tolist() == [[1, 0], [0, 1], [0.75, 0.25], [0.75, 0.25]]


def test_a_branch_of_several_intervals_is_walked_into_once():
    grown = tree(
        Test(0, [Test(0, [Leaf([1, 0]), Leaf([0, 1])], [0.5]), Leaf([5, 5])], [0, 1, 2.0], [0, 1, 0, 1])
    )
    steps = _py_steps(Walker([grown]))
    # three for the cuts; for their four intervals an inner test, an end and two that pass on; the test's two ends
    assert len(steps) == 9
    assert sum(answer >= 0 for *_, answer in steps) == 3


def test_ten_thousand_levels_with_unknown_values():
    model = TreeModel(deep_tree(10_000))
    table = Table([np.array([0.0, 9999.6, np.nan])], [0], None, 2)
    np.testing.assert_allclose(model.predict_proba(table), [[1, 0], [1, 0], [5001 / 10001, 5000 / 10001]])


def test_models_that_have_predicted_can_be_pickled():
    model = VoteModel((SINGLES[0].tree, SINGLES[1].tree))
    wanted = model.predict_proba(TABLE)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(TABLE), wanted)


def test_too_narrow_sources_are_refused():
    narrow = np.zeros((4, 1))
    with pytest.raises(ValueError, match="test column"):
        predict_proba(SINGLES[1].tree.walker(), narrow)
    with pytest.raises(ValueError, match="weights"):
        predict_codes(SINGLES[1].tree.walker(), TABLE, votes=False, weights=np.ones(3))


@pytest.mark.parametrize("n_columns", [1, 3, 8, 9, 40])
@pytest.mark.parametrize("odd", [np.inf, -np.inf])
def test_infinite_number_is_found_wherever_it_stands(n_columns, odd):
    matrix = np.resize([0.0, -0.0, 5e-324, -1.7976931348623157e308, 1.7976931348623157e308], (5, n_columns))
    refuse_infinite(matrix)
    for place in np.ndindex(matrix.shape):
        other = matrix.copy()
        other[place] = odd
        with pytest.raises(ValueError, match="infinity"):
            refuse_infinite(other)
        other[place] = np.nan
        refuse_infinite(other)
    refuse_infinite(matrix[:0])


@pytest.mark.parametrize(
    "last", [1, 9]
)  # rows are walked where they lie, or the two tested columns are copied
@pytest.mark.parametrize("n_more", [0, 3])
@pytest.mark.parametrize("n_trees", [1, 3])
def test_infinite_number_in_a_matrix_is_refused_also_where_no_tree_looks(last, n_more, n_trees):
    grown = tree(Test(0, [Leaf([1, 0]), Test(last, [Leaf([0, 1]), Leaf([1, 1])], [0.5])], [0.5]))
    matrix = np.random.default_rng(1).random((20_003, last + 1 + n_more))
    matrix[[17, 9000], [0, last]] = np.nan
    ask = VoteModel((grown,) * n_trees) if n_trees > 1 else TreeModel(grown)
    plain = Table(list(matrix.T.copy()), [0] * matrix.shape[1], None, 2)
    assert np.array_equal(ask.predict_proba(matrix), ask.predict_proba(plain))
    for place in [(0, 0), (600, 1), (20_002, last), (11_000, matrix.shape[1] - 1)]:
        before, matrix[place] = matrix[place], -np.inf
        for n_threads in (1, 2):
            with pytest.raises(ValueError, match="infinity"):
                ask.predict_codes(matrix, n_threads=n_threads)
        matrix[place] = before


@pytest.mark.parametrize("n_trees", [1, 3])
@pytest.mark.parametrize("odd", [np.inf, -np.inf])
def test_rows_that_are_asked_for_alone_decide_whether_an_infinite_number_is_refused(n_trees, odd):
    grown = tree(Test(0, [Leaf([1, 0]), Test(9, [Leaf([0, 1]), Leaf([1, 1])], [0.5])], [0.5]))
    matrix = np.random.default_rng(1).random((20_003, 12))
    matrix[[4, 17, 9000], [0, 9, 3]] = np.nan  # the last where no tree looks
    infinite = {(30, 0), (31, 9), (32, 3), (33, 11)}
    for place in infinite:
        matrix[place] = odd
    ask = VoteModel((grown,) * n_trees) if n_trees > 1 else TreeModel(grown)
    plain = Table(list(matrix.T.copy()), [0] * matrix.shape[1], None, 2)
    rows = np.setdiff1d(np.arange(20_003, dtype=np.int32), [row for row, _ in infinite])[::-1]
    for n_threads in (1, 2):
        for some in (rows, rows[:1], rows[-5:], np.repeat(rows[-5:-4], 9)):
            wanted = ask.predict_proba(plain, some)
            assert np.array_equal(ask.predict_proba(matrix, some, n_threads=n_threads), wanted)
        for row, _ in infinite:
            for some in (np.append(rows, row), np.array([row, 4])):
                with pytest.raises(ValueError, match="infinity"):
                    ask.predict_codes(matrix, some.astype(np.int32), n_threads=n_threads)


def test_infinite_number_is_answered_as_the_largest_is():
    table = Table([np.array([np.inf, -np.inf, 1e308, -1e308])], [0], None, 2)
    model = TreeModel(tree(Test(0, [Leaf([3, 1]), Leaf([1, 2])], cuts=[0.0])))
    assert model.predict_proba(table).tolist() == [[1 / 3, 2 / 3], [0.75, 0.25]] * 2
