"""The best threshold of a long sorted list."""

from libc.stdint cimport uint32_t, uint64_t

from treeforge.core.kernel cimport Node
from treeforge_c45._scan cimport Params, Scan


cdef enum:
    LONG = 8192         # entries: of fewer, a look at each cut is as fast
    MOST_CLASSES = 8    # their counts in a stretch fit in one word, a byte each


cdef inline bint is_long(int n, int n_classes) noexcept nogil:
    return n >= LONG and n_classes <= MOST_CLASSES


cdef void best_cut_of_stretches(
    Scan* scan, const Params* params, const Node* node, const uint64_t* list, int n, const uint32_t* total
) noexcept nogil
