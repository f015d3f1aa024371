"""From a table or a matrix to rows of numbers that lie together.

Unknown is NaN, a category its code. A matrix that already looks like this is not copied: the block points into it.
"""

from libc.math cimport INFINITY, NAN, fabs
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from treeforge.core.steps cimport Walker
from treeforge.core.table cimport Table

cdef extern from "treeforge_vector.h" nogil:
    bint tf_all_finite(const double* a, Py_ssize_t n)


cdef int open_source(Source* found, source, int n_inputs) except -1:
    """Point at the first inputs of a table or a matrix; ``found`` is all 0. ``close_source`` it, also after errors."""
    cdef Table table
    cdef const double[:, ::1] matrix
    cdef int i, given = source.n_inputs if isinstance(source, Table) else source.shape[1]
    if given < n_inputs:
        raise ValueError(f"{given} columns, but the trees test column {n_inputs - 1}")
    found.numbers = <const double**>calloc(n_inputs + 1, sizeof(double*))
    found.codes = <const int32_t**>calloc(n_inputs + 1, sizeof(int32_t*))
    if found.numbers == NULL or found.codes == NULL:
        raise MemoryError
    if isinstance(source, Table):
        table = source
        found.stride = 1
        for i in range(n_inputs):
            found.numbers[i], found.codes[i] = table.numbers[i], table.codes[i]
        return 0
    matrix = source
    found.stride, found.matrix = matrix.shape[1], &matrix[0, 0]
    for i in range(n_inputs):
        found.numbers[i] = &matrix[0, i]
    return 0


cdef void close_source(Source* source) noexcept:
    free(source.numbers)
    free(source.codes)


cdef int open_block(Block* block, Walker walker, source, int size) except -1:
    """A block of so many rows at most; ``close_block`` it, also after an error."""
    cdef Table table
    cdef int i, j
    memset(block, 0, sizeof(Block))
    open_source(&block.source, source, walker.n_inputs)
    block.size = size
    block.own = <double*>calloc(<size_t>size * (walker.width + 1), sizeof(double))
    block.rows = <int32_t*>malloc(size * sizeof(int32_t))
    block.unknown = <unsigned char*>malloc(size)
    if block.own == NULL or block.rows == NULL or block.unknown == NULL:
        raise MemoryError
    if isinstance(source, Table):
        table = source
        for j in range(walker.n_tested):   # a category that some test does not know is unknown to that test alone
            i = walker.tested[j]
            block.all_by_shares |= table.codes[i] != NULL and walker.least_cells[j] < table.arity[i]
    return 0


cdef void close_block(Block* block) noexcept:
    close_source(&block.source)
    free(block.own)
    free(block.rows)
    free(block.unknown)


cdef void read_block(
    Block* block, Walker walker, const int32_t* picked, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The next rows from ``start``: of those ``picked``, or without any simply these."""
    cdef Py_ssize_t i, n = min(<Py_ssize_t>block.size, stop - start)
    cdef bint in_place
    block.whole = NULL
    if picked == NULL and block.source.matrix != NULL:
        block.whole = block.source.matrix + start * block.source.stride
    in_place = block.whole != NULL and walker.width == walker.n_inputs and n >= LANES
    if in_place:
        n -= n % LANES            # no memory is looked at behind the matrix
    if picked != NULL:
        memcpy(block.rows, picked + start, n * sizeof(int32_t))
    else:
        for i in range(n):
            block.rows[i] = <int32_t>(start + i)
    block.n = <int>n
    if in_place:
        block.first, block.step = block.whole, block.source.stride
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
    """An infinite value, or an unknown one that is not tested, marks a row, too: that costs time, no answer changes."""
    cdef Py_ssize_t i, width = walker.width
    cdef const double* row = block.first
    memset(block.unknown, block.all_by_shares, block.n)
    block.marked = block.all_by_shares
    if all_finite(block, width):   # the usual case, and the quickest to see
        return
    block.marked, block.infinite = True, block.source.matrix != NULL and any_infinite(block)
    for i in range(block.n):
        block.unknown[i] |= not tf_all_finite(row, width)
        row += block.step


cdef inline bint all_finite(const Block* block, Py_ssize_t width) noexcept nogil:
    """Of a matrix also the numbers in columns that no tree tests."""
    cdef Py_ssize_t i
    if block.source.matrix == NULL:
        return tf_all_finite(block.first, block.n * width)
    if block.whole != NULL:
        return tf_all_finite(block.whole, block.n * block.source.stride)
    for i in range(block.n):
        if not tf_all_finite(block.source.matrix + block.rows[i] * block.source.stride, block.source.stride):
            return False
    return True


cdef bint any_infinite(const Block* block) noexcept nogil:
    """The same for infinite numbers, which are looked for only where some number is not finite."""
    cdef Py_ssize_t i, j
    cdef const double* row
    cdef int found = 0
    for i in range(block.n):
        row = block.source.matrix + block.rows[i] * block.source.stride
        for j in range(block.source.stride):
            found |= fabs(row[j]) == INFINITY
    return found
