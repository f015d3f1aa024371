"""Dividing a node's cases among any number of branches."""

from libc.stdint cimport uint8_t

from treeforge.core.columns cimport Columns, Region


cdef int divide(
    Columns* work, const Region* node, int n_branches, const double* share, const uint8_t* is_open, bint weighted,
    Region* children
) noexcept nogil
