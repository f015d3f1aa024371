"""Prediction: many rows go down compact nodes together.

Terms. A *step* is 16 bytes: a number is compared with a cut, and the next step is ``first + (number > cut)``; the
two that may follow are neighbours, so there is no branch to predict. Every test of a tree becomes steps: several
cuts, or the categories of a nominal test taken as numbers, are a small search tree; where one branch has several
intervals, all but the first of them are a step that only passes on. The end of the way is a step that leads to
itself, so rows that have arrived wait without harm for those that walk on.

Rows are taken in *blocks*. The numbers that the trees test are copied into a small matrix, row by row, and all
trees are walked by eight rows of it at a time: eight independent chains of loads hide each other's latency. A block
is as large as the second-level cache allows, so that each tree of a forest is fetched seldom and used by many rows
(with blocks of 256 rows, which stay in the first level, a forest of 100 on letter was twice as slow). Rows with an
unknown value among these numbers go down every branch by shares, one by one.
"""

from libc.math cimport INFINITY, isnan, nextafter
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView, branch_of_code, branch_of_number

from concurrent.futures import ThreadPoolExecutor

import numpy as np

cdef enum:
    LANES = 8
    SMALL_BLOCK = 512         # rows of a block, at most, for one tree
    BLOCK = 4096              # the same for several
    SCRATCH = 65536           # numbers of a block, at most, unless a row alone has more
    PER_THREAD = 2048         # rows that are worth a thread
cdef double TINY = 1e-6       # c45.md 0.2: weights below this count as none


cdef struct Step:
    double cut
    int32_t input             # place in the block's matrix
    int32_t first             # the next step, or the one after it


cdef struct Source:           # where values come from: columns, or the columns of a matrix
    const double** numbers    # [n_inputs]; NULL for codes
    const int32_t** codes     # [n_inputs]; NULL for numbers
    Py_ssize_t stride         # from one row to the next, in numbers
    const double* matrix      # NULL for columns


cdef struct Frame:      # a test whose value is unknown: its branches are answered one after the other
    int node
    int branch
    double part


cdef struct Walk:
    Frame* frames       # [size]
    double* sums        # [size, n_classes]: what a frame's branches add up to
    int size


cdef struct Scratch:          # what one thread works with
    double* values            # [rows of a block, n_tested]
    int32_t* rows             # [rows of a block]
    unsigned char* unknown    # [rows of a block]
    int32_t* ends             # [rows of a block]: where each row came to
    double* total             # [n_classes]
    double* part              # [n_classes]
    Walk walk


