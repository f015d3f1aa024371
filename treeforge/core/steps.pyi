from collections.abc import Sequence
from typing import Any

from treeforge.core.tree import Tree

class Walker:
    """Trees in the form that predicts: compact nodes, walked by several rows together.

    Parameters
    ----------
    trees : sequence of Tree
        With the same inputs and classes.
    """

    n_trees: int
    n_classes: int
    def __init__(self, trees: Sequence[Tree]) -> None: ...

def _py_steps(walker: Walker) -> list[tuple[float, int, int, int]]:
    """For tests: (cut, input, first, answer) of each step."""

__all__: list[Any]
