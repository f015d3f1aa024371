"""Bagging, random forests and Extra-Trees."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.random import Generator

from treeforge.plugin import Ensemble, Sample, Table, Tree, TreeBuilder, VoteModel
from treeforge_forest.out_of_bag import Array, mean_permutation, out_of_bag, permutation
from treeforge_forest.streams import bootstrap, generator_of

#: C4.5's best midpoint without the rules that keep a single tree small
PLAIN_SPLITTER = {"c45": {"mdl_correction": False, "actual_value": False, "smallest_side": False}}
UNPRUNED = {"none": {"collapse": False}}


@dataclass(frozen=True)
class BaggingEnsemble(Ensemble):
    """Trees on bootstrap samples, their class probabilities averaged.

    Parameters
    ----------
    trees : int
        How many are grown.
    out_of_bag : bool
        Estimate the error from the cases that each tree did not train on.
    permutation_importance : bool
        Measure by these cases, too, what accuracy a tree loses when an attribute's values are shuffled.

    References
    ----------
    L. Breiman, Bagging predictors, Machine Learning 24 (1996) 123-140.
    """

    trees: int = 100
    out_of_bag: bool = False
    permutation_importance: bool = False

    releases_gil: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.trees < 1:
            raise ValueError(f"trees must be at least 1, not {self.trees}")

    def build(
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> VoteModel:
        def grow(number: int) -> tuple[Tree, Sample, Array | None]:
            generator = generator_of(seed, number)
            bag = self.training_cases(table, sample, generator)
            tree = builder.tree(bag, int(generator.integers(0, 2**63)))
            lost = permutation(table, sample, tree, bag, generator) if self.permutation_importance else None
            return tree, bag, lost

        with ThreadPoolExecutor(max(1, n_threads)) as pool:
            grown = list(pool.map(grow, range(self.trees)))
        trees = tuple(tree for tree, _, _ in grown)
        details: dict[str, Any] = {}
        if self.out_of_bag:
            details |= out_of_bag(table, sample, trees, [bag for _, bag, _ in grown])
        if self.permutation_importance:
            details |= mean_permutation([lost for _, _, lost in grown if lost is not None])
        return VoteModel(trees, details=details)

    def training_cases(self, table: Table, sample: Sample, generator: Generator) -> Sample:
        """What one tree is grown on: a bootstrap sample."""
        return bootstrap(table, sample, generator)


@dataclass(frozen=True)
class RandomForestEnsemble(BaggingEnsemble):
    """Bagging, where each node looks at a few attributes drawn at random.

    Parameters
    ----------
    trees : int
        How many are grown.
    max_attributes : int, float or str
        How many attributes a node looks at: a number, a share of them below 1, ``sqrt``, or ``log2`` for
        floor(log2 m) + 1 as Breiman and Weka have it. More are drawn while none of them can be split.
    out_of_bag, permutation_importance : bool
        As for ``bagging``.

    References
    ----------
    L. Breiman, Random forests, Machine Learning 45 (2001) 5-32.
    """

    max_attributes: int | float | str = "log2"

    default_splitter: ClassVar[Any] = PLAIN_SPLITTER
    default_criterion: ClassVar[str | None] = "information_gain"
    default_pruner: ClassVar[Any] = UNPRUNED
    default_min_branch: ClassVar[float | None] = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = self.max_attributes
        if wanted not in ("log2", "sqrt") and (isinstance(wanted, str) or not wanted > 0):
            raise ValueError(f"max_attributes must be a number above 0, 'sqrt' or 'log2', not {wanted!r}")

    def build(
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> VoteModel:
        limited = builder.with_limits(max_attributes=self.attributes_of(table.n_inputs))
        return super().build(limited, table, sample, seed, n_threads)

    def attributes_of(self, n_inputs: int) -> int:
        """How many attributes a node of a table looks at; at least 1, at most all."""
        wanted = self.max_attributes
        if wanted == "log2":
            found = n_inputs.bit_length()
        elif wanted == "sqrt":
            found = int(n_inputs**0.5)
        elif isinstance(wanted, float) and wanted < 1:
            found = int(wanted * n_inputs)
        else:
            found = int(wanted)
        return max(1, min(found, n_inputs))


@dataclass(frozen=True)
class ExtraTreesEnsemble(RandomForestEnsemble):
    """Extremely randomised trees: at each node the best of one random test of a few random attributes.

    Each tree is grown on all cases, unless ``bootstrap`` is set. (The paper lets the trees vote; here, as in all
    forests of this house, their probabilities are averaged.)

    Parameters
    ----------
    trees : int
        How many are grown.
    out_of_bag, permutation_importance : bool
        As for ``bagging``; only with ``bootstrap``.
    max_attributes : int, float or str
        As for ``random_forest``.
    bootstrap : bool
        Grow each tree on a bootstrap sample.

    References
    ----------
    P. Geurts, D. Ernst, L. Wehenkel, Extremely randomized trees, Machine Learning 63 (2006) 3-42.
    """

    max_attributes: int | float | str = "sqrt"
    bootstrap: bool = False

    default_splitter: ClassVar[Any] = "random_cut"
    default_criterion: ClassVar[str | None] = "gini"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("out_of_bag", "permutation_importance"):
            if getattr(self, name) and not self.bootstrap:
                raise ValueError(f"{name} needs bootstrap: true; without it every tree trains on all cases")

    def training_cases(self, table: Table, sample: Sample, generator: Generator) -> Sample:
        """A bootstrap sample, or all cases."""
        return super().training_cases(table, sample, generator) if self.bootstrap else sample
