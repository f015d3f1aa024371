"""The order in which weakest-link pruning cuts: each step walks a path, so it is done here and not in Python."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t

import numpy as np


cdef struct Links:
    Py_ssize_t n_nodes
    const int32_t* parent
    const int32_t* first_child
    const int32_t* n_branches
    const double* as_leaf     # error rate of the node as a leaf, [n_nodes]
    double* below             # error rate of the subtree, [n_nodes]
    double* leaves            # its leaves, [n_nodes]
    double* weakest           # the least link in the subtree, [n_nodes]
    uint8_t* is_leaf          # [n_nodes]


cdef inline double own_link(Links* links, Py_ssize_t node) noexcept nogil:
    cdef double gained
    if links.is_leaf[node]:
        return INFINITY
    gained = links.as_leaf[node] - links.below[node]
    return gained / (links.leaves[node] - 1.0) if gained > 1e-15 else 0.0   # rounding makes no negative price


cdef void refresh(Links* links, Py_ssize_t node) noexcept nogil:
    """Sums and weakest link of a node from its children's."""
    cdef Py_ssize_t child
    cdef double link
    if links.is_leaf[node]:
        links.below[node] = links.as_leaf[node]
        links.leaves[node] = 1.0
        links.weakest[node] = INFINITY
        return
    links.below[node] = 0.0
    links.leaves[node] = 0.0
    links.weakest[node] = INFINITY
    for child in range(links.first_child[node], links.first_child[node] + links.n_branches[node]):
        links.below[node] += links.below[child]
        links.leaves[node] += links.leaves[child]
        if links.weakest[child] < links.weakest[node]:
            links.weakest[node] = links.weakest[child]
    link = own_link(links, node)
    if link < links.weakest[node]:
        links.weakest[node] = link


cdef Py_ssize_t find_weakest(Links* links) noexcept nogil:
    """From the root towards the least link; a node before what is below it, then the lower branch."""
    cdef Py_ssize_t node = 0, child
    cdef double wanted = links.weakest[0]
    while own_link(links, node) > wanted:
        for child in range(links.first_child[node], links.first_child[node] + links.n_branches[node]):
            if links.weakest[child] <= wanted:
                node = child
                break
    return node


def links(const int32_t[::1] parent, const int32_t[::1] first_child, const int32_t[::1] n_branches,
          const double[::1] as_leaf):
    """The alpha at which each node becomes a leaf, [n_nodes]; infinite if an ancestor goes first, or at a leaf."""
    cdef Py_ssize_t node, n = parent.shape[0]
    cdef double alpha = 0.0
    cdef double[::1] below = np.zeros(n), leaves = np.zeros(n), weakest = np.zeros(n)
    cdef uint8_t[::1] is_leaf = np.zeros(n, dtype=np.uint8)
    cdef double[::1] answer = np.full(n, np.inf)
    cdef Links state
    state.n_nodes = n
    state.parent, state.first_child, state.n_branches = &parent[0], &first_child[0], &n_branches[0]
    state.as_leaf, state.below, state.leaves = &as_leaf[0], &below[0], &leaves[0]
    state.weakest, state.is_leaf = &weakest[0], &is_leaf[0]
    with nogil:
        for node in range(n - 1, -1, -1):
            is_leaf[node] = first_child[node] < 0
            refresh(&state, node)
        while weakest[0] < INFINITY:
            node = find_weakest(&state)
            alpha = max(alpha, weakest[0])
            answer[node] = alpha
            is_leaf[node] = 1
            while node >= 0:
                refresh(&state, node)
                node = parent[node]
    return np.asarray(answer)


def least_above(const int32_t[::1] parent, const double[::1] link):
    """The least link among the ancestors of each node, [n_nodes]; infinite at the root."""
    cdef Py_ssize_t node, n = parent.shape[0]
    cdef double[::1] least = np.full(n, np.inf)
    for node in range(1, n):
        least[node] = min(least[parent[node]], link[parent[node]])
    return np.asarray(least)
