"""MDL pruning as SLIQ and SPRINT do it: the tree and its exceptions in one message, the shortest wins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treeforge.plugin import Pruner, Sample, Table, Tree
from treeforge_pruners.walk import cheapest, errors_as_leaf


@dataclass(frozen=True)
class MdlPruner(Pruner):
    """Keep the subtree whose description, errors included, is shortest.

    A leaf costs one bit, which says that it is one, and one for each training case it gets wrong. A test
    costs a bit, the code of the test, and what its branches cost. A number in a test costs ``value_bits``; a
    nominal test ``ln n``, n the number of tests of that attribute in the tree.

    Parameters
    ----------
    value_bits : float
        Cost of a cut of a numeric attribute (1 in the papers); a test with three cuts costs three times that.

    References
    ----------
    M. Mehta, R. Agrawal, J. Rissanen, SLIQ: a fast scalable classifier for data mining, EDBT 1996, section 5.
    J. Shafer, R. Agrawal, M. Mehta, SPRINT, VLDB 1996, which prunes in the same way.
    """

    value_bits: float = 1.0

    def __post_init__(self) -> None:
        if not self.value_bits >= 0:
            raise ValueError(f"value_bits must not be negative, not {self.value_bits}")

    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        tests = tree.attribute >= 0
        times = np.bincount(tree.attribute[tests], minlength=1)
        cuts = np.diff(tree.cut_start)
        nominal = np.log(np.maximum(times[np.where(tests, tree.attribute, 0)], 1))
        code = np.where(cuts > 0, cuts * self.value_bits, nominal)
        return cheapest(tree, 1.0 + errors_as_leaf(tree), 1.0 + code)
