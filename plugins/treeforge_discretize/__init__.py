"""Discretisers of a numeric attribute, for a node or before training."""

from treeforge_discretize.caim import CaimDiscretizer
from treeforge_discretize.mdlp import MdlpDiscretizer
from treeforge_discretize.merging import Chi2Discretizer, ChiMergeDiscretizer
from treeforge_discretize.unsupervised import EqualFrequencyDiscretizer, EqualWidthDiscretizer

__all__ = [
    "CaimDiscretizer",
    "Chi2Discretizer",
    "ChiMergeDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MdlpDiscretizer",
]