cdef class Walker:
    """See the stub."""

    cdef readonly int n_trees, n_classes, n_tested, n_inputs
    cdef list arrays           # of each tree; not the trees, which keep their own walker: no circle of references
    cdef TreeView* views       # [n_trees]
    cdef Step* steps
    cdef int32_t* roots        # [n_trees]
    cdef int32_t* answers      # [n_steps]: row of the proportions, -1 on the way
    cdef int32_t* tested       # [n_tested]: the inputs that any tree tests
    cdef int32_t* least_cells  # [n_tested]: fewest categories that a nominal test of it knows
    cdef readonly int n_steps, n_answers
    cdef int capacity
    cdef object tables         # laplace -> (proportions, labels, pure)
    cdef object node_of_answer  # for each tree the nodes that answer, in order

    def __cinit__(self, trees):
        trees = tuple(trees)
        self.n_trees = len(trees)
        if self.n_trees == 0:
            raise ValueError("no tree")
        self.tables = {}
        self.arrays = [tree.arrays() for tree in trees]
        self.views = <TreeView*>calloc(self.n_trees, sizeof(TreeView))
        self.roots = <int32_t*>calloc(self.n_trees, sizeof(int32_t))
        if self.views == NULL or self.roots == NULL:
            raise MemoryError
        cdef Tree tree
        cdef int i
        for i, tree in enumerate(trees):
            self.views[i] = tree.view
            self.n_classes = tree.n_classes
        self._number_inputs()
        self._compile()

    def __dealloc__(self):
        free(self.views)
        free(self.roots)
        free(self.steps)
        free(self.answers)
        free(self.tested)
        free(self.least_cells)

    def _number_inputs(self):
        cdef int i
        tested = sorted({a for tree in self.arrays for a in np.unique(tree["attribute"]).tolist() if a >= 0})
        self.n_tested = len(tested)
        self.n_inputs = max(tested) + 1 if tested else 0
        self.tested = <int32_t*>calloc(self.n_tested + 1, sizeof(int32_t))
        self.least_cells = <int32_t*>calloc(self.n_tested + 1, sizeof(int32_t))
        if self.tested == NULL or self.least_cells == NULL:
            raise MemoryError
        for i in range(self.n_tested):
            self.tested[i] = tested[i]
            self.least_cells[i] = 2**31 - 1

    def _compile(self):
        """All trees as steps."""
        cdef int t, failed = 0
        place_of = np.full(self.n_inputs + 1, -1, dtype=np.int32)
        cdef int32_t[::1] places = place_of
        cdef int i
        for i in range(self.n_tested):
            places[self.tested[i]] = i
        self.n_answers = 0
        self.node_of_answer = []
        for t in range(self.n_trees):
            answer_of = np.full(self.views[t].n_nodes, -1, dtype=np.int32)
            failed = self._compile_tree(t, places, answer_of)
            if failed:
                raise MemoryError
            order = np.flatnonzero(answer_of >= 0)
            self.node_of_answer.append(order[np.argsort(answer_of[order])])

    cdef int _compile_tree(self, int t, int32_t[::1] places, int32_t[::1] answer_of) except -1:
        cdef const TreeView* tree = &self.views[t]
        cdef int n_cells = tree.cell_start[tree.n_nodes]
        # a test of c cells takes 2 (c - 1) steps at most, and the root one
        cdef int needed = self.n_steps + 1 + 2 * n_cells
        if needed > self.capacity:
            self.steps = <Step*>grown(self.steps, needed * sizeof(Step))
            self.answers = <int32_t*>grown(self.answers, needed * sizeof(int32_t))
            self.capacity = needed
        cdef int32_t[::1] step_of = np.full(tree.n_nodes, -1, dtype=np.int32)
        # what is still to be done: this step is to tell apart the segments low..high of a node's test
        cdef int32_t[:, ::1] waiting = np.empty((n_cells + 2, 4), dtype=np.int32)
        cdef int n_waiting = 1, step, node, low, high, middle, child, first, place
        cdef double[::1] cut = np.empty(n_cells + 1)          # upper end of each segment
        cdef int32_t[::1] branch = np.empty(n_cells + 1, dtype=np.int32)
        cdef int32_t[::1] segment_start = np.full(tree.n_nodes + 1, -1, dtype=np.int32)
        cdef int32_t[::1] segment_stop = np.full(tree.n_nodes + 1, -1, dtype=np.int32)
        cdef int n_segments = 0
        self.roots[t] = self.n_steps
        self.n_steps += 1
        step_of[0] = self.roots[t]
        if tree.attribute[0] < 0:
            self._end(self.roots[t], 0, answer_of)
            return 0
        n_segments = segments(tree, 0, n_segments, &cut[0], &branch[0], &segment_start[0], &segment_stop[0])
        waiting[0, 0], waiting[0, 1] = self.roots[t], 0
        waiting[0, 2], waiting[0, 3] = segment_start[0], segment_stop[0] - 1
        while n_waiting:
            n_waiting -= 1
            step, node = waiting[n_waiting, 0], waiting[n_waiting, 1]
            low, high = waiting[n_waiting, 2], waiting[n_waiting, 3]
            place = places[tree.attribute[node]]
            if tree.cut_start[node] == tree.cut_start[node + 1]:
                self.least_cells[place] = min(
                    self.least_cells[place], tree.cell_start[node + 1] - tree.cell_start[node]
                )
            if low < high:
                middle = (low + high) >> 1
                first = self.n_steps
                self.n_steps += 2
                self.steps[step] = Step(cut[middle], place, first)
                self.answers[step] = -1
                waiting[n_waiting, 0], waiting[n_waiting, 1] = first + 1, node
                waiting[n_waiting, 2], waiting[n_waiting, 3] = middle + 1, high
                waiting[n_waiting + 1, 0], waiting[n_waiting + 1, 1] = first, node
                waiting[n_waiting + 1, 2], waiting[n_waiting + 1, 3] = low, middle
                n_waiting += 2
                continue
            child = tree.first_child[node] + branch[low]
            if tree.empty[child]:                 # answered by the node above
                self._end(step, node, answer_of)
            elif step_of[child] >= 0:             # an earlier interval of the same branch: pass on
                self.steps[step] = Step(INFINITY, 0, step_of[child])
                self.answers[step] = -1
            elif tree.attribute[child] < 0:
                step_of[child] = step
                self._end(step, child, answer_of)
            else:
                step_of[child] = step
                n_segments = segments(
                    tree, child, n_segments, &cut[0], &branch[0], &segment_start[0], &segment_stop[0]
                )
                waiting[n_waiting, 0], waiting[n_waiting, 1] = step, child
                waiting[n_waiting, 2], waiting[n_waiting, 3] = segment_start[child], segment_stop[child] - 1
                n_waiting += 1
        return 0

    cdef void _end(self, int step, int node, int32_t[::1] answer_of) noexcept:
        """A step where rows stay: it leads to itself."""
        if answer_of[node] < 0:
            answer_of[node] = self.n_answers
            self.n_answers += 1
        self.steps[step] = Step(INFINITY, 0, step)
        self.answers[step] = answer_of[node]

    def table(self, bint laplace):
        """Proportions [n_answers, n_classes], the class of each, and whether it is 1 for that class alone."""
        if laplace not in self.tables:
            parts = []
            for tree, order in zip(self.arrays, self.node_of_answer):
                weights, total = tree["distribution"][order], tree["weight"][order][:, None]
                if laplace:
                    parts.append((weights + 1.0) / (total + self.n_classes))
                else:
                    parts.append(np.divide(weights, total, out=np.zeros_like(weights), where=total >= TINY))
            proportions = np.ascontiguousarray(np.concatenate(parts))
            labels = np.where(proportions.any(axis=1), proportions.argmax(axis=1), -1).astype(np.int32)
            pure = ((proportions == 1.0).sum(axis=1) == 1) & ((proportions != 0.0).sum(axis=1) == 1)
            self.tables[laplace] = proportions, labels, pure.astype(np.uint8)
        return self.tables[laplace]


