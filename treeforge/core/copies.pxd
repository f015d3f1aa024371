"""The copies of a row in a bootstrap become one case."""

from treeforge.core.columns cimport Columns, Region


cdef void merge_copies(Columns* work, Region* node) noexcept nogil
