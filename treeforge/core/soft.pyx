"""Soft thresholds: a number near a cut goes down both sides, by parts.

Terms. Each cut Z of a tree has two bounds, ``lower <= Z <= upper``. Where they coincide with it the test is hard.
Elsewhere a number up to ``lower`` takes the lower side whole, one from ``upper`` on the upper side, and between them
the part of the lower side falls in two straight lines, from 1 at ``lower`` to 1/2 at Z to 0 at ``upper``. A bound
that is Z itself leaves no line on its side. Unknown values are shared out as ever. A case is walked alone, with a
stack of the tests at which it was parted: fast prediction (predict.pyx) knows nothing of this.
"""

from libc.math cimport INFINITY, isnan
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView, branch_of_code, branch_of_number

from concurrent.futures import ThreadPoolExecutor

import numpy as np

cdef enum:
    PER_THREAD = 2048         # rows that are worth a thread
cdef double TINY = 1e-6       # c45.md 0.2


cdef struct Soft:             # a tree with its bounds, and what answers at each node
    TreeView tree
    const double* lower       # [n_cuts]
    const double* upper       # [n_cuts]
    const double* answers     # [n_nodes, n_classes]
    Py_ssize_t stride         # from one row of the cases to the next
    const double** numbers    # [n_inputs]; NULL for codes
    const int32_t** codes     # [n_inputs]; NULL for numbers


cdef struct Parting:          # a test at which the case was parted: its branches are answered one after the other
    int node
    int branch                # the next one
    double part
    double below              # the part of it that lies below the cut; -1: the value is unknown


cdef class SoftWalker:
    """See the stub."""

    cdef Tree tree
    cdef int depth, n_inputs
    cdef const double[::1] lower, upper
    cdef const double[:, ::1] answers

    def __cinit__(self, Tree tree, lower, upper, *, bint laplace=False):
        if not len(lower) == len(upper) == len(tree.cuts):
            raise ValueError(f"{len(tree.cuts)} cuts, but {len(lower)} lower and {len(upper)} upper bounds")
        self.tree, self.lower, self.upper = tree, lower, upper
        self.depth, self.n_inputs = tree.depth, int(tree.attribute.max()) + 1
        total = tree.weight[:, None]
        if laplace:
            self.answers = (tree.distribution + 1.0) / (total + tree.n_classes)
        else:
            found = np.zeros_like(tree.distribution)
            self.answers = np.divide(tree.distribution, total, out=found, where=total >= TINY)

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
    cdef Soft soft
    cdef Py_ssize_t i
    cdef double[:, ::1] sums = np.empty((walker.depth + 1, walker.tree.n_classes))
    cdef unsigned char[::1] stack = np.empty((walker.depth + 1) * sizeof(Parting), dtype=np.uint8)
    if rows.shape[0] == 0:
        return
    memset(&soft, 0, sizeof(Soft))
    soft.tree = walker.tree.view
    if walker.lower.shape[0]:
        soft.lower, soft.upper = &walker.lower[0], &walker.upper[0]
    soft.answers = &walker.answers[0, 0]
    try:
        soft.numbers = <const double**>calloc(walker.n_inputs + 1, sizeof(double*))
        soft.codes = <const int32_t**>calloc(walker.n_inputs + 1, sizeof(int32_t*))
        if soft.numbers == NULL or soft.codes == NULL:
            raise MemoryError
        point_at(source, &soft, walker.n_inputs)
        with nogil:
            for i in range(rows.shape[0]):
                descend(&soft, rows[i], root, <Parting*>&stack[0], &sums[0, 0], &out[i, 0])
    finally:
        free(soft.numbers)
        free(soft.codes)


cdef int point_at(source, Soft* soft, int n_inputs) except -1:
    """The columns of a table, or of a matrix in which a category stands as its code."""
    cdef Table table
    cdef const double[:, ::1] matrix
    cdef int i, given = source.n_inputs if isinstance(source, Table) else source.shape[1]
    if given < n_inputs:
        raise ValueError(f"{given} columns, but the tree tests column {n_inputs - 1}")
    if isinstance(source, Table):
        table = source
        soft.stride = 1
        for i in range(n_inputs):
            soft.numbers[i], soft.codes[i] = table.numbers[i], table.codes[i]
        return 0
    matrix = source
    soft.stride = matrix.shape[1]
    for i in range(n_inputs):
        soft.numbers[i] = &matrix[0, i]
    return 0


