"""Decimal numbers of the common forms, read eight digits at a time and rounded once."""

from libc.stdint cimport uint64_t

from treeforge.data._arff.bytes cimport ALL, likely, load, lowest

cdef extern from "decimals.h" nogil:
    const uint64_t ZEROS "TF_ZEROS"
    const double[23] POWER "tf_power"
    uint64_t no_digits "tf_no_digits"(uint64_t)
    uint64_t eight_digits "tf_eight_digits"(uint64_t)


cdef inline bint read_short_number(const char* p, Py_ssize_t length, double* out) noexcept nogil:
    """A number of one to eight digits, with a sign and a point or without, of this length. False: of another form."""
    cdef uint64_t digits, others, before_point
    cdef int point
    cdef bint negative
    if not 1 <= length <= 8:
        return False
    digits = load(p) ^ ZEROS
    others = no_digits(digits) & ALL >> (64 - 8 * length)
    if likely(others == 0):
        out[0] = <double>eight_digits(digits << (64 - 8 * length))
        return True
    negative = p[0] == c"-"
    if negative:
        digits >>= 8
        others >>= 8
        length -= 1
        if length == 0:
            return False
    if others:
        point = lowest(others) - 7
        if others & (others - 1) or length == 1 or digits >> point & 0xFF != (c"." ^ c"0"):
            return False
        before_point = (<uint64_t>1 << point) - 1
        digits = digits & before_point | digits >> 8 & ~before_point
        length -= 1
        out[0] = <double>eight_digits(digits << (64 - 8 * length)) / POWER[length - (point >> 3)]
    else:
        out[0] = <double>eight_digits(digits << (64 - 8 * length))
    if negative:
        out[0] = -out[0]
    return True


cdef const char* read_number(const char* p, double* out) noexcept nogil
