"""Errors that a leaf must be expected to make, seen from its training cases (c45.md 6.2)."""

from libc.math cimport pow, sqrt


cdef struct Confidence:
    double level            # c1: the confidence as a single-precision number
    double z                # normal quantile of c2, 1 - confidence in single precision


cdef inline double extra_errors(const Confidence* confidence, double n, double e) noexcept nogil:
    """Errors to add to the e that were seen among n cases."""
    cdef double h, f, z, r
    if confidence.level > 0.5:
        return 0.0
    if e < 1.0:
        h = n * (1.0 - pow(confidence.level, 1.0 / n))
        if e == 0.0:
            return h
        return h + e * (extra_errors(confidence, n, 1.0) - h)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    z = confidence.z
    f = (e + 0.5) / n
    r = (f + z * z / (2.0 * n) + z * sqrt(f / n - f * f / n + z * z / (4.0 * n * n))) / (1.0 + z * z / n)
    return n * r - e


cdef inline double errors_of(const Confidence* confidence, double total, double most) noexcept nogil:
    """Expected errors of a leaf with so many cases, and so many of its majority class."""
    if total < 1e-6:
        return 0.0
    return total - most + extra_errors(confidence, total, total - most)


cdef inline int majority_of(const double* weights, int n_classes, double total) noexcept nogil:
    """The majority class of so many cases, near-ties to the lower (c45.md 0.4); looks no further than it has to."""
    cdef double most = 0.0
    cdef int c, best = 0
    for c in range(n_classes):
        if weights[c] - most > 1e-6:
            best, most = c, weights[c]
            if most + most > total:
                break
    return best


cdef inline double expected_errors(
    const Confidence* confidence, const double* weights, int n_classes
) noexcept nogil:
    """For the class weights of a leaf, that predicts its majority class."""
    cdef double total = 0.0, most = 0.0
    cdef int c
    for c in range(n_classes):
        total += weights[c]
        if weights[c] - most > 1e-6:
            most = weights[c]
    return errors_of(confidence, total, most)