cdef inline int branch_of(const Soft* soft, int node, Py_ssize_t row, double* below) noexcept nogil:
    """Branch of a case, -1 when its value is unknown; ``below`` is its part below the cut if it is parted, else -1."""
    cdef const TreeView* tree = &soft.tree
    cdef int attribute = tree.attribute[node], cut = tree.cut_start[node]
    cdef double value
    below[0] = -1.0
    if soft.codes[attribute] != NULL:
        return branch_of_code(tree, node, soft.codes[attribute][row])
    value = soft.numbers[attribute][row * soft.stride]
    if isnan(value):
        return -1
    if cut == tree.cut_start[node + 1]:      # a code in a matrix
        return branch_of_code(tree, node, <int>value)
    if soft.lower[cut] < soft.upper[cut]:
        below[0] = part_below(value, soft.lower[cut], tree.cuts[cut], soft.upper[cut], tree.closed_left[node])
        if below[0] == 0.0 or below[0] == 1.0:   # a whole case
            below[0] = -1.0
    return branch_of_number(tree, node, value)


cpdef double part_below(double value, double lower, double cut, double upper, bint closed_left) noexcept nogil:
    """See the stub."""
    cdef bint is_below = value < cut or (value == cut and not closed_left)
    cdef double end = lower if is_below else upper
    cdef double width = end - cut, way = value - cut
    if (value <= end) if is_below else (value >= end):
        return is_below
    if width == INFINITY or width == -INFINITY:
        width, way = 0.5 * end - 0.5 * cut, 0.5 * value - 0.5 * cut
    return 0.5 + 0.5 * (way / width) if is_below else 0.5 - 0.5 * (way / width)


cdef void descend(const Soft* soft, Py_ssize_t row, int root, Parting* stack, double* sums, double* out) noexcept nogil:
    """Add a case's class probabilities to ``out``; sums nest as the tests do (c45.md 12.5)."""
    cdef const TreeView* tree = &soft.tree
    cdef int node = root, depth = 0, branch, child, c, n = tree.n_classes
    cdef double part = 1.0, below, share
    cdef Parting* top
    while True:
        # follow the case whole from `node` to an answer, or to a test that parts it
        branch, below = 0, -1.0
        while tree.attribute[node] >= 0:
            branch = branch_of(soft, node, row, &below)
            if branch < 0 or below >= 0.0 or tree.empty[tree.first_child[node] + branch]:
                break
            node = tree.first_child[node] + branch
        if branch < 0 or below >= 0.0:
            stack[depth] = Parting(node, 0, part, below)
            memset(sums + <size_t>depth * n, 0, n * sizeof(double))
            depth += 1
        else:
            add(soft, node, part, out if depth == 0 else sums + <size_t>(depth - 1) * n)
        # go on with the next branch of the innermost parting
        child = -1
        while depth and child < 0:
            top = &stack[depth - 1]
            if top.branch == tree.n_branches[top.node]:
                depth -= 1
                for c in range(n):
                    (out if depth == 0 else sums + <size_t>(depth - 1) * n)[c] += sums[<size_t>depth * n + c]
                continue
            node = tree.first_child[top.node] + top.branch
            share = share_of(tree, top) * top.part
            top.branch += 1
            if not tree.empty[node]:
                child = node
            elif top.below >= 0.0:   # a known value at an empty leaf: the node above answers
                add(soft, top.node, share, sums + <size_t>(depth - 1) * n)
        if child < 0:
            return
        part = share


cdef inline double share_of(const TreeView* tree, const Parting* top) noexcept nogil:
    """The part of a case that takes the next branch of the test at which it is parted."""
    if top.below < 0.0:
        return tree.share[tree.first_child[top.node] + top.branch]
    return top.below if top.branch == tree.branch_of[tree.cell_start[top.node]] else 1.0 - top.below


cdef inline void add(const Soft* soft, int node, double part, double* sums) noexcept nogil:
    cdef int c, n = soft.tree.n_classes
    for c in range(n):
        sums[c] += part * soft.answers[<size_t>node * n + c]
