"""Class-attribute interdependence maximisation, compiled; the reference in Python is ``caim.py``."""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from treeforge_discretize._values cimport NO_MEMORY, Values, n_above_zero

cdef inline int cut_by_caim(Values* v) noexcept nogil:
    """-1: no memory."""
    cdef int n = v.n_classes, i, k, at, start, stop, n_intervals = 1, wanted = n_above_zero(v.whole, n)
    cdef double* reached = <double*>malloc((<size_t>v.m + 1) * (n + 1) * sizeof(double))
    cdef double* rise = reached + (<size_t>v.m + 1) * n     # of the sum, by a cut behind value i; [m]
    cdef double best, found
    if reached == NULL:
        return NO_MEMORY
    memset(reached, 0, n * sizeof(double))
    for i in range(v.m):
        for k in range(n):
            reached[<size_t>(i + 1) * n + k] = reached[<size_t>i * n + k] + v.counts[<size_t>i * n + k]
    best = worth(reached, n, 0, v.m)
    find_rises(v, reached, rise, 0, v.m)
    while n_intervals < v.m:
        at = best_cut(v, reached, rise, n_intervals, &found)
        if found <= best + rounding(best) and n_intervals >= wanted:
            break
        best = found
        v.cut[at] = 1
        n_intervals += 1
        start, stop = at, at + 1
        while start > 0 and not v.cut[start - 1]:
            start -= 1
        while stop + 1 < v.m and not v.cut[stop]:
            stop += 1
        find_rises(v, reached, rise, start, at + 1)
        find_rises(v, reached, rise, at + 1, stop + 1)
    free(reached)
    return 0


cdef inline void find_rises(const Values* v, const double* reached, double* rise, int start, int stop) noexcept nogil:
    """What each cut of the interval start:stop would add to the sum."""
    cdef double whole = worth(reached, v.n_classes, start, stop)
    cdef int i
    for i in range(start, stop - 1):
        rise[i] = worth(reached, v.n_classes, start, i + 1) + worth(reached, v.n_classes, i + 1, stop) - whole


cdef inline int best_cut(
    const Values* v, const double* reached, const double* rise, int n_intervals, double* caim
) noexcept nogil:
    """The lowest of the best new cuts, and the CAIM that it would give."""
    cdef double total = 0.0, most = -INFINITY
    cdef int i, start = 0
    for i in range(v.m):
        if v.cut[i] or i + 1 == v.m:
            total += worth(reached, v.n_classes, start, i + 1)
            start = i + 1
    for i in range(v.m - 1):
        if not v.cut[i]:
            most = max(most, (total + rise[i]) / (n_intervals + 1))
    for i in range(v.m - 1):
        caim[0] = (total + rise[i]) / (n_intervals + 1)
        if not v.cut[i] and caim[0] >= most - rounding(most):
            return i
    return -1


cdef inline double rounding(double caim) noexcept nogil:
    """By what equal values may differ."""
    return 1e-12 * max(1.0, caim)


cdef inline double worth(const double* reached, int n, int start, int stop) noexcept nogil:
    """``max^2 / M`` of the interval of distinct values start:stop."""
    cdef double most = 0.0, total = 0.0, weight
    cdef int k
    for k in range(n):
        weight = reached[<size_t>stop * n + k] - reached[<size_t>start * n + k]
        most = max(most, weight)
        total += weight
    return most * most / total if total > 0.0 else 0.0
