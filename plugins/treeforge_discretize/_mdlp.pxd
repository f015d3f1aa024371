"""Fayyad and Irani's cuts, compiled; the reference in Python is ``mdlp.py``."""

from libc.math cimport log2, pow
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from treeforge_discretize._values cimport NO_MEMORY, Values, n_above_zero, sum_of, xlogx

cdef struct Range:           # distinct values start:stop
    int start
    int stop


cdef inline int cut_by_mdlp(Values* v) noexcept nogil:
    """-1: no memory."""
    cdef size_t doubles = <size_t>v.m + 3 * v.n_classes
    cdef double* room = <double*>malloc(doubles * sizeof(double) + <size_t>(v.m + 1) * sizeof(Range))
    cdef double* sides = room + v.m
    cdef Range* waiting = <Range*>(room + doubles)
    cdef Range here
    cdef int n_waiting = 1, at
    if room == NULL:
        return NO_MEMORY
    waiting[0].start, waiting[0].stop = 0, v.m
    while n_waiting:
        n_waiting -= 1
        here = waiting[n_waiting]
        at = best_boundary(v, here, room, sides)
        if at >= 0:
            v.cut[at] = 1
            waiting[n_waiting].start, waiting[n_waiting].stop = here.start, at + 1
            waiting[n_waiting + 1].start, waiting[n_waiting + 1].stop = at + 1, here.stop
            n_waiting += 2
    free(room)
    return 0


cdef inline int best_boundary(const Values* v, Range here, double* after, double* sides) noexcept nogil:
    """The value behind which entropy is least if the description gets shorter by that cut, else -1.

    ``after`` [m] and ``sides`` [3, n_classes] are scratch.
    """
    cdef int n = v.n_classes, i, k, at
    cdef double* left = sides
    cdef double* right = sides + n
    cdef double* whole = sides + 2 * n
    cdef double best = -1.0, total, gain
    memset(sides, 0, 3 * <size_t>n * sizeof(double))
    for i in range(here.start, here.stop):
        for k in range(n):
            whole[k] += v.counts[<size_t>i * n + k]
    for i in range(here.start, here.stop - 1):
        for k in range(n):
            left[k] += v.counts[<size_t>i * n + k]
        after[i] = -1.0
        if is_boundary(v, i):
            for k in range(n):
                right[k] = whole[k] - left[k]
            after[i] = bits(v, left) + bits(v, right)
            best = after[i] if best < 0.0 else min(best, after[i])
    if best < 0.0:
        return -1
    total, at = sum_of(whole, n), here.start
    memset(left, 0, <size_t>n * sizeof(double))
    while True:          # the first of those that are least, but for rounding
        for k in range(n):
            left[k] += v.counts[<size_t>at * n + k]
        if after[at] >= 0.0 and after[at] <= best + 1e-9 * total:
            break
        at += 1
    for k in range(n):
        right[k] = whole[k] - left[k]
    gain = (bits(v, whole) - after[at]) / total
    return at if total > 1.0 and gain > price(v, whole, left, right) + 1e-12 else -1


cdef inline bint is_boundary(const Values* v, int i) noexcept nogil:
    """Whether there is more than one class at a value and the next together."""
    cdef int n = v.n_classes, k, found = 0
    cdef const double* here = v.counts + <size_t>i * n
    for k in range(n):
        found += here[k] > 0.0 or here[n + k] > 0.0
    return found > 1


cdef inline double bits(const Values* v, const double* weights) noexcept nogil:
    """Weight times class entropy; never below zero."""
    cdef double found = xlogx(v, sum_of(weights, v.n_classes))
    cdef int k
    for k in range(v.n_classes):
        found -= xlogx(v, weights[k])
    return max(found, 0.0) / 0.6931471805599453


cdef inline double price(
    const Values* v, const double* whole, const double* left, const double* right
) noexcept nogil:
    """Gain that a cut has to exceed, in bits a case."""
    cdef double total = sum_of(whole, v.n_classes), c = n_above_zero(whole, v.n_classes), delta
    delta = c * log2(3.0) + log2(1.0 - 2.0 * pow(3.0, -c))     # log2(3^c - 2), for any c
    delta -= present_times_entropy(v, whole)
    delta += present_times_entropy(v, left) + present_times_entropy(v, right)
    return (log2(total - 1.0) + delta) / total


cdef inline double present_times_entropy(const Values* v, const double* weights) noexcept nogil:
    return n_above_zero(weights, v.n_classes) * bits(v, weights) / sum_of(weights, v.n_classes)
