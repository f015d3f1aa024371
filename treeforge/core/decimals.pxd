"""Columns of whole numbers and of decimals."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from treeforge.core.encode cimport Encoded


cdef enum:
    UNKNOWN_KEY = -2147483648


cdef struct Range:
    int known               # values that are known
    double scale            # 1, 10, 100 or 1000: every value times it is whole; 0: they have no such scale
    double low              # the least value times the scale ...
    double high             # ... and the greatest
    int32_t* keys           # [n_rows]: the values times the scale, if there is one; UNKNOWN_KEY for an unknown one


cdef void survey(const double* x, int n, Range* found) noexcept nogil
cdef int code_decimals(Encoded self, Py_ssize_t i, const Range* found, const int32_t* labels) noexcept nogil


cdef inline uint64_t entry(uint32_t code, int label, int row, int shift, int row_bits) noexcept nogil:
    return (<uint64_t>code << shift) | (<uint64_t>(label if label >= 0 else 0) << row_bits) | <uint64_t>row
