"""The best threshold of a column kept as byte codes where cases differ in weight: from sums of weights by code."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from treeforge.core.kernel cimport CONSTANT, Column, Counts, Node, Split, index_t
from treeforge_c45._codes cimport count_zeros, next_code
from treeforge_c45._scan cimport (
    Cuts, Params, Scan, begin, finish, gap, weigh_cut, weigh_cut_of_two, weigh_waiting, xlogx,
)


cdef inline void best_cut_of_weighted_codes(
    const Params* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Scan scan
    cdef Cuts cuts
    cdef const Column* column = &node.columns[input]
    cdef uint8_t[256] codes
    cdef double* right = node.scratch + node.n_classes
    cdef double known = 0.0
    cdef int k, n_known = node.n_rows, n_codes, j
    if counts.n_present == 2:
        n_codes = sum_two_classes(counts, column.n_codes, codes, right)
    else:
        n_codes = sum_classes(counts, column.n_codes, codes, right)
    for k in range(counts.n_present):
        known += right[k]
    if column.has_unknown:
        for j in range(node.n_rows):
            n_known -= node.bytes[input][j] == column.n_codes
    if not begin(&scan, params, node, known, n_known):
        return
    scan.before = xlogx(known)
    for k in range(counts.n_present):
        scan.before -= xlogx(right[k])
    scan.best = -scan.before
    if n_codes < 2:
        out.n_branches = CONSTANT
        return
    cuts.n = 0
    if counts.n_present == 2:
        weigh_two_classes(&scan, &cuts, column, counts, codes, n_codes, right)
    else:
        weigh_classes(&scan, &cuts, column, counts, codes, n_codes, node.scratch, right)
    weigh_waiting(&scan, &cuts, counts.n_present)
    finish(&scan, params, node, input, out)


cdef inline int sum_classes(const Counts* counts, int n_codes, uint8_t* codes, double* total) noexcept nogil:
    """Weight of each class present; how many codes occur, and which."""
    cdef const double* row
    cdef double here
    cdef int k, m = 0, code = next_code(counts, 0, n_codes)
    for k in range(counts.n_present):
        total[k] = 0.0
    while code < n_codes:
        row, here = counts.weight + <size_t>code * counts.stride, 0.0
        for k in range(counts.n_present):
            here += row[counts.place[k]]
            total[k] += row[counts.place[k]]
        codes[m] = <uint8_t>code
        m += here > 0.0
        code = next_code(counts, code + 1, n_codes)
    return m


cdef inline int sum_two_classes(const Counts* counts, int n_codes, uint8_t* codes, double* total) noexcept nogil:
    """The same sums in registers; without ``occupied`` every code may occur."""
    cdef const double* row0 = counts.weight + counts.place[0]
    cdef const double* row1 = counts.weight + counts.place[1]
    cdef double here0, here1, total0 = 0.0, total1 = 0.0
    cdef int64_t stride = counts.stride, code
    cdef uint64_t bits
    cdef int word, m = 0
    for word in range((n_codes + 63) >> 6):
        bits = ~<uint64_t>0 if counts.occupied == NULL else counts.occupied[word]
        if 64 * word + 64 > n_codes:                      # the code n_codes is "unknown"
            bits &= (<uint64_t>1 << (n_codes & 63)) - 1
        while bits:
            code = 64 * word + count_zeros(bits)
            bits &= bits - 1
            here0, here1 = row0[code * stride], row1[code * stride]
            total0 += here0
            total1 += here1
            codes[m] = <uint8_t>code
            m += here0 + here1 > 0.0
    total[0], total[1] = total0, total1
    return m


cdef inline void weigh_classes(
    Scan* scan, Cuts* cuts, const Column* column, const Counts* counts, const uint8_t* codes, int n_codes,
    double* left, double* right
) noexcept nogil:
    """Weigh every cut between two codes that occur."""
    cdef const double* row
    cdef double below = 0.0, here
    cdef int j, k
    for k in range(counts.n_present):
        left[k] = 0.0
    for j in range(n_codes):
        if j and gap(column, codes[j - 1], codes[j]):
            weigh_cut(scan, cuts, left, right, counts.n_present, below, codes[j - 1], codes[j])
        row, here = counts.weight + <size_t>codes[j] * counts.stride, 0.0
        for k in range(counts.n_present):
            here += row[counts.place[k]]
            left[k] += row[counts.place[k]]
            right[k] -= row[counts.place[k]]
        below += here


cdef inline void weigh_two_classes(
    Scan* scan, Cuts* cuts, const Column* column, const Counts* counts, const uint8_t* codes, int n_codes,
    const double* right
) noexcept nogil:
    """The same with the sums in registers."""
    cdef const double* row0 = counts.weight + counts.place[0]
    cdef const double* row1 = counts.weight + counts.place[1]
    cdef double here0, here1, left0 = 0.0, left1 = 0.0, right0 = right[0], right1 = right[1], below = 0.0
    cdef int64_t stride = counts.stride
    cdef int j
    for j in range(n_codes):
        if j and gap(column, codes[j - 1], codes[j]):
            weigh_cut_of_two(scan, cuts, left0, left1, right0, right1, below, codes[j - 1], codes[j])
        here0, here1 = row0[codes[j] * stride], row1[codes[j] * stride]
        left0 += here0
        left1 += here1
        right0 -= here0
        right1 -= here1
        below += here0 + here1
