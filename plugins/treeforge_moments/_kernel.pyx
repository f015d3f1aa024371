"""Moment and median cuts, compiled: one pass over the node's values, one that counts classes between the cuts.

The values of a node come in ascending order either way: as a histogram over the codes of a BYTES column, or
as the sorted entries of a LISTED one. So the median is looked up, and the cases between two cuts are a range.
The arithmetic is that of ``formulas.py``, where it is explained.
"""

from libc.math cimport fabs, frexp, ldexp, log2, sqrt
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from treeforge.core.kernel cimport (
    BYTES, CONSTANT, Counts, Node, Split, class_weight, entry_code, entry_weight, index_t, make_splitter, midpoint,
    search_all, search_one, set_categories, set_threshold,
)

cdef double FAR = 8.0
cdef double TINY_SQUARE = 1e-200
cdef double HUGE_SQUARE = 1e200
cdef double LARGEST = 1.7976931348623157e308
cdef double SNAP = 1e-10
cdef double SAME = 1e-9
cdef double TINY = 1e-6      # a gain below it is none
cdef double TIE = 1e-12      # gains that differ by less are the same


# ------------------------------------------------------------------ the known values of an input, ascending

cdef struct Values:
    const Node* node
    index_t input
    const Counts* counts     # of a BYTES column
    const double* values     # by code
    const uint64_t* list     # of a LISTED column
    int size                 # codes, or entries
    double known             # weight
    double[256] weight       # by code of a BYTES column


cdef bint open_values(Values* v, const Node* node, index_t input, const Counts* counts) noexcept nogil:
    """False: there are no two different values."""
    cdef int code, k, j, n_values = 0
    v.node, v.input, v.counts, v.values = node, input, counts, node.columns[input].values
    v.known = 0.0
    if node.columns[input].form == BYTES:
        v.list, v.size = NULL, node.columns[input].n_codes
        for code in range(v.size):
            v.weight[code] = 0.0
            if counts.occupied != NULL and not counts.occupied[code >> 6] >> (code & 63) & 1:
                continue
            for k in range(counts.n_present):
                v.weight[code] += class_weight(counts, code, k)
            v.known += v.weight[code]
            n_values += v.weight[code] > 0.0
        return n_values > 1
    v.list, v.size = node.list[input], node.list_size[input]
    if v.size == 0 or entry_code(node, v.list[0]) == entry_code(node, v.list[v.size - 1]):
        return False
    if node.weights == NULL:
        v.known = v.size
    else:
        for j in range(v.size):
            v.known += entry_weight(node, v.list[j])
    return True


cdef inline double value_at(const Values* v, int j) noexcept nogil:
    return v.values[j] if v.list == NULL else v.values[entry_code(v.node, v.list[j])]


cdef inline double weight_at(const Values* v, int j) noexcept nogil:
    if v.list == NULL:
        return v.weight[j]
    return entry_weight(v.node, v.list[j])


cdef int middle(const Values* v) noexcept nogil:
    """The first place at which the cumulative weight reaches half."""
    cdef double half = v.known / 2.0, reached = 0.0
    cdef int j
    if v.list != NULL and v.node.weights == NULL:
        return (v.size - 1) // 2
    for j in range(v.size):
        reached += weight_at(v, j)
        if reached >= half - SAME * v.known and reached > 0.0:
            return j
    return v.size - 1


# ------------------------------------------------------------------ moments

cdef struct Moments:
    double mean
    double sd
    double g


cdef void moments(const Values* v, Moments* out) noexcept nogil:
    """Mean, sd and skewness; one pass unless it loses digits."""
    cdef double shift = value_at(v, middle(v)), s1 = 0.0, s2 = 0.0, s3 = 0.0, d, w, m1, m2, m3, variance
    cdef int j
    if v.list != NULL and v.node.weights == NULL:
        sum_powers(v, shift, &s1, &s2, &s3)
    else:
        for j in range(v.size):
            w = weight_at(v, j)
            d = value_at(v, j) - shift
            if w > 0.0:
                s1 += w * d
                s2 += w * d * d
                s3 += w * d * d * d
    m1, m2, m3 = s1 / v.known, s2 / v.known, s3 / v.known
    variance = m2 - m1 * m1
    if not (TINY_SQUARE < m2 < HUGE_SQUARE) or m1 * m1 > FAR * FAR * variance:
        careful(v, out)
        return
    out.mean, out.sd = shift + m1, sqrt(variance)
    out.g = (m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1) / (variance * out.sd)


