/* The loops where vector instructions pay: moving coded columns (byte, word and double-word columns are divided
 * by a bit mask at 0.25 ns a row instead of 1.8, doubles at 0.6; entries of lists in half the time), looking for
 * numbers that are none (in a third of the time), and for whole ones. Every function has a portable form; the vector
 * form is taken at run time where the processor has AVX2, and for bytes a shorter one where it has AVX-512.
 * Build with -DTREEFORGE_PORTABLE to leave it out.
 *
 * divideN(a, spare, mask, n, yes): stable; rows whose bit is set go to a[0:yes], the others to a[yes:n].
 * `spare` has room for n elements; `a` and `spare` have 32 bytes of room behind their end. */
#ifndef TREEFORGE_VECTOR_H
#define TREEFORGE_VECTOR_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TF_SCALAR_TAIL(type) \
    for (; i < n; i++) { \
        type v = a[i]; int go = mask[i >> 3] >> (i & 7) & 1; \
        *front = v; *back = v; front += go; back += 1 - go; \
    } \
    memcpy(a + yes, spare, (size_t)(n - yes) * sizeof(type));

#define TF_LIST_TAIL \
    for (; i < n; i++) { \
        uint64_t v = a[i], row = v & row_mask, go = side[row >> 6] >> (row & 63) & 1; \
        *front = v; *back = v; front += go; back += 1 - go; \
    } \
    memcpy(a + yes, spare, (size_t)(n - yes) * 8);

static inline int tf_tally_from(
    int i, const uint64_t *list, int n, int class_shift, int code_shift, uint64_t *classes
) {
    const uint64_t class_mask = ((uint64_t)1 << (code_shift - class_shift)) - 1; int changes = 0;
    for (; i < n; i++) {
        *classes += (uint64_t)1 << 8 * (list[i] >> class_shift & class_mask);
        changes += (list[i] ^ list[i - 1]) >> code_shift != 0;
    }
    return changes;
}

static inline int tf_whole_from(int i, const double *a, int n, int32_t *whole, int32_t *low, int32_t *high) {
    int other = 0;
    for (; i < n; i++) {
        int32_t k = (int32_t)a[i]; whole[i] = k;
        other |= (double)k != a[i]; *low = k < *low ? k : *low; *high = k > *high ? k : *high;
    }
    return other == 0;
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TREEFORGE_PORTABLE)
#define TF_AVX2 1
#include <immintrin.h>

static uint8_t tf_pick8[256][8];    /* PSHUFB: bytes of the set bits, in order */
static uint8_t tf_pick16[256][16];  /* the same for words */
static uint32_t tf_pick32[256][8];  /* VPERMD: double words of the set bits, in order */
static uint32_t tf_pick64[16][8];   /* the same for pairs of them */
static int tf_has_vector;
static int tf_has_compress;         /* AVX-512 moves the marked bytes of a vector together by itself */

/* when the module is loaded: several threads may be the first to divide */
__attribute__((constructor))
static void tf_find_vector(void) {
    for (int m = 0; m < 256; m++) {
        int k = 0;
        memset(tf_pick8[m], 0x80, 8); memset(tf_pick16[m], 0x80, 16); memset(tf_pick32[m], 0, 32);
        for (int b = 0; b < 8; b++) if (m >> b & 1) {
            tf_pick8[m][k] = (uint8_t)b;
            tf_pick16[m][2 * k] = (uint8_t)(2 * b); tf_pick16[m][2 * k + 1] = (uint8_t)(2 * b + 1);
            tf_pick32[m][k] = (uint32_t)b; k++;
        }
    }
    for (int m = 0; m < 16; m++)
        for (int b = 0, k = 0; b < 4; b++) if (m >> b & 1) {
            tf_pick64[m][k++] = (uint32_t)(2 * b); tf_pick64[m][k++] = (uint32_t)(2 * b + 1);
        }
    __builtin_cpu_init();
    tf_has_vector = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    tf_has_compress = tf_has_vector && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2");
}

