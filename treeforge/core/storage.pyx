"""The memory of a growth's columns."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from treeforge.core.columns cimport Columns, n_threads, spare_size
from treeforge.core.kernel cimport LISTED


cdef void* copied(const void* source, size_t size) noexcept nogil:
    """A copy with room behind it for whole vectors. NULL: no memory."""
    cdef void* copy = malloc(size + 64)
    if copy != NULL:
        memcpy(copy, source, size)
    return copy


cdef int list_inputs(Columns* work) noexcept nogil:
    """What is kept of each input; nothing yet. 1: no memory."""
    cdef size_t n = work.n_inputs + 1
    cdef int i, l = 0
    work.bytes = <uint8_t**>calloc(n, sizeof(void*))
    work.wide = <int32_t**>calloc(n, sizeof(void*))
    work.numbers = <double**>calloc(n, sizeof(void*))
    work.list = <uint64_t**>calloc(n, sizeof(void*))
    work.present = <uint64_t**>calloc(n, sizeof(void*))
    work.list_capacity = <int*>calloc(n, sizeof(int))
    work.listed = <int*>calloc(work.n_listed + 1, sizeof(int))
    work.list_place = <int*>calloc(n, sizeof(int))
    n = work.bundles.n + 1
    work.bundle = <uint8_t**>calloc(n, sizeof(void*))
    work.bundle_here = <const uint8_t**>calloc(n, sizeof(void*))
    work.bundle_lives = <uint8_t*>calloc(n, 1)
    if work.listed != NULL and work.list_place != NULL:
        for i in range(work.n_inputs):
            if work.columns[i].form == LISTED:
                work.listed[l], work.list_place[i] = i, l
                l += 1
    return (work.bytes == NULL or work.wide == NULL or work.numbers == NULL or work.list == NULL
            or work.present == NULL or work.list_capacity == NULL or work.listed == NULL or work.list_place == NULL
            or work.bundle == NULL or work.bundle_here == NULL or work.bundle_lives == NULL)


cdef int allocate(Columns* work, bint keep_rows) noexcept nogil:
    """The arrays that do not belong to one input. 1: no memory."""
    cdef size_t n = work.capacity
    work.classes = <uint16_t*>malloc(2 * n + 64)
    if keep_rows:
        work.rows = <uint32_t*>malloc(4 * n + 64)
        if work.rows == NULL:
            return 1
    if work.classes == NULL or (work.n_weighted and start_weights(work) < 0):
        return 1
    return allocate_scratch(work, keep_rows)


cdef int allocate_scratch(Columns* work, bint keep_rows) noexcept nogil:
    """What dividing writes to besides the cases themselves. 1: no memory."""
    cdef size_t n = work.spare_cases
    work.spare = <uint8_t*>malloc(n_threads(work) * spare_size(work))
    work.branch = <uint16_t*>malloc(2 * n + 64)
    work.mask = <uint64_t*>calloc(n // 64 + 8, 8)
    if keep_rows:
        work.side = <uint64_t*>calloc(work.table_rows // 64 + 2, 8)
        work.side_branch = <uint16_t*>malloc(2 * <size_t>work.table_rows + 64)
        if work.side == NULL or work.side_branch == NULL:
            return 1
    return work.spare == NULL or work.branch == NULL or work.mask == NULL


cdef int start_weights(Columns* work) noexcept nogil:
    """Room for weights, when the first case is shared out. -1: no memory."""
    if work.weights == NULL:
        work.weights = <double*>malloc(<size_t>work.capacity * sizeof(double) + 64)
    if work.n_listed and work.row_weight == NULL:
        work.row_weight = <double*>malloc(<size_t>work.table_rows * sizeof(double) + 64)
        if work.row_weight == NULL:
            return -1
    return -1 if work.weights == NULL else 0


cdef void release_cases(Columns* work) noexcept nogil:
    """Give the cases back, all but what parts of the tree share."""
    cdef int i
    cdef bint owned = not (work.is_part and work.all_known)
    for i in range(work.n_inputs):
        if work.bytes != NULL and (owned or work.gathered):
            free(work.bytes[i])
            work.bytes[i] = NULL
        if work.wide != NULL and (owned or work.gathered):
            free(work.wide[i])
            work.wide[i] = NULL
        if work.numbers != NULL and (owned or work.gathered):
            free(work.numbers[i])
            work.numbers[i] = NULL
        if work.list != NULL and owned:
            free(work.list[i])
            work.list[i] = NULL
    for i in range(work.bundles.n if work.bundle != NULL and owned else 0):
        free(work.bundle[i])
        work.bundle[i] = NULL
    if owned:
        free(work.classes)
        free(work.rows)
        free(work.weights)
    work.classes, work.rows, work.weights = NULL, NULL, NULL


cdef void release(Columns* work) noexcept nogil:
    cdef int i
    release_cases(work)
    for i in range(work.n_inputs):
        if work.present != NULL and not work.is_part:
            free(work.present[i])
    free(work.bytes)
    free(work.wide)
    free(work.numbers)
    free(work.list)
    free(work.present)
    free(work.list_capacity)
    free(work.listed)
    free(work.list_place)
    free(work.bundle)
    free(work.bundle_here)
    free(work.bundle_lives)
    free(work.origin)
    free(work.cursors)
    free(work.takers)
    free(work.row_weight)
    free(work.in_sample)
    free(work.spare)
    free(work.mask)
    free(work.side)
    free(work.side_branch)
    free(work.branch)
    memset(work, 0, sizeof(Columns))
