from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.table import Table

class NodeView:
    """The cases of a node, as a splitter in Python sees them. Good only while it is being asked."""

    n_rows: int
    n_classes: int
    depth: int
    weight: float
    min_branch: float
    @property
    def rows(self) -> NDArray[np.uint32]: ...
    @property
    def classes(self) -> NDArray[np.int32]:
        """Class of each case, [n_rows]."""
    @property
    def weights(self) -> NDArray[np.float64]:
        """Weight of each case, [n_rows]."""
    @property
    def class_weights(self) -> NDArray[np.float64]:
        """[n_classes]"""
    def is_numeric(self, attribute: int) -> bool: ...
    def n_categories(self, attribute: int) -> int: ...
    def column(self, attribute: int) -> NDArray[Any]:
        """Values (NaN unknown) or codes (-1 unknown) of all cases, [n_rows]."""
    def known(self, attribute: int) -> NDArray[np.bool_]:
        """Which cases have a known value, [n_rows]."""
    def values(self, attribute: int) -> NDArray[np.float64]:
        """Known values of a numeric attribute, in the order of the cases."""
    def codes(self, attribute: int) -> NDArray[np.int32]:
        """Known codes of a nominal attribute, in the order of the cases."""
    def gain(self, counts: NDArray[np.float64]) -> float:
        """The criterion's gain of a table of class weights, [n_branches, n_classes]."""
    def uniform(self) -> float:
        """A number in [0, 1) from the tree's random stream."""

def splitter_kernel(splitter: Any, table: Table) -> object:
    """A capsule whose kernel asks a splitter's ``propose``."""

def criterion_kernel(criterion: Any) -> object:
    """A capsule whose kernel asks a criterion's ``score``."""
