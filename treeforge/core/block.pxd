"""Rows of numbers, some hundred at a time."""

from libc.stdint cimport int32_t

from treeforge.core.steps cimport Walker

cdef enum:
    LANES = 8                 # rows that are walked together; memory behind the last one is whole lanes


cdef struct Source:           # where values come from: columns, or the columns of a matrix
    const double** numbers    # [n_inputs]; NULL for codes
    const int32_t** codes     # [n_inputs]; NULL for numbers
    Py_ssize_t stride         # from one row to the next, in numbers
    const double* matrix      # NULL for columns


cdef struct Block:
    Source source
    int size                  # most rows
    int n                     # rows in it
    const double* first       # its numbers: in `own`, or in the matrix itself
    Py_ssize_t step           # from one row to the next, in numbers
    const double* whole       # the same rows with all columns; NULL unless a matrix has them one after the other
    double* own               # [size, width]
    int32_t* rows             # [size]: which row of the source each is
    unsigned char* unknown    # [size]: whether a tested value is
    bint marked               # whether any row is
    bint all_by_shares        # take every row for one that has unknown values
    bint infinite             # some number is, where the rows are of a matrix, in any of its columns


cdef int open_source(Source* found, source, int n_inputs) except -1
cdef void close_source(Source* source) noexcept
cdef int open_block(Block* block, Walker walker, source, int size) except -1
cdef void close_block(Block* block) noexcept
cdef void read_block(
    Block* block, Walker walker, const int32_t* picked, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil
