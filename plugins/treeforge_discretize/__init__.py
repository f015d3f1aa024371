"""Discretisers of a numeric attribute, for a node or before training."""

from treeforge_discretize.at_node import (
    CaimSplitter,
    Chi2Splitter,
    ChiMergeSplitter,
    EqualFrequencySplitter,
    EqualWidthSplitter,
    MdlpSplitter,
)
from treeforge_discretize.caim import CaimDiscretizer
from treeforge_discretize.mdlp import MdlpDiscretizer
from treeforge_discretize.merging import Chi2Discretizer, ChiMergeDiscretizer
from treeforge_discretize.unsupervised import EqualFrequencyDiscretizer, EqualWidthDiscretizer

__all__ = [
    "CaimDiscretizer",
    "CaimSplitter",
    "Chi2Discretizer",
    "Chi2Splitter",
    "ChiMergeDiscretizer",
    "ChiMergeSplitter",
    "EqualFrequencyDiscretizer",
    "EqualFrequencySplitter",
    "EqualWidthDiscretizer",
    "EqualWidthSplitter",
    "MdlpDiscretizer",
    "MdlpSplitter",
]
