"""NUMBERS columns: plain values in the order of the node's cases, which no one has ranked.

A cell is found by comparing with every cut: a splitter that asks for plain values makes few. That is done for some
hundred cases at a time, cut by cut, so that the compiler can take several values in one step.
"""

from libc.stdint cimport uint16_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memset

from treeforge.core.histogram cimport Histograms
from treeforge.core.kernel cimport Node, Split, index_t
from treeforge.core.loop cimport Loop

cdef enum:
    BLOCK = 256


cdef void branch_numbers(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """Set ``branch``: the branch of each case, ``n_branches`` where the value is unknown."""
    branches_of(&loop.node, input, split, 0, loop.node.n_rows, loop.work.branch)


cdef void branches_of(
    const Node* node, index_t input, const Split* split, int first, int n, uint16_t* branch
) noexcept nogil:
    """The branches of n cases from the first on."""
    cdef const double* values = node.numbers[input] + first
    cdef double cut
    cdef int i, j
    memset(branch, 0, n * sizeof(uint16_t))
    for i in range(split.n_cuts):
        cut = split.cuts[i]
        if split.closed_left:
            for j in range(n):
                branch[j] += values[j] >= cut
        else:
            for j in range(n):
                branch[j] += values[j] > cut
    if not split.identity:
        for j in range(n):
            branch[j] = <uint16_t>split.branch_of[branch[j]]
    if node.columns[input].has_unknown:
        for j in range(n):
            branch[j] = branch[j] if values[j] == values[j] else <uint16_t>split.n_branches


cdef void tabulate_numbers(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """Add the class weights of the branches, and of the unknown cases, to an empty ``table``."""
    cdef const Node* node = &loop.node
    cdef uint16_t[BLOCK] branch      # the loop's own is not this thread's
    cdef size_t n_classes = node.n_classes
    cdef int first, j, n
    for first in range(0, node.n_rows, 256):     # BLOCK
        n = min(node.n_rows - first, <int>BLOCK)
        branches_of(node, input, split, first, n, branch)
        for j in range(n):
            loop.table[branch[j] * n_classes + node.classes[first + j]] += (
                1.0 if node.weights == NULL else node.weights[first + j]
            )


cdef const uint64_t* planes(Histograms* h, const Node* node) noexcept nogil:
    """The cases of each class present, a bit a case; NULL when there is no memory."""
    cdef size_t words = (node.n_rows + 63) // 64, needed = words * node.n_present
    cdef uint64_t* plane
    cdef int j, k
    if h.planes_made:
        return h.plane
    if needed > h.plane_capacity:
        plane = <uint64_t*>realloc(h.plane, needed * sizeof(uint64_t))
        if plane == NULL:
            return NULL
        h.plane, h.plane_capacity = plane, needed
    memset(h.plane, 0, needed * sizeof(uint64_t))
    for k in range(node.n_present):
        h.lookup[node.present[k]] = <uint16_t>k
    for j in range(node.n_rows):
        h.plane[h.lookup[node.classes[j]] * words + (j >> 6)] |= <uint64_t>1 << (j & 63)
    h.planes_made = 1
    return h.plane
