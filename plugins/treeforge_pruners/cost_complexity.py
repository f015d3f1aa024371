"""Cost-complexity pruning of CART: a nested sequence of subtrees, one of them chosen by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Grow, Pruner, Sample, Table, Tree
from treeforge_pruners._weakest_link import least_above
from treeforge_pruners._weakest_link import links as weakest_links
from treeforge_pruners.walk import errors_as_leaf


@dataclass(frozen=True)
class CostComplexityPruner(Pruner):
    """Weakest-link pruning.

    With R(t) the share of training cases that node t gets wrong as a leaf, and R(T_t) that of the subtree
    below it, its link is ``(R(t) - R(T_t)) / (leaves - 1)``. The weakest link is cut until the root is left:
    that gives nested trees, each best for a range of alpha, the price of a leaf. Cross-validation says which
    alpha: trees are grown without a fold, pruned at the geometric mean of each range, and tried on the fold.

    Parameters
    ----------
    folds : int
        Of the cross-validation; stratified by class, drawn by the seed.
    se_rule : float
        The smallest tree within so many standard errors of the least error; 0 takes the least, 1 is
        CART's own rule.
    ccp_alpha : float, optional
        A fixed alpha, in errors a training case and leaf; no cross-validation then.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and regression trees (1984), chapter 3.
    """

    folds: int = 10
    se_rule: float = 0.0
    ccp_alpha: float | None = None

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise ValueError(f"folds must be at least 2, not {self.folds}")
        if not self.se_rule >= 0:
            raise ValueError(f"se_rule must not be negative, not {self.se_rule}")
        if self.ccp_alpha is not None and not self.ccp_alpha >= 0:
            raise ValueError(f"ccp_alpha must not be negative, not {self.ccp_alpha}")

    def build(self, grow: Grow, table: Table, sample: Sample, seed: int) -> Tree:
        tree = grow(sample, seed)
        link = links(tree)
        alpha = self.ccp_alpha
        if alpha is None:
            alpha = self._choose(grow, table, sample, seed, sequence(tree, link))
        return cut(tree, link, alpha)

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        """At the fixed ``ccp_alpha``; without one, at 0: cross-validation has to grow trees."""
        return cut(tree, links(tree), self.ccp_alpha or 0.0)

    def _choose(
        self, grow: Grow, table: Table, sample: Sample, seed: int, alphas: NDArray[np.float64]
    ) -> float:
        typical = np.append(np.sqrt(alphas[:-1] * alphas[1:]), alphas[-1])
        wrong = np.zeros(len(alphas))
        for held_out, rest in stratified(table, sample, self.folds, seed):
            tree = grow(rest, seed)
            wrong += held_out_errors(tree, links(tree), table, held_out, typical)
        weight = table.weights_of(sample)
        n = weight[table.classes[sample.rows] >= 0].sum()
        rate = wrong / n
        least = rate.min()
        allowed = least + self.se_rule * np.sqrt(max(least * (1.0 - least), 0.0) / n)  # sums of weights round
        return float(alphas[np.flatnonzero(rate <= allowed + 1e-12)[-1]])


def links(tree: Tree) -> NDArray[np.float64]:
    """Alpha at which each node becomes a leaf, [n_nodes]; infinite where an ancestor goes first."""
    rate = errors_as_leaf(tree) / max(tree.weight[0], np.finfo(float).tiny)
    return weakest_links(tree.parent, tree.first_child, tree.n_branches, rate)


def sequence(tree: Tree, link: NDArray[np.float64]) -> NDArray[np.float64]:
    """The alphas at which the tree gets smaller, ascending, 0 the first."""
    return np.unique(np.append(link[np.isfinite(link)], 0.0))


def cut(tree: Tree, link: NDArray[np.float64], alpha: float) -> Tree:
    """The smallest of the trees that are best at this price of a leaf."""
    return tree.with_leaves(link <= alpha)


def held_out_errors(
    tree: Tree, link: NDArray[np.float64], table: Table, held_out: Sample, alphas: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weight of the held-out cases that the tree pruned at each alpha gets wrong, [n_alphas].

    A node is a leaf from its own link up to the first of its ancestors' links, so all alphas are answered by
    two running sums. A case with unknown values counts as wrong with the share of it that ends wrong.
    """
    reached = tree.reach(table, held_out)
    wrong = reached.sum(axis=1) - reached[np.arange(tree.n_nodes), tree.majority]
    opens = np.where(tree.attribute < 0, 0.0, link)
    closes = least_above(tree.parent, link)
    leaf_once = opens < closes
    starts, ends, wrong = opens[leaf_once], closes[leaf_once], wrong[leaf_once]
    return running(starts, wrong, alphas) - running(ends, wrong, alphas)


def running(
    places: NDArray[np.float64], amounts: NDArray[np.float64], at: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Sum of the amounts whose place is not beyond each point."""
    order = np.argsort(places, kind="stable")
    sums = np.append(0.0, np.cumsum(amounts[order]))
    total: NDArray[np.float64] = sums[np.searchsorted(places[order], at, side="right")]
    return total


def stratified(table: Table, sample: Sample, folds: int, seed: int) -> list[tuple[Sample, Sample]]:
    """(held out, rest) for each fold: shuffled, brought into class order, dealt out one by one."""
    random = np.random.default_rng(seed)
    shuffled = random.permutation(len(sample))
    by_class = shuffled[np.argsort(table.classes[sample.rows][shuffled], kind="stable")]
    fold = np.empty(len(sample), dtype=np.int64)
    fold[by_class] = np.arange(len(sample)) % folds
    weights = table.weights_of(sample)
    pairs = [(fold == f, fold != f) for f in range(min(folds, len(sample)))]
    return [
        (Sample(sample.rows[held], weights[held]), Sample(sample.rows[rest], weights[rest]))
        for held, rest in pairs
    ]
