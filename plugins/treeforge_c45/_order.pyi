import numpy as np
from numpy.typing import NDArray

from treeforge.core.table import Table
from treeforge.core.tree import Tree

def decides(tree: Tree, table: Table, n_cases: int) -> bool:
    """Whether the last bit of a sum of fractions is seen: which of two classes of equal weight, which printed hundredth.

    False for more than 50,000 values (cases times inputs): to sum those again would cost more than to grow.
    """

def summed_again(tree: Tree, table: Table, rows: NDArray[np.int32], weights: NDArray[np.float64]) -> Tree:
    """A grown tree with J48's sums where that bit is seen; the very same tree where it is not.

    ``rows`` and ``weights`` are the training cases in their order, [n].
    """
