"""Soft thresholds: how far each threshold of a tree could be moved before the training cases object.

Quinlan's option (1993, chapter 8; C4.5 -p). At a test ``A <= Z`` let E be the weight of the training cases that
the subtree gets wrong. Another threshold sends some of them the other way, and changes that number. The bounds are
the outermost values of A that could stand in the place of Z, with every value between them and Z, while the errors
stay within E and their standard deviation, sqrt((E + 1/2) (n - E + 1/2) / (n + 1)).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treeforge.core.model import SoftTreeModel, TreeModel, may_be_soft
from treeforge.core.soft import SoftWalker
from treeforge.core.table import Table
from treeforge.core.tree import Tree
from treeforge.core.walk import Array, Rows, cases_of_tests
from treeforge.data import Sample
from treeforge.errors import ParameterError


def softened(fitted: Any, table: Table, sample: Sample) -> SoftTreeModel:
    """The model of one tree with soft thresholds, from the cases that the tree was grown on.

    Raises ParameterError for a model of another kind.
    """
    if not isinstance(fitted, TreeModel):
        raise ParameterError(
            f"soft_thresholds: they are those of a single tree, and the ensemble made a {type(fitted).__name__}"
        )
    tree = fitted.tree
    lower, upper = tree.cuts.copy(), tree.cuts.copy()
    soft, walker = may_be_soft(tree), SoftWalker(tree, tree.cuts, tree.cuts)
    for node, rows, weights in cases_of_tests(tree, table, sample):
        if soft[node]:
            cut = int(tree.cut_start[node])
            lower[cut], upper[cut] = _bounds(walker, tree, node, table, rows, weights)
    return SoftTreeModel(tree, lower, upper, fitted.laplace)


def _bounds(
    walker: SoftWalker, tree: Tree, node: int, table: Table, rows: Rows, weights: Array
) -> tuple[float, float]:
    """Lower and upper bound of the threshold of a node."""
    cut, closed_left = float(tree.cuts[tree.cut_start[node]]), bool(tree.closed_left[node])
    values = table.columns[int(tree.attribute[node])][rows]
    known = ~np.isnan(values)
    values, rows, weights = values[known], rows[known], weights[known]
    first, below = int(tree.first_child[node]), int(tree.branch_of[tree.cell_start[node]])
    wrong = []
    for child in (first + below, first + 1 - below):
        if tree.empty[child]:  # it asks the node above
            said = np.full(len(rows), tree.distribution[node].argmax())
        else:
            answer = walker.predict_proba(table, rows, root=child)
            said = np.where(answer.any(axis=1), answer.argmax(axis=1), -1)
        wrong.append(weights * (said != table.classes[rows]))
    return bounds(cut, values, wrong[0], wrong[1], float(weights.sum()), closed_left)


def bounds(
    cut: float,
    values: Array,
    wrong_below: Array,
    wrong_above: Array,
    total: float,
    closed_left: bool = False,
) -> tuple[float, float]:
    """Bounds of a threshold.

    Parameters
    ----------
    values : ndarray, [n]
        The attribute's values of the cases at the node, known ones.
    wrong_below, wrong_above : ndarray, [n]
        Weight of each case if the branch of small values, or of large ones, would get it wrong; else 0.
    total : float
        Weight of the cases.
    closed_left : bool
        Whether a value equal to the threshold lies above it.

    Examples
    --------
    One case each at 1 to 8: a, but b at 6 and 8. The threshold 5 gets the a at 7 wrong: 1 of 8, give or take
    sqrt(1.5 * 7.5 / 9) = 1.12, so 2 may be. At 4 two are wrong (5 and 7), at 3 three; at 8, all being a, two.

    >>> is_a = np.array([1, 1, 1, 1, 1, 0, 1, 0], dtype=float)
    >>> bounds(5.0, np.arange(1.0, 9.0), 1 - is_a, is_a, 8.0)
    (4.0, 8.0)
    """
    order = np.argsort(values, kind="stable")
    distinct, start = np.unique(values[order], return_index=True)
    stop = np.append(start[1:], len(values))
    below = np.concatenate([[0.0], np.cumsum(wrong_below[order])])
    above = np.concatenate([np.cumsum(wrong_above[order][::-1])[::-1], [0.0]])
    side = start if closed_left else stop  # how many cases lie below a threshold at each distinct value
    errors = below[side] + above[side]
    here = int(np.searchsorted(values[order], cut, side="left" if closed_left else "right"))
    made = below[here] + above[here]
    allowed = made + np.sqrt((made + 0.5) * (total - made + 0.5) / (total + 1.0))
    middle = int(np.searchsorted(distinct, cut, side="right"))  # distinct[:middle] <= cut
    low, high = middle, middle
    while low > 0 and errors[low - 1] <= allowed:
        low -= 1
    while high < len(distinct) and errors[high] <= allowed:
        high += 1
    return (
        min(cut, float(distinct[low])) if low < middle else cut,
        max(cut, float(distinct[high - 1])) if high > middle else cut,
    )
