"""Mean, standard deviation and skewness of the known values at a node."""

from libc.math cimport frexp, ldexp, sqrt

cdef extern from "_vector.h" nogil:
    ctypedef struct Sums "TfmSums":       # of w, w d, w d^2, w d^3 over the known values; d: a value less the shift
        double known
        double s1
        double s2
        double s3
    void sum_powers "tfm_sum"(
        const double* values, const double* weights, int n, double shift, bint unknown, Sums* out
    )


cdef struct Moments:
    double known             # weight of the known values
    bint constant            # 1: they are all the same, or there are none
    double mean
    double sd
    double g


cdef inline void moments(
    const double* values, const double* weights, int n, bint unknown, double shift, Moments* out
) noexcept nogil:
    """One pass unless it loses digits. ``weights`` NULL: all 1; ``unknown``: some value may be NaN."""
    cdef Sums sums
    cdef double m1, m2, m3, variance
    sum_powers(values, weights, n, shift, unknown, &sums)
    out.known, out.constant = sums.known, False
    m1, m2, m3 = sums.s1 / sums.known, sums.s2 / sums.known, sums.s3 / sums.known
    variance = m2 - m1 * m1
    if not (1e-200 < m2 < 1e200) or m1 * m1 > 64.0 * variance:     # out of range, or `shift` 8 sd from the mean
        careful(values, weights, n, out)
        return
    out.mean, out.sd = shift + m1, sqrt(variance)
    out.g = (m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1) / (variance * out.sd)


cdef inline void careful(const double* values, const double* weights, int n, Moments* out) noexcept nogil:
    """In two passes over values brought into [0, 1]."""
    cdef int j, exponent
    cdef double low = 0.0, high = 0.0, base, spread, centre = 0.0, d, w, m1 = 0.0, m2 = 0.0, m3 = 0.0, variance
    cdef bint found = False
    for j in range(n):
        if known_weight(values, weights, j) > 0.0:
            low = values[j] if not found or values[j] < low else low
            high = values[j] if not found or values[j] > high else high
            found = True
    out.mean, out.sd, out.g, out.constant = low, 0.0, 0.0, low == high
    if out.constant:
        return
    frexp(max(-low, high), &exponent)
    exponent += 1
    base = ldexp(low, -exponent)
    spread = ldexp(high, -exponent) - base
    for j in range(n):
        w = known_weight(values, weights, j)
        if w > 0.0:
            centre += w * ((ldexp(values[j], -exponent) - base) / spread)
    centre /= out.known
    for j in range(n):
        w = known_weight(values, weights, j)
        if w > 0.0:
            d = (ldexp(values[j], -exponent) - base) / spread - centre
            m1 += w * d
            m2 += w * d * d
            m3 += w * d * d * d
    m1, m2, m3 = m1 / out.known, m2 / out.known, m3 / out.known
    variance = m2 - m1 * m1
    d = sqrt(variance)
    out.g = (m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1) / (variance * d)
    out.mean = ldexp(base + (centre + m1) * spread, exponent)
    out.sd = ldexp(d * spread, exponent)


cdef inline double known_weight(const double* values, const double* weights, int j) noexcept nogil:
    """0 where the value is unknown."""
    if values[j] != values[j]:
        return 0.0
    return 1.0 if weights == NULL else weights[j]


cdef inline double same_cut(double sd) noexcept nogil:
    """A cut that lies no further from another, or from a value, is the same: rounding must not decide."""
    return 1e-10 * sd
