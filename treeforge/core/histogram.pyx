"""Counting (code, class) pairs, the inner loop of everything that works on coded columns.

Large nodes have *whole* tables: every BYTES column, every class. Only the smaller of two branches is
counted; the other is parent minus child, in exact whole numbers. Small nodes count four columns at a time
into tables of the classes that are present (deep in a tree of 26 classes that is two or three). Four columns
are counted in one loop because neighbouring cases that meet the same counter wait for each other's store:
interleaved, the columns hide that. Where weights differ, sums of weights are taken in the order of the cases.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from treeforge.core.columns cimport Columns, is_large
from treeforge.core.crew cimport share
from treeforge.core.kernel cimport BYTES, Counts, Node, index_t

cdef enum:
    SPAN = 8                 # live inputs that one thread takes at a time, to count them in fours

ctypedef fused cell_t:
    uint32_t
    double


cdef int prepare(Histograms* h, const Columns* work, int n_classes) noexcept nogil:
    """-1: no memory."""
    cdef int i
    memset(h, 0, sizeof(Histograms))
    h.stride = 1
    while h.stride < n_classes:
        h.stride *= 2
    h.at = <size_t*>calloc(work.n_inputs + 1, sizeof(size_t))
    h.label_of = <int32_t*>calloc(n_classes + 1, sizeof(int32_t))
    h.lookup = <uint16_t*>calloc(n_classes + 1, sizeof(uint16_t))
    h.local = <uint16_t*>malloc(2 * <size_t>work.spare_cases + 64)
    h.number = <uint32_t*>malloc(<size_t>4 * 256 * h.stride * sizeof(uint32_t))
    if h.at == NULL or h.label_of == NULL or h.lookup == NULL or h.local == NULL or h.number == NULL:
        return -1
    for i in range(n_classes):
        h.label_of[i] = i
    for i in range(work.n_inputs):
        if work.columns[i].form == BYTES:
            h.at[i] = h.cells
            h.cells += <size_t>(work.columns[i].n_codes + 1) * h.stride
            h.n_coded += 1
    if work.n_weighted and start_sums(h) < 0:
        return -1
    return 0


cdef int start_sums(Histograms* h) noexcept nogil:
    if h.weight == NULL:
        h.weight = <double*>malloc(<size_t>4 * 256 * h.stride * sizeof(double))
    return -1 if h.weight == NULL else 0


cdef void discard(Histograms* h) noexcept nogil:
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


cdef void look_at(Histograms* h, const Columns* work) noexcept nogil:
    """Count the coded columns among the inputs that still vary."""
    cdef int q, i
    h.live_coded, h.live_cells = 0, 0
    for q in range(work.n_live):
        i = work.live[q]
        if work.columns[i].form == BYTES:
            h.live_coded += 1
            h.live_cells += <size_t>(work.columns[i].n_codes + 1) * h.stride


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
    if is_large(work, n):
        job = Filling(h=h, work=work, start=start, n=n, tables=tables)
        share(work.crew, fill_item, &job, (work.n_live + SPAN - 1) // SPAN)
    else:
        fill_columns(h, work, start, n, tables, 0, work.n_live)


cdef void fill_item(void* shared, int thread, int item) noexcept nogil:
    cdef const Filling* job = <const Filling*>shared
    cdef int first = item * SPAN
    fill_columns(job.h, job.work, job.start, job.n, job.tables, first, min(first + SPAN, job.work.n_live))


cdef void fill_columns(
    const Histograms* h, const Columns* work, int start, int n, uint32_t* tables, int first, int beyond
) noexcept nogil:
    """Tables of the BYTES columns among ``live[first:beyond]``."""
    cdef const uint8_t* codes[4]
    cdef uint32_t* table[4]
    cdef int i, q, m = 0
    for q in range(first, beyond):
        i = work.live[q]
        if work.columns[i].form == BYTES:
            memset(tables + h.at[i], 0, <size_t>(work.columns[i].n_codes + 1) * h.stride * sizeof(uint32_t))
            codes[m], table[m] = work.bytes[i] + start, tables + h.at[i]
            m += 1
            if m == 4:
                add_cases(codes, work.classes + start, NULL, n, h.stride, table, 4)
                m = 0
    add_cases(codes, work.classes + start, NULL, n, h.stride, table, m)


cdef void subtract(const Histograms* h, const Columns* work, uint32_t* whole, const uint32_t* part) noexcept nogil:
    cdef size_t j
    cdef int q, i
    for q in range(work.n_live):
        i = work.live[q]
        if work.columns[i].form == BYTES:
            for j in range(h.at[i], h.at[i] + <size_t>(work.columns[i].n_codes + 1) * h.stride):
                whole[j] -= part[j]


cdef inline void add_cases(
    const uint8_t** codes, const uint16_t* classes, const double* weights, int n, int stride, cell_t** table, int m
) noexcept nogil:
    """Add the cases to the tables of m columns, by weight if the tables hold sums."""
    if m == 4:
        add_to(codes, classes, weights, n, stride, table, 4)
    elif m == 3:
        add_to(codes, classes, weights, n, stride, table, 3)
    elif m == 2:
        add_to(codes, classes, weights, n, stride, table, 2)
    elif m == 1:
        add_to(codes, classes, weights, n, stride, table, 1)


cdef inline void add_to(
    const uint8_t** codes, const uint16_t* classes, const double* weights, int n, int stride, cell_t** table, int m
) noexcept nogil:
    """``m`` is a constant wherever this is inlined, and the pointers stay in registers."""
    cdef const uint8_t* code[4]
    cdef cell_t* to[4]
    cdef int j, k, q
    cdef cell_t weight = 1
    for q in range(m):
        code[q], to[q] = codes[q], table[q]
    for j in range(n):
        k = classes[j]
        if cell_t is double:
            weight = weights[j]
        for q in range(m):
            to[q][code[q][j] * stride + k] += weight


# ------------------------------------------------------------------ tables of the node's own classes

cdef void open_node(Histograms* h, const Node* node) noexcept nogil:
    """Forget the node before."""
    h.local_made = h.planes_made = h.n_last = 0
    h.local_stride = 1
    while h.local_stride < node.n_present:
        h.local_stride *= 2


cdef void number_classes(Histograms* h, const Node* node) noexcept nogil:
    """The classes of the node's cases, numbered among those present."""
    cdef int j, k
    for k in range(node.n_present):
        h.lookup[node.present[k]] = <uint16_t>k
    for j in range(node.n_rows):
        h.local[j] = h.lookup[node.classes[j]]
    h.local_made = 1


