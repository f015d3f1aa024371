"""AdaBoost.M1 and SAMME: trees grown one after the other, each on what the ones before got wrong."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from treeforge.plugin import Ensemble, Sample, Table, Tree, TreeBuilder, VoteModel
from treeforge_boosting.rounds import Cases, lone_tree, seeds


class AdaBoost(Ensemble):
    """The loop of both; they differ in how much a tree of a given error is worth."""

    trees: int

    releases_gil: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.trees < 1:
            raise ValueError(f"trees must be at least 1, not {self.trees}")

    @abstractmethod
    def worth(self, error: float, n_classes: int) -> float:
        """Weight of the vote of a tree with this weighted error, above 0; not above 0: no better than chance."""

    def build(
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> VoteModel:
        cases = Cases.of(table, sample)
        weights, total = cases.weights.copy(), float(cases.weights.sum())
        trees: list[Tree] = []
        votes: list[float] = []
        errors: list[float] = []
        for tree_seed in seeds(seed, self.trees if len(cases.rows) else 0):
            tree = builder.tree(cases.sample(weights), tree_seed)
            wrong = ~cases.right(tree)
            error = float(weights[wrong].sum()) / total
            worth = self.worth(error, cases.n_classes) if error > 0 else 0.0
            if not worth > 0:
                # perfect, or no better than chance: nothing to go on with; the first tree has to do
                if not trees:
                    trees, votes, errors = [tree], [1.0], [error]
                break
            trees.append(tree)
            votes.append(worth)
            errors.append(error)
            weights[wrong] *= np.exp(worth)
            weights *= total / weights.sum()  # keeps `min_branch` in units of cases
        if not trees:
            return VoteModel(lone_tree(builder, sample, seed))
        return VoteModel(tuple(trees), np.array(votes), votes=True, details={"errors": errors})


@dataclass(frozen=True)
class AdaBoostM1Ensemble(AdaBoost):
    """AdaBoost.M1: cases that a tree gets wrong weigh more for the next; trees vote by ``ln((1 - e) / e)``.

    e is the weighted training error. It ends early at a tree with no error, or with half of the weight wrong
    (such a tree is kept only if it is the first), as Weka's does.

    Parameters
    ----------
    trees : int
        At most.

    References
    ----------
    Y. Freund, R. Schapire, Experiments with a new boosting algorithm, ICML 1996.
    """

    trees: int = 10

    def worth(self, error: float, n_classes: int) -> float:
        return log((1.0 - error) / error) if error < 0.5 else 0.0


@dataclass(frozen=True)
class SammeEnsemble(AdaBoost):
    """AdaBoost for more than two classes: trees vote by ``ln((1 - e) / e) + ln(K - 1)``.

    With K classes a tree need only beat an error of ``1 - 1/K``. With two it is AdaBoost.M1.

    Parameters
    ----------
    trees : int
        At most.

    References
    ----------
    J. Zhu, H. Zou, S. Rosset, T. Hastie, Multi-class AdaBoost, Statistics and Its Interface 2 (2009).
    """

    trees: int = 10

    def worth(self, error: float, n_classes: int) -> float:
        if n_classes < 2 or error >= 1.0 - 1.0 / n_classes:
            return 0.0
        return log((1.0 - error) / error) + log(n_classes - 1.0)
