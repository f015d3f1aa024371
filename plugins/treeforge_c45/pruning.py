"""C4.5's pruning: none, by expected errors, by errors on cases held back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treeforge.data.weka_folds import JavaRandom, stratify
from treeforge.plugin import Grow, Pruner, Sample, Table, Tree
from treeforge_c45 import _collapse, _draft, _prune_known, _prune_shared
from treeforge_c45.cases import cases_of, plain_cases_of

TINY = 1e-6  # weights below this count as none (c45.md 0.2)
LEAST_CONFIDENCE = 1e-7  # J48 keeps it in single precision, where 1 - 3e-8 is 1


@dataclass(frozen=True)
class NoPruner(Pruner):
    """Leaves the tree as it was grown, but for tests that do not lower the training error.

    Parameters
    ----------
    collapse : bool
        False keeps those as well (J48 -O).
    """

    collapse: bool = True

    releases_gil: ClassVar[bool] = True

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        return _collapse.collapsed(tree) if self.collapse else tree


@dataclass(frozen=True)
class ErrorBasedPruner(Pruner):
    """C4.5's pruning by expected errors, with subtree replacement and subtree raising.

    A leaf that makes e errors among its n training cases is expected to make as many as the upper limit of a
    confidence interval allows. A subtree becomes a leaf, or is replaced by its largest branch, where
    that does not raise the sum of expected errors by more than 0.1.

    Parameters
    ----------
    confidence : float
        Between 0 and 1; smaller prunes more (J48 -C). Above 0.5 nothing is added to the errors seen.
    subtree_raising : bool
        False is J48 -S.
    collapse : bool
        Remove tests that do not lower the training error beforehand; False is J48 -O.

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning (1993), chapter 4.
    """

    confidence: float = 0.25
    subtree_raising: bool = True
    collapse: bool = True

    releases_gil: ClassVar[bool] = True
    needs_leaves: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not LEAST_CONFIDENCE <= self.confidence < 1:
            raise ValueError(f"confidence must lie between {LEAST_CONFIDENCE:g} and 1, not {self.confidence}")

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        if tree.n_nodes == 1:
            return tree
        rows, weights = plain_cases_of(table, sample)
        draft = _draft.Draft(tree, table, self.confidence, self.subtree_raising, self.collapse)
        if draft.known_everywhere(rows):
            _prune_known.prune(draft, rows, weights, tree.training_leaves)
        else:
            _prune_shared.prune(draft, rows, weights, tree.training_leaves)
        return draft.finished()


@dataclass(frozen=True)
class ReducedErrorPruner(Pruner):
    """Grows on a part of the cases, and prunes by the errors on the rest (J48 -R).

    Parameters
    ----------
    folds : int
        One part in so many is held back, stratified by class.

    References
    ----------
    J. R. Quinlan, Simplifying decision trees, International Journal of Man-Machine Studies 27 (1987) 221-234.
    """

    folds: int = 3

    releases_gil: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise ValueError(f"folds must be at least 2, not {self.folds}")

    def build(self, grow: Grow, table: Table, sample: Sample, seed: int) -> Tree:
        rows, weights = cases_of(table, sample)
        generator = JavaRandom(seed)
        dealt = stratify(
            generator.shuffle(np.arange(len(rows), dtype=np.int32)), table.classes[rows], self.folds
        )
        n_growing = len(rows) - len(rows) // self.folds  # the last fold is never one of the larger ones
        growing, held = generator.shuffle(dealt[:n_growing]), dealt[n_growing:]
        weighted = sample.weights is not None or table.weights is not None
        tree = grow(
            Sample(rows[growing], weights[growing] if weighted else None),
            seed,
            np.concatenate([rows[held], sample.rows[table.classes[sample.rows] < 0]]),
        )
        return self.prune(tree, table, Sample(rows[held], weights[held]))

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        """By the errors on ``sample``, which the tree was not grown on."""
        held = tree.reach(table, sample)
        majority = tree.majority
        total = held.sum(axis=1)
        as_leaf = total - held[np.arange(tree.n_nodes), majority]
        below = as_leaf.copy()
        useless = np.zeros(tree.n_nodes, dtype=bool)
        for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parent
            if tree.attribute[node] < 0:
                continue
            first = tree.first_child[node]
            branches = range(first, first + tree.n_branches[node])
            # cases held back that come to a branch without growing cases get the class of the node
            below[node] = sum(
                total[b] - held[b, majority[node]] if tree.weight[b] < TINY else below[b] for b in branches
            )
            if as_leaf[node] - below[node] < TINY:
                useless[node], below[node] = True, as_leaf[node]
        return tree.with_leaves(useless.view(np.bool_)) if useless.any() else tree
