/* Eight bytes at a time, and one exact division: what C says more shortly than Cython. Portable: a compiler without
 * __int128 or __builtin_ctzll takes the plain branches. */
#ifndef TREEFORGE_BYTES_H
#define TREEFORGE_BYTES_H

#include <stdint.h>
#include <string.h>

#define TF_ONES 0x0101010101010101ull
#define TF_TOPS 0x8080808080808080ull
#define TF_PADDING 64 /* bytes behind a block that may be read, whatever they hold */

/* Eight bytes, the first in memory lowest. */
static inline uint64_t tf_load(const char *p) {
    uint64_t v;
    memcpy(&v, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* Top bit of the lowest byte that ends a plain word: a comma, or anything up to a blank. 0 when none does.
 * Bits above the lowest one may be wrong (borrows travel upwards). */
static inline uint64_t tf_word_ends(uint64_t v) {
    uint64_t comma = v ^ (0x2C * TF_ONES);
    uint64_t above_blank = ((v & ~TF_TOPS) + (0x80 - 0x21) * TF_ONES) | v;
    return (((comma - TF_ONES) & ~comma) | ~above_blank) & TF_TOPS;
}

/* The same for the lowest byte that is no digit, of v ^ "00000000". */
static inline uint64_t tf_no_digits(uint64_t v) { return ((v + (0x80 - 10) * TF_ONES) | v) & TF_TOPS; }

/* Place of the byte whose top bit is the lowest one set; v is not 0. */
static inline int tf_place(uint64_t v) {
#if defined(__GNUC__)
    return __builtin_ctzll(v) >> 3;
#else
    int place = 0;
    while (!(v & 0x80)) v >>= 8, place++;
    return place;
#endif
}

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
