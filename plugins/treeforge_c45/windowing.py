"""C4.5's windowing: a tree from a part of the cases, which grows by those that the tree gets wrong."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Ensemble, Grow, Pruner, Sample, Table, Tree, TreeBuilder, TreeModel, refilled
from treeforge_c45 import _draft
from treeforge_c45.cases import cases_of
from treeforge_c45.pruning import TINY, ErrorBasedPruner

Rows = NDArray[np.int32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class WindowingEnsemble(Ensemble):
    """Trees from growing windows of the training cases, of which the most promising one is kept (C4.5 -t -w -i).

    A trial begins with a random window in which the classes are as even as they can be. A tree is grown on it
    and tried on the cases outside; some that it gets wrong, at least half of them, join the window, and again. It
    ends when nothing outside is wrong, or when the tree gets no fewer of all cases wrong than one before; the
    tree that was best is filled with all cases and pruned. Of all trials the tree with the fewest errors to expect
    is kept: those of error-based pruning where that prunes, the errors seen on the training cases otherwise.

    Parameters
    ----------
    trials : int
        How many trees are made (C4.5 -t).
    window : int, optional
        Cases of the first window (-w). Unless given, a fifth of the cases, or twice their square root if that is
        more.
    increment : int, optional
        Most cases that join at a time, unless half of the wrong ones are more (-i). Unless given, a fifth of the
        first window.

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning (1993), chapter 6.
    """

    trials: int = 10
    window: int | None = None
    increment: int | None = None

    one_tree: ClassVar[bool] = True
    releases_gil: ClassVar[bool] = True
    examples: ClassVar[tuple[Mapping[str, Any], ...]] = ({}, {"trials": 2, "window": 30, "increment": 3})

    def __post_init__(self) -> None:
        for name, value in self.parameters().items():
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")

    def build(
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> TreeModel:
        def attempt(number: int) -> tuple[Tree, dict[str, Any]]:
            trial = Trial(self, builder.grow, table, number)
            tree = builder.tree(sample, seed, trial.grow)
            expected = errors_to_expect(tree, builder.pruner)
            facts = {"window": trial.window, "rounds": trial.rounds, "size": tree.n_nodes}
            return tree, facts | {"errors_to_expect": expected}

        with ThreadPoolExecutor(max(1, n_threads)) as pool:
            made = list(pool.map(attempt, range(self.trials)))
        best = min(range(self.trials), key=lambda number: made[number][1]["errors_to_expect"])
        facts = {"kept": best + 1, "trials": [facts for _, facts in made]}
        tree = made[best][0]
        return TreeModel(Tree(metadata=tree.metadata | {"windowing": facts}, **tree.arrays()))

    def sizes(self, n_cases: int) -> tuple[int, int]:
        """Cases of the first window, and most that join at a time.

        Examples
        --------
        >>> WindowingEnsemble().sizes(1000), WindowingEnsemble().sizes(64), WindowingEnsemble(window=3).sizes(64)
        ((200, 40), (16, 3), (3, 1))
        """
        window = self.window or int(max(0.2 * n_cases, 2 * sqrt(n_cases)))
        return window, self.increment or max(1, window // 5)


class Trial:
    """Grows a tree by one sequence of windows.

    Parameters
    ----------
    plan : WindowingEnsemble
    grow_whole : Grow
        Grows a tree on a given window.
    number : int
        Of the trial: it decides, with the seed, which cases are drawn.
    """

    def __init__(self, plan: WindowingEnsemble, grow_whole: Grow, table: Table, number: int) -> None:
        self.plan, self.grow_whole, self.table, self.number = plan, grow_whole, table, number
        self.window = self.rounds = 0  # cases of the window that was best, and trees grown

    def grow(self, sample: Sample, seed: int, held: Rows | None = None) -> Tree:
        """A tree of windows of the sample; its distributions are those of the whole sample."""
        rows, weights = cases_of(self.table, sample)
        size, increment = self.plan.sizes(len(rows))
        self.window, self.rounds = len(rows), 1
        if size >= len(rows):
            return self.grow_whole(sample, seed, held)
        order = np.random.default_rng([seed, self.number]).permutation(len(rows))
        classes = self.table.classes[rows]
        inside = np.zeros(len(rows), dtype=bool)
        inside[order[evenly(classes[order], size)]] = True
        best, fewest = None, np.inf
        for self.rounds in range(1, len(rows) + 1):
            tree = self.grow_whole(*self._parted(sample, rows[~inside], seed, held))
            wrong = TreeModel(tree).predict_codes(self.table, rows) != classes
            errors = float(weights[wrong].sum())
            if best is not None and errors >= fewest:
                break
            best, fewest, self.window = tree, errors, int(inside.sum())
            joining = order[(wrong & ~inside)[order]]  # in the order they were shuffled
            if not len(joining):
                break
            inside[joining[: max(increment, (len(joining) + 1) // 2)]] = True
        assert best is not None
        return refilled(best, self.table, sample)

    def _parted(
        self, sample: Sample, outside: Rows, seed: int, held: Rows | None
    ) -> tuple[Sample, int, Rows]:
        """What grows a tree on the sample without some rows, which still count among the training set's values."""
        kept = ~np.isin(sample.rows, outside)
        window = Sample(
            sample.rows[kept],
            None if sample.weights is None else sample.weights[kept],
            None if sample.copies is None else sample.copies[kept],
        )
        return window, seed, outside if held is None else np.concatenate([outside, held])


def evenly(classes: Rows, size: int) -> NDArray[np.intp]:
    """Places of ``size`` cases, as many of each class as there are, or as of the others; earlier ones first.

    Examples
    --------
    >>> evenly(np.array([0, 0, 0, 0, 1, 0, 2, 1]), 5)
    array([0, 4, 6, 1, 7])
    """
    by_class = np.argsort(classes, kind="stable")
    counts = np.unique(classes, return_counts=True)[1]
    turn = np.empty(len(classes), dtype=np.intp)  # the first case of each class has turn 0, the second 1 ...
    turn[by_class] = np.concatenate([np.arange(n) for n in counts])
    return np.argsort(turn, kind="stable")[:size]


def errors_to_expect(tree: Tree, pruner: Pruner) -> float:
    """Weight of the errors to expect of a tree: as the pruner estimates them, or those on the training cases."""
    leaf = (tree.attribute < 0) & (tree.weight >= TINY)
    weight = tree.weight[leaf]
    wrong = weight - tree.distribution[leaf, tree.majority[leaf]]
    if not isinstance(pruner, ErrorBasedPruner):
        return float(wrong.sum())
    pairs = zip(weight.tolist(), wrong.tolist(), strict=True)
    return float(sum(e + _draft._py_extra_errors(pruner.confidence, n, e) for n, e in pairs))
