"""Prediction: many rows go down compact steps together.

Rows are taken in blocks, and all trees are walked by eight rows of a block at a time (lanes.pyx). A block is as large
as the second-level cache allows, so that each tree of a forest is fetched seldom and used by many rows (with blocks of
256 rows, which stay in the first level, a forest of 100 on letter was twice as slow). Rows with an unknown value go
down every branch by shares, one by one.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from treeforge.core.block cimport LANES, Block, close_block, open_block, read_block
from treeforge.core.lanes cimport walk_block
from treeforge.core.shares cimport Walk, close_walk, descend
from treeforge.core.steps cimport Walker
from treeforge.core.table cimport Table

from concurrent.futures import ThreadPoolExecutor

import numpy as np

cdef extern from "treeforge_vector.h" nogil:
    bint tf_all_finite(const double* a, Py_ssize_t n)

cdef enum:
    SMALL_BLOCK = 512         # rows of a block, at most, for one tree
    BLOCK = 4096              # the same for several
    SCRATCH = 65536           # numbers of a block, at most, unless a row alone has more
    WALKS = 16384             # walks of a row through a tree that are worth a thread


INFINITE = "Input X contains infinity or a value too large for dtype('float64')."     # scikit-learn's words


cdef struct How:              # how the trees answer
    bint several              # trees that vote, or one alone
    bint votes                # each gives its weight to one class
    bint laplace
    const double* weights     # [n_trees]
    const double* proportions       # [n_answers, n_classes]
    const int32_t* labels           # [n_answers]: the class of each, -1 without any
    const unsigned char* pure       # [n_answers]: 1 for one class, 0 for the others


cdef struct Scratch:          # what one thread works with
    Block block
    Walk walk
    int32_t* ends             # [block's size]: where each row came to
    double* total             # [block's size, n_classes]
    double* part              # [n_classes]


# doors


def predict_proba(Walker walker, source, rows=None, *, bint laplace=False, votes=None, weights=None, int n_threads=1):
    out = np.empty((n_asked(source, rows), walker.n_classes))
    run(walker, source, rows, laplace, votes, weights, n_threads, out, None)
    return out


def predict_codes(Walker walker, source, rows=None, *, bint laplace=False, votes=None, weights=None, int n_threads=1):
    out = np.empty(n_asked(source, rows), dtype=np.int32)
    run(walker, source, rows, laplace, votes, weights, n_threads, None, out)
    return out


def refuse_infinite(const double[:, ::1] matrix):
    if matrix.size and not tf_all_finite(&matrix[0, 0], matrix.size) and np.isinf(matrix).any():
        raise ValueError(INFINITE)


cdef Py_ssize_t n_asked(source, rows) except -1:
    if rows is not None:
        return len(rows)
    return source.n_rows if isinstance(source, Table) else len(source)


cdef bint all_below(const int32_t[::1] rows, Py_ssize_t n_rows) noexcept:
    cdef Py_ssize_t i
    cdef long outside = 0
    for i in range(rows.shape[0]):
        outside |= rows[i] < 0 or rows[i] >= n_rows
    return not outside


cdef run(Walker walker, source, rows, bint laplace, votes, weights, int n_threads, probabilities, codes):
    """Share the rows out to threads; each writes its own part of the answer."""
    cdef Py_ssize_t n = n_asked(source, rows), n_rows = n_asked(source, None)
    cdef Py_ssize_t n_parts = max(1, min(n_threads, n * walker.n_trees // WALKS))
    if rows is not None:
        rows = np.ascontiguousarray(rows, dtype=np.int32)
        if not all_below(rows, n_rows):
            raise IndexError(f"a row outside 0..{n_rows - 1}")
    if weights is None:
        weights = np.ones(walker.n_trees)
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    if len(weights) != walker.n_trees:
        raise ValueError(f"{walker.n_trees} trees, but {len(weights)} weights")
    how = (votes is not None, bool(votes), laplace, weights)
    job = (walker, source, rows, walker.table(laplace), *how, probabilities, codes)
    if n_parts == 1:
        work(*job, 0, n)
        return
    edges = [n * i // n_parts for i in range(n_parts + 1)]
    with ThreadPoolExecutor(n_parts) as pool:
        for done in [pool.submit(work, *job, a, b) for a, b in zip(edges, edges[1:])]:
            done.result()


def work(
    Walker walker, source, rows, table, bint several, bint votes, bint laplace, const double[::1] weights,
    probabilities, codes, Py_ssize_t start, Py_ssize_t stop
):
    """Predict a range of the rows that were asked for, without the GIL."""
    cdef const int32_t[::1] chosen = rows
    cdef const int32_t* picked = NULL
    cdef const double[:, ::1] proportions = table[0]
    cdef const int32_t[::1] labels = table[1]
    cdef const unsigned char[::1] pure = table[2]
    cdef double[:, ::1] out_p = probabilities
    cdef int32_t[::1] out_c = codes
    cdef How how = How(several, votes, laplace, &weights[0], &proportions[0, 0], &labels[0], &pure[0])
    cdef Scratch scratch
    cdef int failed = 0, size = <int>SMALL_BLOCK if walker.n_trees == 1 else <int>BLOCK
    size = max(<int>LANES, min(size, <int>SCRATCH // max(walker.width, 1)) // LANES * LANES)
    size = min(size, <int>((stop - start + LANES - 1) // LANES * LANES))
    if stop <= start:
        return
    if rows is not None:
        picked = &chosen[0]
    memset(&scratch, 0, sizeof(Scratch))
    try:
        open_block(&scratch.block, walker, source, size)
        scratch.ends = <int32_t*>malloc(size * sizeof(int32_t))
        scratch.total = <double*>malloc(<size_t>size * walker.n_classes * sizeof(double))
        scratch.part = <double*>malloc(walker.n_classes * sizeof(double))
        if scratch.ends == NULL or scratch.total == NULL or scratch.part == NULL:
            raise MemoryError
        with nogil:
            while start < stop and not failed and not scratch.block.infinite:
                read_block(&scratch.block, walker, picked, start, stop)
                failed = answer_block(
                    walker, &how, &scratch,
                    NULL if out_p is None else &out_p[start, 0], NULL if out_c is None else &out_c[start]
                )
                start += scratch.block.n
        if failed:
            raise MemoryError
        if scratch.block.infinite:
            raise ValueError(INFINITE)
    finally:
        close_block(&scratch.block)
        free(scratch.ends)
        free(scratch.total)
        free(scratch.part)
        close_walk(&scratch.walk)


# blocks


cdef inline int answer_block(
    Walker walker, const How* how, Scratch* scratch, double* probabilities, int32_t* codes
) noexcept nogil:
    """Probabilities [n, n_classes] or codes [n] of a block's rows, whichever is not NULL. 1: no memory."""
    if how.several:
        return vote_block(walker, how, scratch, probabilities, codes)
    return tree_block(walker, how, scratch, probabilities, codes)


