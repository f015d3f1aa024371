"""The values of an input at a node one by one, in no order: a NUMBERS column, or the few cases of a BYTES one.

Cases below a cut are counted class by class: a bit for each case that lies below, and the bits of a class's cases.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from treeforge.core.kernel cimport BYTES, NUMBERS, Column, Node, index_t
from treeforge_moments._powers cimport same_cut

cdef extern from "_vector.h" nogil:
    int count_up_to "tfm_up_to"(const double* values, int n, double limit)
    int count_up_to_both "tfm_up_to_both"(const double* values, int n, double low, double high, int* up_to_high)
    bint count_below "tfm_count"(
        const double* values, int n, const double* low, const double* high, int n_cuts,
        const uint64_t* planes, int n_classes, uint32_t* counts
    )

cdef enum:
    MOST_PLANES = 32         # classes in a node: with more, cases are counted one by one


cdef struct Plain:
    const Node* node
    const double* values     # [n_rows]; NaN is unknown
    const uint8_t* codes     # [n_rows] of a BYTES column, or NULL
    const double* by_code    # its values
    int n_codes
    const uint64_t* planes   # of the classes present, or NULL
    bint unknown             # whether some value may be unknown
    uint32_t[128] counts     # [4, n_present]: cases of each class below each of up to 3 cuts; then, the known ones


cdef inline bint goes_plain(const Node* node, index_t input, bint whole) noexcept nogil:
    """Whether an input is gone through case by case: where there is no order, or a table would have more cells."""
    cdef const Column* column = &node.columns[input]
    if column.form == NUMBERS:
        return True
    return (whole and column.form == BYTES and not column.nominal and node.n_present <= MOST_PLANES
            and node.n_rows < column.n_codes * node.n_present)


cdef inline void open_plain(Plain* v, const Node* node, index_t input, bint whole) noexcept nogil:
    """``whole``: cases will be counted."""
    cdef const Column* column = &node.columns[input]
    cdef int j
    v.node, v.unknown, v.values, v.planes, v.codes = node, column.has_unknown, node.room, NULL, NULL
    if column.form == NUMBERS:
        v.values = node.numbers[input]
    else:
        v.codes, v.by_code, v.n_codes = node.bytes[input], column.values, column.n_codes
        for j in range(node.n_rows):
            node.room[j] = v.by_code[v.codes[j]]
    if whole and node.n_present <= MOST_PLANES:
        v.planes = node.planes(node)


cdef inline double some_value(const Plain* v) noexcept nogil:
    """A known value: the one in the middle, or one not far from it; NaN: there is none."""
    cdef int n = v.node.n_rows, j = n // 2, steps = 0
    while v.values[j] != v.values[j] and steps < n:
        j = j + 1 if j + 1 < n else 0
        steps += 1
    return v.values[j]


# ------------------------------------------------------------------ cuts

cdef inline double next_below(double x) noexcept nogil:
    """The greatest double below a finite one."""
    cdef int64_t bits
    memcpy(&bits, &x, sizeof(double))
    if x == 0.0:
        return -5e-324
    bits += -1 if x > 0.0 else 1
    memcpy(&x, &bits, sizeof(double))
    return x


cdef inline bint count_cases(
    Plain* v, const double* cuts, int n_cuts, bint closed_left, double tolerance
) noexcept nogil:
    """Fill ``counts`` if there are planes. True: some value lies within ``tolerance`` of a cut; the counts are unsure.

    Values are compared with the ends of an interval around each cut; where none lies inside, either end divides as
    the cut itself does.
    """
    cdef double[4] low
    cdef double[4] high
    cdef const double* upper = low
    cdef int i, n = n_cuts
    if tolerance > 0.0:
        upper = high
    for i in range(n_cuts):
        low[i] = next_below(cuts[i]) if closed_left else cuts[i]
        if tolerance > 0.0:
            low[i], high[i] = min(low[i], cuts[i] - 1.5 * tolerance), cuts[i] + 1.5 * tolerance
    if v.unknown:
        low[n], high[n] = INFINITY, INFINITY
        n += 1
    return count_below(
        v.values, v.node.n_rows, low, upper, n, v.planes, v.node.n_present if v.planes != NULL else 0, v.counts
    )


cdef inline int count_in(const double* values, int n, double low, double high) noexcept nogil:
    """How many values lie in (low, high]."""
    cdef int n_high, n_low = count_up_to_both(values, n, low, high, &n_high)
    return n_high - n_low


cdef inline void snap_plain(const Plain* v, double* cut, double sd) noexcept nogil:
    """A cut that is as good as equal to a value becomes the value, the lower one if there are two."""
    cdef double wanted = cut[0], nearest = same_cut(sd), below = -INFINITY, above = INFINITY, x
    cdef double low = next_below(wanted)
    cdef int j, n = v.node.n_rows, n_near, n_equal
    n_near = count_in(v.values, n, min(low, wanted - 1.5 * nearest), wanted + 1.5 * nearest)
    n_equal = count_in(v.values, n, low, wanted)
    if n_near == n_equal:       # nothing is near but what the cut is already
        return
    for j in range(n):
        x = v.values[j]
        below = x if below < x < wanted else below
        above = x if wanted <= x < above else above
    if wanted - below <= nearest:
        cut[0], nearest = below, wanted - below
    if above - wanted < nearest:
        cut[0] = above


cdef inline int snap_and_count(const Plain* v, double* cut, double sd) noexcept nogil:
    """Snap a cut if some value is near; returns how many are not above it."""
    cdef double near = 1.5 * same_cut(sd)
    cdef int n_above, n_below = count_up_to_both(
        v.values, v.node.n_rows, min(next_below(cut[0]), cut[0] - near), cut[0] + near, &n_above
    )
    if n_below == n_above:
        return n_below
    snap_plain(v, cut, sd)
    return count_up_to(v.values, v.node.n_rows, cut[0])


cdef inline void fill_bins(const Plain* v, int n_cuts, uint32_t* bins) noexcept nogil:
    """Class counts between the cuts, [n_cuts + 1, n_classes]; classes that are not present are left out."""
    cdef const Node* node = v.node
    cdef uint32_t before, below
    cdef int b, k, c, n = node.n_present
    for k in range(n):
        c, before = node.present[k], 0
        for b in range(n_cuts):
            below = v.counts[b * n + k]
            bins[b * node.n_classes + c] = below - before
            before = below
        below = v.counts[n_cuts * n + k] if v.unknown else <uint32_t>node.class_weight[c]
        bins[n_cuts * node.n_classes + c] = below - before
