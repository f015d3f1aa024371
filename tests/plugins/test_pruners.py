"""Pruners on trees written by hand, with the arithmetic of the papers beside them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree
from build_trees import tree as built
from hypothesis import given, settings
from hypothesis import strategies as st
from treeforge_pruners import (
    CostComplexityPruner,
    CriticalValuePruner,
    MdlPruner,
    MinimumErrorPruner,
    PessimisticPruner,
)
from treeforge_pruners.cost_complexity import held_out_errors, links, sequence
from treeforge_pruners.critical_value import strength

from treeforge.plugin import Pruner, Sample, Table, Tree

NOTHING = cast("tuple[Table, Sample]", (None, None))  # most pruners look at the tree alone


def node_of(spec: Any) -> Test | Leaf:
    """A leaf is a list of class weights, a test ``(attribute, cuts or None, children)``."""
    if isinstance(spec, list):
        return Leaf(spec)
    return Test(spec[0], [node_of(child) for child in spec[2]], spec[1] or [])


def tree_of(spec: Any) -> Tree:
    return built(node_of(spec))


def prune(pruner: Pruner, tree: Tree) -> Tree:
    return pruner.prune(tree, *NOTHING)


def test_pessimistic_keeps_a_test_whose_leaf_is_further_than_a_standard_error() -> None:
    # X = 2 + 2/2 = 3, SE = sqrt(3 * 97 / 100) = 1.706; the leaf has 7 + 1/2
    tree = tree_of((0, [1.0], [[90, 2], [0, 8]]))
    assert prune(PessimisticPruner(), tree).n_nodes == 3


def test_pessimistic_cuts_a_test_within_a_standard_error() -> None:
    # X = 1 + 1, SE = sqrt(2 * 18 / 20) = 1.342; the leaf has 2 + 1/2 <= 3.342
    tree = tree_of((0, [1.0], [[17, 1], [1, 1]]))
    assert prune(PessimisticPruner(), tree).n_nodes == 1


def test_pessimistic_with_no_standard_error_asks_for_a_real_gain() -> None:
    # leaf 1 + 1/2, subtree 0 + 2/2: kept only when the standard error is not granted
    tree = tree_of((0, [1.0], [[19, 0], [0, 1]]))
    assert prune(PessimisticPruner(standard_errors=0.0), tree).n_nodes == 3
    assert prune(PessimisticPruner(standard_errors=1.0), tree).n_nodes == 1


def test_pessimistic_survives_branches_without_cases() -> None:
    tree = tree_of((0, None, [[1, 0], [0, 0], [0, 1], [0, 0], [0, 0]]))
    assert prune(PessimisticPruner(), tree).n_nodes == 1


def test_minimum_error_by_laplace_as_niblett_and_bratko_computed_it() -> None:
    # priors 1/2; Laplace is m = 2. Leaf: (8 - 4 + 1) / 10 = 0.5; branches (4 - 3 + 1) / 6 = 1/3 each
    tree = tree_of((0, [1.0], [[3, 1], [1, 3]]))
    assert prune(MinimumErrorPruner(m=2.0), tree).n_nodes == 3
    # leaf: (8 - 5 + 2 * 3/8) / 10 = .375; branches: (4 - 3 + .75) / 6 and (4 - 2 + .75) / 6: mean .375, a tie
    tie = tree_of((0, [1.0], [[3, 1], [2, 2]]))
    assert prune(MinimumErrorPruner(m=2.0), tie).n_nodes == 1


def test_minimum_error_without_a_prior_keeps_whatever_lowers_training_error() -> None:
    tree = tree_of((0, [1.0], [[5, 1], [2, 3]]))
    assert prune(MinimumErrorPruner(m=0.0), tree).n_nodes == 3


def test_mdl_counts_bits_as_sliq_does() -> None:
    # leaf 1 + 3; test 1 + 1 + (1 + 0) + (1 + 0) = 4: a tie goes to the leaf; one error more and it stays
    assert prune(MdlPruner(), tree_of((0, [1.0], [[5, 0], [0, 3]]))).n_nodes == 1
    assert prune(MdlPruner(), tree_of((0, [1.0], [[5, 0], [0, 4]]))).n_nodes == 3


def test_mdl_charges_nominal_tests_by_how_often_the_attribute_is_used() -> None:
    # used once: ln 1 = 0, so leaf 1 + 3 against 1 + 0 + 2
    assert prune(MdlPruner(), tree_of((0, None, [[5, 0], [0, 3]]))).n_nodes == 3


def test_mdl_three_cuts_cost_three_times_one() -> None:
    four = (0, [1.0, 2.0, 3.0], [[9, 0], [0, 4], [9, 0], [0, 3]])
    # leaf 1 + 7 = 8; test 1 + 3 + 4 = 8: the leaf; with cheaper numbers the test
    assert prune(MdlPruner(), tree_of(four)).n_nodes == 1
    assert prune(MdlPruner(value_bits=0.5), tree_of(four)).n_nodes == 5


def test_critical_value_keeps_a_weak_test_above_a_strong_one() -> None:
    strong = (1, [0.0], [[20, 0], [0, 20]])
    tree = tree_of((0, [1.0], [strong, [11, 9]]))
    value = strength(tree, "gain_ratio")
    assert value[0] < 0.1 < value[1] == pytest.approx(1.0)
    assert prune(CriticalValuePruner(critical=0.1), tree).n_nodes == 5
    assert prune(CriticalValuePruner(critical=1.1), tree).n_nodes == 1


def test_strength_of_a_test_is_the_textbook_value() -> None:
    tree = tree_of((0, [1.0], [[30, 10], [10, 30]]))
    assert strength(tree, "chi_squared")[0] == pytest.approx(80 * (30 * 30 - 10 * 10) ** 2 / 40**4)
    assert strength(tree, "information_gain")[0] == pytest.approx(1 - 0.8112781245)
    assert strength(tree, "gain_ratio")[0] == pytest.approx(1 - 0.8112781245)
    assert strength(tree, "gain_ratio")[1:].tolist() == [0.0, 0.0]


def test_weakest_link_is_cut_first_and_the_root_last() -> None:
    tree = tree_of((0, [0.0], [(1, [0.0], [[10, 0], [2, 3]]), [0, 15]]))
    # node 1: leaf 3 errors, below 2, two leaves: (3 - 2)/30. root: 12 errors, after that cut 3: (12 - 3)/30
    link = links(tree)
    assert link[1] == pytest.approx(1 / 30)
    assert link[0] == pytest.approx(9 / 30)
    assert np.isinf(link[2:]).all()
    np.testing.assert_allclose(sequence(tree, link), [0, 1 / 30, 9 / 30])


def test_a_link_above_that_is_weaker_takes_what_is_below_with_it() -> None:
    # root: (2 - 0)/(3 - 1) = 1 an error a leaf; the test below it: (2 - 0)/1: the root goes first
    tree = tree_of((0, [0.0], [(1, [0.0], [[10, 0], [0, 2]]), [10, 0]]))
    link = links(tree)
    assert link[0] == pytest.approx(1 / 22)
    assert np.isinf(link[1])


def test_tests_without_gain_go_at_alpha_zero() -> None:
    tree = tree_of((0, [0.0], [[10, 1], [5, 2]]))
    assert links(tree)[0] == 0.0
    assert prune(CostComplexityPruner(ccp_alpha=0.0), tree).n_nodes == 1


def test_fixed_alpha_is_the_price_of_a_leaf() -> None:
    tree = tree_of((0, [0.0], [(1, [0.0], [[10, 0], [2, 3]]), [0, 15]]))
    sizes = [prune(CostComplexityPruner(ccp_alpha=a), tree).n_nodes for a in (0.0, 0.03, 0.05, 0.29, 0.31)]
    assert sizes == [5, 5, 3, 3, 1]


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    def node(depth: int) -> Any:
        if depth == 0 or draw(st.booleans()):
            return draw(st.lists(st.integers(0, 9), min_size=2, max_size=2))
        return (draw(st.integers(0, 2)), [draw(st.integers(-3, 3)) + 0.5], [node(depth - 1), node(depth - 1)])

    spec = (0, [0.5], [node(4), node(4)])
    return tree_of(spec)


def total_cost(tree: Tree, alpha: float, n: float) -> float:
    wrong = (tree.weight - tree.distribution.max(axis=1))[tree.attribute < 0].sum()
    return float(wrong / n + alpha * tree.n_leaves)


@given(trees(), st.floats(0, 0.2))
@settings(max_examples=60, deadline=None)
def test_pruned_tree_is_the_cheapest_of_all_subtrees(tree: Tree, alpha: float) -> None:
    n = max(float(tree.weight[0]), 1e-300)

    def best(node: int) -> float:
        wrong = (tree.weight[node] - tree.distribution[node].max()) / n + alpha
        if tree.attribute[node] < 0:
            return float(wrong)
        first = int(tree.first_child[node])
        return min(float(wrong), sum(best(first + b) for b in range(int(tree.n_branches[node]))))

    pruned = prune(CostComplexityPruner(ccp_alpha=alpha), tree)
    assert total_cost(pruned, alpha, n) == pytest.approx(best(0), abs=1e-9)


def noise_table(n: int, seed: int, unknown: float = 0.1) -> Table:
    random = np.random.default_rng(seed)
    columns = random.normal(size=(3, n))
    columns[random.random((3, n)) < unknown] = np.nan
    return Table(list(columns), [0, 0, 0], random.integers(0, 2, n).astype(np.int32), 2)


@given(trees(), st.integers(0, 99), st.lists(st.floats(0, 0.3), min_size=1, max_size=5))
@settings(max_examples=40, deadline=None)
def test_all_alphas_at_once_give_the_errors_of_the_trees_one_by_one(
    tree: Tree, seed: int, alphas: list[float]
) -> None:
    table, sample, link = noise_table(30, seed), Sample.whole(30), links(tree)
    at_once = held_out_errors(tree, link, table, sample, np.array(alphas))
    for alpha, errors in zip(alphas, at_once, strict=True):
        pruned = tree.with_leaves(link <= alpha)
        reached = pruned.reach(table, sample)
        leaf = pruned.attribute < 0
        wrong = (reached.sum(axis=1) - reached[np.arange(pruned.n_nodes), pruned.majority])[leaf].sum()
        assert errors == pytest.approx(wrong)


def test_cross_validation_cuts_what_held_out_cases_speak_against() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(3, 200))
    table = Table(list(x), [0, 0, 0], (x[0] > 0).astype(np.int32), 2)
    believes_noise = (1, [0.0], [[45, 0], [0, 10]])
    grown = tree_of((0, [0.0], [believes_noise, [0, 80]]))
    pruned = CostComplexityPruner().build(lambda sample, seed: grown, table, Sample.whole(200), 1)
    assert pruned.n_nodes == 3


def test_standard_error_rule_never_takes_a_larger_tree() -> None:
    random = np.random.default_rng(5)
    x = random.normal(size=300)
    classes = ((x > 0) ^ (random.random(300) < 0.2)).astype(np.int32)
    table = Table([x, random.normal(size=300), random.normal(size=300)], [0, 0, 0], classes, 2)
    side = lambda a, b: (1, [0.0], [(2, [0.0], [[a, b], [a + 2, b]]), [a, b + 1]])  # noqa: E731
    grown = tree_of((0, [0.0], [side(60, 15), side(15, 60)]))
    sizes = [
        CostComplexityPruner(se_rule=rule).build(lambda s, seed: grown, table, Sample.whole(300), 3).n_nodes
        for rule in (0.0, 1.0, 50.0)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[1] == 3
    assert sizes[2] == 1


@pytest.mark.parametrize(
    "pruner",
    [
        PessimisticPruner(),
        MdlPruner(),
        MinimumErrorPruner(),
        CriticalValuePruner(),
        CostComplexityPruner(ccp_alpha=0.01),
    ],
)
@given(tree=trees())
@settings(max_examples=25, deadline=None)
def test_pruning_again_changes_nothing_and_never_grows(pruner: Pruner, tree: Tree) -> None:
    once = prune(pruner, tree)
    assert once.n_nodes <= tree.n_nodes
    again = prune(pruner, once)
    assert again.n_nodes <= once.n_nodes


def test_a_chain_four_thousand_deep_is_pruned_without_recursion() -> None:
    tree = deep_tree(4000)
    for pruner in (
        PessimisticPruner(),
        MdlPruner(),
        MinimumErrorPruner(),
        CostComplexityPruner(ccp_alpha=0.001),
    ):
        assert prune(pruner, tree).n_nodes <= tree.n_nodes


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (PessimisticPruner, {"standard_errors": -1.0}),
        (MinimumErrorPruner, {"m": -0.5}),
        (MdlPruner, {"value_bits": -1.0}),
        (CriticalValuePruner, {"critical": -0.1}),
        (CostComplexityPruner, {"folds": 1}),
        (CostComplexityPruner, {"se_rule": -1.0}),
        (CostComplexityPruner, {"ccp_alpha": -0.1}),
    ],
)
def test_parameters_out_of_range_are_refused(kind: type[Pruner], wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        kind(**wrong)
