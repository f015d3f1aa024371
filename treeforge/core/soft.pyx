"""Prediction with soft thresholds: every case is walked alone, as one with unknown values is (shares.pyx).

Fast prediction (predict.pyx) knows nothing of this.
"""

from libc.stdint cimport int32_t
from libc.string cimport memset

from treeforge.core.block cimport Source, close_source, open_source
from treeforge.core.shares cimport Bounds, Walk, close_walk, descend
from treeforge.core.shares cimport part_below as part_below_cut
from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree

from concurrent.futures import ThreadPoolExecutor

import numpy as np

cdef enum:
    PER_THREAD = 2048         # rows that are worth a thread


cdef class SoftWalker:
    """See the stub."""

    cdef Tree tree
    cdef int n_inputs
    cdef bint laplace
    cdef const double[::1] lower, upper

    def __cinit__(self, Tree tree, lower, upper, *, bint laplace=False):
        if not len(lower) == len(upper) == len(tree.cuts):
            raise ValueError(f"{len(tree.cuts)} cuts, but {len(lower)} lower and {len(upper)} upper bounds")
        self.tree, self.lower, self.upper, self.laplace = tree, lower, upper, laplace
        self.n_inputs = int(tree.attribute.max()) + 1

    def predict_proba(self, source, rows=None, *, int n_threads=1, int root=0):
        cdef Py_ssize_t n_rows = source.n_rows if isinstance(source, Table) else len(source)
        rows = np.arange(n_rows, dtype=np.int32) if rows is None else np.ascontiguousarray(rows, dtype=np.int32)
        cdef Py_ssize_t n = len(rows), n_parts = max(1, min(n_threads, n // PER_THREAD))
        if n and (rows.min() < 0 or rows.max() >= n_rows):
            raise IndexError(f"a row outside 0..{n_rows - 1}")
        if not 0 <= root < self.tree.n_nodes:
            raise IndexError(f"there is no node {root}")
        out = np.zeros((n, self.tree.n_classes))
        edges = [n * i // n_parts for i in range(n_parts + 1)]
        if n_parts == 1:
            work(self, source, rows, root, out)
            return out
        with ThreadPoolExecutor(n_parts) as pool:
            parts = [pool.submit(work, self, source, rows[a:b], root, out[a:b]) for a, b in zip(edges, edges[1:])]
            for done in parts:
                done.result()
        return out


def work(SoftWalker walker, source, const int32_t[::1] rows, int root, double[:, ::1] out):
    """Predict a range of rows, without the GIL."""
    cdef Source values
    cdef Walk walk
    cdef Bounds soft
    cdef Py_ssize_t i
    cdef int failed = 0
    if rows.shape[0] == 0:
        return
    memset(&values, 0, sizeof(Source))
    memset(&walk, 0, sizeof(Walk))
    memset(&soft, 0, sizeof(Bounds))
    if walker.lower.shape[0]:
        soft.lower, soft.upper = &walker.lower[0], &walker.upper[0]
    try:
        open_source(&values, source, walker.n_inputs)
        with nogil:
            for i in range(rows.shape[0]):
                failed |= descend(
                    &walker.tree.view, &soft, &values, rows[i], root, walker.laplace, &walk, &out[i, 0]
                )
        if failed:
            raise MemoryError
    finally:
        close_source(&values)
        close_walk(&walk)


def part_below(double value, double lower, double cut, double upper, bint closed_left):
    return part_below_cut(value, lower, cut, upper, closed_left)
