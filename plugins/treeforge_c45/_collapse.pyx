"""Tests that do not lower the training error become leaves (c45.md 6.1)."""

from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free

from treeforge.core.tree cimport Tree
from treeforge_c45._estimate cimport majority_of

import numpy as np

cdef double SLACK = 1e-3


cdef double own_errors(Tree tree, int node) noexcept nogil:
    cdef const double* weights = tree.view.distribution + <size_t>node * tree.n_classes
    cdef double total = tree.view.weight[node]
    return total - weights[majority_of(weights, tree.n_classes, total)]


cdef int mark_useless(Tree tree, uint8_t* marked) except -1:
    """Mark the tests whose subtree makes no fewer errors than they would as leaves, [n_nodes]; how many there are."""
    cdef int i, b, n_marked = 0
    cdef double* below = <double*>calloc(tree.n_nodes, sizeof(double))
    if below == NULL:
        raise MemoryError
    for i in range(tree.n_nodes - 1, -1, -1):   # children come after their parent
        marked[i] = 0
        if tree.view.attribute[i] < 0:
            below[i] = own_errors(tree, i)
            continue
        for b in range(tree.view.n_branches[i]):
            below[i] += below[tree.view.first_child[i] + b]
        marked[i] = below[i] >= own_errors(tree, i) - SLACK
        n_marked += marked[i]
    free(below)
    return n_marked


def collapsed(Tree tree):
    """The tree without tests that do not lower its error on the training cases."""
    marked = np.empty(tree.n_nodes, dtype=np.uint8)
    cdef uint8_t[::1] view = marked
    return tree.with_leaves(marked.view(np.bool_)) if mark_useless(tree, &view[0]) else tree
