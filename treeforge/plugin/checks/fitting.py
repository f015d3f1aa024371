"""A plugin at work: put into a learner with plain companions, and the trees compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.data import Dataset, Sample
from treeforge.learn.learner import Learner, Limits
from treeforge.learn.model import Model
from treeforge.plugin import registry
from treeforge.plugin.interfaces import Plugin, Pruner, Splitter

if TYPE_CHECKING:
    from treeforge.core.python_kernel import NodeView

#: arrays that say what a tree tests
_TESTS = (
    "attribute",
    "parent",
    "first_child",
    "n_branches",
    "closed_left",
    "cut_start",
    "cell_start",
    "branch_of",
)


@dataclass(frozen=True)
class Plain(Splitter):
    """Every midpoint of a number, one branch a category: nothing that could hide what a criterion does."""

    def propose(self, node: NodeView, attribute: int) -> Iterator[Any]:
        if node.is_numeric(attribute):
            values = np.unique(node.values(attribute))
            middle = (values[:-1] + values[1:]) / 2
            yield from ([float(cut)] for cut in middle[:: max(1, len(middle) // 16)])
        elif len(node.codes(attribute)):
            yield [[category] for category in range(node.n_categories(attribute))]


@dataclass(frozen=True)
class AsGrown(Pruner):
    """The tree as it was grown."""

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        return tree


def learner(plugin: Plugin, **limits: Any) -> Learner:
    """A learner with the plugin in its place and the plainest companions in the others."""
    parts: dict[str, Any] = {plugin.kind: plugin}
    if "splitter" not in parts:
        named = getattr(plugin, "default_splitter", None) or "c45"
        name, parameters = (named, {}) if isinstance(named, str) else next(iter(named.items()))
        companion = registry.create("splitter", name, parameters)
        parts["splitter"] = Plain() if plugin.kind == "criterion" else companion
    if "criterion" not in parts:
        parts["criterion"] = registry.create("criterion", parts["splitter"].default_criterion)
    if "pruner" not in parts:
        parts["pruner"] = AsGrown()
    return Learner(**parts, limits=Limits(**limits))


def compiled_learner(plugin: Plugin) -> Learner:
    """The same, with C4.5's compiled splitter beside a criterion."""
    found = learner(plugin)
    return (
        replace(found, splitter=registry.create("splitter", "c45")) if plugin.kind == "criterion" else found
    )


def fit(plugin: Plugin, data: Dataset, *, seed: int = 1, n_threads: int = 1, **limits: Any) -> Model:
    """The fitted model."""
    return learner(plugin, **limits).fit(data, seed=seed, n_threads=n_threads)


def tree(plugin: Plugin, data: Dataset, *, seed: int = 1, **limits: Any) -> Tree:
    """The one tree of a model."""
    found: Tree = fit(plugin, data, seed=seed, **limits).fitted.tree  # type: ignore[union-attr]
    return found


def assert_same_tests(one: Tree, other: Tree, what: str) -> None:
    """Two trees test the same, with the same thresholds."""
    assert one.n_nodes == other.n_nodes, f"{what}: {one.n_nodes} nodes became {other.n_nodes}"
    for name in _TESTS:
        assert np.array_equal(getattr(one, name), getattr(other, name)), (
            f"{what}: '{name}' of the nodes differs"
        )
    assert np.allclose(one.cuts, other.cuts, rtol=1e-12, atol=0), f"{what}: thresholds differ"


def assert_same(one: Tree, other: Tree, what: str) -> None:
    """The same tests, and the same weight of each class in each node."""
    assert_same_tests(one, other, what)
    assert np.allclose(one.distribution, other.distribution), f"{what}: class weights of the nodes differ"


def assert_sound(grown: Tree, what: str) -> None:
    """Nodes hang together, and no case is lost on the way down."""
    assert np.isfinite(grown.cuts).all(), f"{what}: a threshold is not finite"
    assert np.isfinite(grown.distribution).all(), f"{what}: a class weight is not finite"
    assert (grown.distribution >= 0).all(), f"{what}: a class weight is below zero"
    inner = np.flatnonzero(grown.attribute >= 0)
    for node in inner.tolist():
        first = int(grown.first_child[node])
        parts = grown.distribution[first : first + int(grown.n_branches[node])].sum(axis=0)
        assert np.allclose(parts, grown.distribution[node]), f"{what}: cases are lost at node {node}"
