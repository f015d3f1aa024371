"""C4.5 (Quinlan 1993, 1996) as Weka's J48 computes it: splitter, gain ratio and pruners."""

from treeforge_c45.gain_ratio import GainRatioCriterion
from treeforge_c45.pruning import ErrorBasedPruner, NoPruner, ReducedErrorPruner
from treeforge_c45.splitter import C45Splitter

__all__ = ["C45Splitter", "ErrorBasedPruner", "GainRatioCriterion", "NoPruner", "ReducedErrorPruner"]