__attribute__((target("avx2,popcnt")))
static void tf_divide8_avx2(uint8_t *a, uint8_t *spare, const uint8_t *mask, int n, int yes) {
    uint8_t *front = a, *back = spare; int i = 0;
    for (; i + 8 <= n; i += 8) {
        uint8_t m = mask[i >> 3], w = (uint8_t)~m; int k = __builtin_popcount(m);
        __m128i v = _mm_loadl_epi64((const void *)(a + i));
        _mm_storel_epi64((void *)front, _mm_shuffle_epi8(v, _mm_loadl_epi64((const void *)tf_pick8[m])));
        _mm_storel_epi64((void *)back, _mm_shuffle_epi8(v, _mm_loadl_epi64((const void *)tf_pick8[w])));
        front += k; back += 8 - k;
    }
    TF_SCALAR_TAIL(uint8_t)
}

__attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt")))
static void tf_divide8_avx512(uint8_t *a, uint8_t *spare, const uint8_t *mask, int n, int yes) {
    uint8_t *front = a, *back = spare; int i = 0;
    for (; i + 64 <= n; i += 64) {
        __m512i v = _mm512_loadu_si512((const void *)(a + i));
        uint64_t m; int k;
        memcpy(&m, mask + (i >> 3), 8); k = __builtin_popcountll(m);
        _mm512_storeu_si512((void *)front, _mm512_maskz_compress_epi8(m, v));
        _mm512_storeu_si512((void *)back, _mm512_maskz_compress_epi8(~m, v));
        front += k; back += 64 - k;
    }
    if (i < n) {
        const uint64_t all = ~(uint64_t)0 >> (64 - (n - i));
        __m512i v = _mm512_maskz_loadu_epi8(all, a + i);
        uint64_t m = 0; int k;
        memcpy(&m, mask + (i >> 3), (size_t)(n - i + 7) / 8); m &= all; k = __builtin_popcountll(m);
        _mm512_mask_storeu_epi8(front, ((uint64_t)1 << k) - 1, _mm512_maskz_compress_epi8(m, v));
        _mm512_mask_storeu_epi8(back, all >> k, _mm512_maskz_compress_epi8(all & ~m, v));
    }
    memcpy(a + yes, spare, (size_t)(n - yes));
}

__attribute__((target("avx2,popcnt")))
static void tf_divide16_avx2(uint16_t *a, uint16_t *spare, const uint8_t *mask, int n, int yes) {
    uint16_t *front = a, *back = spare; int i = 0;
    for (; i + 8 <= n; i += 8) {
        uint8_t m = mask[i >> 3], w = (uint8_t)~m; int k = __builtin_popcount(m);
        __m128i v = _mm_loadu_si128((const void *)(a + i));
        _mm_storeu_si128((void *)front, _mm_shuffle_epi8(v, _mm_loadu_si128((const void *)tf_pick16[m])));
        _mm_storeu_si128((void *)back, _mm_shuffle_epi8(v, _mm_loadu_si128((const void *)tf_pick16[w])));
        front += k; back += 8 - k;
    }
    TF_SCALAR_TAIL(uint16_t)
}

__attribute__((target("avx2,popcnt")))
static void tf_divide32_avx2(uint32_t *a, uint32_t *spare, const uint8_t *mask, int n, int yes) {
    uint32_t *front = a, *back = spare; int i = 0;
    for (; i + 8 <= n; i += 8) {
        uint8_t m = mask[i >> 3], w = (uint8_t)~m; int k = __builtin_popcount(m);
        __m256i v = _mm256_loadu_si256((const void *)(a + i));
        _mm256_storeu_si256((void *)front, _mm256_permutevar8x32_epi32(v, _mm256_loadu_si256((const void *)tf_pick32[m])));
        _mm256_storeu_si256((void *)back, _mm256_permutevar8x32_epi32(v, _mm256_loadu_si256((const void *)tf_pick32[w])));
        front += k; back += 8 - k;
    }
    TF_SCALAR_TAIL(uint32_t)
}

