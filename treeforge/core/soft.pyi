from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.predict import Source
from treeforge.core.tree import Tree

class SoftWalker:
    """A tree with soft thresholds in the form that predicts.

    Parameters
    ----------
    tree : Tree
    lower, upper : ndarray of float64, [n_cuts]
        Bounds of each cut; only a test of one cut and two branches may have bounds apart from its cut.
    laplace : bool
        Whether a node's probabilities are smoothed by Laplace's rule.
    """

    def __init__(
        self, tree: Tree, lower: NDArray[np.float64], upper: NDArray[np.float64], *, laplace: bool = False
    ) -> None: ...
    def predict_proba(
        self, source: Source, rows: NDArray[np.int32] | None = None, *, n_threads: int = 1, root: int = 0
    ) -> NDArray[np.float64]:
        """Class probabilities, [n, n_classes]; a row of zeros is an unclassified case.

        ``root`` is the node at which the cases begin.
        """

def part_below(value: float, lower: float, cut: float, upper: float, closed_left: bool) -> float:
    """The part of a case with a known value that goes to the lower side of a cut.

    1 up to ``lower``, then a straight line to 1/2 at the cut and another to 0 at ``upper``. ``closed_left`` says
    whether a value equal to the cut lies above it, which matters where one of the bounds is the cut.
    """

__all__: list[Any]
