/* Digits, eight at a time, and one exact division. Portable: without __int128 the plain branch is taken. */
#ifndef TREEFORGE_DECIMALS_H
#define TREEFORGE_DECIMALS_H

#include "bytes.h"

#define TF_ZEROS (0x30 * TF_ONES)

static const double tf_power[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}; /* exact */
static const uint64_t tf_whole_power[20] = {
    1ull,
    10ull,
    100ull,
    1000ull,
    10000ull,
    100000ull,
    1000000ull,
    10000000ull,
    100000000ull,
    1000000000ull,
    10000000000ull,
    100000000000ull,
    1000000000000ull,
    10000000000000ull,
    100000000000000ull,
    1000000000000000ull,
    10000000000000000ull,
    100000000000000000ull,
    1000000000000000000ull,
    10000000000000000000ull};

/* Top bits of the bytes that are no digits, of v ^ "00000000". Behind a byte above 0xB9 a digit may count as none. */
static inline uint64_t tf_no_digits(uint64_t v) { return ((v + (0x80 - 10) * TF_ONES) | v) & TF_TOPS; }

/* The number that eight digits make, of v ^ "00000000"; the first digit stands lowest. */
static inline uint64_t tf_eight_digits(uint64_t v) {
    v = (v * 10 + (v >> 8)) & 0x00FF00FF00FF00FFull;
    v = (v * 100 + (v >> 16)) & 0x0000FFFF0000FFFFull;
    return (v * 10000 + (v >> 32)) & 0xFFFFFFFFull;
}

/* mantissa / power, rounded once to the nearest double, ties to even; power is 10^1 .. 10^19, mantissa > 2^53.
 * Returns 0 where the compiler has no 128-bit integers: the caller has a slower way. */
static inline int tf_divide(uint64_t mantissa, uint64_t power, double *out) {
#if defined(__SIZEOF_INT128__)
    /* A quotient of 60 or 61 bits: 53 of the result, the rest for rounding; the remainder is below all of them. */
    int shift = 60 + __builtin_clzll(mantissa) - __builtin_clzll(power);
    unsigned __int128 dividend = (unsigned __int128)mantissa << shift;
    uint64_t quotient = (uint64_t)(dividend / power);
    union { uint64_t bits; double value; } scale;
    quotient |= (unsigned __int128)quotient * power != dividend;
    scale.bits = (uint64_t)(1023 - shift) << 52; /* 2^-shift */
    *out = (double)quotient * scale.value;
    return 1;
#else
    (void)mantissa, (void)power, (void)out;
    return 0;
#endif
}

#endif
