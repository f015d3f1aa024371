"""The known values of a BYTES column at a node, ascending: its codes that occur, each once, with their weight.

A *place* is a position in that order.
"""

from libc.stdint cimport uint8_t, uint64_t

from treeforge.core.kernel cimport Counts, Node, class_weight, index_t, midpoint
from treeforge_moments._powers cimport same_cut

cdef extern from *:
    int count_zeros "__builtin_ctzll"(unsigned long long) nogil


cdef struct Values:
    int size                 # places
    int n_known              # cases, if all weigh 1
    double known             # weight
    double[256] value
    double[256] weight
    uint8_t[256] code


cdef inline bint open_values(Values* v, const Node* node, index_t input, const Counts* counts) noexcept nogil:
    """The codes of cases here, without a branch for each that has none. False: no two different values."""
    cdef const double* values = node.columns[input].values
    cdef uint64_t bits
    cdef double weight
    cdef int word, code, k, n, m = 0, n_known = 0, n_codes = node.columns[input].n_codes
    v.known = 0.0
    for word in range((n_codes + 63) >> 6):
        bits = ~<uint64_t>0 if counts.occupied == NULL else counts.occupied[word]
        if 64 * word + 64 > n_codes:                      # the code n_codes is "unknown"
            bits &= (<uint64_t>1 << (n_codes & 63)) - 1
        while bits:
            code = 64 * word + count_zeros(bits)
            bits &= bits - 1
            if counts.number != NULL:
                n = 0
                for k in range(counts.n_present):
                    n += counts.number[<size_t>code * counts.stride + counts.place[k]]
                n_known += n
                weight = n
            else:
                weight = 0.0
                for k in range(counts.n_present):
                    weight += class_weight(counts, code, k)
                v.known += weight
            v.code[m], v.value[m], v.weight[m] = <uint8_t>code, values[code], weight
            m += weight > 0.0
    v.size, v.n_known = m, n_known
    if counts.number != NULL:
        v.known = n_known
    return m > 1


# ------------------------------------------------------------------ places

cdef inline int first_not_below(const Values* v, double cut) noexcept nogil:
    """The first place whose value is not below: by halves, without a branch that could be guessed wrong."""
    cdef int at = 0, size = v.size, half
    while size > 1:
        half = size >> 1
        at += half & -<int>(v.value[at + half - 1] < cut)
        size -= half
    return at + (v.value[at] < cut)


cdef inline int first_above(const Values* v, double cut) noexcept nogil:
    cdef int at = 0, size = v.size, half
    while size > 1:
        half = size >> 1
        at += half & -<int>(v.value[at + half - 1] <= cut)
        size -= half
    return at + (v.value[at] <= cut)


cdef inline double slack(double known) noexcept nogil:
    """Weights that differ by less are the same: they may be sums of parts of cases."""
    return 1e-9 * known


cdef inline int snap(const Values* v, double* cut, double sd) noexcept nogil:
    """A cut that is as good as equal to a value becomes the value, the lower one if there are two.

    Returns the first place whose value is not below it.
    """
    cdef int at = first_not_below(v, cut[0])
    cdef double wanted = cut[0], nearest = same_cut(sd)
    if at > 0 and wanted - v.value[at - 1] <= nearest:
        cut[0] = v.value[at - 1]
        nearest = wanted - cut[0]
    if at < v.size and v.value[at] - wanted < nearest:
        cut[0] = v.value[at]
    elif cut[0] != wanted:
        at = first_not_below(v, cut[0])
    return at


cdef inline int middle(const Values* v) noexcept nogil:
    """The first place at which the cumulative weight reaches half."""
    cdef double half = v.known / 2.0 - slack(v.known), reached = 0.0
    cdef int j
    for j in range(v.size):
        reached += v.weight[j]
        if reached >= half:
            return j
    return v.size - 1


cdef inline double median(const Values* v) noexcept nogil:
    """The middle value; where the weight reaches half just there, the midpoint to the next one."""
    cdef int at = middle(v), j
    cdef double reached = 0.0
    for j in range(at + 1):
        reached += v.weight[j]
    if at + 1 == v.size or reached > v.known / 2.0 + slack(v.known):
        return v.value[at]
    return midpoint(v.value[at], v.value[at + 1])
