"""A tree while it is pruned: tests stay those of the grown tree, links and class weights change.

Raising gives a node the test and the children of one of its branches; so a node of the draft says whose
test it has (``test``) and where its children are (``first``), and the finished tree is numbered anew.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

from treeforge.core.encode cimport any_encoded
from treeforge.core.kernel cimport BYTES
from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView, regrow
from treeforge_c45._collapse cimport mark_useless
from treeforge_c45._estimate cimport Confidence, expected_errors, extra_errors

from functools import lru_cache
from statistics import NormalDist

import numpy as np

cdef double TINY = 1e-6
cdef double MARGIN = 0.1     # c45.md 6.3
cdef double SLACK = 1e-3     # for rounding of sums and near-ties of classes


cdef Confidence confidence_of(double level):
    single, normal_quantile = limits_of(level)
    return Confidence(single, normal_quantile)


@lru_cache
def limits_of(double level):
    """J48's confidence is a single-precision number, and so is one minus it."""
    single = np.float32(level)
    return float(single), NormalDist().inv_cdf(float(np.float32(1) - single))


def _py_extra_errors(double confidence, double n, double e):
    """Errors to expect beyond the e among n cases; for tests."""
    cdef Confidence limits = confidence_of(confidence)
    return extra_errors(&limits, n, e)


cdef class Draft:
    """What error-based pruning works on."""

    def __cinit__(self, Tree tree, Table table, double confidence, bint raising):
        cdef int i
        self.tree, self.table, self.view, self.coded = tree, table, &tree.view, any_encoded(table)
        self.n_classes, self.raising, self.labels = tree.n_classes, raising, table.classes
        self.confidence = confidence_of(confidence)
        self.weights, self.parent = tree.distribution.copy(), tree.parent
        self.total, self.share, self.empty = tree.weight.copy(), tree.share.copy(), tree.empty.copy()
        self.errors = np.zeros(tree.n_nodes)
        self.step = <Step*>calloc(tree.n_nodes, sizeof(Step))
        if self.step == NULL:
            raise MemoryError
        for i in range(tree.n_nodes):
            self.step[i].test = i
            if self.view.attribute[i] >= 0:
                make_step(self, i)
            else:
                self.make_leaf(i)
                self.errors[i] = self.own_errors(i)

    def __dealloc__(self):
        free(self.step)

    cdef void make_leaf(self, int node) noexcept nogil:
        self.step[node].kind, self.step[node].first = LEAF, -1

    cdef int n_branches(self, int node) noexcept nogil:
        return self.view.n_branches[self.step[node].test]

    cdef double own_errors(self, int node) noexcept nogil:
        return expected_errors(&self.confidence, &self.weights[node, 0], self.n_classes)

    cdef int majority(self, int node) noexcept nogil:
        cdef int c, best = 0
        for c in range(1, self.n_classes):
            if self.weights[node, c] > self.weights[node, best]:
                best = c
        return best

    cdef int largest_branch(self, int node) noexcept nogil:
        """Near-ties to the last (c45.md 0.4)."""
        cdef int b, best = 0
        cdef double most = 0.0
        for b in range(self.n_branches(node)):
            if most - self.total[self.step[node].first + b] < TINY:
                best, most = b, self.total[self.step[node].first + b]
        return best

    cdef double limit(self, int node) noexcept nogil:
        """Expected errors after raising from which on they do not matter: ``decide`` will not raise.

        They matter up to the least of what else may become of the node, not of what is worse: for most nodes that
        is what the leaves below are expected to make.
        """
        cdef double as_leaf = self.own_errors(node), below = 0.0
        cdef int b
        for b in range(self.n_branches(node)):
            below += self.errors[self.step[node].first + b]
        return min(as_leaf, below + MARGIN) * (1.0 + 1e-5) + SLACK

    cdef int decide(self, int node, double raised) noexcept nogil:
        """0: leave, 1: leaf, 2: raise. ``raised``: expected errors after raising the largest branch."""
        cdef double as_leaf = self.own_errors(node), below = 0.0
        cdef int b
        for b in range(self.n_branches(node)):
            below += self.errors[self.step[node].first + b]
        self.errors[node] = below
        if as_leaf - (below + MARGIN) < TINY and (not self.raising or as_leaf - (raised + MARGIN) < TINY):
            self.errors[node] = as_leaf
            return 1
        if self.raising and raised - (below + MARGIN) < TINY:
            return 2
        return 0

    def collapse(self):
        """Make tests that do not lower the training error leaves, each with its own class weights."""
        cdef int i
        cdef uint8_t* marked = <uint8_t*>malloc(self.tree.n_nodes)
        if marked == NULL:
            raise MemoryError
        try:
            mark_useless(self.tree, marked)
            for i in range(self.tree.n_nodes):
                if marked[i]:
                    self.make_leaf(i)
                    self.errors[i] = self.own_errors(i)
        finally:
            free(marked)

    def leaves_now(self):
        """The leaf that a node of the grown tree lies in, or the node itself, [n_nodes]."""
        cdef int32_t[::1] top = np.arange(self.tree.n_nodes, dtype=np.int32)
        cdef int i
        for i in range(1, self.tree.n_nodes):     # children come after their parent
            if not self.step[top[self.parent[i]]].kind:
                top[i] = top[self.parent[i]]
        return np.asarray(top)

    def known_everywhere(self, const int32_t[::1] rows):
        """Whether no training case has an unknown value of an attribute that the tree tests."""
        cdef int i, j
        for i in range(self.tree.n_nodes):
            if self.step[i].kind and self.coded.columns[self.view.attribute[i]].has_unknown:
                for j in range(rows.shape[0]):
                    if branch_of(self, &self.step[i], rows[j]) < 0:
                        return False
        return True

    def finished(self):
        """The draft as a tree, numbered anew."""
        cdef int i = 0, b, kept = 1, node, n = self.tree.n_nodes
        cdef TreeView nodes = self.view[0]
        cdef int32_t* source = <int32_t*>malloc(4 * <size_t>n * sizeof(int32_t))   # new node -> node of the draft
        cdef int32_t* test = source + n     # new node -> whose test
        cdef int32_t* first = test + n
        cdef int32_t* parent = first + n
        if source == NULL:
            raise MemoryError
        nodes.distribution, nodes.weight = &self.weights[0, 0], &self.total[0]
        nodes.share, nodes.empty = &self.share[0], &self.empty[0]
        source[0], parent[0] = 0, -1
        while i < kept:
            node = source[i]
            test[i], first[i] = self.step[node].test, -1
            if self.step[node].kind:
                first[i] = kept
                for b in range(self.n_branches(node)):
                    source[kept], parent[kept] = self.step[node].first + b, i
                    kept += 1
            i += 1
        try:
            return regrow(self.tree, &nodes, kept, source, test, first, parent)
        finally:
            free(source)


