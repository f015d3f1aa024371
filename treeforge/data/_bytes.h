/* Eight or 64 bytes at a time, one exact division, and big pages: what C says more shortly than Cython. Portable: without
 * SSE2, __int128 or __builtin_ctzll the plain branches are taken. */
#ifndef TREEFORGE_BYTES_H
#define TREEFORGE_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define TF_ONES 0x0101010101010101ull
#define TF_TOPS 0x8080808080808080ull
#if defined(__GNUC__)
#define tf_likely(condition) __builtin_expect(!!(condition), 1)
#else
#define tf_likely(condition) (condition)
#endif
#define TF_PADDING 128 /* bytes behind a block that may be read, whatever they hold */

/* Eight bytes, the first in memory lowest. */
static inline uint64_t tf_load(const char *p) {
    uint64_t v;
    memcpy(&v, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* Bit i tells whether p[i] ends a plain word: a comma, or anything up to a blank. */
static inline uint64_t tf_ends_in_64(const char *p) {
    uint64_t ends = 0;
#if defined(__SSE2__)
    const __m128i comma = _mm_set1_epi8(','), blank = _mm_set1_epi8(' ');
    for (int i = 0; i < 4; i++) {
        __m128i x = _mm_loadu_si128((const __m128i *)(p + 16 * i));
        __m128i found = _mm_or_si128(_mm_cmpeq_epi8(x, comma), _mm_cmpeq_epi8(_mm_min_epu8(x, blank), x));
        ends |= (uint64_t)(uint32_t)_mm_movemask_epi8(found) << 16 * i;
    }
#else
    for (int i = 0; i < 8; i++) {
        uint64_t x = tf_load(p + 8 * i), comma = x ^ (0x2C * TF_ONES);
        uint64_t no_comma = ((comma & ~TF_TOPS) + ~TF_TOPS) | comma;
        uint64_t above_blank = ((x & ~TF_TOPS) + (0x80 - 0x21) * TF_ONES) | x;
        /* gathers the top bits of eight bytes in one */
        ends |= ((~(no_comma & above_blank) & TF_TOPS) >> 7) * 0x0102040810204080ull >> 56 << 8 * i;
    }
#endif
    return ends;
}

/* Top bits of the bytes that are no digits, of v ^ "00000000". Behind a byte above 0xB9 a digit may count as none. */
static inline uint64_t tf_no_digits(uint64_t v) { return ((v + (0x80 - 10) * TF_ONES) | v) & TF_TOPS; }

/* Place of the lowest bit that is set; v is not 0. */
static inline int tf_lowest(uint64_t v) {
#if defined(__GNUC__)
    return __builtin_ctzll(v);
#else
    int place = 0;
    while (!(v & 1)) v >>= 1, place++;
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

/* realloc, on big pages where the system has them on request: touching memory first is a quarter of the reading
 * time otherwise. free() takes it back. */
static inline void *tf_reserve(void *memory, size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const size_t big = (size_t)2 << 20;
    if (size >= big / 2) {
        size = (size + big - 1) / big * big;
        memory = memory ? realloc(memory, size) : aligned_alloc(big, size);
        if (memory) {
            char *start = (char *)(((uintptr_t)memory + big - 1) / big * big), *stop = (char *)memory + size;
            if (start < stop) madvise(start, (size_t)(stop - start) / big * big, MADV_HUGEPAGE);
        }
        return memory;
    }
#endif
    return realloc(memory, size);
}

#endif
