"""Decimal numbers of up to 19 digits, with an exponent or without."""

cdef extern from "decimals.h" nogil:
    const uint64_t[20] WHOLE_POWER "tf_whole_power"
    int divide "tf_divide"(uint64_t, uint64_t, double*)


cdef inline const char* read_digits(const char* p, uint64_t* mantissa, int* n) noexcept nogil:
    """Digits behind those in mantissa. Stops after 24: more than 19 do not fit, and the caller gives up."""
    cdef uint64_t value, others
    cdef int run
    while True:
        value = load(p) ^ ZEROS
        others = no_digits(value)
        if others:
            run = lowest(others) >> 3
            if run:
                mantissa[0] = mantissa[0] * WHOLE_POWER[run] + eight_digits(value << (64 - 8 * run))
            n[0] += run
            return p + run
        mantissa[0] = mantissa[0] * 100000000 + eight_digits(value)
        n[0] += 8
        p += 8
        if n[0] >= 24:
            return p


cdef const char* read_number(const char* p, double* out) noexcept nogil:
    """A decimal number of at most 19 digits, read exactly; NULL for any other. Returns what follows it."""
    cdef bint negative = p[0] == c"-"
    cdef bint negative_exponent
    cdef uint64_t mantissa = 0
    cdef int n = 0, n_whole, exponent = 0, written = 0
    cdef double value
    p = read_digits(p + negative, &mantissa, &n)
    if p[0] == c".":
        n_whole = n
        p = read_digits(p + 1, &mantissa, &n)
        exponent = n_whole - n
    if n == 0 or n > 19:
        return NULL
    if p[0] == c"e" or p[0] == c"E":
        p += 1
        negative_exponent = p[0] == c"-"
        p += negative_exponent or p[0] == c"+"
        if not c"0" <= p[0] <= c"9":
            return NULL
        while c"0" <= p[0] <= c"9" and written < 1000:
            written = 10 * written + p[0] - c"0"
            p += 1
        exponent += -written if negative_exponent else written
    # One rounding, of two exact numbers: the nearest double (Clinger 1990, "How to read floating point numbers
    # accurately").
    if mantissa <= <uint64_t>1 << 53:
        value = <double>mantissa
        if exponent < 0:
            if exponent < -22:
                return NULL
            value /= POWER[-exponent]
        elif exponent > 0:
            if exponent > 22:
                return NULL
            value *= POWER[exponent]
    elif exponent == 0:
        value = <double>mantissa
    elif exponent > 0 or exponent < -19 or not divide(mantissa, WHOLE_POWER[-exponent], &value):
        return NULL
    out[0] = -value if negative else value
    return p
