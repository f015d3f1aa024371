"""Trees as compact steps.

Terms. A *step* is 16 bytes: a number is compared with a cut, and the next step is ``first + (number > cut)``; the
two that may follow are neighbours, so there is no branch to predict. Every test of a tree becomes steps: several
cuts, or the categories of a nominal test taken as numbers, are a small search tree; where one branch has several
intervals, all but the first of them are a step that only passes on. The end of the way is a step that leads to
itself, so rows that have arrived wait without harm for those that walk on.

A *row* is the numbers that steps look at. Where the trees test at least half of the inputs, it is all inputs up to
the last tested one, as they stand in a matrix, which can then be walked where it lies; otherwise the tested ones alone.
"""

from libc.math cimport INFINITY, nextafter
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, realloc

from treeforge.core.tree cimport Tree, TreeView

import numpy as np

cdef double TINY = 1e-6       # c45.md 0.2: weights below this count as none


cdef class Walker:
    """See the stub."""

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
        free(self.places)
        free(self.least_cells)

    def _number_inputs(self):
        cdef int i
        tested = sorted({a for tree in self.arrays for a in np.unique(tree["attribute"]).tolist() if a >= 0})
        self.n_tested = len(tested)
        self.n_inputs = max(tested) + 1 if tested else 0
        self.width = self.n_inputs if 2 * self.n_tested >= self.n_inputs else self.n_tested
        self.tested = <int32_t*>calloc(self.n_tested + 1, sizeof(int32_t))
        self.places = <int32_t*>calloc(self.n_tested + 1, sizeof(int32_t))
        self.least_cells = <int32_t*>calloc(self.n_tested + 1, sizeof(int32_t))
        if self.tested == NULL or self.places == NULL or self.least_cells == NULL:
            raise MemoryError
        for i in range(self.n_tested):
            self.tested[i] = tested[i]
            self.places[i] = self.tested[i] if self.width == self.n_inputs else i
            self.least_cells[i] = 2**31 - 1

    def _compile(self):
        """All trees as steps."""
        cdef int t, i
        cdef int32_t[::1] number_of = np.full(self.n_inputs + 1, -1, dtype=np.int32)
        for i in range(self.n_tested):
            number_of[self.tested[i]] = i
        self.node_of_answer = []
        for t in range(self.n_trees):
            answer_of = np.full(self.views[t].n_nodes, -1, dtype=np.int32)
            self._compile_tree(t, number_of, answer_of)
            order = np.flatnonzero(answer_of >= 0)
            self.node_of_answer.append(order[np.argsort(answer_of[order])])

    cdef int _compile_tree(self, int t, const int32_t[::1] number_of, int32_t[::1] answer_of) except -1:
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
        cdef int n_waiting = 1, step, node, low, high, middle, child, first, number
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
            number = number_of[tree.attribute[node]]
            if tree.cut_start[node] == tree.cut_start[node + 1]:
                self.least_cells[number] = min(
                    self.least_cells[number], tree.cell_start[node + 1] - tree.cell_start[node]
                )
            if low < high:
                middle = (low + high) >> 1
                first = self.n_steps
                self.n_steps += 2
                self.steps[step] = Step(cut[middle], self.places[number], 2 * first)
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
                self.steps[step] = Step(INFINITY, 0, 2 * step_of[child])
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
        self.steps[step] = Step(INFINITY, 0, 2 * step)
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
        (walker.steps[i].cut, walker.steps[i].input, walker.steps[i].first // 2, walker.answers[i])
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
