"""A sample becomes the root: its cases are copied from the coded columns, in the sample's order."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from treeforge.core.columns cimport Columns
from treeforge.core.crew cimport Crew, share, work_function
from treeforge.core.encode cimport Encoded
from treeforge.core.kernel cimport BYTES, LISTED, NUMBERS
from treeforge.core.storage cimport allocate, copied, list_inputs


cdef struct Loading:        # a sample, whose columns are copied one by one
    Columns* work
    const uint8_t* const* bytes     # as in `Encoded`
    const uint64_t* const* lists
    const int* list_size
    int class_bits
    const int32_t* rows     # [n]
    int n
    const uint8_t* in_sample        # [table rows]: 1: in T
    const int32_t* cases    # [table rows]: how many cases a row makes
    int failed              # 1: no memory


cdef int load(
    Columns* work, Encoded coded, const int32_t* rows, const double* weights, const int32_t* copies, int n,
    const int32_t* held, int n_held, const int32_t* labels, bint keep_rows, Crew* crew
) noexcept nogil:
    """Copy a sample's columns. Cases without a class, or of weight 0, stay away. -1: no memory.

    ``held``: rows that belong to T, whose values thresholds may take, but do not train. ``crew``: threads that
    share the columns, here and while the tree grows, or NULL.
    """
    cdef int i
    cdef Loading job = Loading(
        work=work, bytes=coded.bytes, lists=coded.lists, list_size=coded.list_size, class_bits=coded.class_bits,
        rows=rows, n=n, in_sample=NULL, cases=NULL, failed=0,
    )
    memset(work, 0, sizeof(Columns))
    work.n_inputs, work.columns, work.crew = coded.table.n_inputs, coded.columns, crew
    work.table_rows, work.row_bits, work.n_listed = coded.table.n_rows, coded.row_bits, coded.n_listed
    work.n_weighted, work.all_known = weights != NULL, True
    for i in range(work.n_inputs):
        work.all_known = work.all_known and not work.columns[i].has_unknown
    if list_inputs(work):
        return -1
    if is_whole(coded, rows, weights, copies, n, labels):
        return load_whole(&job, labels, keep_rows)
    return load_sample(&job, weights, copies, held, n_held, labels, keep_rows)


cdef bint is_whole(
    Encoded coded, const int32_t* rows, const double* weights, const int32_t* copies, int n, const int32_t* labels
) noexcept nogil:
    """Whether a sample is the table: each row once, in order, all with a class and of weight 1."""
    cdef int i
    if n != coded.table.n_rows or weights != NULL or copies != NULL:
        return False
    for i in range(n):
        if rows[i] != i or labels[i] < 0:
            return False
    return True


cdef int load_whole(Loading* job, const int32_t* labels, bint keep_rows) noexcept nogil:
    """-1: no memory."""
    cdef Columns* work = job.work
    cdef int i
    work.n_cases = work.capacity = work.spare_cases = work.table_rows
    if allocate(work, keep_rows or work.n_listed > 0):
        return -1
    for i in range(work.n_cases):
        work.classes[i] = <uint16_t>labels[i]
        if work.rows != NULL:
            work.rows[i] = i
    return each_column(job, load_whole_column)


cdef int each_column(Loading* job, work_function load_one) noexcept nogil:
    """-1: no memory."""
    cdef int i
    if job.work.crew != NULL:
        share(job.work.crew, load_one, job, job.work.n_inputs)
    else:
        for i in range(job.work.n_inputs):
            load_one(job, 0, i)
    return -1 if job.failed else 0


cdef void load_whole_column(void* shared, int thread, int i) noexcept nogil:
    cdef Loading* job = <Loading*>shared
    cdef Columns* work = job.work
    cdef size_t n = work.n_cases
    if work.columns[i].form == LISTED:
        work.list_capacity[i] = job.list_size[i]
        work.list[i] = <uint64_t*>copied(job.lists[i], <size_t>job.list_size[i] * sizeof(uint64_t))
    elif work.columns[i].form == BYTES:
        work.bytes[i] = <uint8_t*>copied(job.bytes[i], n)
    elif work.columns[i].form == NUMBERS:
        work.numbers[i] = <double*>copied(work.columns[i].numbers, n * sizeof(double))
    else:
        work.wide[i] = <int32_t*>copied(work.columns[i].codes, n * sizeof(int32_t))
    if work.list[i] == NULL and work.bytes[i] == NULL and work.numbers[i] == NULL and work.wide[i] == NULL:
        job.failed = 1


cdef int load_sample(
    Loading* job, const double* weights, const int32_t* copies, const int32_t* held, int n_held,
    const int32_t* labels, bint keep_rows
) noexcept nogil:
    """-1: no memory."""
    cdef Columns* work = job.work
    cdef const int32_t* rows = job.rows
    cdef int i, j, row, n = job.n, total = 0, times
    cdef uint8_t* in_sample = <uint8_t*>calloc(work.table_rows + 1, 1)     # 1: in T
    cdef int32_t* cases = <int32_t*>calloc(work.table_rows + 1, sizeof(int32_t))   # how many cases a row makes
    if in_sample == NULL or cases == NULL:
        free(in_sample)
        free(cases)
        return -1
    for i in range(n):
        row = rows[i]
        if (weights != NULL and not weights[i] > 0.0) or (copies != NULL and copies[i] <= 0):
            continue
        in_sample[row] = 1
        if labels[row] >= 0:
            cases[row] = copies[i] if copies != NULL else 1
            total += cases[row]
    for i in range(n_held):
        in_sample[held[i]] = 1
    work.n_cases = work.capacity = work.spare_cases = total
    cdef int failed = allocate(work, keep_rows or work.n_listed > 0)
    if not failed:
        j = 0
        for i in range(n):
            row = rows[i]
            times = cases[row] if weights == NULL or weights[i] > 0.0 else 0
            for _k in range(times):
                work.classes[j] = <uint16_t>labels[row]
                if work.rows != NULL:
                    work.rows[j] = row
                if work.weights != NULL:
                    work.weights[j] = weights[i]
                j += 1
    if not failed:
        job.in_sample, job.cases = in_sample, cases
        failed = each_column(job, load_column)
    free(in_sample)
    free(cases)
    return -1 if failed else 0


cdef void load_column(void* shared, int thread, int i) noexcept nogil:
    cdef Loading* job = <Loading*>shared
    cdef int failed
    if job.failed:
        return
    if job.work.columns[i].form == LISTED:
        failed = load_list(job, i)
    elif job.work.columns[i].form == NUMBERS:
        failed = load_numbers(job, i)
    else:
        failed = load_codes(job, i)
    if failed:
        job.failed = 1


cdef int load_numbers(const Loading* job, int i) noexcept nogil:
    """1: no memory."""
    cdef const double* source = job.work.columns[i].numbers
    cdef double* numbers = <double*>malloc(<size_t>job.work.capacity * sizeof(double) + 64)
    cdef int j = 0, r
    job.work.numbers[i] = numbers
    if numbers == NULL:
        return 1
    for r in range(job.n):
        for _k in range(job.cases[job.rows[r]]):
            numbers[j] = source[job.rows[r]]
            j += 1
    return 0


cdef int load_codes(const Loading* job, int i) noexcept nogil:
    """1: no memory."""
    cdef Columns* work = job.work
    cdef const uint8_t* source = job.bytes[i]
    cdef const int32_t* rows = job.rows
    cdef const int32_t* cases = job.cases
    cdef uint8_t* bytes = NULL
    cdef int32_t* wide = NULL
    cdef int j = 0, r, row, n = job.n
    cdef uint64_t* present
    if work.columns[i].form == BYTES:
        bytes = work.bytes[i] = <uint8_t*>malloc(work.capacity + 64)
        if bytes == NULL:
            return 1
        for r in range(n):
            row = rows[r]
            for _k in range(cases[row]):
                bytes[j] = source[row]
                j += 1
    else:
        wide = work.wide[i] = <int32_t*>malloc(4 * <size_t>work.capacity + 64)
        if wide == NULL:
            return 1
        for r in range(n):
            row = rows[r]
            for _k in range(cases[row]):
                wide[j] = work.columns[i].codes[row]
                j += 1
    if bytes != NULL and not work.columns[i].nominal:
        present = work.present[i] = <uint64_t*>calloc(4, 8)
        if present == NULL:
            return 1
        for row in range(work.table_rows):
            if job.in_sample[row]:
                present[source[row] >> 6] |= <uint64_t>1 << (source[row] & 63)
    return 0


cdef int load_list(const Loading* job, int i) noexcept nogil:
    """1: no memory."""
    cdef Columns* work = job.work
    cdef const uint64_t* source = job.lists[i]
    cdef const uint8_t* in_sample = job.in_sample
    cdef const int32_t* cases = job.cases
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1, code
    cdef int j, n = job.list_size[i], at = 0, row, missing = 0
    for j in range(n):
        row = <int>(source[j] & row_mask)
        at += cases[row]
        missing += not in_sample[row]
    work.list_capacity[i] = at
    cdef uint64_t* list = <uint64_t*>malloc(<size_t>at * 8 + 64)
    work.list[i] = list
    if list == NULL:
        return 1
    at = 0
    for j in range(n):
        for _k in range(cases[<int>(source[j] & row_mask)]):
            list[at] = source[j]
            at += 1
    if missing:
        work.present[i] = <uint64_t*>calloc(work.columns[i].n_codes // 64 + 1, 8)
        if work.present[i] == NULL:
            return 1
        for j in range(n):
            if in_sample[<int>(source[j] & row_mask)]:
                code = source[j] >> (work.row_bits + job.class_bits)
                work.present[i][code >> 6] |= <uint64_t>1 << (code & 63)
    return 0