cdef int tree_block(
    Walker walker, const How* how, Scratch* scratch, double* probabilities, int32_t* codes
) noexcept nogil:
    """What one tree says."""
    cdef Py_ssize_t i, n = scratch.block.n, n_classes = walker.n_classes
    cdef const double* row = NULL
    cdef int32_t label = -1
    walk_block(walker, 0, &scratch.block, scratch.ends)
    if not scratch.block.marked:
        plain_answers(walker, how, scratch.ends, n, probabilities, codes)
        return 0
    for i in range(n):
        if answer_row(walker, 0, how, scratch, i, &row, &label) < 0:
            return 1
        if probabilities != NULL:
            memcpy(probabilities + i * n_classes, row, n_classes * sizeof(double))
        if codes != NULL:
            codes[i] = label
    return 0


cdef void plain_answers(
    Walker walker, const How* how, const int32_t* ends, Py_ssize_t n, double* probabilities, int32_t* codes
) noexcept nogil:
    """The same for rows without unknown values."""
    cdef Py_ssize_t i, c, n_classes = walker.n_classes
    cdef const double* row
    for i in range(n):
        if codes != NULL:
            codes[i] = how.labels[walker.answers[ends[i]]]
        if probabilities != NULL:
            row = how.proportions + <size_t>walker.answers[ends[i]] * n_classes
            for c in range(n_classes):
                probabilities[c] = row[c]
            probabilities += n_classes


cdef int vote_block(
    Walker walker, const How* how, Scratch* scratch, double* probabilities, int32_t* codes
) noexcept nogil:
    """What all trees say, added in their order."""
    cdef Py_ssize_t i, c, n = scratch.block.n, n_classes = walker.n_classes
    cdef int t, pure
    cdef const double* row = NULL
    cdef double* total = scratch.total
    cdef int32_t label = -1
    cdef double whole
    memset(total, 0, n * n_classes * sizeof(double))
    for t in range(walker.n_trees):
        walk_block(walker, t, &scratch.block, scratch.ends)
        for i in range(n):
            pure = answer_row(walker, t, how, scratch, i, &row, &label)
            if pure < 0:
                return 1
            if how.votes or pure:     # the others would add 0
                if label >= 0:
                    total[i * n_classes + label] += how.weights[t]
                continue
            for c in range(n_classes):
                total[i * n_classes + c] += row[c] * how.weights[t]
    for i in range(n):
        if codes != NULL:
            codes[i] = label_of(total + i * n_classes, n_classes)
        if probabilities == NULL:
            continue
        whole = 0.0
        for c in range(n_classes):
            whole += total[i * n_classes + c]
        for c in range(n_classes):
            probabilities[i * n_classes + c] = total[i * n_classes + c] / whole if whole > 0 else 0.0
    return 0


cdef inline int answer_row(
    Walker walker, int t, const How* how, Scratch* scratch, Py_ssize_t i, const double** row, int32_t* label
) noexcept nogil:
    """Proportions and class of a tree's answer to a row that has walked. 1: it is of one class alone; -1: no memory."""
    cdef int32_t answer
    if scratch.block.unknown[i]:
        memset(scratch.part, 0, walker.n_classes * sizeof(double))
        if descend(
            &walker.views[t], NULL, &scratch.block.source, scratch.block.rows[i], 0, how.laplace, &scratch.walk,
            scratch.part
        ) < 0:
            return -1
        row[0], label[0] = scratch.part, label_of(scratch.part, walker.n_classes)
        return 0
    answer = walker.answers[scratch.ends[i]]
    row[0], label[0] = how.proportions + <size_t>answer * walker.n_classes, how.labels[answer]
    return how.pure[answer]


cdef inline int label_of(const double* probabilities, Py_ssize_t n) noexcept nogil:
    """The first of the largest; -1 when none is above 0."""
    cdef Py_ssize_t c
    cdef int best = 0
    for c in range(1, n):
        if probabilities[c] > probabilities[best]:
            best = <int>c
    return best if probabilities[best] > 0 else -1