cdef inline bint is_dense(int n, int n_codes) noexcept nogil:
    """Whether a table is better gone through whole: many codes, few of which occur, are picked out instead."""
    return n > n_codes if n_codes <= 32 else n > 4 * n_codes


cdef void count(Histograms* h, const Node* node, const index_t* inputs, int n_inputs, Counts* out) noexcept nogil:
    """Class weights by code of up to four BYTES columns; good until the next call.

    A single one that was counted last is not counted again: often it is the input that was chosen.
    """
    cdef const uint8_t* codes[4]
    cdef uint32_t* table[4]
    cdef double* sums[4]
    cdef int q, n_codes
    for q in range(h.n_last if n_inputs == 1 else 0):
        if h.last_input[q] == inputs[0]:
            out[0] = h.last[q]
            return
    for q in range(n_inputs):
        out[q].n_present, out[q].label, out[q].occupied = node.n_present, node.present, NULL
        if h.ready != NULL:
            out[q].number, out[q].weight = h.ready + h.at[inputs[q]], NULL
            out[q].stride, out[q].place = h.stride, node.present
            continue
        out[q].number = table[q] = h.number + <size_t>q * 256 * h.stride
        out[q].weight, out[q].stride, out[q].place = NULL, h.local_stride, h.label_of
        codes[q] = node.bytes[inputs[q]]
    if h.ready != NULL:
        return
    if not h.local_made:
        number_classes(h, node)
    for q in range(n_inputs):
        n_codes = node.columns[inputs[q]].n_codes
        if not is_dense(node.n_rows, n_codes):
            out[q].occupied = &h.occupied[4 * q]
            mark_codes(codes[q], node.n_rows, n_codes, &h.occupied[4 * q])
        if node.weights == NULL:
            clear(codes[q], node.n_rows, n_codes, h.local_stride, table[q])
        else:
            out[q].number, out[q].weight = NULL, h.weight + <size_t>q * 256 * h.stride
            sums[q] = <double*>out[q].weight
            clear(codes[q], node.n_rows, n_codes, h.local_stride, sums[q])
    if node.weights == NULL:
        add_cases(codes, h.local, NULL, node.n_rows, h.local_stride, table, n_inputs)
    else:
        add_cases(codes, h.local, node.weights, node.n_rows, h.local_stride, sums, n_inputs)
    h.n_last = n_inputs
    for q in range(n_inputs):
        h.last_input[q], h.last[q] = inputs[q], out[q]


cdef inline void clear(const uint8_t* codes, int n, int n_codes, int stride, cell_t* table) noexcept nogil:
    """Of few cases only their own codes: the others are not looked at."""
    cdef int j, k
    if 8 * n > n_codes:
        memset(table, 0, <size_t>(n_codes + 1) * stride * sizeof(cell_t))
        return
    for j in range(n):
        for k in range(stride):
            table[codes[j] * stride + k] = 0


cdef inline void mark_codes(const uint8_t* codes, int n, int n_codes, uint64_t* occupied) noexcept nogil:
    """Up to 128 codes are marked in registers: in memory every mark waits for the one before."""
    cdef int j
    cdef uint64_t low = 0, high = 0, bit
    memset(occupied, 0, 32)
    if n_codes < 128:
        for j in range(n):
            bit = <uint64_t>1 << (codes[j] & 63)
            low |= bit & (<uint64_t>(codes[j] >> 6) - 1)
            high |= bit & (0 - <uint64_t>(codes[j] >> 6))
        occupied[0], occupied[1] = low, high
        return
    for j in range(n):
        occupied[codes[j] >> 6] |= <uint64_t>1 << (codes[j] & 63)
