"""The columns of a sample that is not simply the table: a fold, a bootstrap, weighted cases."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from treeforge.core.bundles cimport in_bundle
from treeforge.core.columns cimport Columns
from treeforge.core.gather cimport gather_column, tf_gather8
from treeforge.core.kernel cimport BYTES, LISTED, NUMBERS
from treeforge.core.load cimport REFUSED, Loading, each_column
from treeforge.core.storage cimport allocate


cdef int load_sample(
    Loading* job, const double* weights, const int32_t* copies, const int32_t* held, int n_held,
    const int32_t* labels, bint keep_rows
) noexcept nogil:
    """-1: no memory; REFUSED: rows that are no sample."""
    cdef int status = count_cases(job, weights, copies, held, n_held, labels)
    if status == 0:
        status = load_cases(job, weights, labels, keep_rows)
    if status == 0:
        status = each_column(job, load_column)
    free(job.cases)
    if job.row_of != job.work.rows:
        free(job.row_of)
    return status


cdef int count_cases(
    Loading* job, const double* weights, const int32_t* copies, const int32_t* held, int n_held, const int32_t* labels
) noexcept nogil:
    """How many cases each row makes, and which rows are of T. -1: no memory; REFUSED.

    A row that came twice would make more cases than there is room for.
    """
    cdef Columns* work = job.work
    cdef int i, row, n_absent = 0
    cdef bint repeated = False
    work.in_sample = <uint8_t*>calloc(work.table_rows + 1, 1)
    job.cases = <int32_t*>calloc(work.table_rows + 1, sizeof(int32_t))
    if work.in_sample == NULL or job.cases == NULL:
        return -1
    for i in range(job.n):
        row = job.rows[i]
        if not 0 <= row < work.table_rows:
            return REFUSED
        repeated |= work.in_sample[row]
        work.in_sample[row] = 1
        if is_absent(weights, copies, i):
            n_absent += 1
        elif labels[row] >= 0:
            job.cases[row] = copies[i] if copies != NULL else 1
            work.n_cases += job.cases[row]
    if repeated:
        return REFUSED
    for i in range(job.n if n_absent else 0):
        if is_absent(weights, copies, i):
            work.in_sample[job.rows[i]] = 0
    work.n_training = job.n - n_absent
    for i in range(n_held):
        if not 0 <= held[i] < work.table_rows:
            return REFUSED
        work.n_training += 1 - work.in_sample[held[i]]
        work.in_sample[held[i]] = 1
    if work.n_training == work.table_rows:
        free(work.in_sample)
        work.in_sample = NULL
    work.capacity = work.spare_cases = work.n_cases
    return 0


cdef inline bint is_absent(const double* weights, const int32_t* copies, int i) noexcept nogil:
    return (weights != NULL and not weights[i] > 0.0) or (copies != NULL and copies[i] <= 0)


cdef int load_cases(Loading* job, const double* weights, const int32_t* labels, bint keep_rows) noexcept nogil:
    """All about the cases but their values. -1: no memory."""
    cdef Columns* work = job.work
    cdef int i, j = 0, k, row, times
    if allocate(work, keep_rows or work.n_listed > 0):
        return -1
    job.row_of = work.rows
    if job.row_of == NULL:
        job.row_of = <uint32_t*>malloc(4 * <size_t>work.n_cases + 64)
        if job.row_of == NULL:
            return -1
    for i in range(job.n):
        row = job.rows[i]
        times = job.cases[row]
        for k in range(max(times, 2)):     # two are written whether they are wanted or not: most rows make no more
            work.classes[j + k], job.row_of[j + k] = <uint16_t>labels[row], row
        if work.weights != NULL:           # then there are no copies
            work.weights[j] = weights[i]
        j += times
    return 0


cdef void load_column(void* shared, int thread, int i) noexcept nogil:
    cdef Loading* job = <Loading*>shared
    cdef Columns* work = job.work
    cdef int failed, form
    cdef size_t n = work.capacity
    if job.failed:
        return
    if i >= work.n_inputs:
        load_bundle(job, i - work.n_inputs)
        return
    if in_bundle(&work.bundles, i):
        return
    form = work.columns[i].form
    if form == LISTED:
        failed = load_list(job, i)
    elif form == BYTES:
        work.bytes[i] = <uint8_t*>malloc(n + 64)
        failed = work.bytes[i] == NULL
    elif form == NUMBERS:
        work.numbers[i] = <double*>malloc(n * sizeof(double) + 64)
        failed = work.numbers[i] == NULL
    else:
        work.wide[i] = <int32_t*>malloc(n * sizeof(int32_t) + 64)
        failed = work.wide[i] == NULL
    if failed:
        job.failed = 1
    elif form != LISTED and not work.gathered:
        gather_column(work, i, job.bytes, job.row_of, work.n_cases)


cdef void load_bundle(Loading* job, int b) noexcept nogil:
    cdef Columns* work = job.work
    work.bundle[b] = <uint8_t*>malloc(<size_t>work.capacity + 64)
    if work.bundle[b] == NULL:
        job.failed = 1
    else:
        tf_gather8(work.bundle[b], work.bundles.bytes[b], job.row_of, work.n_cases)


cdef int load_list(const Loading* job, int i) noexcept nogil:
    """1: no memory."""
    cdef Columns* work = job.work
    cdef const uint64_t* source = job.lists[i]
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1
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
    for j in range(n):
        times = job.cases[<int>(source[j] & row_mask)]
        for k in range(max(times, 2)):     # as above
            list[k] = source[j]
        list += times
    return 0
