"""Random cut numba: a splitter whose work Numba compiles when it is first used."""

import math
from dataclasses import dataclass

import numba
import numpy as np

from treeforge.plugin import Splitter
from treeforge.plugin.numba_kernel import PROPOSE, at, make_splitter, score, set_threshold, uniform


@numba.cfunc(PROPOSE)
def propose(params, node_, attribute, out_):
    node, out = at(node_, "Node"), at(out_, "Split")
    column = at(node.columns, "Column", attribute)
    out.n_branches = 0
    if column.numbers == 0:  # a nominal attribute: nothing to propose
        return 0
    low, high = math.inf, -math.inf
    for i in range(node.n_rows):
        value = at(column.numbers, "f8", at(node.rows, "u4", i))
        if value < low:  # both tests fail on NaN, so unknown values drop out
            low = value
        if value > high:
            high = value
    best, best_cut = -math.inf, 0.0
    if low < high:
        for _ in range(at(params, "i4")):
            cut = low + (high - low) * uniform(node)
            set_threshold(out, cut)
            score(node_, attribute, out_)  # counts the classes, applies min_branch, asks the criterion
            if out.n_branches > 0 and out.gain > best:
                best, best_cut = out.gain, cut
        out.n_branches = 0
        if best > -math.inf:
            set_threshold(out, best_cut)
            score(node_, attribute, out_)
    return 0


@dataclass(frozen=True)
class RandomCutNumbaSplitter(Splitter):
    """The best of a few random cuts of a numeric attribute (after Geurts et al. 2006).

    Parameters
    ----------
    tries : int
        How many cuts are drawn.
    """

    meaning = 1  # raise it when the method changes: results that were kept are then made again

    tries: int = 3

    releases_gil = True
    waived = {"ties": "cuts are drawn at random: equal columns get different ones"}

    def __post_init__(self):
        if self.tries < 1:
            raise ValueError(f"tries must be at least 1, not {self.tries}")

    def kernel(self, table):
        return make_splitter(propose, np.array([self.tries], "i4"))
