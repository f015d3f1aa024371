"""CHAID and ID3: merging, adjusting, refusing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from treeforge_chaid import ChaidSplitter
from treeforge_chaid.merging import adjusted_p, groupings, initial_cuts, merged, statistic

from treeforge.data import Attribute, Dataset, Schema
from treeforge.learn.build import learner

ALIKE = np.array([[30, 10], [28, 12], [10, 30], [11, 29]], dtype=float)


def test_categories_that_do_not_differ_are_merged() -> None:
    assert merged(ALIKE, 0.05, neighbours=False) == [[0, 1], [2, 3]]


def test_of_intervals_only_neighbours_are_merged() -> None:
    apart = ALIKE[[0, 2, 1, 3]]
    assert merged(apart, 0.05, neighbours=False) == [[0, 2], [1, 3]]
    assert merged(apart, 0.05, neighbours=True) == [[0], [1], [2], [3]]


def test_statistic_is_pearsons() -> None:
    assert statistic(ALIKE) == pytest.approx(chi2_contingency(ALIKE, correction=False).statistic)


@pytest.mark.parametrize(
    ("m", "r", "free", "ordered"), [(4, 2, 7, 3), (5, 3, 25, 6), (3, 3, 1, 1), (6, 1, 1, 1)]
)
def test_ways_to_group(m: int, r: int, free: int, ordered: int) -> None:
    assert groupings(m, r, False) == free
    assert groupings(m, r, True) == ordered


def test_p_value_is_multiplied_by_the_ways_to_group() -> None:
    groups = [[0, 1], [2, 3]]
    table = np.array([ALIKE[:2].sum(axis=0), ALIKE[2:].sum(axis=0)])
    p = chi2_contingency(table, correction=False).pvalue
    assert adjusted_p(ALIKE, groups, False, bonferroni=False) == pytest.approx(p)
    assert adjusted_p(ALIKE, groups, False, bonferroni=True) == pytest.approx(7 * p)


def test_numbers_begin_as_intervals_of_equal_weight() -> None:
    assert initial_cuts(np.arange(10.0), np.ones(10), 5) == [1.5, 3.5, 5.5, 7.5]
    assert initial_cuts(np.array([3.0, 3.0]), np.ones(2), 5) == []


def groups_of(categories: str, share: dict[str, float], n: int = 100) -> Dataset:
    random = np.random.default_rng(3)
    codes = np.repeat(np.arange(len(categories)), n).astype(np.int32)
    classes = (random.random(len(codes)) < [share[categories[c]] for c in codes]).astype(np.int32)
    schema = Schema((Attribute("g", "nominal", tuple(categories)), Attribute("c", "nominal", ("n", "y"))), 1)
    return Dataset(schema, (codes, classes))


def test_tree_has_a_branch_for_each_group() -> None:
    data = groups_of("abcd", {"a": 0.9, "b": 0.1, "c": 0.9, "d": 0.1})
    tree = learner({"splitter": "chaid"}).fit(data).fitted.tree
    assert tree.n_branches[0] == 2
    assert tree.branch_of[: tree.cell_start[1]].tolist() == [0, 1, 0, 1]


def test_nothing_significant_is_nothing_proposed() -> None:
    data = groups_of("abcd", dict.fromkeys("abcd", 0.5))
    assert learner({"splitter": {"chaid": {"alpha_split": 0.001}}}).fit(data).fitted.tree.n_nodes == 1


@pytest.mark.parametrize("wrong", [{"alpha_merge": 0.0}, {"alpha_split": 1.5}, {"intervals": 1}])
def test_parameters_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        ChaidSplitter(**wrong)  # type: ignore[arg-type]