__attribute__((target("avx2,popcnt")))
static void tf_divide64_avx2(uint64_t *a, uint64_t *spare, const uint8_t *mask, int n, int yes) {
    uint64_t *front = a, *back = spare; int i = 0;
    for (; i + 4 <= n; i += 4) {
        uint8_t m = mask[i >> 3] >> (i & 4) & 15, w = (uint8_t)(15 - m); int k = __builtin_popcount(m);
        __m256i v = _mm256_loadu_si256((const void *)(a + i));
        _mm256_storeu_si256((void *)front, _mm256_permutevar8x32_epi32(v, _mm256_loadu_si256((const void *)tf_pick64[m])));
        _mm256_storeu_si256((void *)back, _mm256_permutevar8x32_epi32(v, _mm256_loadu_si256((const void *)tf_pick64[w])));
        front += k; back += 4 - k;
    }
    TF_SCALAR_TAIL(uint64_t)
}

__attribute__((target("avx2,popcnt")))
static void tf_divide_list_avx2(uint64_t *a, uint64_t *spare, const uint64_t *side, uint64_t row_mask, int n, int yes) {
    const __m256i low = _mm256_set1_epi32((int)row_mask), ends = _mm256_set1_epi32(31);
    uint64_t *front = a, *back = spare; int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i v = _mm256_loadu_si256((const void *)(a + i)), w = _mm256_loadu_si256((const void *)(a + i + 4));
        __m256i row = _mm256_and_si256(low, _mm256_permute4x64_epi64(_mm256_castps_si256(
            _mm256_shuffle_ps(_mm256_castsi256_ps(v), _mm256_castsi256_ps(w), 0x88)), 0xD8));
        __m256i word = _mm256_i32gather_epi32((const int *)side, _mm256_srli_epi32(row, 5), 4);
        __m256i bit = _mm256_sllv_epi32(word, _mm256_andnot_si256(row, ends));     /* to the sign */
        int m = _mm256_movemask_ps(_mm256_castsi256_ps(bit)), k;
        _mm256_storeu_si256((void *)front, _mm256_permutevar8x32_epi32(v, _mm256_loadu_si256((const void *)tf_pick64[m & 15])));
        _mm256_storeu_si256((void *)back, _mm256_permutevar8x32_epi32(v, _mm256_loadu_si256((const void *)tf_pick64[~m & 15])));
        k = __builtin_popcount((unsigned)m & 15); front += k; back += 4 - k;
        _mm256_storeu_si256((void *)front, _mm256_permutevar8x32_epi32(w, _mm256_loadu_si256((const void *)tf_pick64[m >> 4])));
        _mm256_storeu_si256((void *)back, _mm256_permutevar8x32_epi32(w, _mm256_loadu_si256((const void *)tf_pick64[~m >> 4 & 15])));
        k = __builtin_popcount((unsigned)m >> 4); front += k; back += 4 - k;
    }
    TF_LIST_TAIL
}

__attribute__((target("avx2,popcnt")))
static int tf_above8_avx2(const uint8_t *code, int cut, uint8_t *mask, int n) {
    const __m256i limit = _mm256_set1_epi8((char)cut); int i = 0, yes = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i v = _mm256_loadu_si256((const void *)(code + i));
        uint32_t m = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(v, limit), v));
        memcpy(mask + (i >> 3), &m, 4); yes += __builtin_popcount(m);
    }
    for (; i < n; i += 8) {
        uint8_t m = 0; int k = n - i < 8 ? n - i : 8;
        for (int b = 0; b < k; b++) m |= (uint8_t)((code[i + b] > cut) << b);
        mask[i >> 3] = m; yes += __builtin_popcount(m);
    }
    return yes;
}

