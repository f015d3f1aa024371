/* Classes of bytes, and eight or 64 bytes at a time: what C says more shortly than Cython. Portable: without SSE2 or
 * __builtin_ctzll the plain branches are taken. */
#ifndef TREEFORGE_BYTES_H
#define TREEFORGE_BYTES_H

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define TF_ALL 0xFFFFFFFFFFFFFFFFull
#define TF_ONES 0x0101010101010101ull
#define TF_TOPS 0x8080808080808080ull
#if defined(__GNUC__)
#define tf_likely(condition) __builtin_expect(!!(condition), 1)
#else
#define tf_likely(condition) (condition)
#endif
#define TF_PADDING 128 /* bytes behind a block that may be read, whatever they hold */

enum { TF_DELIMITER = 1, TF_LINE_END = 2, TF_QUOTE = 4, TF_MARK = 8 };

/* 0 for the bytes of words: those above a blank, but for a few. */
static const uint8_t tf_class[256] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, TF_LINE_END, 1, 1, TF_LINE_END, 1, 1, /* the others up to a blank are delimiters */
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    [','] = TF_DELIMITER, ['\''] = TF_QUOTE, ['"'] = TF_QUOTE, ['%'] = TF_MARK, ['{'] = TF_MARK, ['}'] = TF_MARK};

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

#endif