def _py_steps(Walker walker):
    return [
        (walker.steps[i].cut, walker.steps[i].input, walker.steps[i].first, walker.answers[i])
        for i in range(walker.n_steps)
    ]


cdef void* grown(void* memory, size_t size) except NULL:
    cdef void* more = realloc(memory, size)
    if more == NULL:
        raise MemoryError
    return more


cdef int segments(
    const TreeView* tree, int node, int n, double* cut, int32_t* branch, int32_t* start, int32_t* stop
) noexcept:
    """Append a test as ascending segments, neighbours that lead to the same branch joined; how many there are now."""
    cdef int first_cell = tree.cell_start[node], n_cells = tree.cell_start[node + 1] - first_cell, cell
    cdef int first_cut = tree.cut_start[node]
    cdef bint nominal = tree.cut_start[node + 1] == first_cut
    cdef double end
    start[node] = n
    for cell in range(n_cells):
        if cell + 1 == n_cells:
            end = INFINITY
        elif nominal:
            end = cell + 0.5
        elif tree.closed_left[node]:   # x >= cut goes on: the same as x > the double before it
            end = nextafter(tree.cuts[first_cut + cell], -INFINITY)
        else:
            end = tree.cuts[first_cut + cell]
        if cell and branch[n - 1] == tree.branch_of[first_cell + cell]:
            cut[n - 1] = end
            continue
        branch[n] = tree.branch_of[first_cell + cell]
        cut[n] = end
        n += 1
    stop[node] = n
    return n


