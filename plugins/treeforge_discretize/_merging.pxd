"""ChiMerge and Chi2, compiled; the reference in Python is ``merging.py``.

An interval is known by its last value, and a pair of neighbours by its lower interval. The pair of least
chi-squared is at the root of a tournament over all pairs, so that a merge costs log m, not m.
"""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from treeforge_discretize._values cimport NO_MEMORY, Values, n_above_zero, sum_of

cdef struct Merging:
    Values* values
    double least_expected
    int n                    # intervals
    int size                 # places in the tournament: a power of two, at least m
    double* chi              # [2 * size]: chi[size + i] of pair i, infinite where there is none; above them the lesser
    int* before              # the interval before and after, [m]
    int* after


cdef inline int open_merging(Merging* all_pairs, Values* v, double least_expected) noexcept nogil:
    """Every value its own interval. -1: no memory."""
    cdef int i, size = 1
    while size < v.m:
        size *= 2
    cdef double* room = <double*>malloc(2 * <size_t>size * sizeof(double) + 2 * <size_t>v.m * sizeof(int))
    if room == NULL:
        return NO_MEMORY
    all_pairs.values, all_pairs.least_expected, all_pairs.n, all_pairs.size = v, least_expected, v.m, size
    all_pairs.chi = room
    all_pairs.before = <int*>(room + 2 * <size_t>size)
    all_pairs.after = all_pairs.before + v.m
    for i in range(v.m):
        all_pairs.before[i], all_pairs.after[i] = i - 1, i + 1
        v.cut[i] = i + 1 < v.m
    for i in range(size):
        room[size + i] = chi_squared(all_pairs, i) if i + 1 < v.m else INFINITY
    for i in range(size - 1, 0, -1):
        room[i] = min(room[2 * i], room[2 * i + 1])
    return 0


cdef inline void close_merging(Merging* all_pairs) noexcept nogil:
    free(all_pairs.chi)


cdef inline double chi_squared(const Merging* all_pairs, int pair) noexcept nogil:
    """Of the interval and the next, over all classes."""
    cdef const Values* v = all_pairs.values
    cdef int n = v.n_classes, k
    cdef const double* one = v.counts + <size_t>pair * n
    cdef const double* other = v.counts + <size_t>all_pairs.after[pair] * n
    cdef double first = sum_of(one, n), second = sum_of(other, n), both, chi = 0.0
    for k in range(n):
        both = one[k] + other[k]
        if both > 0.0:
            chi += off(one[k], first * both / (first + second), all_pairs.least_expected)
            chi += off(other[k], second * both / (first + second), all_pairs.least_expected)
    return chi


cdef inline double off(double found, double expected, double least) noexcept nogil:
    return (found - expected) * (found - expected) / max(expected, least)


cdef inline void set_chi(Merging* all_pairs, int pair, double chi) noexcept nogil:
    cdef int i = all_pairs.size + pair
    all_pairs.chi[i] = chi
    while i > 1:
        i >>= 1
        all_pairs.chi[i] = min(all_pairs.chi[2 * i], all_pairs.chi[2 * i + 1])


cdef inline int least_pair(const Merging* all_pairs) noexcept nogil:
    """The lowest of the pairs whose chi-squared is least, but for rounding."""
    cdef double limit = all_pairs.chi[1] + 1e-12 * (1.0 + all_pairs.chi[1])
    cdef int i = 1
    while i < all_pairs.size:
        i = 2 * i if all_pairs.chi[2 * i] <= limit else 2 * i + 1
    return i - all_pairs.size


cdef inline void merge(Merging* all_pairs, double threshold, int at_most, int at_least) noexcept nogil:
    """Until all neighbours exceed the threshold and there are few enough intervals; ``at_most`` 0: any number."""
    cdef Values* v = all_pairs.values
    cdef int n = v.n_classes, pair, upper, k
    while all_pairs.n > at_least and all_pairs.n > 1:
        pair = least_pair(all_pairs)
        if all_pairs.chi[all_pairs.size + pair] > threshold and (at_most == 0 or all_pairs.n <= at_most):
            return
        upper = all_pairs.after[pair]
        for k in range(n):
            v.counts[<size_t>upper * n + k] += v.counts[<size_t>pair * n + k]
        v.cut[pair] = 0
        all_pairs.n -= 1
        all_pairs.before[upper] = all_pairs.before[pair]
        set_chi(all_pairs, pair, INFINITY)
        if all_pairs.before[upper] >= 0:
            all_pairs.after[all_pairs.before[upper]] = upper
            set_chi(all_pairs, all_pairs.before[upper], chi_squared(all_pairs, all_pairs.before[upper]))
        if all_pairs.after[upper] < v.m:
            set_chi(all_pairs, upper, chi_squared(all_pairs, upper))


cdef inline double inconsistency(const Values* v) noexcept nogil:
    """Share of the weight that is not of the most frequent class of its interval."""
    cdef double right = 0.0, most, total = sum_of(v.whole, v.n_classes)
    cdef int i, k
    for i in range(v.m):
        if v.cut[i] or i + 1 == v.m:
            most = 0.0
            for k in range(v.n_classes):
                most = max(most, v.counts[<size_t>i * v.n_classes + k])
            right += most
    return (total - right) / total


cdef inline int cut_by_chi_merge(
    Values* v, double least_expected, const double* thresholds, int at_most, int at_least
) noexcept nogil:
    """``thresholds`` by degrees of freedom. -1: no memory."""
    cdef Merging all_pairs
    if open_merging(&all_pairs, v, least_expected) < 0:
        return NO_MEMORY
    merge(&all_pairs, thresholds[n_above_zero(v.whole, v.n_classes) - 1], at_most, at_least)
    close_merging(&all_pairs)
    return 0


cdef inline int cut_by_chi2(
    Values* v, double least_expected, const double* thresholds, int n_levels, int n_freedoms, double allowed
) noexcept nogil:
    """``thresholds`` [n_levels, n_freedoms]; ``allowed`` beyond the inconsistency there is. -1: no memory."""
    cdef Merging all_pairs
    cdef int level, freedom = n_above_zero(v.whole, v.n_classes) - 1
    cdef char* answer = <char*>malloc(v.m)
    if answer == NULL:
        return NO_MEMORY
    if open_merging(&all_pairs, v, least_expected) < 0:
        free(answer)
        return NO_MEMORY
    allowed += inconsistency(v)
    for level in range(n_levels):
        memcpy(answer, v.cut, v.m)
        merge(&all_pairs, thresholds[level * n_freedoms + freedom], 0, 1)
        if inconsistency(v) > allowed + 1e-12:
            memcpy(v.cut, answer, v.m)
            break
    close_merging(&all_pairs)
    free(answer)
    return 0
