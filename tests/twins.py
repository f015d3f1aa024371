"""A compiled plugin beside its reference in Python: the same trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from treeforge_c45 import NoPruner

from treeforge.data import Dataset, Sample
from treeforge.learn.learner import Learner, Limits
from treeforge.plugin import Criterion, Splitter, Tree


def without_kernel(plugin: Any) -> Any:
    """The same plugin, its kernel taken away: the loop then asks the reference."""
    bare = type(plugin.__class__.__name__, (plugin.__class__,), {"kernel": lambda self, table: None})
    return dataclass(frozen=True)(bare)(**plugin.parameters())


def grown(splitter: Splitter, criterion: Criterion, data: Dataset, min_branch: float) -> Tree:
    learner = Learner(splitter, criterion, NoPruner(collapse=False), limits=Limits(min_branch=min_branch))
    fitted = learner.fit(data, Sample.whole(data.n_rows), seed=3).fitted
    tree: Tree = fitted.tree  # type: ignore[union-attr]
    return tree


def assert_same(one: Tree, other: Tree) -> None:
    assert one.attribute.tolist() == other.attribute.tolist()
    assert one.n_branches.tolist() == other.n_branches.tolist()
    assert one.branch_of.tolist() == other.branch_of.tolist()
    np.testing.assert_allclose(one.cuts, other.cuts, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(one.distribution, other.distribution, rtol=1e-9, atol=1e-9)
