import numpy as np
from numpy.typing import NDArray

from treeforge.core.table import Table
from treeforge.core.tree import Tree

def _py_extra_errors(confidence: float, n: float, e: float) -> float:
    """Errors to expect beyond the e among n cases; for tests."""

def all_classes_known(table: Table, rows: NDArray[np.int32]) -> bool:
    """Whether every row has a class."""

class Draft:
    """What error-based pruning works on."""

    def __init__(self, tree: Tree, table: Table, confidence: float, raising: bool, collapse: bool) -> None:
        """``collapse``: tests that do not lower the training error are leaves, each with its own class weights."""
    def known_everywhere(self, rows: NDArray[np.int32]) -> bool:
        """Whether no training case has an unknown value of an attribute that the tree tests."""
    def finished(self) -> Tree:
        """The draft as a tree, numbered anew."""
