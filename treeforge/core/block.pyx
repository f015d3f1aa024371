"""From a table or a matrix to rows of numbers that lie together.

Unknown is NaN, a category its code. A matrix that already looks like this is not copied: the block points into it.
"""

from libc.math cimport NAN
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from treeforge.core.steps cimport Walker
from treeforge.core.table cimport Table


cdef int open_block(Block* block, Walker walker, source, int size) except -1:
    """A block of so many rows at most; ``close_block`` it, also after an error."""
    memset(block, 0, sizeof(Block))
    block.size = size
    block.source.numbers = <const double**>calloc(walker.n_inputs + 1, sizeof(double*))
    block.source.codes = <const int32_t**>calloc(walker.n_inputs + 1, sizeof(int32_t*))
    block.own = <double*>calloc(<size_t>size * (walker.width + 1), sizeof(double))
    block.rows = <int32_t*>malloc(size * sizeof(int32_t))
    block.unknown = <unsigned char*>malloc(size)
    if (block.source.numbers == NULL or block.source.codes == NULL or block.own == NULL or block.rows == NULL
            or block.unknown == NULL):
        raise MemoryError
    if isinstance(source, Table):
        point_at_table(block, walker, source)
    else:
        point_at_matrix(&block.source, walker, source)
    return 0


cdef void close_block(Block* block) noexcept:
    free(block.source.numbers)
    free(block.source.codes)
    free(block.own)
    free(block.rows)
    free(block.unknown)


cdef int point_at_table(Block* block, Walker walker, Table table) except -1:
    """Point at the columns that are tested. A category that some test does not know is unknown to that test alone."""
    cdef int i, j
    if table.n_inputs < walker.n_inputs:
        raise ValueError(f"{table.n_inputs} columns, but the trees test column {walker.n_inputs - 1}")
    block.source.stride, block.source.n_rows = 1, table.n_rows
    for j in range(walker.n_tested):
        i = walker.tested[j]
        block.source.numbers[i], block.source.codes[i] = table.numbers[i], table.codes[i]
        block.all_by_shares |= table.codes[i] != NULL and walker.least_cells[j] < table.arity[i]
    return 0


cdef int point_at_matrix(Source* source, Walker walker, const double[:, ::1] matrix) except -1:
    cdef int j
    if matrix.shape[1] < walker.n_inputs:
        raise ValueError(f"{matrix.shape[1]} columns, but the trees test column {walker.n_inputs - 1}")
    source.stride, source.n_rows = matrix.shape[1], matrix.shape[0]
    source.matrix = &matrix[0, 0]
    for j in range(walker.n_tested):
        source.numbers[walker.tested[j]] = &matrix[0, walker.tested[j]]
    return 0


cdef void read_block(
    Block* block, Walker walker, const int32_t* picked, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The next rows from ``start``: of those ``picked``, or without any simply these."""
    cdef Py_ssize_t i, n = min(<Py_ssize_t>block.size, stop - start)
    cdef bint in_place = (
        picked == NULL and block.source.matrix != NULL and walker.width == walker.n_inputs and n >= LANES
    )
    if in_place:
        n -= n % LANES            # no memory is looked at behind the matrix
    if picked != NULL:
        memcpy(block.rows, picked + start, n * sizeof(int32_t))
    else:
        for i in range(n):
            block.rows[i] = <int32_t>(start + i)
    block.n = <int>n
    if in_place:
        block.first, block.step = block.source.matrix + start * block.source.stride, block.source.stride
    else:
        block.first, block.step = block.own, walker.width
        if block.source.matrix != NULL:
            copy_matrix(block, walker)
        else:
            copy_columns(block, walker)
    mark_unknown(block, walker)


cdef void copy_matrix(Block* block, Walker walker) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef const double* numbers
    cdef double* to = block.own
    for i in range(block.n):
        numbers = block.source.matrix + block.rows[i] * block.source.stride
        for j in range(walker.n_tested):
            to[walker.places[j]] = numbers[walker.tested[j]]
        to += walker.width


cdef void copy_columns(Block* block, Walker walker) noexcept nogil:
    cdef Py_ssize_t i, j, n = block.n, width = walker.width
    cdef const int32_t* rows = block.rows
    cdef const double* numbers
    cdef const int32_t* codes
    cdef double* to
    cdef int32_t code
    for j in range(walker.n_tested):
        to = block.own + walker.places[j]
        numbers, codes = block.source.numbers[walker.tested[j]], block.source.codes[walker.tested[j]]
        if numbers != NULL:
            for i in range(n):
                to[i * width] = numbers[rows[i]]
        else:
            for i in range(n):
                code = codes[rows[i]]
                to[i * width] = code if code >= 0 else NAN


cdef void mark_unknown(Block* block, Walker walker) noexcept nogil:
    """An unknown value that no tree tests marks a row, too: it costs time, and changes no answer."""
    cdef Py_ssize_t i, j, width = walker.width
    cdef const double* row = block.first
    cdef long odd
    for i in range(block.n):
        odd = block.all_by_shares
        for j in range(width):
            odd |= row[j] != row[j]
        block.unknown[i] = odd != 0
        row += block.step
