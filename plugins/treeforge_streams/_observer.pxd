"""The observer of a number in one class: its count, moments and range, kept without the values.

Fields: weight, mean, sums of squared and of cubed deviations from the mean, least and largest value. It answers
as a normal distribution within that range.
"""

from libc.math cimport INFINITY, erfc, log, sqrt

cdef enum:
    COUNT = 0
    MEAN = 1
    SQUARES = 2
    CUBES = 3
    LOW = 4
    HIGH = 5
    FIELDS = 6


cdef inline void open_observer(double* o) noexcept nogil:
    """Its other fields are 0 already."""
    o[LOW], o[HIGH] = INFINITY, -INFINITY


cdef inline void observe(double* o, double x, double w) noexcept nogil:
    """One value more (West 1979; the third sum after Terriberry)."""
    cdef double before = o[COUNT], n = before + w, d = x - o[MEAN], step = d * w / n
    o[CUBES] += step * d * d * before * (before - w) / n - 3.0 * step * o[SQUARES]
    o[SQUARES] += step * d * before
    o[MEAN] += step
    o[COUNT] = n
    o[LOW], o[HIGH] = min(o[LOW], x), max(o[HIGH], x)


cdef inline void merge(double* o, const double* other) noexcept nogil:
    """The moments of two sets of values together; the range is left alone."""
    cdef double a = o[COUNT], b = other[COUNT], n = a + b, d = other[MEAN] - o[MEAN]
    if not b > 0.0:
        return
    o[CUBES] += (
        other[CUBES] + d * d * d * a * b * (a - b) / (n * n) + 3.0 * d * (a * other[SQUARES] - b * o[SQUARES]) / n
    )
    o[SQUARES] += other[SQUARES] + d * d * a * b / n
    o[MEAN] += d * b / n
    o[COUNT] = n


cdef inline double variance(const double* o) noexcept nogil:
    """At least 1e-6, so that a class that has had one value may meet another."""
    return max(o[SQUARES] / o[COUNT], 1e-6)


cdef inline double log_density(const double* o, double x) noexcept nogil:
    """Of the normal distribution; a class without values here says nothing."""
    cdef double v, d = x - o[MEAN]
    if not o[COUNT] > 0.0:
        return 0.0
    v = variance(o)
    return -0.5 * (log(6.283185307179586 * v) + d * d / v)


cdef inline double weight_below_cut(const double* o, double cut, bint closed) noexcept nogil:
    """Weight at or below a cut (below it, if not ``closed``), the values being normal within their range."""
    if not o[COUNT] > 0.0 or cut < o[LOW] or (cut == o[LOW] and not closed):
        return 0.0
    if cut > o[HIGH] or (cut == o[HIGH] and closed):
        return o[COUNT]
    return o[COUNT] * 0.5 * erfc((o[MEAN] - cut) / sqrt(2.0 * variance(o)))