cdef inline void sum_powers(const Values* v, double shift, double* s1, double* s2, double* s3) noexcept nogil:
    """Entries of weight 1. Two sums side by side, since each waits for its last addition."""
    cdef const Node* node = v.node
    cdef double a1 = 0.0, a2 = 0.0, a3 = 0.0, b1 = 0.0, b2 = 0.0, b3 = 0.0, d, e
    cdef int j
    for j in range(0, v.size - 1, 2):
        d = v.values[entry_code(node, v.list[j])] - shift
        e = v.values[entry_code(node, v.list[j + 1])] - shift
        a1 += d
        b1 += e
        a2 += d * d
        b2 += e * e
        a3 += d * d * d
        b3 += e * e * e
    if v.size & 1:
        d = v.values[entry_code(node, v.list[v.size - 1])] - shift
        a1 += d
        a2 += d * d
        a3 += d * d * d
    s1[0], s2[0], s3[0] = a1 + b1, a2 + b2, a3 + b3


cdef void careful(const Values* v, Moments* out) noexcept nogil:
    """In two passes over values brought into [0, 1]."""
    cdef int first = 0, last = v.size - 1, j, exponent
    cdef double low, high, base, spread, centre = 0.0, d, w, m1 = 0.0, m2 = 0.0, m3 = 0.0, variance
    while first < last and not weight_at(v, first) > 0.0:
        first += 1
    while last > first and not weight_at(v, last) > 0.0:
        last -= 1
    low, high = value_at(v, first), value_at(v, last)
    out.mean, out.sd, out.g = low, 0.0, 0.0
    if low == high:
        return
    frexp(max(-low, high), &exponent)
    exponent += 1
    base = ldexp(low, -exponent)
    spread = ldexp(high, -exponent) - base
    for j in range(first, last + 1):
        centre += weight_at(v, j) * ((ldexp(value_at(v, j), -exponent) - base) / spread)
    centre /= v.known
    for j in range(first, last + 1):
        w, d = weight_at(v, j), (ldexp(value_at(v, j), -exponent) - base) / spread - centre
        m1 += w * d
        m2 += w * d * d
        m3 += w * d * d * d
    m1, m2, m3 = m1 / v.known, m2 / v.known, m3 / v.known
    variance = m2 - m1 * m1
    d = sqrt(variance)
    out.g = (m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1) / (variance * d)
    out.mean = ldexp(base + (centre + m1) * spread, exponent)
    out.sd = ldexp(d * spread, exponent)


cdef double snapped(const Values* v, double cut, double sd) noexcept nogil:
    """A cut that is as good as equal to a value becomes the value, the lower one if there are two."""
    cdef int low = 0, high = v.size, at
    cdef double best = cut, nearest = SNAP * sd
    while low < high:          # the first place whose value is not below the cut
        at = (low + high) >> 1
        if value_at(v, at) < cut:
            low = at + 1
        else:
            high = at
    at = low - 1
    while at >= 0 and v.list == NULL and not v.weight[at] > 0.0:
        at -= 1
    if at >= 0 and cut - value_at(v, at) <= nearest:
        best = value_at(v, at)
        nearest = cut - best
    while low < v.size and v.list == NULL and not v.weight[low] > 0.0:
        low += 1
    if low < v.size and value_at(v, low) - cut < nearest:
        best = value_at(v, low)
    return best


# ------------------------------------------------------------------ MSD and AMSD

cdef struct MomentParams:
    double alpha             # 0: MSD
    double gamma_max


def moment_kernel(double alpha, double gamma_max):
    """Three moment cuts; alpha 0 is MSD."""
    cdef MomentParams params = MomentParams(alpha, gamma_max)
    return make_splitter(propose_moments, propose_moments_of_all, 3, False, &params, sizeof(MomentParams))


