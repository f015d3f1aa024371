"""Tests that do not lower the training error become leaves (c45.md 6.1)."""

from libc.stdint cimport uint8_t

from treeforge.core.tree cimport Tree

import numpy as np

cdef double TINY = 1e-6
cdef double SLACK = 1e-3


cdef double own_errors(Tree tree, int node) noexcept nogil:
    cdef const double* weights = tree.view.distribution + <size_t>node * tree.n_classes
    cdef double most = 0.0
    cdef int c
    for c in range(tree.n_classes):
        if weights[c] - most > TINY:
            most = weights[c]
    return tree.view.weight[node] - most


def useless(Tree tree):
    """Nodes whose subtree makes no fewer errors than they would as leaves, [n_nodes]; 1 for those."""
    cdef int i, b
    cdef double[::1] below = np.zeros(tree.n_nodes)
    cdef uint8_t[::1] marked = np.zeros(tree.n_nodes, dtype=np.uint8)
    for i in range(tree.n_nodes - 1, -1, -1):   # children come after their parent
        if tree.view.attribute[i] < 0:
            below[i] = own_errors(tree, i)
            continue
        for b in range(tree.view.n_branches[i]):
            below[i] += below[tree.view.first_child[i] + b]
        marked[i] = below[i] >= own_errors(tree, i) - SLACK
    return np.asarray(marked)
