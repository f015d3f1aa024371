"""The median of values in no order, in expected linear time: nothing is sorted.

While all weights are 1, values are counted up to guesses that close in on the middle (interpolation between two
counts, some steps at most); the few between the last two guesses are looked at. Where ties or a long tail keep them
many, and wherever cases have weights, they are divided around one of them, again and again (Hoare's FIND).
"""

from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t
from libc.string cimport memset

from treeforge.core.kernel cimport Node, midpoint
from treeforge_moments._plain cimport Plain, count_up_to
from treeforge_moments._powers cimport Moments
from treeforge_moments._values cimport slack

cdef extern from "_vector.h" nogil:
    int values_between "tfm_between"(const double* values, int n, double low, double high, double* out)
    double kth_value "tfm_kth"(const double* values, int n, int k, double* next)

cdef enum:
    FEW = 12                 # values that are put in order
    MOST_GUESSES = 12


cdef struct Bracket:         # the value that is wanted lies in (low, high]
    double low
    double high
    int n_low                # values up to low
    int n_high               # values up to high


cdef inline double plain_median(const Plain* v, const Moments* m, int n_to_mean) noexcept nogil:
    """The smallest value at which the weight reaches half; reached just there, the midpoint to the next value.

    ``n_to_mean``: values up to the mean.
    """
    if v.node.weights != NULL:
        return heavy_median(v, m.known)
    return code_median(v, <int>m.known) if v.codes != NULL else unit_median(v, m, n_to_mean)


cdef inline double code_median(const Plain* v, int n_known) noexcept nogil:
    """Of a BYTES column: its codes are counted."""
    cdef int32_t[256] count
    cdef int j, reached = 0, code = 0, half = (n_known + 1) // 2
    memset(count, 0, <size_t>v.n_codes * sizeof(int32_t) + sizeof(int32_t))
    for j in range(v.node.n_rows):
        count[v.codes[j]] += 1
    while reached < half:
        reached += count[code]
        code += 1
    j = code
    while j < v.n_codes and count[j] == 0:
        j += 1
    if n_known & 1 or reached > half or j == v.n_codes:
        return v.by_code[code - 1]
    return midpoint(v.by_code[code - 1], v.by_code[j])


cdef inline double unit_median(const Plain* v, const Moments* m, int n_to_mean) noexcept nogil:
    cdef double[16] few
    cdef Bracket b
    cdef double low, above = INFINITY
    cdef int j, n = v.node.n_rows, n_known = <int>m.known, k = (n_known - 1) // 2
    close_in(v, m, n_to_mean, k, &b)
    if b.n_high - b.n_low <= FEW:
        values_between(v.values, n, b.low, b.high, few)
        low = kth_value(few, b.n_high - b.n_low, k - b.n_low, &above)
    else:
        low = find(v, &b, n_known)
    if n_known & 1:
        return low
    if above == INFINITY:
        if count_up_to(v.values, n, low) > k + 1:
            return low
        for j in range(n):
            above = v.values[j] if low < v.values[j] < above else above
    return midpoint(low, above) if above > low else low


cdef inline void close_in(const Plain* v, const Moments* m, int n_to_mean, int k, Bracket* b) noexcept nogil:
    """Bracket the k-th value: the median is no further than a standard deviation from the mean, and mostly a third.

    A guess between two others aims at a place somewhat below or above the wanted one, so that both ends close in.
    """
    cdef int guesses = 0, count = n_to_mean, n = v.node.n_rows, size
    cdef double aim, guess = m.mean, reach, step = 0.35 * m.sd
    b.low, b.high, b.n_low, b.n_high = -INFINITY, INFINITY, 0, <int>m.known
    while b.n_high - b.n_low > FEW:
        if guesses:
            count = count_up_to(v.values, n, guess)
        if count > k:
            b.high, b.n_high = guess, count
        else:
            b.low, b.n_low = guess, count
        guesses += 1
        if b.low == -INFINITY:
            guess, step = b.high - step, m.sd
        elif b.high == INFINITY:
            guess, step = b.low + step, m.sd
        else:
            size = b.n_high - b.n_low
            reach = 0.125 * size + 1.0 if size < 64 else 0.5 * sqrt(<double>size) + 1.0
            aim = k + 0.5 - b.n_low
            aim += -reach if aim > size - aim else reach
            guess = b.low + (b.high - b.low) * min(max(aim / size, 0.02), 0.98)
        if guesses == MOST_GUESSES or not b.low < guess < b.high:
            return


# ------------------------------------------------------------------ cases of any weight

cdef inline double heavy_median(const Plain* v, double known) noexcept nogil:
    cdef const double* weights = v.node.weights
    cdef Bracket all
    cdef double low, above = INFINITY, reached = 0.0, x
    cdef int j
    all.low, all.high, all.n_low = -INFINITY, INFINITY, 0
    low = find(v, &all, known)
    for j in range(v.node.n_rows):
        x = v.values[j]
        reached += weights[j] if x <= low else 0.0
        above = x if low < x < above and weights[j] > 0.0 else above
    return low if reached > known / 2.0 + slack(known) or above == INFINITY else midpoint(low, above)


cdef inline double find(const Plain* v, const Bracket* b, double known) noexcept nogil:
    """The smallest value at which the cumulative weight reaches half, known to lie in the bracket."""
    cdef const Node* node = v.node
    cdef const double* weights = node.weights
    cdef int32_t* cases = <int32_t*>(node.room + node.n_rows)
    cdef double half = known / 2.0 - slack(known), before = b.n_low, lower, equal, x, middle
    cdef int start = 0, stop = 0, first, last, j
    for j in range(node.n_rows):
        cases[stop] = j
        stop += (b.low < v.values[j]) & (v.values[j] <= b.high) & (weights == NULL or weights[j] > 0.0)
    while stop - start > 1:
        # cases[start:first] lie below the middle, cases[first:j] are equal to it, cases[last:stop] lie above
        middle = v.values[cases[(start + stop) // 2]]
        first, j, last, lower, equal = start, start, stop, 0.0, 0.0
        while j < last:
            x = v.values[cases[j]]
            if x < middle:
                lower += 1.0 if weights == NULL else weights[cases[j]]
                cases[j], cases[first] = cases[first], cases[j]
                first += 1
                j += 1
            elif x > middle:
                last -= 1
                cases[j], cases[last] = cases[last], cases[j]
            else:
                equal += 1.0 if weights == NULL else weights[cases[j]]
                j += 1
        if first > start and before + lower >= half:
            stop = first
        elif before + lower + equal >= half or last == stop:
            return middle
        else:
            start, before = last, before + lower + equal
    return v.values[cases[start]]
