"""What kernels get of a node's BYTES columns: class weights by code.

Large nodes have whole tables ready (``histogram``). Small ones count four columns at a time into tables of the
classes that are present: deep in a tree of 26 classes that is two or three. Of few cases with many codes only
the codes that occur are looked at.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from treeforge.core.bundles cimport Member, in_bundle
from treeforge.core.histogram cimport Histograms
from treeforge.core.kernel cimport Counts, Node, index_t
from treeforge.core.tally cimport add_cases, cell_t


cdef void open_node(Histograms* h, const Node* node) noexcept nogil:
    """Forget the node before."""
    h.local_made = h.planes_made = h.bundles_made = h.n_last = 0
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


cdef void count(Histograms* h, const Node* node, const index_t* inputs, int n_inputs, Counts* out) noexcept nogil:
    """Class weights by code of up to four BYTES columns; good until the next call.

    A single one that was counted last is not counted again: often it is the input that was chosen.
    """
    cdef const uint8_t* codes[4]
    cdef uint32_t* table[4]
    cdef double* sums[4]
    cdef int q, m = 0
    for q in range(h.n_last if n_inputs == 1 else 0):
        if h.last_input[q] == inputs[0]:
            out[0] = h.last[q]
            return
    if h.ready == NULL and not h.local_made:
        number_classes(h, node)
    for q in range(n_inputs):
        out[q].n_present, out[q].label, out[q].occupied = node.n_present, node.present, NULL
        if in_bundle(&h.bundles, inputs[q]):
            count_member(h, node, inputs[q], q, &out[q])
        elif h.ready != NULL:
            out[q].number, out[q].weight = h.ready + h.at[inputs[q]], NULL
            out[q].stride, out[q].place = h.stride, node.present
        else:
            open_table(h, node, inputs[q], q, &out[q])
            codes[m] = node.bytes[inputs[q]]
            table[m], sums[m] = <uint32_t*>out[q].number, <double*>out[q].weight
            m += 1
    if h.ready != NULL:
        return
    if node.weights == NULL:
        add_cases(codes, h.local, NULL, node.n_rows, h.local_stride, table, m)
    else:
        add_cases(codes, h.local, node.weights, node.n_rows, h.local_stride, sums, m)
    h.n_last = n_inputs
    for q in range(n_inputs):
        h.last_input[q], h.last[q] = inputs[q], out[q]


cdef void open_table(Histograms* h, const Node* node, index_t input, int q, Counts* out) noexcept nogil:
    """The q-th table of the node's own classes, empty."""
    cdef const uint8_t* codes = node.bytes[input]
    cdef int n_codes = node.columns[input].n_codes
    choose_table(h, node, q, out)
    if not is_dense(node.n_rows, n_codes):
        out.occupied = &h.occupied[4 * q]
        mark_codes(codes, node.n_rows, n_codes, &h.occupied[4 * q])
    if node.weights == NULL:
        clear(codes, node.n_rows, n_codes, h.local_stride, <uint32_t*>out.number)
    else:
        clear(codes, node.n_rows, n_codes, h.local_stride, <double*>out.weight)


cdef inline void choose_table(Histograms* h, const Node* node, int q, Counts* out) noexcept nogil:
    cdef size_t at = <size_t>q * 256 * h.stride
    out.number = h.number + at if node.weights == NULL else NULL
    out.weight = h.weight + at if node.weights != NULL else NULL
    out.stride, out.place = h.local_stride, h.label_of


# ------------------------------------------------------------------ members of bundles

cdef void count_member(Histograms* h, const Node* node, index_t input, int q, Counts* out) noexcept nogil:
    """Its rarer code is a row of the bundle's table, the other what that leaves of the node's classes."""
    cdef const Member* member = &h.bundles.member[input]
    cdef const uint32_t* row
    cdef const int32_t* place
    cdef uint32_t* table
    cdef int k, stride = h.local_stride
    choose_table(h, node, q, out)
    if node.weights != NULL:
        weigh_member(h, node, member, <double*>out.weight)
        return
    if h.ready != NULL:
        row, place = h.ready + h.at[node.n_inputs + member.bundle] + <size_t>member.byte * h.stride, node.present
    else:
        if not h.bundles_made:
            count_bundles(h, node)
        row, place = h.bundle_number[member.bundle] + <size_t>member.byte * stride, h.label_of
    table = <uint32_t*>out.number
    for k in range(node.n_present):
        table[member.rare * stride + k] = row[place[k]]
        table[(1 - member.rare) * stride + k] = <uint32_t>node.class_weight[node.present[k]] - row[place[k]]
        table[2 * stride + k] = 0             # unknown


cdef void count_bundles(Histograms* h, const Node* node) noexcept nogil:
    """All that still vary, once a node."""
    cdef const uint8_t* codes[4]
    cdef uint32_t* table[4]
    cdef int b, m = 0
    for b in range(h.bundles.n):
        if h.bundle_lives[b]:
            memset(h.bundle_number[b], 0, <size_t>h.bundles.n_bytes[b] * h.local_stride * sizeof(uint32_t))
            codes[m], table[m] = h.bundle_here[b], h.bundle_number[b]
            m += 1
            if m == 4:
                add_cases(codes, h.local, NULL, node.n_rows, h.local_stride, table, 4)
                m = 0
    add_cases(codes, h.local, NULL, node.n_rows, h.local_stride, table, m)
    h.bundles_made = 1


cdef void weigh_member(const Histograms* h, const Node* node, const Member* member, double* table) noexcept nogil:
    """Summed case by case: what is left of a sum is not the bits that adding gives."""
    cdef const uint8_t* bytes = h.bundle_here[member.bundle]
    cdef int j, code, stride = h.local_stride
    memset(table, 0, 3 * <size_t>stride * sizeof(double))
    for j in range(node.n_rows):
        code = (bytes[j] == member.byte) ^ (1 - member.rare)
        table[code * stride + h.local[j]] += node.weights[j]


# ------------------------------------------------------------------ codes that occur

cdef inline bint is_dense(int n, int n_codes) noexcept nogil:
    """Whether a table is better gone through whole: many codes, few of which occur, are picked out instead."""
    return n > n_codes if n_codes <= 32 else n > 4 * n_codes


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
