"""Hoeffding trees in the words of a pipeline, and the model that they become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treeforge.plugin import Ensemble, Sample, Table, TreeBuilder
from treeforge_streams._hoeffding import HoeffdingTree

Leaf = Literal["majority", "naive_bayes", "adaptive"]
LEAVES: tuple[Leaf, ...] = ("majority", "naive_bayes", "adaptive")


@dataclass(frozen=True)
class VfdtEnsemble(Ensemble):
    """A Hoeffding tree (VFDT): one look at each case, in the order of the sample.

    It stands where an ensemble would, because it replaces all of growing: splitter, criterion, pruner and
    limits have no part in it. After every ``grace_period`` of weight at a leaf let G1, G2 be the two best
    information gains (splitting on nothing, with gain 0, among them) and
    ``eps = sqrt(R^2 ln(1/delta) / (2 n))``, R = log2 of the number of classes. The leaf becomes a test when
    ``G1 - G2 > eps``, or ``eps < tie_threshold``.

    Parameters
    ----------
    grace_period : float
        Weight of the cases between two looks at the tests.
    delta : float
        Chance of a wrong choice that each decision may have.
    tie_threshold : float
        When the bound is below it, the best two are as good as each other.
    leaf : {'adaptive', 'naive_bayes', 'majority'}
        How a leaf answers; adaptive: naive Bayes, unless the majority class has been right more often there.
    bins : int
        Candidate cuts of a number, evenly spaced between its least and largest value at the leaf.
    min_branch_share : float
        At least two branches of a test must have more than this share of the leaf's cases.

    References
    ----------
    P. Domingos, G. Hulten, Mining high-speed data streams, KDD 2000.
    R. Kirkby, Improving Hoeffding trees, PhD thesis, University of Waikato (2007), for the adaptive leaves.
    """

    grace_period: float = 200.0
    delta: float = 1e-7
    tie_threshold: float = 0.05
    leaf: Leaf = "adaptive"
    bins: int = 10
    min_branch_share: float = 0.01

    releases_gil: ClassVar[bool] = True
    default_pruner: ClassVar[str | None] = "none"

    def __post_init__(self) -> None:
        check(self)
        if self.bins < 1:
            raise ValueError(f"bins must be at least 1, not {self.bins}")

    def new(self, arity: NDArray[np.int32], n_classes: int) -> HoeffdingTree:
        """A tree that has learnt nothing yet."""
        return HoeffdingTree(arity, n_classes, **settings(self), bins=self.bins, alpha=0.0, gamma_max=1.0)

    def build(  # type: ignore[override]  # a model of its own: leaves that answer by naive Bayes
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> HoeffdingModel:
        return learn(self.new(table.n_categories, table.n_classes), table, sample)


@dataclass(frozen=True)
class HoeffdingAmsdEnsemble(Ensemble):
    """A Hoeffding tree whose numeric tests are AMSD's: four branches, cut by the leaf's streaming moments.

    Mean, deviation and skewness come from sums that are kept for each class and merged, so a leaf needs no
    values and no candidate cuts. Everything else is VFDT.

    Parameters
    ----------
    alpha : float
        How far skewness moves the outer cuts.
    gamma_max : float
        Skewness counts up to this.
    grace_period, delta, tie_threshold, leaf, min_branch_share
        As for ``vfdt``.

    References
    ----------
    The outlook of the Adaptive MSD-Splitting paper (2026).
    """

    alpha: float = 0.25
    gamma_max: float = 2.0
    grace_period: float = 200.0
    delta: float = 1e-7
    tie_threshold: float = 0.05
    leaf: Leaf = "adaptive"
    min_branch_share: float = 0.01

    releases_gil: ClassVar[bool] = True
    default_pruner: ClassVar[str | None] = "none"

    def __post_init__(self) -> None:
        check(self)
        if not self.alpha >= 0:
            raise ValueError(f"alpha must not be negative, not {self.alpha}")
        if not self.gamma_max > 0:
            raise ValueError(f"gamma_max must be positive, not {self.gamma_max}")
        if not self.alpha * self.gamma_max < 1:
            raise ValueError(
                f"alpha * gamma_max must be below 1, or the outer cuts would cross the mean: "
                f"{self.alpha} * {self.gamma_max}"
            )

    def new(self, arity: NDArray[np.int32], n_classes: int) -> HoeffdingTree:
        """A tree that has learnt nothing yet."""
        return HoeffdingTree(
            arity, n_classes, **settings(self), bins=0, alpha=self.alpha, gamma_max=self.gamma_max
        )

    def build(  # type: ignore[override]
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> HoeffdingModel:
        return learn(self.new(table.n_categories, table.n_classes), table, sample)


@dataclass(frozen=True, eq=False)
class HoeffdingModel:
    """A Hoeffding tree that predicts; learning can go on with ``partial_fit``."""

    tree: HoeffdingTree

    def partial_fit(self, table: Table, sample: Sample) -> None:
        """Learn from more cases, in the order of the sample."""
        self.tree.learn(table.columns, table.classes, sample.rows, table.weights_of(sample))

    def predict_proba(
        self, table: Table, rows: NDArray[np.int32] | None = None, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes]."""
        picked = np.arange(table.n_rows, dtype=np.int32) if rows is None else rows
        return self.tree.predict(table.columns, np.ascontiguousarray(picked, dtype=np.int32))

    def measures(self) -> dict[str, float]:
        """Leaves, size and depth."""
        structure = self.tree.structure()
        return {
            "leaves": int((structure["attribute"] < 0).sum()),
            "size": self.tree.n_nodes,
            "depth": depth(structure["parent"]),
        }


def learn(tree: HoeffdingTree, table: Table, sample: Sample) -> HoeffdingModel:
    """A model that has seen the cases of a sample in their order."""
    model = HoeffdingModel(tree)
    model.partial_fit(table, sample)
    return model


def depth(parent: NDArray[np.int32]) -> int:
    """Tests on the longest path; parents come before their children."""
    level = np.zeros(len(parent), dtype=np.int64)
    for node in range(1, len(parent)):
        level[node] = level[parent[node]] + 1
    return int(level.max())


def settings(of: VfdtEnsemble | HoeffdingAmsdEnsemble) -> dict[str, Any]:
    """What both kinds of tree take."""
    return {
        "grace_period": of.grace_period,
        "delta": of.delta,
        "tie_threshold": of.tie_threshold,
        "least_share": of.min_branch_share,
        "leaf": LEAVES.index(of.leaf),
    }


def check(of: VfdtEnsemble | HoeffdingAmsdEnsemble) -> None:
    """Refuse settings that mean nothing."""
    if not of.grace_period > 0:
        raise ValueError(f"grace_period must be positive, not {of.grace_period}")
    if not 0 < of.delta < 1:
        raise ValueError(f"delta must lie between 0 and 1, not {of.delta}")
    if not of.tie_threshold >= 0:
        raise ValueError(f"tie_threshold must not be negative, not {of.tie_threshold}")
    if of.leaf not in LEAVES:
        raise ValueError(f"leaf must be one of {', '.join(LEAVES)}, not {of.leaf!r}")
    if not 0 <= of.min_branch_share < 0.5:
        raise ValueError(f"min_branch_share must be at least 0 and below 0.5, not {of.min_branch_share}")