# doors


def predict_proba(Walker walker, source, rows=None, *, bint laplace=False, votes=None, weights=None, int n_threads=1):
    cdef Py_ssize_t n = n_asked(source, rows)
    out = np.empty((n, walker.n_classes))
    run(walker, source, rows, laplace, votes, weights, n_threads, out, None)
    return out


def predict_codes(Walker walker, source, rows=None, *, bint laplace=False, votes=None, weights=None, int n_threads=1):
    cdef Py_ssize_t n = n_asked(source, rows)
    out = np.empty(n, dtype=np.int32)
    run(walker, source, rows, laplace, votes, weights, n_threads, None, out)
    return out


cdef Py_ssize_t n_asked(source, rows) except -1:
    if rows is not None:
        return len(rows)
    return source.n_rows if isinstance(source, Table) else len(source)


cdef run(Walker walker, source, rows, bint laplace, votes, weights, int n_threads, probabilities, codes):
    """Share the rows out to threads; each writes its own part of the answer."""
    cdef Py_ssize_t n = n_asked(source, rows), n_rows = n_asked(source, None)
    cdef Py_ssize_t n_parts = max(1, min(n_threads, n // PER_THREAD))
    if rows is not None:
        rows = np.ascontiguousarray(rows, dtype=np.int32)
        if n and (rows.min() < 0 or rows.max() >= n_rows):
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
    cdef Source values
    cdef Scratch scratch
    cdef const int32_t[::1] picked = rows
    cdef const double[:, ::1] proportions = table[0]
    cdef const int32_t[::1] labels = table[1]
    cdef const unsigned char[::1] pure = table[2]
    cdef double[:, ::1] out_p = probabilities
    cdef int32_t[::1] out_c = codes
    cdef double* to_p
    cdef int32_t* to_c
    cdef Py_ssize_t at, n
    cdef int block = <int>SMALL_BLOCK if walker.n_trees == 1 else <int>BLOCK
    block = max(<int>LANES, min(block, <int>SCRATCH // max(walker.n_tested, 1)) // LANES * LANES)
    block = min(block, <int>((stop - start + LANES - 1) // LANES * LANES))
    cdef int failed = 0
    cdef bint all_by_shares
    if stop <= start:
        return
    memset(&scratch, 0, sizeof(Scratch))
    memset(&values, 0, sizeof(Source))
    try:
        values.numbers = <const double**>calloc(walker.n_inputs + 1, sizeof(double*))
        values.codes = <const int32_t**>calloc(walker.n_inputs + 1, sizeof(int32_t*))
        scratch.values = <double*>calloc(<size_t>block * (walker.n_tested + 1), sizeof(double))
        scratch.rows = <int32_t*>malloc(block * sizeof(int32_t))
        scratch.unknown = <unsigned char*>malloc(block)
        scratch.ends = <int32_t*>malloc(block * sizeof(int32_t))
        scratch.total = <double*>malloc(<size_t>block * walker.n_classes * sizeof(double))
        scratch.part = <double*>malloc(walker.n_classes * sizeof(double))
        if (values.numbers == NULL or values.codes == NULL or scratch.values == NULL or scratch.rows == NULL
                or scratch.unknown == NULL or scratch.ends == NULL or scratch.total == NULL or scratch.part == NULL):
            raise MemoryError
        all_by_shares = open_source(walker, source, &values)
        with nogil:
            at = start
            while at < stop and not failed:
                n = min(<Py_ssize_t>block, stop - at)
                to_p = NULL if out_p is None else &out_p[at, 0]
                to_c = NULL if out_c is None else &out_c[at]
                choose(&scratch, picked, at, n)
                read_block(walker, &values, &scratch, <int>n, all_by_shares)
                if several:
                    failed = vote_block(
                        walker, &values, &scratch, n, &proportions[0, 0], &labels[0], &pure[0], &weights[0], votes,
                        laplace, to_p, to_c
                    )
                else:
                    failed = tree_block(
                        walker, &values, &scratch, n, &proportions[0, 0], &labels[0], laplace, to_p, to_c
                    )
                at += n
        if failed:
            raise MemoryError
    finally:
        free(values.numbers)
        free(values.codes)
        free(scratch.values)
        free(scratch.rows)
        free(scratch.unknown)
        free(scratch.ends)
        free(scratch.total)
        free(scratch.part)
        free(scratch.walk.frames)
        free(scratch.walk.sums)


cdef bint open_source(Walker walker, source, Source* values) except -1:
    """Point at the columns that are tested; whether some test does not know all categories of its column."""
    cdef int i, j, limited = 0
    cdef Table table
    cdef const double[:, ::1] matrix
    if isinstance(source, Table):
        table = source
        if table.n_inputs < walker.n_inputs:
            raise ValueError(f"{table.n_inputs} columns, but the trees test column {walker.n_inputs - 1}")
        values.stride = 1
        for j in range(walker.n_tested):
            i = walker.tested[j]
            values.numbers[i], values.codes[i] = table.numbers[i], table.codes[i]
            limited |= table.codes[i] != NULL and walker.least_cells[j] < table.arity[i]
        return limited
    matrix = source
    if matrix.shape[1] < walker.n_inputs:
        raise ValueError(f"{matrix.shape[1]} columns, but the trees test column {walker.n_inputs - 1}")
    values.stride = matrix.shape[1]
    values.matrix = &matrix[0, 0]
    for j in range(walker.n_tested):
        values.numbers[walker.tested[j]] = &matrix[0, walker.tested[j]]
    return 0


# blocks


cdef inline void choose(Scratch* scratch, const int32_t[::1] picked, Py_ssize_t at, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    if picked is None:
        for i in range(n):
            scratch.rows[i] = <int32_t>(at + i)
    else:
        memcpy(scratch.rows, &picked[at], n * sizeof(int32_t))


cdef void read_block(
    Walker walker, const Source* values, Scratch* scratch, int n, bint all_by_shares
) noexcept nogil:
    """Copy what the trees test, row by row, and mark the rows that have an unknown value among it."""
    cdef Py_ssize_t i, j, m = walker.n_tested, stride = values.stride
    cdef const double* numbers
    cdef const int32_t* codes
    cdef double* to
    cdef double number
    memset(scratch.unknown, all_by_shares, n)
    if values.matrix != NULL:     # a matrix: its rows lie together
        for i in range(n):
            numbers = values.matrix + scratch.rows[i] * stride
            to = scratch.values + i * m
            for j in range(m):
                number = numbers[walker.tested[j]]
                scratch.unknown[i] |= number != number
                to[j] = number
        return
    for j in range(m):
        numbers, codes = values.numbers[walker.tested[j]], values.codes[walker.tested[j]]
        to = scratch.values + j
        if numbers != NULL:
            for i in range(n):
                number = numbers[scratch.rows[i] * stride]
                scratch.unknown[i] |= number != number
                to[i * m] = number
        else:
            for i in range(n):
                scratch.unknown[i] |= codes[scratch.rows[i]] < 0
                to[i * m] = codes[scratch.rows[i]]


cdef inline int32_t step_on(const Step* steps, int32_t here, const double* row) noexcept nogil:
    return steps[here].first + <int32_t>(row[steps[here].input] > steps[here].cut)


cdef void walk_block(
    const Step* steps, int root, const double* values, Py_ssize_t m, Py_ssize_t n, int32_t* ends
) noexcept nogil:
    """Where each row of a block comes to. The block's memory is whole lanes; what is beyond n is not looked at.

    Eight variables, not an array of eight: the compiler keeps an array in memory, which halves the speed.
    """
    cdef Py_ssize_t i = 0
    cdef int32_t a, b, c, d, e, f, g, h, moved, after
    cdef const double* row
    while i < n:
        row = values + i * m
        a = b = c = d = e = f = g = h = root
        moved = 1
        while moved:
            after = step_on(steps, a, row)
            moved = after ^ a
            a = after
            after = step_on(steps, b, row + m)
            moved |= after ^ b
            b = after
            after = step_on(steps, c, row + 2 * m)
            moved |= after ^ c
            c = after
            after = step_on(steps, d, row + 3 * m)
            moved |= after ^ d
            d = after
            after = step_on(steps, e, row + 4 * m)
            moved |= after ^ e
            e = after
            after = step_on(steps, f, row + 5 * m)
            moved |= after ^ f
            f = after
            after = step_on(steps, g, row + 6 * m)
            moved |= after ^ g
            g = after
            after = step_on(steps, h, row + 7 * m)
            moved |= after ^ h
            h = after
        ends[i], ends[i + 1], ends[i + 2], ends[i + 3] = a, b, c, d
        ends[i + 4], ends[i + 5], ends[i + 6], ends[i + 7] = e, f, g, h
        i += LANES


cdef int tree_block(
    Walker walker, const Source* values, Scratch* scratch, Py_ssize_t n, const double* proportions,
    const int32_t* labels, bint laplace, double* probabilities, int32_t* codes
) noexcept nogil:
    """Answers of one tree."""
    cdef Py_ssize_t i, c = walker.n_classes
    cdef int32_t answer
    cdef double* out
    walk_block(walker.steps, walker.roots[0], scratch.values, walker.n_tested, n, scratch.ends)
    for i in range(n):
        if scratch.unknown[i]:
            out = scratch.part if probabilities == NULL else probabilities + i * c
            memset(out, 0, c * sizeof(double))
            if descend(&walker.views[0], values, scratch.rows[i], laplace, &scratch.walk, out) < 0:
                return 1
            if codes != NULL:
                codes[i] = label_of(out, c)
            continue
        answer = walker.answers[scratch.ends[i]]
        if probabilities != NULL:
            memcpy(probabilities + i * c, proportions + answer * c, c * sizeof(double))
        if codes != NULL:
            codes[i] = labels[answer]
    return 0


cdef int vote_block(
    Walker walker, const Source* values, Scratch* scratch, Py_ssize_t n, const double* proportions,
    const int32_t* labels, const unsigned char* pure, const double* weights, bint votes, bint laplace,
    double* probabilities, int32_t* codes
) noexcept nogil:
    """Answers of all trees, added in their order."""
    cdef Py_ssize_t i, c, n_classes = walker.n_classes
    cdef int t
    cdef int32_t answer, label
    cdef double* total = scratch.total
    cdef const double* row
    cdef double whole
    memset(total, 0, n * n_classes * sizeof(double))
    for t in range(walker.n_trees):
        walk_block(walker.steps, walker.roots[t], scratch.values, walker.n_tested, n, scratch.ends)
        for i in range(n):
            if scratch.unknown[i]:
                memset(scratch.part, 0, n_classes * sizeof(double))
                if descend(&walker.views[t], values, scratch.rows[i], laplace, &scratch.walk, scratch.part) < 0:
                    return 1
                row, label = scratch.part, label_of(scratch.part, n_classes)
                answer = -1
            else:
                answer = walker.answers[scratch.ends[i]]
                row, label = proportions + answer * n_classes, labels[answer]
            if votes or (answer >= 0 and pure[answer]):   # the others would add 0
                if label >= 0:
                    total[i * n_classes + label] += weights[t]
                continue
            for c in range(n_classes):
                total[i * n_classes + c] += row[c] * weights[t]
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


cdef inline int label_of(const double* probabilities, Py_ssize_t n) noexcept nogil:
    """The first of the largest; -1 when none is above 0."""
    cdef Py_ssize_t c
    cdef int best = 0
    for c in range(1, n):
        if probabilities[c] > probabilities[best]:
            best = <int>c
    return best if probabilities[best] > 0 else -1


# rows with unknown values


cdef inline int branch_of_row(const TreeView* tree, const Source* values, int node, Py_ssize_t row) noexcept nogil:
    cdef int attribute = tree.attribute[node]
    cdef double number
    if values.codes[attribute] != NULL:
        return branch_of_code(tree, node, values.codes[attribute][row])
    number = values.numbers[attribute][row * values.stride]
    if tree.cut_start[node] < tree.cut_start[node + 1]:
        return branch_of_number(tree, node, number)
    return -1 if isnan(number) else branch_of_code(tree, node, <int>number)   # a code in a matrix


cdef int descend(
    const TreeView* tree, const Source* values, Py_ssize_t row, bint laplace, Walk* walk, double* out
) noexcept nogil:
    """Add a case's class probabilities to ``out``; sums nest as the tests do (c45.md 12.5). -1: no memory."""
    cdef int node = 0, depth = 0, branch, first, c, n = tree.n_classes
    cdef double part = 1.0
    cdef Frame* frame
    cdef double* sums = out
    while True:
        # follow known values from `node` to an answer, or to a test whose value is unknown
        branch = 0
        while tree.attribute[node] >= 0:
            branch = branch_of_row(tree, values, node, row)
            if branch < 0 or tree.empty[tree.first_child[node] + branch]:
                break
            node = tree.first_child[node] + branch
        if branch < 0:
            if depth == walk.size and deepen(walk, n) < 0:
                return -1
            walk.frames[depth].node = node
            walk.frames[depth].branch = 0
            walk.frames[depth].part = part
            depth += 1
            memset(&walk.sums[<size_t>(depth - 1) * n], 0, n * sizeof(double))
        else:
            answer(tree, node, part, laplace, out if depth == 0 else &walk.sums[<size_t>(depth - 1) * n])
        # go on with the next branch of the innermost unknown test
        while depth:
            frame = &walk.frames[depth - 1]
            first = tree.first_child[frame.node]
            while frame.branch < tree.n_branches[frame.node] and tree.empty[first + frame.branch]:
                frame.branch += 1
            if frame.branch < tree.n_branches[frame.node]:
                break
            depth -= 1
            sums = out if depth == 0 else &walk.sums[<size_t>(depth - 1) * n]
            for c in range(n):
                sums[c] += walk.sums[<size_t>depth * n + c]
        if depth == 0:
            return 0
        node = tree.first_child[frame.node] + frame.branch
        part = tree.share[node] * frame.part
        frame.branch += 1


cdef void answer(const TreeView* tree, int node, double part, bint laplace, double* sums) noexcept nogil:
    """Add the proportions of a node's own cases."""
    cdef int c, n = tree.n_classes
    cdef const double* weights = &tree.distribution[<size_t>node * n]
    cdef double total = tree.weight[node]
    if laplace:
        for c in range(n):
            sums[c] += part * ((weights[c] + 1.0) / (total + n))
    elif total >= TINY:
        for c in range(n):
            sums[c] += part * (weights[c] / total)


cdef int deepen(Walk* walk, int n_classes) noexcept nogil:
    cdef int size = 2 * walk.size + 16
    cdef Frame* frames = <Frame*>realloc(walk.frames, size * sizeof(Frame))
    if frames == NULL:
        return -1
    walk.frames = frames
    cdef double* sums = <double*>realloc(walk.sums, <size_t>size * n_classes * sizeof(double))
    if sums == NULL:
        return -1
    walk.sums = sums
    walk.size = size
    return 0
