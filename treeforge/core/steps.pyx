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
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

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
        self.first_answer = <int32_t*>calloc(self.n_trees + 1, sizeof(int32_t))
        if self.views == NULL or self.roots == NULL or self.first_answer == NULL:
            raise MemoryError
        cdef Tree tree
        cdef int i
        for i, tree in enumerate(trees):
            self.views[i] = tree.view
            self.n_classes = tree.n_classes
        if number_inputs(self) < 0 or compile_trees(self) < 0:
            raise MemoryError

    def __dealloc__(self):
        free(self.views)
        free(self.roots)
        free(self.steps)
        free(self.answers)
        free(self.first_answer)
        free(self.node_of_answer)
        free(self.tested)

    def table(self, bint laplace):
        """Proportions [n_answers, n_classes], the class of each, and whether it is 1 for that class alone."""
        if laplace not in self.tables:
            proportions, labels = np.empty((self.n_answers, self.n_classes)), np.empty(self.n_answers, np.int32)
            pure = np.empty(self.n_answers, np.uint8)
            fill_table(self, laplace, proportions, labels, pure)
            self.tables[laplace] = proportions, labels, pure
        return self.tables[laplace]


def _py_steps(Walker walker):
    return [
        (walker.steps[i].cut, walker.steps[i].input, walker.steps[i].first // 2, walker.answers[i])
        for i in range(walker.n_steps)
    ]


cdef struct Waiting:          # a step that is to tell apart the segments low..high of a node's test
    int32_t step
    int32_t node
    int32_t low
    int32_t high


cdef struct Room:             # what compiling a tree needs; for the largest of them
    int32_t* number_of        # [n_inputs]: place of an input among the tested ones
    int32_t* step_of          # [n_nodes]: where the rows of a node arrive, -1 for nowhere yet
    int32_t* answer_of        # [n_nodes]: -1 for none yet
    int32_t* branch           # [n_cells]: of each segment
    double* cut               # [n_cells]: upper end of each segment
    Waiting* waiting          # [n_cells + 1]
    int n_waiting
    int n_segments


cdef int number_inputs(Walker self) noexcept nogil:
    """Find the inputs that are tested, and their places in a row. -1: no memory."""
    cdef int t, i, j
    for t in range(self.n_trees):
        for i in range(self.views[t].n_nodes):
            self.n_inputs = max(self.n_inputs, self.views[t].attribute[i] + 1)
    self.tested = <int32_t*>calloc(3 * <size_t>self.n_inputs + 1, sizeof(int32_t))
    if self.tested == NULL:
        return -1
    self.places, self.least_cells = self.tested + self.n_inputs, self.tested + 2 * self.n_inputs
    for t in range(self.n_trees):
        for i in range(self.views[t].n_nodes):
            if self.views[t].attribute[i] >= 0:
                self.places[self.views[t].attribute[i]] = 1     # a mark, as yet
    for i in range(self.n_inputs):
        if self.places[i]:
            self.tested[self.n_tested] = i
            self.n_tested += 1
    self.width = self.n_inputs if 2 * self.n_tested >= self.n_inputs else self.n_tested
    for j in range(self.n_tested):
        self.places[j] = self.tested[j] if self.width == self.n_inputs else j
        self.least_cells[j] = 2**31 - 1
    return 0


cdef int compile_trees(Walker self) noexcept nogil:
    """All trees as steps. -1: no memory."""
    cdef const TreeView* tree
    cdef Room room
    cdef size_t n_nodes = 0, n_cells = 0, n_steps = 0, n_answers = 0
    cdef int t, i
    for t in range(self.n_trees):
        tree = &self.views[t]
        n_nodes, n_cells = max(n_nodes, tree.n_nodes), max(n_cells, tree.cell_start[tree.n_nodes])
        n_answers += tree.n_nodes
        n_steps += 1 + 2 * tree.cell_start[tree.n_nodes]    # the root one, and a test of c cells 2 (c - 1) at most
        for i in range(tree.n_nodes):
            n_steps -= 2 * (tree.attribute[i] >= 0)
    self.steps = <Step*>malloc(n_steps * sizeof(Step))
    self.answers = <int32_t*>malloc(n_steps * sizeof(int32_t))
    self.node_of_answer = <int32_t*>malloc(n_answers * sizeof(int32_t))
    room.cut = <double*>malloc((n_cells + 1) * (sizeof(double) + sizeof(Waiting) + sizeof(int32_t))
                               + (2 * n_nodes + self.n_inputs) * sizeof(int32_t))
    if self.steps == NULL or self.answers == NULL or self.node_of_answer == NULL or room.cut == NULL:
        free(room.cut)
        return -1
    room.waiting = <Waiting*>(room.cut + n_cells + 1)
    room.branch = <int32_t*>(room.waiting + n_cells + 1)
    room.step_of = room.branch + n_cells + 1
    room.answer_of = room.step_of + n_nodes
    room.number_of = room.answer_of + n_nodes
    for i in range(self.n_tested):
        room.number_of[self.tested[i]] = i
    for t in range(self.n_trees):
        compile_tree(self, t, &room)
        self.first_answer[t + 1] = self.n_answers
    free(room.cut)
    return 0


cdef void compile_tree(Walker self, int t, Room* room) noexcept nogil:
    cdef const TreeView* tree = &self.views[t]
    cdef Waiting at
    cdef int i, middle, child, first, number
    for i in range(tree.n_nodes):
        room.step_of[i] = room.answer_of[i] = -1
    room.n_waiting = room.n_segments = 0
    self.roots[t] = self.n_steps
    self.n_steps += 1
    arrive(self, tree, room, self.roots[t], 0)
    while room.n_waiting:
        room.n_waiting -= 1
        at = room.waiting[room.n_waiting]
        if at.low < at.high:
            middle = (at.low + at.high) >> 1
            first = self.n_steps
            self.n_steps += 2
            number = room.number_of[tree.attribute[at.node]]
            self.steps[at.step], self.answers[at.step] = Step(room.cut[middle], self.places[number], 2 * first), -1
            room.waiting[room.n_waiting] = Waiting(first + 1, at.node, middle + 1, at.high)
            room.waiting[room.n_waiting + 1] = Waiting(first, at.node, at.low, middle)
            room.n_waiting += 2
            continue
        child = tree.first_child[at.node] + room.branch[at.low]
        if tree.empty[child]:                   # answered by the node above
            end(self, room, at.step, at.node)
        elif room.step_of[child] >= 0:          # an earlier interval of the same branch: pass on
            self.steps[at.step], self.answers[at.step] = Step(INFINITY, 0, 2 * room.step_of[child]), -1
        else:
            arrive(self, tree, room, at.step, child)


cdef void arrive(Walker self, const TreeView* tree, Room* room, int step, int node) noexcept nogil:
    """From this step on rows are at a node: they stay, or its test is to be done."""
    cdef int number, n_cells, first_segment = room.n_segments
    room.step_of[node] = step
    if tree.attribute[node] < 0:
        end(self, room, step, node)
        return
    number, n_cells = room.number_of[tree.attribute[node]], tree.cell_start[node + 1] - tree.cell_start[node]
    if tree.cut_start[node] == tree.cut_start[node + 1]:
        self.least_cells[number] = min(self.least_cells[number], n_cells)
    room.n_segments = segments(tree, node, first_segment, room.cut, room.branch)
    room.waiting[room.n_waiting] = Waiting(step, node, first_segment, room.n_segments - 1)
    room.n_waiting += 1


cdef void end(Walker self, Room* room, int step, int node) noexcept nogil:
    """A step where rows stay: it leads to itself."""
    if room.answer_of[node] < 0:
        room.answer_of[node] = self.n_answers
        self.node_of_answer[self.n_answers] = node
        self.n_answers += 1
    self.steps[step], self.answers[step] = Step(INFINITY, 0, 2 * step), room.answer_of[node]


cdef int segments(const TreeView* tree, int node, int n, double* cut, int32_t* branch) noexcept nogil:
    """Append a test as ascending segments, neighbours that lead to the same branch joined; how many there are now."""
    cdef int first_cell = tree.cell_start[node], n_cells = tree.cell_start[node + 1] - first_cell, cell
    cdef int first_cut = tree.cut_start[node]
    cdef bint nominal = tree.cut_start[node + 1] == first_cut
    cdef int start = n
    cdef double end
    for cell in range(n_cells):
        if cell + 1 == n_cells:
            end = INFINITY
        elif nominal:
            end = cell + 0.5
        elif tree.closed_left[node]:   # x >= cut goes on: the same as x > the double before it
            end = nextafter(tree.cuts[first_cut + cell], -INFINITY)
        else:
            end = tree.cuts[first_cut + cell]
        if n > start and branch[n - 1] == tree.branch_of[first_cell + cell]:
            cut[n - 1] = end
            continue
        branch[n] = tree.branch_of[first_cell + cell]
        cut[n] = end
        n += 1
    return n


cdef int fill_table(
    Walker self, bint laplace, double[:, ::1] proportions, int32_t[::1] labels, uint8_t[::1] pure
) except -1:
    cdef const TreeView* tree
    cdef const double* weights
    cdef double total, p
    cdef int t, a, c, node, n_ones, n_others
    for t in range(self.n_trees):
        tree = &self.views[t]
        for a in range(self.first_answer[t], self.first_answer[t + 1]):
            node, n_ones, n_others, labels[a] = self.node_of_answer[a], 0, 0, 0
            weights, total = tree.distribution + <size_t>node * self.n_classes, tree.weight[node]
            for c in range(self.n_classes):
                if laplace:
                    p = (weights[c] + 1.0) / (total + self.n_classes)
                else:
                    p = weights[c] / total if total >= TINY else 0.0
                proportions[a, c] = p
                n_ones += p == 1.0
                n_others += p != 0.0 and p != 1.0
                if p > proportions[a, labels[a]]:
                    labels[a] = c
            if n_ones + n_others == 0:
                labels[a] = -1
            pure[a] = n_ones == 1 and n_others == 0
    return 0
