"""A column of the table, brought into the order of some cases."""

from libc.stdint cimport uint8_t, uint32_t

from treeforge.core.columns cimport Columns
from treeforge.core.kernel cimport BYTES, WIDE

cdef extern from "treeforge_vector.h" nogil:
    void tf_gather8(uint8_t* to, const uint8_t* values, const uint32_t* places, int n)
    void tf_gather32(uint32_t* to, const uint32_t* values, const uint32_t* places, int n)
    void tf_gather64(double* to, const double* values, const uint32_t* places, int n)


cdef inline void gather_column(
    Columns* work, int input, const uint8_t* const* coded, const uint32_t* rows, int n
) noexcept nogil:
    """Fill the first n places with the values of ``rows``, but not of a LISTED column.

    ``coded``: the table's BYTES columns.
    """
    if work.columns[input].form == BYTES:
        tf_gather8(work.bytes[input], coded[input], rows, n)
    elif work.columns[input].form == WIDE:
        tf_gather32(<uint32_t*>work.wide[input], <const uint32_t*>work.columns[input].codes, rows, n)
    else:
        tf_gather64(work.numbers[input], work.columns[input].numbers, rows, n)
