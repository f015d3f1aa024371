"""Mean, standard deviation and skewness of the known values at a node."""

from libc.math cimport frexp, ldexp, sqrt

from treeforge.core.kernel cimport Node, entry_code
from treeforge_moments._values cimport Values, by_entry, middle, value_at, weight_at

cdef struct Moments:
    double mean
    double sd
    double g


cdef inline void moments(const Values* v, Moments* out) noexcept nogil:
    """One pass unless it loses digits."""
    cdef double shift = value_at(v, middle(v)), s1 = 0.0, s2 = 0.0, s3 = 0.0, d, w, m1, m2, m3, variance
    cdef int j
    if by_entry(v):
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
    if not (1e-200 < m2 < 1e200) or m1 * m1 > 64.0 * variance:     # out of range, or `shift` 8 sd from the mean
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


cdef inline void careful(const Values* v, Moments* out) noexcept nogil:
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
