"""The columns of a sample that is not simply the table: a fold, a bootstrap, weighted cases."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from treeforge.core.columns cimport Columns
from treeforge.core.kernel cimport BYTES, LISTED, NUMBERS
from treeforge.core.load cimport Loading, each_column
from treeforge.core.storage cimport allocate


cdef int load_sample(
    Loading* job, const double* weights, const int32_t* copies, const int32_t* held, int n_held,
    const int32_t* labels, bint keep_rows
) noexcept nogil:
    """-1: no memory."""
    cdef int status = load_cases(job, weights, copies, held, n_held, labels, keep_rows)
    if status == 0:
        status = each_column(job, load_column)
    free(job.in_sample)
    free(job.cases)
    free(job.row_of)
    return status


cdef int load_cases(
    Loading* job, const double* weights, const int32_t* copies, const int32_t* held, int n_held,
    const int32_t* labels, bint keep_rows
) noexcept nogil:
    """All about the cases but their values. -1: no memory."""
    cdef Columns* work = job.work
    cdef int i, j = 0, row, times, n = job.n
    job.in_sample = <uint8_t*>calloc(work.table_rows + 1, 1)
    job.cases = <int32_t*>calloc(work.table_rows + 1, sizeof(int32_t))
    if job.in_sample == NULL or job.cases == NULL:
        return -1
    for i in range(n):
        row = job.rows[i]
        if (weights != NULL and not weights[i] > 0.0) or (copies != NULL and copies[i] <= 0):
            continue
        job.in_sample[row] = 1
        if labels[row] >= 0:
            job.cases[row] = copies[i] if copies != NULL else 1
            work.n_cases += job.cases[row]
    for i in range(n_held):
        job.in_sample[held[i]] = 1
    for row in range(work.table_rows):
        job.n_training += job.in_sample[row]
    work.capacity = work.spare_cases = work.n_cases
    job.row_of = <int32_t*>malloc(4 * <size_t>work.n_cases + 64)
    if job.row_of == NULL or allocate(work, keep_rows or work.n_listed > 0):
        return -1
    for i in range(n):
        row = job.rows[i]
        times = job.cases[row] if weights == NULL or weights[i] > 0.0 else 0
        for _k in range(times):
            work.classes[j] = <uint16_t>labels[row]
            job.row_of[j] = row
            if work.rows != NULL:
                work.rows[j] = row
            if work.weights != NULL:
                work.weights[j] = weights[i]
            j += 1
    return 0


cdef void load_column(void* shared, int thread, int i) noexcept nogil:
    cdef Loading* job = <Loading*>shared
    cdef int failed, form = job.work.columns[i].form
    if job.failed:
        return
    if form == LISTED:
        failed = load_list(job, i)
    elif form == BYTES:
        failed = load_bytes(job, i)
    elif form == NUMBERS:
        failed = load_numbers(job, i)
    else:
        failed = load_wide(job, i)
    if failed:
        job.failed = 1


cdef int load_bytes(const Loading* job, int i) noexcept nogil:
    """1: no memory."""
    cdef Columns* work = job.work
    cdef const uint8_t* source = job.bytes[i]
    cdef const int32_t* row_of = job.row_of
    cdef uint8_t* bytes = <uint8_t*>malloc(<size_t>work.capacity + 64)
    cdef uint8_t[512] occurs
    cdef int j, code
    work.bytes[i] = bytes
    if bytes == NULL:
        return 1
    for j in range(0 if work.gathered else work.n_cases):
        bytes[j] = source[row_of[j]]
    if work.columns[i].nominal or job.n_training == work.table_rows:
        return 0
    work.present[i] = <uint64_t*>calloc(4, 8)
    if work.present[i] == NULL:
        return 1
    memset(occurs, 0, sizeof(occurs))
    for j in range(work.table_rows):      # rows outside T mark the other half: cheaper than a branch guessed wrong
        occurs[source[j] + 256 * (1 - job.in_sample[j])] = 1
    for code in range(256):
        work.present[i][code >> 6] |= <uint64_t>occurs[code] << (code & 63)
    return 0


cdef int load_wide(const Loading* job, int i) noexcept nogil:
    """1: no memory."""
    cdef Columns* work = job.work
    cdef int j
    work.wide[i] = <int32_t*>malloc(4 * <size_t>work.capacity + 64)
    if work.wide[i] == NULL:
        return 1
    for j in range(0 if work.gathered else work.n_cases):
        work.wide[i][j] = work.columns[i].codes[job.row_of[j]]
    return 0


cdef int load_numbers(const Loading* job, int i) noexcept nogil:
    """1: no memory."""
    cdef Columns* work = job.work
    cdef int j
    work.numbers[i] = <double*>malloc(<size_t>work.capacity * sizeof(double) + 64)
    if work.numbers[i] == NULL:
        return 1
    for j in range(0 if work.gathered else work.n_cases):
        work.numbers[i][j] = work.columns[i].numbers[job.row_of[j]]
    return 0


cdef int load_list(const Loading* job, int i) noexcept nogil:
    """1: no memory."""
    cdef Columns* work = job.work
    cdef const uint64_t* source = job.lists[i]
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1, code
    cdef int j, k, times, n = job.list_size[i], at = work.n_cases
    if work.columns[i].has_unknown:
        at = 0
        for j in range(n):
            at += job.cases[<int>(source[j] & row_mask)]
    work.list_capacity[i] = at
    cdef uint64_t* list = <uint64_t*>malloc(<size_t>at * 8 + 64)
    work.list[i] = list
    if list == NULL:
        return 1
    for j in range(n):       # one copy is written whether it is wanted or not: most rows make no case or one
        times = job.cases[<int>(source[j] & row_mask)]
        list[0] = source[j]
        for k in range(1, times):
            list[k] = source[j]
        list += times
    if job.n_training == work.table_rows:
        return 0
    work.present[i] = <uint64_t*>calloc(work.columns[i].n_codes // 64 + 1, 8)
    if work.present[i] == NULL:
        return 1
    for j in range(n):
        code = source[j] >> (work.row_bits + job.class_bits)
        work.present[i][code >> 6] |= <uint64_t>job.in_sample[<int>(source[j] & row_mask)] << (code & 63)
    return 0
