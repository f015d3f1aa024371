from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.steps import Walker
from treeforge.core.table import SampleLike, Table

class Tree:
    """A grown tree: flat arrays over nodes, read-only; node 0 is the root, children come after their parent.

    attribute    int32 [n_nodes]   input tested, -1 at a leaf
    parent       int32 [n_nodes]   -1 at the root
    first_child  int32 [n_nodes]   branch b leads to node first_child + b; -1 at a leaf
    n_branches   int32 [n_nodes]   0 at a leaf
    closed_left  uint8 [n_nodes]   1: a value equal to a cut goes right (x < cut | x >= cut), as MSD's; 0: x <= cut | x > cut
    cut_start    int32 [n_nodes+1] cuts[cut_start[i]:cut_start[i+1]] are node i's ascending cuts (numeric tests)
    cell_start   int32 [n_nodes+1] branch_of[cell_start[i]:cell_start[i+1]] maps node i's cells to branches
    cuts         float64           k cuts make k + 1 cells
    branch_of    int32             cells of a nominal test are its categories, of a numeric one the intervals
    distribution float64 [n_nodes, n_classes]  weight of each class among the training cases that reached the node
    weight       float64 [n_nodes]             their sum
    share        float64 [n_nodes]  the part of the parent's cases with a known value that went here (root: 1)
    empty        uint8 [n_nodes]    1: no training case came here; predicts as its parent does
    """

    n_nodes: int
    n_classes: int
    attribute: NDArray[np.int32]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    n_branches: NDArray[np.int32]
    closed_left: NDArray[np.uint8]
    cut_start: NDArray[np.int32]
    cell_start: NDArray[np.int32]
    cuts: NDArray[np.float64]
    branch_of: NDArray[np.int32]
    distribution: NDArray[np.float64]
    weight: NDArray[np.float64]
    share: NDArray[np.float64]
    empty: NDArray[np.uint8]
    metadata: dict[str, Any]
    # int32 [n_rows of the table], where `grow` was asked for it: the leaf where each row that trained ended, or the first
    # test that its value is unknown for; -1 for other rows
    training_leaves: NDArray[np.int32] | None
    def __init__(
        self,
        *,
        attribute: NDArray[np.int32],
        parent: NDArray[np.int32],
        first_child: NDArray[np.int32],
        n_branches: NDArray[np.int32],
        closed_left: NDArray[np.uint8],
        cut_start: NDArray[np.int32],
        cell_start: NDArray[np.int32],
        cuts: NDArray[np.float64],
        branch_of: NDArray[np.int32],
        distribution: NDArray[np.float64],
        weight: NDArray[np.float64],
        share: NDArray[np.float64],
        empty: NDArray[np.uint8],
        metadata: dict[str, Any] | None = None,
    ) -> None: ...
    @property
    def n_leaves(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def majority(self) -> NDArray[np.int32]:
        """Class that each node stands for, [n_nodes]: c45.md 0.4; an empty leaf's comes from its parent."""
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name: what a tree is made of, and can be made from again."""
    def predict_proba(
        self, table: Table, rows: NDArray[np.int32] | None = None, *, laplace: bool = False, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Class probabilities, [n_rows, n_classes] (c45.md 7.1); a row of zeros is an unclassified case."""
    def walker(self) -> Walker:
        """The tree in the form that predicts, made once."""
    def apply(self, table: Table, rows: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """The node where each case ends, [n_rows]; with an unknown value it follows the branch of largest share."""
    def reach(self, table: Table, sample: SampleLike) -> NDArray[np.float64]:
        """Class weights of the sample's cases at every node they come to, [n_nodes, n_classes]; c45.md 5.2.

        Cases of unknown class are left out. With an unknown value a case goes on in parts.
        """
    def with_leaves(self, nodes: NDArray[np.bool_]) -> Tree:
        """A copy in which the marked nodes are leaves; what was below them is gone."""