cdef void make_step(Draft draft, int node) noexcept nogil:
    """The test of a node in its quickest form: on the coded column where there is one."""
    cdef Step* step = &draft.step[node]
    cdef int input = draft.view.attribute[node], start = draft.view.cut_start[node], low = 0
    cdef int n_cuts = draft.view.cut_start[node + 1] - start
    cdef const int32_t* branches = draft.view.branch_of + draft.view.cell_start[node]
    step.first, step.kind = draft.view.first_child[node], OTHER
    step.unknown = draft.coded.columns[input].n_codes
    if n_cuts == 1 and not draft.view.closed_left[node] and branches[0] == 0 and branches[1] == 1:
        step.cut = draft.view.cuts[start]
        step.numbers, step.kind = draft.table.numbers[input], NUMBER_ABOVE
        if draft.coded.columns[input].form == BYTES:
            while low < draft.coded.columns[input].n_codes and draft.coded.columns[input].values[low] <= step.cut:
                low += 1
            step.bytes, step.code, step.kind = draft.coded.bytes[input], low - 1, CODE_ABOVE
    elif n_cuts == 0 and draft.coded.columns[input].form == BYTES and draft.view.n_branches[node] > 1:
        for low in range(draft.coded.columns[input].n_codes):
            if branches[low] != low:
                return
        step.bytes, step.kind = draft.coded.bytes[input], CODE
