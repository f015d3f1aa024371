"""Boosting as C5.0 does it: additive for the wrong, multiplicative for the right, and probabilities averaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treeforge.plugin import Ensemble, Sample, Table, Tree, TreeBuilder, VoteModel
from treeforge_boosting.rounds import Cases, lone_tree, seeds


@dataclass(frozen=True)
class C50BoostEnsemble(Ensemble):
    """C5.0's trials: like AdaBoost, with gentler weights and no stage values.

    Let S+ and S- be the weight of the cases that a tree gets right and wrong, and
    ``midpoint = (S+ - S-) / 4``. Right cases are multiplied by ``(S+ - midpoint) / S+``; wrong ones get
    ``midpoint / (number of them)`` more. It stops when less than a tenth of the weight is wrong, or half
    of it. The class probabilities of all trees are averaged.

    Parameters
    ----------
    trees : int
        Trials, at most.

    References
    ----------
    M. Kuhn, K. Johnson, Applied predictive modeling (2013), section 14.6, which describes the program.
    """

    trees: int = 10

    releases_gil: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.trees < 1:
            raise ValueError(f"trees must be at least 1, not {self.trees}")

    def build(
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> VoteModel:
        cases = Cases.of(table, sample)
        weights = cases.weights.copy()
        trees: list[Tree] = []
        errors: list[float] = []
        for tree_seed in seeds(seed, self.trees if len(cases.rows) else 0):
            tree = builder.tree(cases.sample(weights), tree_seed)
            right = cases.right(tree)
            s_right, s_wrong = float(weights[right].sum()), float(weights[~right].sum())
            error = s_wrong / (s_right + s_wrong)
            if error >= 0.5 and trees:
                break
            trees.append(tree)
            errors.append(error)
            if error < 0.1 or error >= 0.5:
                break
            midpoint = (s_right - s_wrong) / 4.0
            weights[right] *= (s_right - midpoint) / s_right
            weights[~right] += midpoint / (~right).sum()
        if not trees:
            return VoteModel(lone_tree(builder, sample, seed))
        return VoteModel(tuple(trees), details={"errors": errors})
