"""A case's way through a Hoeffding tree: one branch a test, or parts of the case down all of them."""

from libc.math cimport isnan
from libc.stdint cimport int32_t

from treeforge_streams._nodes cimport HNode, Tree, Walk

cdef struct Inputs:
    const double** numbers   # NULL for a category, [n_inputs]
    const int32_t** codes    # NULL for a number, [n_inputs]


cdef inline void start(Walk* walk, double weight) noexcept nogil:
    """At the root, the only node that waits."""
    walk.waiting[0], walk.parts[0] = 0, weight


cdef inline int go_on(const Tree* tree, Walk* walk, int n, const Inputs* inputs, int row) noexcept nogil:
    """Put the branches that a case takes in the place of the n-th waiting test; how many are waiting then.

    With an unknown value it takes every branch, by its share of what was seen; crumbs are dropped.
    """
    cdef const HNode* node = &tree.nodes[walk.waiting[n]]
    cdef double part = walk.parts[n]
    cdef int b, branch = branch_of(node, inputs.numbers[node.attribute], inputs.codes[node.attribute], row)
    if branch >= 0:
        walk.waiting[n] = node.first_child + branch
        return n + 1
    for b in range(node.n_branches):
        walk.waiting[n] = node.first_child + b
        walk.parts[n] = part * share(tree, node, b)
        n += walk.parts[n] > 1e-9
    return n


cdef inline int branch_of(const HNode* node, const double* numbers, const int32_t* codes, int row) noexcept nogil:
    """-1 for an unknown value."""
    cdef int b = 0
    if codes != NULL:
        return codes[row] if codes[row] < node.n_branches else -1
    if isnan(numbers[row]):
        return -1
    if node.n_cuts == 1:
        return numbers[row] > node.cuts[0]
    for b in range(node.n_cuts):
        if numbers[row] < node.cuts[b]:
            return b
    return node.n_cuts


cdef inline double share(const Tree* tree, const HNode* node, int branch) noexcept nogil:
    """Of the weight that came down the branches."""
    cdef double total = 0.0
    cdef int b
    for b in range(node.n_branches):
        total += tree.nodes[node.first_child + b].weight
    return tree.nodes[node.first_child + branch].weight / total if total > 0.0 else 1.0 / node.n_branches
