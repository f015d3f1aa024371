"""A tree while it is pruned: tests stay those of the grown tree, links and class weights change.

Raising gives a node the test and the children of one of its branches; so a node of the draft says whose
test it has (``test``) and where its children are (``first``), and the finished tree is numbered anew.
"""

from libc.stdint cimport int32_t

from treeforge_c45._estimate cimport Confidence, expected_errors
from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, branch_of_code, branch_of_number

from statistics import NormalDist

import numpy as np

cdef double TINY = 1e-6
cdef double MARGIN = 0.1     # c45.md 6.3


cdef class Draft:
    """What error-based pruning works on."""

    def __cinit__(self, Tree tree, Table table, double confidence, bint raising):
        cdef int i
        self.tree, self.table, self.view = tree, table, &tree.view
        self.n_classes, self.raising, self.labels = tree.n_classes, raising, table.classes
        # J48's confidence is a single-precision number, and so is one minus it
        single = np.float32(confidence)
        self.confidence.level = float(single)
        self.confidence.z = NormalDist().inv_cdf(float(np.float32(1) - single))
        self.test = np.where(tree.attribute < 0, -1, np.arange(tree.n_nodes)).astype(np.int32)
        self.first = tree.first_child.copy()
        self.weights = tree.distribution.copy()
        self.total, self.share, self.empty = tree.weight.copy(), tree.share.copy(), tree.empty.copy()
        self.errors = np.zeros(tree.n_nodes)
        for i in range(tree.n_nodes):
            if self.test[i] < 0:
                self.errors[i] = self.own_errors(i)

    cdef double own_errors(self, int node) noexcept nogil:
        return expected_errors(&self.confidence, &self.weights[node, 0], self.n_classes)

    cdef int branch_of(self, int node, int row) noexcept nogil:
        """Branch of a row at a node of the draft, -1 when the value is unknown."""
        cdef int test = self.test[node], input = self.view.attribute[self.test[node]]
        if self.table.numbers[input] != NULL:
            return branch_of_number(self.view, test, self.table.numbers[input][row])
        return branch_of_code(self.view, test, self.table.codes[input][row])

    cdef int largest_branch(self, int node) noexcept nogil:
        """Near-ties to the last (c45.md 0.4)."""
        cdef int b, best = 0
        cdef double most = 0.0
        for b in range(self.view.n_branches[self.test[node]]):
            if most - self.total[self.first[node] + b] < TINY:
                best, most = b, self.total[self.first[node] + b]
        return best

    cdef int decide(self, int node, double raised) noexcept nogil:
        """0: leave, 1: leaf, 2: raise. ``raised``: expected errors after raising the largest branch."""
        cdef double as_leaf = self.own_errors(node), below = 0.0
        cdef int b
        for b in range(self.view.n_branches[self.test[node]]):
            below += self.errors[self.first[node] + b]
        self.errors[node] = below
        if as_leaf - (below + MARGIN) < TINY and (not self.raising or as_leaf - (raised + MARGIN) < TINY):
            self.errors[node] = as_leaf
            return 1
        if self.raising and raised - (below + MARGIN) < TINY:
            return 2
        return 0

    def finished(self):
        """The draft as a tree, numbered anew."""
        cdef int i = 0, b, kept = 1, node, n = self.tree.n_nodes
        cdef int32_t[::1] source = np.zeros(n, dtype=np.int32)   # new node -> node of the draft
        cdef int32_t[::1] tests = np.zeros(n, dtype=np.int32)    # new node -> whose test
        cdef int32_t[::1] first = np.full(n, -1, dtype=np.int32)
        cdef int32_t[::1] parent = np.full(n, -1, dtype=np.int32)
        while i < kept:
            node = source[i]
            tests[i] = self.test[node] if self.test[node] >= 0 else node
            if self.test[node] >= 0:
                first[i] = kept
                for b in range(self.view.n_branches[self.test[node]]):
                    source[kept], parent[kept] = self.first[node] + b, i
                    kept += 1
            i += 1
        nodes = np.asarray(source)[:kept]
        return self.tree.regrown(
            np.asarray(tests)[:kept], np.asarray(first)[:kept], np.asarray(parent)[:kept],
            distribution=np.asarray(self.weights)[nodes], weight=np.asarray(self.total)[nodes],
            share=np.asarray(self.share)[nodes], empty=np.asarray(self.empty)[nodes],
        )
