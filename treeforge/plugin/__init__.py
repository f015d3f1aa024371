"""What a plugin is, for those who write one: base classes, and the things that they are handed."""

from treeforge.core.model import TreeModel, VoteModel
from treeforge.core.python_kernel import NodeView
from treeforge.core.rule_model import RuleModel
from treeforge.core.rules import CellTest, Rules, leaf_rules
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.core.walk import refilled
from treeforge.data import Sample
from treeforge.errors import DataError, InputError, ParameterError
from treeforge.plugin.interfaces import (
    Criterion,
    Discretizer,
    Ensemble,
    Grow,
    Metric,
    Plugin,
    Proposal,
    Pruner,
    Source,
    Splitter,
    Test,
    TreeBuilder,
)

__all__ = [
    "CellTest",
    "Criterion",
    "DataError",
    "Discretizer",
    "Ensemble",
    "Grow",
    "InputError",
    "Metric",
    "NodeView",
    "ParameterError",
    "Plugin",
    "Proposal",
    "Pruner",
    "RuleModel",
    "Rules",
    "Sample",
    "Source",
    "Splitter",
    "Table",
    "Test",
    "Tree",
    "TreeBuilder",
    "TreeModel",
    "VoteModel",
    "leaf_rules",
    "refilled",
]