__attribute__((target("avx2")))
static int tf_tally_avx2(const uint64_t *list, int n, int class_shift, int code_shift, uint64_t *classes) {
    const __m128i to_class = _mm_cvtsi32_si128(class_shift), to_code = _mm_cvtsi32_si128(code_shift);
    const __m256i class_mask = _mm256_set1_epi64x(((int64_t)1 << (code_shift - class_shift)) - 1);
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi64x(1);
    __m256i packed = zero, same = zero; uint64_t p[4], s[4]; int i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256i v = _mm256_loadu_si256((const void *)(list + i)), before = _mm256_loadu_si256((const void *)(list + i - 1));
        __m256i label = _mm256_and_si256(_mm256_srl_epi64(v, to_class), class_mask);
        __m256i change = _mm256_srl_epi64(_mm256_xor_si256(v, before), to_code);
        packed = _mm256_add_epi64(packed, _mm256_sllv_epi64(one, _mm256_slli_epi64(label, 3)));
        same = _mm256_sub_epi64(same, _mm256_cmpeq_epi64(change, zero));
    }
    _mm256_storeu_si256((void *)p, packed); _mm256_storeu_si256((void *)s, same);
    *classes = p[0] + p[1] + p[2] + p[3];
    return i - (int)(s[0] + s[1] + s[2] + s[3]) + tf_tally_from(i, list, n, class_shift, code_shift, classes);
}

__attribute__((target("avx2")))
static int tf_whole_avx2(const double *a, int n, int32_t *whole, int32_t *low, int32_t *high) {
    __m128i least = _mm_set1_epi32(*low), most = _mm_set1_epi32(*high); __m256d other = _mm256_setzero_pd();
    int32_t l[4], h[4]; int i = 0;
    for (; i + 4 <= n; i += 4) {
        __m256d v = _mm256_loadu_pd(a + i); __m128i k = _mm256_cvttpd_epi32(v);
        other = _mm256_or_pd(other, _mm256_cmp_pd(_mm256_cvtepi32_pd(k), v, _CMP_NEQ_UQ));
        least = _mm_min_epi32(least, k); most = _mm_max_epi32(most, k);
        _mm_storeu_si128((void *)(whole + i), k);
    }
    _mm_storeu_si128((void *)l, least); _mm_storeu_si128((void *)h, most);
    for (int b = 0; b < 4; b++) { *low = l[b] < *low ? l[b] : *low; *high = h[b] > *high ? h[b] : *high; }
    return _mm256_movemask_pd(other) == 0 && tf_whole_from(i, a, n, whole, low, high);
}

__attribute__((target("avx2,popcnt")))
static int tf_all_finite_avx2(const double *a, ptrdiff_t n) {
    __m256d odd = _mm256_setzero_pd(), v, w; ptrdiff_t i = 0; int found;
    for (; i + 8 <= n; i += 8) {
        v = _mm256_loadu_pd(a + i); w = _mm256_loadu_pd(a + i + 4);
        odd = _mm256_or_pd(odd, _mm256_cmp_pd(_mm256_sub_pd(v, v), _mm256_sub_pd(w, w), _CMP_UNORD_Q));
    }
    found = _mm256_movemask_pd(odd);
    for (; i < n; i++) found |= a[i] - a[i] != 0;
    return found == 0;
}
#endif

#define TF_PORTABLE_DIVIDE(bits, type) \
    static void tf_divide##bits##_plain(type *a, type *spare, const uint8_t *mask, int n, int yes) { \
        type *front = a, *back = spare; int i = 0; \
        TF_SCALAR_TAIL(type) \
    }
TF_PORTABLE_DIVIDE(8, uint8_t)
TF_PORTABLE_DIVIDE(16, uint16_t)
TF_PORTABLE_DIVIDE(32, uint32_t)
TF_PORTABLE_DIVIDE(64, uint64_t)

static void tf_divide_list_plain(uint64_t *a, uint64_t *spare, const uint64_t *side, uint64_t row_mask, int n, int yes) {
    uint64_t *front = a, *back = spare; int i = 0;
    TF_LIST_TAIL
}

static inline int tf_above8_plain(const uint8_t *code, int cut, uint8_t *mask, int n) {
    int yes = 0;
    for (int i = 0; i < n; i += 8) {
        uint8_t m = 0; int k = n - i < 8 ? n - i : 8;
        for (int b = 0; b < k; b++) { m |= (uint8_t)((code[i + b] > cut) << b); yes += code[i + b] > cut; }
        mask[i >> 3] = m;
    }
    return yes;
}

