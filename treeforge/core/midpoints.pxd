"""The best midpoint of a numeric input by whatever criterion."""

from treeforge.core.kernel cimport Counts, Node, Split, index_t


cdef int best_cut(
    const Node* node, index_t input, const Counts* counts, double smallest, double gap, Split* out
) noexcept nogil