cdef int propose_moments(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    return search_one(params, node, input, cut_by_moments, out)


cdef int propose_moments_of_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    return search_all(params, node, cut_by_moments, splits)


cdef int cut_by_moments(
    const void* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef const MomentParams* p = <const MomentParams*>params
    cdef Values v
    cdef Moments m
    cdef double a
    if node.columns[input].nominal:
        set_categories(out, node.columns[input].n_codes)
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
        return 0
    if not open_values(&v, node, input, counts):
        out.n_branches = CONSTANT
        return 0
    moments(&v, &m)
    if m.sd == 0.0:
        return 0
    a = p.alpha * min(fabs(m.g), p.gamma_max)
    if not m.g > 0.0:
        a = -a
    out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = 4, 3, 1, 1, 0
    out.cuts[0] = snapped(&v, max(m.mean - (1.0 - a) * m.sd, -LARGEST), m.sd)
    out.cuts[1] = snapped(&v, m.mean, m.sd)
    out.cuts[2] = snapped(&v, min(m.mean + (1.0 + a) * m.sd, LARGEST), m.sd)
    node.tabulate(node, input, counts, out)
    node.judge(node, out)
    return 0


# ------------------------------------------------------------------ VFC4.5

cdef struct MedianParams:
    int mean
    int median
    int mdl_correction


def median_kernel(bint mean, bint median, bint mdl_correction):
    """The better of mean and median."""
    cdef MedianParams params = MedianParams(mean, median, mdl_correction)
    return make_splitter(propose_median, propose_median_of_all, 2, False, &params, sizeof(MedianParams))


cdef int propose_median(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    return search_one(params, node, input, cut_at_mean_or_median, out)


cdef int propose_median_of_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    return search_all(params, node, cut_at_mean_or_median, splits)


cdef int cut_at_mean_or_median(
    const void* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef const MedianParams* p = <const MedianParams*>params
    cdef Values v
    cdef Moments m
    cdef double[2] cuts          # in the order in which they win a tie
    cdef double best = 0.0, gain, lower
    cdef int n = 0, k, n_candidates = 0, chosen = -1
    if node.columns[input].nominal:
        set_categories(out, node.columns[input].n_codes)
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
        return 0
    if not open_values(&v, node, input, counts):
        out.n_branches = CONSTANT
        return 0
    if p.mean:
        moments(&v, &m)
        cuts[n] = snapped(&v, m.mean, m.sd)
        n += 1
    if p.median:
        cuts[n] = median(&v)
        n += n == 0 or cuts[n] != cuts[0]
    out.n_branches, out.n_cuts, out.closed_left, out.identity = n + 1, n, 0, 1
    out.cuts[0], out.cuts[n - 1] = min(cuts[0], cuts[n - 1]), max(cuts[0], cuts[n - 1])
    node.tabulate(node, input, counts, out)
    lower = out.cuts[0]
    out.n_branches = 0
    for k in range(n):
        two_sides(node, n, cuts[k] != lower)
        gain = gain_of_two(node, v.known)
        if gain >= 0.0:
            n_candidates += 1
            if gain > best + TIE or chosen < 0:
                best, chosen = gain, k
    if chosen < 0:
        return 0
    two_sides(node, n, cuts[chosen] != lower)
    memcpy(node.table, node.scratch, 2 * <size_t>node.n_classes * sizeof(double))
    set_threshold(out, cuts[chosen])
    out.charge = log2(<double>n_candidates) / v.known if p.mdl_correction else 0.0
    node.judge(node, out)
    return 0


cdef double median(const Values* v) noexcept nogil:
    """The middle value; where the weight reaches half just there, the midpoint to the next distinct value."""
    cdef int at = middle(v), j
    cdef double low = value_at(v, at), high, reached = 0.0
    if v.list != NULL and v.node.weights == NULL:
        if v.size & 1 or value_at(v, at + 1) == low:
            return low
        high = value_at(v, at + 1)
    else:
        j = at
        while j + 1 < v.size and (value_at(v, j + 1) == low or not weight_at(v, j + 1) > 0.0):
            j += 1
        if j + 1 == v.size:
            return low
        high = value_at(v, j + 1)
        for j in range(j + 1):
            reached += weight_at(v, j)
        if reached > v.known * (0.5 + SAME):
            return low
    return midpoint(low, high)


cdef inline void two_sides(const Node* node, int n_cuts, bint upper) noexcept nogil:
    """Scratch becomes the table of two branches, from the table of the ranges between one or two cuts."""
    cdef int c, n_classes = node.n_classes
    cdef const double* ranges = node.table
    for c in range(n_classes):
        node.scratch[c], node.scratch[n_classes + c] = ranges[c], ranges[n_cuts * n_classes + c]
        if n_cuts == 2:
            node.scratch[(0 if upper else n_classes) + c] += ranges[n_classes + c]


cdef inline double gain_of_two(const Node* node, double known) noexcept nogil:
    """-1 when a side is too light."""
    cdef double left = 0.0
    cdef int c
    for c in range(node.n_classes):
        left += node.scratch[c]
    if node.min_branch - left >= TINY or node.min_branch - (known - left) >= TINY:
        return -1.0
    return max(
        node.criterion.gain(node.criterion_params, node.scratch, 2, node.n_classes, known, node.weight), 0.0
    )
