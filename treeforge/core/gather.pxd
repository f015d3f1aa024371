"""A column of the table, brought into the order of some cases."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from treeforge.core.columns cimport Columns
from treeforge.core.kernel cimport BYTES, WIDE

cdef extern from "treeforge_vector.h" nogil:
    void gather_bytes "tf_gather8"(uint8_t* to, const uint8_t* bytes, const uint32_t* rows, int n)


cdef inline void gather_column(
    Columns* work, int input, const uint8_t* const* coded, const uint32_t* rows, int n
) noexcept nogil:
    """Fill the first n places with the values of ``rows``, but not of a LISTED column.

    ``coded``: the table's BYTES columns.
    """
    cdef const int32_t* codes
    cdef const double* numbers
    cdef int32_t* to_wide
    cdef double* to_numbers
    cdef int j
    if work.columns[input].form == BYTES:
        gather_bytes(work.bytes[input], coded[input], rows, n)
    elif work.columns[input].form == WIDE:
        codes, to_wide = work.columns[input].codes, work.wide[input]
        for j in range(n):
            to_wide[j] = codes[rows[j]]
    else:
        numbers, to_numbers = work.columns[input].numbers, work.numbers[input]
        for j in range(n):
            to_numbers[j] = numbers[rows[j]]
