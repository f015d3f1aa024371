"""The order of a column of doubles."""

from libc.stdint cimport uint32_t


cdef int sorted_rows(const double* x, int n, int known, uint32_t* order) noexcept nogil
