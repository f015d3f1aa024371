"""A sample becomes the root: its cases are copied from the coded columns, in the sample's order."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from treeforge.core.bundles cimport in_bundle
from treeforge.core.columns cimport Columns
from treeforge.core.crew cimport Crew, share, work_function
from treeforge.core.encode cimport Encoded
from treeforge.core.kernel cimport BYTES, LISTED, NUMBERS
from treeforge.core.load_sample cimport load_sample
from treeforge.core.storage cimport allocate, copied, list_inputs


cdef int load(
    Columns* work, Encoded coded, const int32_t* rows, const double* weights, const int32_t* copies, int n,
    const int32_t* held, int n_held, const int32_t* labels, bint keep_rows, bint gathered, bint bundled, Crew* crew
) noexcept nogil:
    """Copy a sample's columns. Cases without a class, or of weight 0, stay away. -1: no memory; REFUSED.

    ``held``: rows that belong to T, whose values thresholds may take, but do not train. ``gathered``: columns that
    are not LISTED get their room, and are left to be gathered. ``bundled``: bundles take the place of their
    members, unless those are gathered. ``crew``: threads that share the columns, here and while the tree grows, or
    NULL.
    """
    cdef int i
    cdef Loading job = Loading(
        work=work, bytes=coded.bytes, lists=coded.lists, list_size=coded.list_size,
        rows=rows, n=n, cases=NULL, row_of=NULL, failed=0,
    )
    memset(work, 0, sizeof(Columns))
    work.n_inputs, work.columns, work.crew = coded.table.n_inputs, coded.columns, crew
    work.table_rows, work.row_bits, work.n_listed = coded.table.n_rows, coded.row_bits, coded.n_listed
    work.n_weighted, work.all_known = weights != NULL, True
    work.copied, work.gathered = copies != NULL, gathered
    for i in range(work.n_inputs):
        work.all_known = work.all_known and not work.columns[i].has_unknown
    if bundled and not gathered:
        work.bundles = coded.bundles
    if list_inputs(work):
        return -1
    if is_whole(coded, rows, weights, copies, n, labels):
        return load_whole(&job, labels, keep_rows or gathered)
    return load_sample(&job, weights, copies, held, n_held, labels, keep_rows or gathered)


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
    work.n_cases = work.capacity = work.spare_cases = work.n_training = work.table_rows
    if allocate(work, keep_rows or work.n_listed > 0):
        return -1
    for i in range(work.n_cases):
        work.classes[i] = <uint16_t>labels[i]
        if work.rows != NULL:
            work.rows[i] = i
    return each_column(job, load_whole_column)


cdef int each_column(Loading* job, work_function load_one) noexcept nogil:
    """The inputs, and after them the bundles. -1: no memory."""
    cdef int i
    if job.work.crew != NULL:
        share(job.work.crew, load_one, job, job.work.n_inputs + job.work.bundles.n)
    else:
        for i in range(job.work.n_inputs + job.work.bundles.n):
            load_one(job, 0, i)
    return -1 if job.failed else 0


cdef void load_whole_column(void* shared, int thread, int i) noexcept nogil:
    cdef Loading* job = <Loading*>shared
    cdef Columns* work = job.work
    cdef size_t n = work.n_cases
    cdef int b = i - work.n_inputs
    if b >= 0:
        work.bundle[b] = <uint8_t*>copied(work.bundles.bytes[b], n)
        if work.bundle[b] == NULL:
            job.failed = 1
        return
    if in_bundle(&work.bundles, i):
        return
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
