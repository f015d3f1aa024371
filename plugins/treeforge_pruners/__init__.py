"""Pruners: pessimistic, MDL, minimum error, critical value, and cost-complexity."""

from treeforge_pruners.cost_complexity import CostComplexityPruner
from treeforge_pruners.critical_value import CriticalValuePruner
from treeforge_pruners.mdl import MdlPruner
from treeforge_pruners.minimum_error import MinimumErrorPruner
from treeforge_pruners.pessimistic import PessimisticPruner

__all__ = [
    "CostComplexityPruner",
    "CriticalValuePruner",
    "MdlPruner",
    "MinimumErrorPruner",
    "PessimisticPruner",
]
