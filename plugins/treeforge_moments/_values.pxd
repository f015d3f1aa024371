"""The known values of an input at a node, ascending, whichever way the loop keeps them.

A BYTES column is its codes that occur, each once, with their weight; a LISTED one its entries, which are sorted.
A *place* is a position in that order.
"""

from libc.stdint cimport uint8_t, uint64_t

from treeforge.core.kernel cimport (
    BYTES, Counts, Node, class_weight, entry_code, entry_weight, index_t, midpoint,
)

cdef extern from *:
    int count_zeros "__builtin_ctzll"(unsigned long long) nogil


cdef struct Values:
    const Node* node
    const double* values     # by code
    const uint64_t* list     # of a LISTED column, or NULL
    int size                 # places
    int n_known              # cases, if all weigh 1
    double known             # weight
    double[256] value        # of a BYTES column
    double[256] weight
    uint8_t[256] code


cdef inline bint open_values(Values* v, const Node* node, index_t input, const Counts* counts) noexcept nogil:
    """False: there are no two different values."""
    cdef int j
    v.node, v.values = node, node.columns[input].values
    if node.columns[input].form == BYTES:
        v.list = NULL
        open_codes(v, counts, node.columns[input].n_codes)
        return v.size > 1
    v.list, v.size = node.list[input], node.list_size[input]
    if v.size == 0 or entry_code(node, v.list[0]) == entry_code(node, v.list[v.size - 1]):
        return False
    v.n_known, v.known = v.size, v.size
    if node.weights != NULL:
        v.known = 0.0
        for j in range(v.size):
            v.known += entry_weight(node, v.list[j])
    return True


cdef inline void open_codes(Values* v, const Counts* counts, int n_codes) noexcept nogil:
    """The codes of cases here, without a branch for each that has none."""
    cdef uint64_t bits
    cdef double weight
    cdef int word, code, k, n, m = 0, n_known = 0
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
            v.code[m], v.value[m], v.weight[m] = <uint8_t>code, v.values[code], weight
            m += weight > 0.0
    v.size, v.n_known = m, n_known
    if counts.number != NULL:
        v.known = n_known


cdef inline double value_at(const Values* v, int j) noexcept nogil:
    return v.value[j] if v.list == NULL else v.values[entry_code(v.node, v.list[j])]


cdef inline double weight_at(const Values* v, int j) noexcept nogil:
    return v.weight[j] if v.list == NULL else entry_weight(v.node, v.list[j])


cdef inline bint by_entry(const Values* v) noexcept nogil:
    """Whether every place is one case of weight 1."""
    return v.list != NULL and v.node.weights == NULL


# ------------------------------------------------------------------ places

cdef inline int first_not_below(const Values* v, double cut) noexcept nogil:
    """The first place whose value is not below: by halves, without a branch that could be guessed wrong."""
    cdef int at = 0, size = v.size, half
    while size > 1:
        half = size >> 1
        at += half & -<int>(value_at(v, at + half - 1) < cut)
        size -= half
    return at + (value_at(v, at) < cut)


cdef inline int first_above(const Values* v, double cut) noexcept nogil:
    cdef int at = 0, size = v.size, half
    while size > 1:
        half = size >> 1
        at += half & -<int>(value_at(v, at + half - 1) <= cut)
        size -= half
    return at + (value_at(v, at) <= cut)


cdef inline double slack(const Values* v) noexcept nogil:
    """Weights that differ by less are the same: they may be sums of parts of cases."""
    return 1e-9 * v.known


cdef inline double same_cut(double sd) noexcept nogil:
    """A cut that lies no further from another, or from a value, is the same: rounding must not decide."""
    return 1e-10 * sd


cdef inline int snap(const Values* v, double* cut, double sd) noexcept nogil:
    """A cut that is as good as equal to a value becomes the value, the lower one if there are two.

    Returns the first place whose value is not below it.
    """
    cdef int at = first_not_below(v, cut[0])
    cdef double wanted = cut[0], nearest = same_cut(sd)
    if at > 0 and wanted - value_at(v, at - 1) <= nearest:
        cut[0] = value_at(v, at - 1)
        nearest = wanted - cut[0]
    if at < v.size and value_at(v, at) - wanted < nearest:
        cut[0] = value_at(v, at)
    elif cut[0] != wanted:
        at = first_not_below(v, cut[0])
    return at


cdef inline int middle(const Values* v) noexcept nogil:
    """The first place at which the cumulative weight reaches half."""
    cdef double half = v.known / 2.0, reached = 0.0
    cdef int j
    if by_entry(v):
        return (v.size - 1) // 2
    for j in range(v.size):
        reached += weight_at(v, j)
        if reached >= half - slack(v) and reached > 0.0:
            return j
    return v.size - 1


cdef inline double median(const Values* v) noexcept nogil:
    """The middle value; where the weight reaches half just there, the midpoint to the next distinct value."""
    cdef int at = middle(v), j
    cdef double low = value_at(v, at), high, reached = 0.0
    if by_entry(v):
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
        if reached > v.known * (0.5 + 1e-9):
            return low
    return midpoint(low, high)
