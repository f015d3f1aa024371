"""A tree while it is pruned: tests stay those of the grown tree, links and class weights change.

It is made of what collapsing leaves of the grown tree, often the smaller part, and so has numbers of its own.

Raising gives a node the test and the children of one of its branches; so a node of the draft says whose
test it has (``test``) and where its children are (``first``), and the finished tree is numbered anew.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from treeforge.core.encode cimport any_encoded
from treeforge.core.kernel cimport BYTES
from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView, regrow
from treeforge_c45._collapse cimport mark_useless
from treeforge_c45._estimate cimport Confidence, errors_of, expected_errors, extra_errors, majority_of

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


def all_classes_known(Table table, const int32_t[::1] rows):
    """Whether every row has a class."""
    cdef const int32_t[::1] labels = table.classes
    cdef int j
    for j in range(rows.shape[0]):
        if labels[rows[j]] < 0:
            return False
    return True


cdef class Draft:
    """What error-based pruning works on."""

    def __cinit__(self, Tree tree, Table table, double confidence, bint raising, bint collapse):
        cdef int i, node = 0
        cdef const int32_t[::1] labels = table.classes
        self.tree, self.table, self.view, self.coded = tree, table, &tree.view, any_encoded(table)
        self.n_classes, self.raising, self.labels = tree.n_classes, raising, &labels[0] if table.n_rows else NULL
        self.confidence = confidence_of(confidence)
        self.number_nodes(collapse)
        self.allocate()
        for i in range(tree.n_nodes):
            if self.place[i] == node:
                self.copy_node(node, i)
                node += 1

    def __dealloc__(self):
        free(self.place)
        free(self.memory)

    cdef int number_nodes(self, bint collapse) except -1:
        """Set ``place`` and ``n_nodes``: all nodes but those below tests that collapsing makes leaves."""
        cdef int i, n = self.tree.n_nodes
        cdef const int32_t* parent = self.view.parent
        cdef uint8_t* marked = <uint8_t*>calloc(n, 1)
        self.place = <int32_t*>malloc(n * sizeof(int32_t))
        try:
            if marked == NULL or self.place == NULL:
                raise MemoryError
            if collapse:
                mark_useless(self.tree, marked)
            self.place[0], self.n_nodes = 0, 1
            for i in range(1, n):       # children come after their parent
                if marked[parent[i]]:
                    marked[i], self.place[i] = 1, self.place[parent[i]]
                else:
                    self.place[i] = self.n_nodes
                    self.n_nodes += 1
        finally:
            free(marked)
        return 0

    cdef int allocate(self) except -1:
        cdef size_t n = self.n_nodes, n_weights = n * self.n_classes
        cdef char* left
        self.memory = calloc(n * (sizeof(Step) + 3 * sizeof(double) + 1) + n_weights * sizeof(double) + 8, 1)
        if self.memory == NULL:
            raise MemoryError
        left = <char*>self.memory
        self.step = <Step*>carve(&left, n * sizeof(Step))
        self.weights = <double*>carve(&left, n_weights * sizeof(double))
        self.total = <double*>carve(&left, n * sizeof(double))
        self.share = <double*>carve(&left, n * sizeof(double))
        self.errors = <double*>carve(&left, n * sizeof(double))
        self.empty = <uint8_t*>carve(&left, n)
        return 0

    cdef void copy_node(self, int node, int grown) noexcept nogil:
        """A node as it was grown; one whose branches are not in the draft is a leaf."""
        cdef int first = self.view.first_child[grown]
        memcpy(weights_of(self, node), self.view.distribution + <size_t>grown * self.n_classes,
               self.n_classes * sizeof(double))
        self.total[node], self.share[node] = self.view.weight[grown], self.view.share[grown]
        self.empty[node] = self.view.empty[grown]
        self.step[node].test = grown
        if first >= 0 and self.place[first] != node:
            make_step(self, node)
        else:
            self.make_leaf(node)

    cdef void make_leaf(self, int node) noexcept nogil:
        self.step[node].kind, self.step[node].first, self.step[node].n_branches = LEAF, -1, 0

    cdef void expect(self, bint counts) noexcept nogil:
        """Set the errors to expect of leaves. ``counts``: all class weights are counts, and stay that."""
        cdef int node
        self.counts = counts
        for node in range(self.n_nodes):
            if self.step[node].kind == LEAF:
                self.errors[node] = self.own_errors(node)

    cdef void receive(self, int node, const double* counts, double share) noexcept nogil:
        """Other cases come to a node than did: their class weights, and the share of unknown values that it takes."""
        cdef double total = 0.0
        cdef int c
        for c in range(self.n_classes):
            total += counts[c]
        memcpy(weights_of(self, node), counts, self.n_classes * sizeof(double))
        self.share[node], self.total[node] = share, total
        if self.step[node].kind == LEAF:
            self.errors[node] = self.own_errors(node)
            if total >= TINY:
                self.empty[node] = 0

    cdef double own_errors(self, int node) noexcept nogil:
        cdef const double* weights = weights_of(self, node)
        cdef double total = self.total[node]
        if self.counts:     # their sum is the total, to the last bit
            return errors_of(&self.confidence, total, weights[majority_of(weights, self.n_classes, total)])
        return expected_errors(&self.confidence, weights, self.n_classes)

    cdef double errors_below(self, int node) noexcept nogil:
        cdef double below = 0.0
        cdef int child
        for child in range(self.step[node].first, self.step[node].first + self.step[node].n_branches):
            below += self.errors[child]
        return below

    cdef int largest_branch(self, int node) noexcept nogil:
        """Near-ties to the last (c45.md 0.4)."""
        cdef const double* total = self.total + self.step[node].first
        cdef int b, best = 0
        cdef double most = 0.0
        for b in range(self.step[node].n_branches):
            if most - total[b] < TINY:
                best, most = b, total[b]
        return best

    cdef double limit(self, double as_leaf, double below) noexcept nogil:
        """Expected errors after raising from which on they do not matter: ``decide`` will not raise.

        They matter up to the least of what else may become of the node, not of what is worse: for most nodes that
        is what the leaves below are expected to make. Where it may become a leaf raising has to be better by a margin.
        """
        cdef double least = as_leaf - MARGIN if as_leaf - (below + MARGIN) < TINY else below + MARGIN
        return least * (1.0 + 1e-5) + SLACK

    cdef int decide(self, double as_leaf, double below, double raised) noexcept nogil:
        """Of a node's expected errors: 0: leave it, 1: a leaf, 2: raise its largest branch."""
        if as_leaf - (below + MARGIN) < TINY and (not self.raising or as_leaf - (raised + MARGIN) < TINY):
            return 1
        if self.raising and raised - (below + MARGIN) < TINY:
            return 2
        return 0

    def known_everywhere(self, const int32_t[::1] rows):
        """Whether no row has an unknown value of an attribute that the tree tests."""
        cdef uint8_t[::1] seen = np.zeros(self.table.n_inputs, dtype=np.uint8)     # many nodes test the same attribute
        cdef int i, j, input
        for i in range(self.n_nodes):
            input = self.view.attribute[self.step[i].test]
            if self.step[i].kind == LEAF or seen[input] or not self.coded.columns[input].has_unknown:
                continue
            seen[input] = 1
            for j in range(rows.shape[0]):
                if branch_of(self, &self.step[i], rows[j]) < 0:
                    return False
        return True

    def finished(self):
        """The draft as a tree, numbered anew."""
        cdef int i = 0, b, kept = 1, node, n = self.n_nodes
        cdef TreeView nodes = self.view[0]
        cdef int32_t* source = <int32_t*>malloc(4 * <size_t>n * sizeof(int32_t))   # new node -> node of the draft
        cdef int32_t* test = source + n     # new node -> whose test
        cdef int32_t* first = test + n
        cdef int32_t* parent = first + n
        if source == NULL:
            raise MemoryError
        nodes.distribution, nodes.weight, nodes.share, nodes.empty = self.weights, self.total, self.share, self.empty
        source[0], parent[0] = 0, -1
        while i < kept:
            node = source[i]
            test[i], first[i] = self.step[node].test, -1
            if self.step[node].kind:
                first[i] = kept
                for b in range(self.step[node].n_branches):
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
    cdef int grown = step.test, input = draft.view.attribute[grown], start = draft.view.cut_start[grown], low = 0
    cdef int n_cuts = draft.view.cut_start[grown + 1] - start
    cdef const int32_t* branches = draft.view.branch_of + draft.view.cell_start[grown]
    step.first, step.n_branches = draft.place[draft.view.first_child[grown]], draft.view.n_branches[grown]
    step.kind, step.unknown = OTHER, draft.coded.columns[input].n_codes
    if n_cuts == 1 and not draft.view.closed_left[grown] and branches[0] == 0 and branches[1] == 1:
        step.cut = draft.view.cuts[start]
        step.numbers, step.kind = draft.table.numbers[input], NUMBER_ABOVE
        if draft.coded.columns[input].form == BYTES:
            while low < draft.coded.columns[input].n_codes and draft.coded.columns[input].values[low] <= step.cut:
                low += 1
            step.bytes, step.code, step.kind = draft.coded.bytes[input], low - 1, CODE_ABOVE
    elif n_cuts == 0 and draft.coded.columns[input].form == BYTES and step.n_branches > 1:
        for low in range(draft.coded.columns[input].n_codes):
            if branches[low] != low:
                return
        step.bytes, step.kind = draft.coded.bytes[input], CODE


cdef object walked(Draft draft, const int32_t[::1] rows):
    """Where rows end in the grown tree, as a tree that has not noted it would have."""
    cdef int32_t found[BLOCK]
    cdef int i, k, n = rows.shape[0]
    leaves = np.zeros(draft.table.n_rows, dtype=np.int32)
    cdef int32_t[::1] leaf_of = leaves
    for i in range(0, n, BLOCK):
        ends(draft, 0, &rows[i], min(BLOCK, n - i), found)
        for k in range(min(BLOCK, n - i)):
            leaf_of[rows[i + k]] = draft.step[found[k]].test
    return leaves
