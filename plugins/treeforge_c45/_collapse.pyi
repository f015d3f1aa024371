import numpy as np
from numpy.typing import NDArray

from treeforge.core.tree import Tree

def useless(tree: Tree) -> NDArray[np.uint8]:
    """Nodes whose subtree makes no fewer errors than they would as leaves, [n_nodes]."""
