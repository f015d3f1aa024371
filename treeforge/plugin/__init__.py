"""What a plugin is, for those who write one: base classes, and the things that they are handed."""

from treeforge.plugin.interfaces import (
    Criterion,
    Discretizer,
    Ensemble,
    Metric,
    Plugin,
    Pruner,
    Source,
    Splitter,
    Test,
    TreeBuilder,
)

__all__ = [
    "Criterion",
    "Discretizer",
    "Ensemble",
    "Metric",
    "Plugin",
    "Pruner",
    "Source",
    "Splitter",
    "Test",
    "TreeBuilder",
]
