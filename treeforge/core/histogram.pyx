"""Counting (code, class) pairs, the inner loop of everything that works on coded columns: tables of large nodes.

Large nodes have *whole* tables: every BYTES column, every class. Only the smaller of two branches is
counted; the other is parent minus child, in exact whole numbers. A bundle has a table in place of its members.
What small nodes count, and what kernels get of either: ``count``.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from treeforge.core.bundles cimport in_bundle
from treeforge.core.columns cimport Columns, is_large
from treeforge.core.crew cimport share
from treeforge.core.kernel cimport BYTES
from treeforge.core.tally cimport add_cases

cdef enum:
    SPAN = 8                 # items that one thread takes at a time, to count them in fours

cdef int prepare(Histograms* h, const Columns* work, int n_classes) noexcept nogil:
    """-1: no memory."""
    cdef int i, b
    memset(h, 0, sizeof(Histograms))
    h.bundles, h.bundle_here, h.bundle_lives = work.bundles, work.bundle_here, work.bundle_lives
    h.stride = 1
    while h.stride < n_classes:
        h.stride *= 2
    h.at = <size_t*>calloc(work.n_inputs + work.bundles.n + 1, sizeof(size_t))
    h.bundle_number = <uint32_t**>calloc(work.bundles.n + 1, sizeof(void*))
    h.label_of = <int32_t*>calloc(n_classes + 1, sizeof(int32_t))
    h.lookup = <uint16_t*>calloc(n_classes + 1, sizeof(uint16_t))
    h.local = <uint16_t*>malloc(2 * <size_t>work.spare_cases + 64)
    h.number = <uint32_t*>malloc(<size_t>4 * 256 * h.stride * sizeof(uint32_t))
    if (h.at == NULL or h.bundle_number == NULL or h.label_of == NULL or h.lookup == NULL or h.local == NULL
            or h.number == NULL):
        return -1
    for i in range(n_classes):
        h.label_of[i] = i
    for i in range(work.n_inputs):
        if work.columns[i].form == BYTES and not in_bundle(&work.bundles, i):
            h.at[i] = h.cells
            h.cells += <size_t>(work.columns[i].n_codes + 1) * h.stride
    for b in range(work.bundles.n):
        h.at[work.n_inputs + b] = h.cells
        h.cells += <size_t>work.bundles.n_bytes[b] * h.stride
        h.bundle_number[b] = <uint32_t*>malloc(<size_t>work.bundles.n_bytes[b] * h.stride * sizeof(uint32_t))
        if h.bundle_number[b] == NULL:
            return -1
    if work.n_weighted and start_sums(h) < 0:
        return -1
    return 0


cdef int start_sums(Histograms* h) noexcept nogil:
    if h.weight == NULL:
        h.weight = <double*>malloc(<size_t>4 * 256 * h.stride * sizeof(double))
    return -1 if h.weight == NULL else 0


cdef void discard(Histograms* h) noexcept nogil:
    cdef int b
    for b in range(h.bundles.n if h.bundle_number != NULL else 0):
        free(h.bundle_number[b])
    free(h.bundle_number)
    while h.pool_size:
        h.pool_size -= 1
        free(h.pool[h.pool_size])
    free(h.pool)
    free(h.ready)
    free(h.at)
    free(h.label_of)
    free(h.lookup)
    free(h.local)
    free(h.number)
    free(h.weight)
    free(h.plane)


cdef uint32_t* take(Histograms* h) noexcept nogil:
    """Room for whole tables; NULL when there is no memory (then the node counts its own)."""
    if h.pool_size:
        h.pool_size -= 1
        return h.pool[h.pool_size]
    return <uint32_t*>malloc(h.cells * sizeof(uint32_t))


cdef void give(Histograms* h, uint32_t* tables) noexcept nogil:
    """Put whole tables back."""
    cdef uint32_t** pool
    if tables == NULL:
        return
    if h.pool_size == h.pool_capacity:
        pool = <uint32_t**>realloc(h.pool, (2 * <size_t>h.pool_capacity + 8) * sizeof(void*))
        if pool == NULL:
            free(tables)
            return
        h.pool = pool
        h.pool_capacity = 2 * h.pool_capacity + 8
    h.pool[h.pool_size] = tables
    h.pool_size += 1


cdef struct Whole:           # an item: a live input, or after these a bundle
    const uint8_t* codes     # of all cases
    size_t at                # where its whole table starts
    size_t cells


cdef inline bint has_whole(const Histograms* h, const Columns* work, int item, Whole* found) noexcept nogil:
    """Whether an item has a whole table, and which."""
    cdef int b = item - work.n_live, i
    if b >= 0:
        found.codes, found.at = work.bundle[b], h.at[work.n_inputs + b]
        found.cells = <size_t>work.bundles.n_bytes[b] * h.stride
        return work.bundle_lives[b]
    i = work.live[item]
    found.codes, found.at, found.cells = work.bytes[i], h.at[i], <size_t>(work.columns[i].n_codes + 1) * h.stride
    return work.columns[i].form == BYTES and not in_bundle(&work.bundles, i)


cdef void look_at(Histograms* h, Columns* work) noexcept nogil:
    """See which bundles are needed, and what is to be counted, from the inputs that still vary."""
    cdef Whole whole
    cdef int item
    h.live_coded, h.live_cells = 0, 0
    if work.bundles.n:
        memset(work.bundle_lives, 0, work.bundles.n)
        for item in range(work.n_live):
            if in_bundle(&work.bundles, work.live[item]):
                work.bundle_lives[work.bundles.member[work.live[item]].bundle] = 1
    for item in range(work.n_live + work.bundles.n):
        if has_whole(h, work, item, &whole):
            h.live_coded += 1
            h.live_cells += whole.cells


cdef bint worth_whole(const Histograms* h, int n) noexcept nogil:
    """Whether clearing and subtracting whole tables is cheaper than counting n cases."""
    return h.live_coded > 0 and <size_t>n * h.live_coded * 4 >= h.live_cells


cdef struct Filling:         # of a large node's whole tables
    const Histograms* h
    const Columns* work
    int start
    int n
    uint32_t* tables


cdef void fill_whole(const Histograms* h, const Columns* work, int start, int n, uint32_t* tables) noexcept nogil:
    cdef Filling job
    cdef int n_items = work.n_live + work.bundles.n
    if is_large(work, n):
        job = Filling(h=h, work=work, start=start, n=n, tables=tables)
        share(work.crew, fill_span, &job, (n_items + SPAN - 1) // SPAN)
    else:
        fill_items(h, work, start, n, tables, 0, n_items)


cdef void fill_span(void* shared, int thread, int span) noexcept nogil:
    cdef const Filling* job = <const Filling*>shared
    cdef int first = span * SPAN
    fill_items(job.h, job.work, job.start, job.n, job.tables, first,
               min(first + SPAN, job.work.n_live + job.work.bundles.n))


cdef void fill_items(
    const Histograms* h, const Columns* work, int start, int n, uint32_t* tables, int first, int beyond
) noexcept nogil:
    cdef const uint8_t* codes[4]
    cdef uint32_t* table[4]
    cdef Whole whole
    cdef int item, m = 0
    for item in range(first, beyond):
        if has_whole(h, work, item, &whole):
            memset(tables + whole.at, 0, whole.cells * sizeof(uint32_t))
            codes[m], table[m] = whole.codes + start, tables + whole.at
            m += 1
            if m == 4:
                add_cases(codes, work.classes + start, NULL, n, h.stride, table, 4)
                m = 0
    add_cases(codes, work.classes + start, NULL, n, h.stride, table, m)


cdef void subtract(const Histograms* h, const Columns* work, uint32_t* whole, const uint32_t* part) noexcept nogil:
    cdef Whole of_item
    cdef size_t j
    cdef int item
    for item in range(work.n_live + work.bundles.n):
        if has_whole(h, work, item, &of_item):
            for j in range(of_item.at, of_item.at + of_item.cells):
                whole[j] -= part[j]