static inline int tf_tally_plain(const uint64_t *list, int n, int class_shift, int code_shift, uint64_t *classes) {
    *classes = 0;
    return tf_tally_from(0, list, n, class_shift, code_shift, classes);
}

static inline int tf_whole_plain(const double *a, int n, int32_t *whole, int32_t *low, int32_t *high) {
    return tf_whole_from(0, a, n, whole, low, high);
}

static inline int tf_all_finite_plain(const double *a, ptrdiff_t n) {
    int found = 0;
    for (ptrdiff_t i = 0; i < n; i++) found |= a[i] - a[i] != 0;
    return found == 0;
}

#ifdef TF_AVX2
#define TF_CHOOSE(name, ...) (tf_has_vector ? name##_avx2(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define TF_CHOOSE(name, ...) name##_plain(__VA_ARGS__)
#endif

static inline void tf_divide8(uint8_t *a, uint8_t *spare, const uint8_t *mask, int n, int yes) {
#ifdef TF_AVX2
    if (tf_has_compress) { tf_divide8_avx512(a, spare, mask, n, yes); return; }
#endif
    TF_CHOOSE(tf_divide8, a, spare, mask, n, yes);
}
static inline void tf_divide16(uint16_t *a, uint16_t *spare, const uint8_t *mask, int n, int yes) {
    TF_CHOOSE(tf_divide16, a, spare, mask, n, yes);
}
static inline void tf_divide32(uint32_t *a, uint32_t *spare, const uint8_t *mask, int n, int yes) {
    TF_CHOOSE(tf_divide32, a, spare, mask, n, yes);
}
static inline void tf_divide64(uint64_t *a, uint64_t *spare, const uint8_t *mask, int n, int yes) {
    TF_CHOOSE(tf_divide64, a, spare, mask, n, yes);
}
/* mask: bit i is set where code[i] > cut; returns how many are */
static inline int tf_above8(const uint8_t *code, int cut, uint8_t *mask, int n) {
    return TF_CHOOSE(tf_above8, code, cut, mask, n);
}

/* how often the code changes from one entry to the next, list[-1] being the one before the first; *classes: how many
 * entries each of up to 8 classes has, a byte each (n <= 255) */
static inline int tf_tally(const uint64_t *list, int n, int class_shift, int code_shift, uint64_t *classes) {
    return TF_CHOOSE(tf_tally, list, n, class_shift, code_shift, classes);
}

/* n numbers as whole ones, and the range low .. high made to hold them; returns whether that is what they are */
static inline int tf_whole(const double *a, int n, int32_t *whole, int32_t *low, int32_t *high) {
    return TF_CHOOSE(tf_whole, a, n, whole, low, high);
}

/* whether n numbers are neither NaN nor infinite: those, less themselves, are NaN, and the others 0 */
static inline int tf_all_finite(const double *a, ptrdiff_t n) {
    return TF_CHOOSE(tf_all_finite, a, n);
}

/* sorted list of entries whose low `row_mask` bits, at most 31, are the row: rows whose bit is set go to the front */
static inline void tf_divide_list(uint64_t *a, uint64_t *spare, const uint64_t *side, uint64_t row_mask, int n, int yes) {
    TF_CHOOSE(tf_divide_list, a, spare, side, row_mask, n, yes);
}

/* The values at some places. Told to, the compiler takes eight in a turn: counting had cost as much as reading. */
#ifdef __GNUC__
#define TF_UNROLL _Pragma("GCC unroll 8")
#else
#define TF_UNROLL
#endif
#define TF_GATHER(bits, type) \
    static inline void tf_gather##bits(type *to, const type *values, const uint32_t *places, int n) { \
        TF_UNROLL for (int i = 0; i < n; i++) to[i] = values[places[i]]; \
    }
TF_GATHER(8, uint8_t)
TF_GATHER(16, uint16_t)
TF_GATHER(32, uint32_t)
TF_GATHER(64, double)
#endif
