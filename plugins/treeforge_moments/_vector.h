/* Plain values, several at a time: powers summed, cases counted below cuts, the next value found.
 *
 * Each loop is compiled for any processor and for AVX2, which is taken at run time where the processor has it. Sums are
 * taken in eight parts whatever the width of the vectors, and never contracted: the same bits everywhere. Build with
 * -DTREEFORGE_PORTABLE to leave AVX2 out. */
#ifndef TREEFORGE_MOMENTS_VECTOR_H
#define TREEFORGE_MOMENTS_VECTOR_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TREEFORGE_PORTABLE)
#define TFM_AVX2 1
#include <immintrin.h>
#endif
#define TFM_BODY static inline __attribute__((always_inline))

typedef double tfm_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t tfm_bits __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct { double known, s1, s2, s3; } TfmSums;  /* of w, w d, w d^2, w d^3; d: a value less the shift */

#define TFM_STEP(x, w, c, a0, a1, a2, a3) { \
    tfm_four v = *(const tfm_four *)(x), d = v - shift, weight = {0}; \
    tfm_bits there = v == v; \
    if (unknown) { d = (tfm_four)((tfm_bits)d & there); c -= there; } \
    if (weights) { \
        weight = *(const tfm_four *)(w); \
        if (unknown) weight = (tfm_four)((tfm_bits)weight & there); \
        a0 += weight; a1 += weight * d; a2 += weight * d * d; a3 += weight * d * d * d; \
    } else { a1 += d; a2 += d * d; a3 += d * d * d; } \
}

TFM_BODY double tfm_total(const tfm_four *a) { return ((*a)[0] + (*a)[1]) + ((*a)[2] + (*a)[3]); }

TFM_BODY void tfm_sum_body(const double *x, const double *weights, int n, double shift, int unknown, TfmSums *out) {
    tfm_four a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    tfm_bits c = {0};
    double rest[8], rest_weights[8] = {0};
    for (int j = 0; j < n; j += 8) {
        const double *p = x + j, *w = weights ? weights + j : NULL;
        if (n - j < 8) {  /* filled up by what adds nothing */
            for (int k = 0; k < 8; k++) rest[k] = k < n - j ? p[k] : shift;
            for (int k = 0; w && k < n - j; k++) rest_weights[k] = w[k];
            p = rest; w = rest_weights;
            if (unknown) c[3] -= 8 - (n - j);
        }
        TFM_STEP(p, w, c, a0, a1, a2, a3)
        TFM_STEP(p + 4, weights ? w + 4 : NULL, c, b0, b1, b2, b3)
    }
    a0 += b0; a1 += b1; a2 += b2; a3 += b3;
    out->known = weights ? tfm_total(&a0) : unknown ? (double)(c[0] + c[1] + c[2] + c[3]) : n;
    out->s1 = tfm_total(&a1); out->s2 = tfm_total(&a2); out->s3 = tfm_total(&a3);
}

#define TFM_SUM(name) \
static void name(const double *x, const double *weights, int n, double shift, int unknown, TfmSums *out) { \
    if (weights) tfm_sum_body(x, weights, n, shift, 1, out); \
    else if (unknown) tfm_sum_body(x, NULL, n, shift, 1, out); \
    else tfm_sum_body(x, NULL, n, shift, 0, out); \
}

/* Bits of at most 64 cases not above each of the cuts; 1: some value lies above low[i], but not above high[i]. */
TFM_BODY int tfm_below_plain(
    const double *x, int first, int n, const double *low, const double *high, int n_cuts, int exact, uint64_t *below
) {
    int between = 0;
    for (int j = first; j < n; j++)
        for (int i = 0; i < n_cuts; i++) {
            int is_below = x[j] <= low[i];
            below[i] |= (uint64_t)is_below << j;
            if (!exact) between |= is_below ^ (x[j] <= high[i]);
        }
    return between;
}

/* counts[i, k]: cases of the k-th class not above low[i]. 1: some value lies above low[i], but not above high[i];
 * no one looks for such values where `low` and `high` are the same array. */
#define TFM_COUNT(name, below_of, bits_in) \
static int name(const double *x, int n, const double *low, const double *high, int n_cuts, \
                const uint64_t *planes, int n_classes, uint32_t *counts) { \
    int words = (n + 63) >> 6, between = 0, exact = low == high; \
    memset(counts, 0, (size_t)n_cuts * n_classes * sizeof(uint32_t)); \
    for (int word = 0; word < words; word++) { \
        uint64_t below[4] = {0}; \
        int here = n - 64 * word < 64 ? n - 64 * word : 64; \
        const double *at = x + 64 * word; \
        if (exact && n_cuts == 2) below_of(at, 0, here, low, high, 2, 1, below); \
        else if (exact) below_of(at, 0, here, low, high, n_cuts, 1, below); \
        else if (n_cuts == 3) between |= below_of(at, 0, here, low, high, 3, 0, below); \
        else between |= below_of(at, 0, here, low, high, n_cuts, 0, below); \
        for (int k = 0; k < n_classes; k++) { \
            uint64_t plane = planes[(size_t)k * words + word]; \
            for (int i = 0; i < n_cuts; i++) counts[i * n_classes + k] += bits_in(below[i] & plane); \
        } \
    } \
    return between; \
}

TFM_BODY uint32_t tfm_bits_in(uint64_t word) { return (uint32_t)__builtin_popcountll(word); }

/* How many values are not above a limit; NaN is above none. */
#define TFM_UP_TO(name) \
static int name(const double *x, int n, double limit) { \
    tfm_bits c = {0}; \
    int j = 0, count = 0; \
    for (; j + 4 <= n; j += 4) c -= *(const tfm_four *)(x + j) <= limit; \
    for (; j < n; j++) count += x[j] <= limit; \
    return count + (int)(c[0] + c[1] + c[2] + c[3]); \
}

#define TFM_UP_TO_BOTH(name) \
static int name(const double *x, int n, double low, double high, int *up_to_high) { \
    tfm_bits c = {0}, d = {0}; \
    int j = 0, count = 0, more = 0; \
    for (; j + 4 <= n; j += 4) { \
        c -= *(const tfm_four *)(x + j) <= low; \
        d -= *(const tfm_four *)(x + j) <= high; \
    } \
    for (; j < n; j++) { count += x[j] <= low; more += x[j] <= high; } \
    *up_to_high = more + (int)(d[0] + d[1] + d[2] + d[3]); \
    return count + (int)(c[0] + c[1] + c[2] + c[3]); \
}

/* Values in (low, high], in their order, and how many; `out` has room for four more. */
TFM_BODY int tfm_between_plain(const double *x, int first, int n, double low, double high, double *out, int found) {
    for (int j = first; j < n; j++) {
        out[found] = x[j];
        found += (low < x[j]) & (x[j] <= high);
    }
    return found;
}

/* Of n values, at most 12 where there is room for 12, the k-th in ascending order, and the one after it (infinity: there is none). The place of each
 * is counted: sorting so few would be guessing at every comparison. */
#define TFM_KTH(name) \
static double name(const double *x, int n, int k, double *next) { \
    int64_t less[12], up_to[12]; \
    double kth = 0.0, after = __builtin_inf(); \
    tfm_four v0 = *(const tfm_four *)x, v1 = *(const tfm_four *)(x + 4), v2 = *(const tfm_four *)(x + 8); \
    tfm_bits a0 = {0}, a1 = {0}, a2 = {0}, b0 = {0}, b1 = {0}, b2 = {0}; \
    for (int j = 0; j < n; j++) { \
        a0 -= x[j] < v0; a1 -= x[j] < v1; a2 -= x[j] < v2; \
        b0 -= x[j] <= v0; b1 -= x[j] <= v1; b2 -= x[j] <= v2; \
    } \
    *(tfm_bits *)less = a0; *(tfm_bits *)(less + 4) = a1; *(tfm_bits *)(less + 8) = a2; \
    *(tfm_bits *)up_to = b0; *(tfm_bits *)(up_to + 4) = b1; *(tfm_bits *)(up_to + 8) = b2; \
    for (int j = 0; j < n; j++) { \
        kth = (less[j] <= k) & (k < up_to[j]) ? x[j] : kth; \
        after = (less[j] <= k + 1) & (k + 1 < up_to[j]) ? x[j] : after; \
    } \
    *next = after; \
    return kth; \
}

TFM_SUM(tfm_sum_plain)
TFM_KTH(tfm_kth_plain)
TFM_UP_TO(tfm_up_to_plain)
TFM_UP_TO_BOTH(tfm_up_to_both_plain)
TFM_COUNT(tfm_count_plain, tfm_below_plain, tfm_bits_in)

#ifdef TFM_AVX2
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
TFM_BODY int tfm_below_avx2(
    const double *x, int first, int n, const double *low, const double *high, int n_cuts, int exact, uint64_t *below
) {
    __m256d between = _mm256_setzero_pd();
    int j = first;
    for (; j + 4 <= n; j += 4) {
        __m256d v = _mm256_loadu_pd(x + j);
        for (int i = 0; i < n_cuts; i++) {
            __m256d is_below = _mm256_cmp_pd(v, _mm256_set1_pd(low[i]), _CMP_LE_OQ);
            if (!exact) between = _mm256_or_pd(
                between, _mm256_xor_pd(is_below, _mm256_cmp_pd(v, _mm256_set1_pd(high[i]), _CMP_LE_OQ))
            );
            below[i] |= (uint64_t)_mm256_movemask_pd(is_below) << j;
        }
    }
    return (_mm256_movemask_pd(between) != 0) | tfm_below_plain(x, j, n, low, high, n_cuts, exact, below);
}

TFM_SUM(tfm_sum_avx2)
TFM_UP_TO(tfm_up_to_avx2)
TFM_UP_TO_BOTH(tfm_up_to_both_avx2)
TFM_KTH(tfm_kth_avx2)

/* double words of the values whose bit is set, in order */
static const int32_t tfm_pick[16][8] = {
    {0}, {0, 1}, {2, 3}, {0, 1, 2, 3}, {4, 5}, {0, 1, 4, 5}, {2, 3, 4, 5}, {0, 1, 2, 3, 4, 5},
    {6, 7}, {0, 1, 6, 7}, {2, 3, 6, 7}, {0, 1, 2, 3, 6, 7}, {4, 5, 6, 7}, {0, 1, 4, 5, 6, 7}, {2, 3, 4, 5, 6, 7},
    {0, 1, 2, 3, 4, 5, 6, 7},
};

static int tfm_between_avx2(const double *x, int first, int n, double low, double high, double *out, int found) {
    const __m256d above = _mm256_set1_pd(low), limit = _mm256_set1_pd(high);
    int j = first;
    for (; j + 4 <= n; j += 4) {
        __m256d v = _mm256_loadu_pd(x + j);
        int m = _mm256_movemask_pd(
            _mm256_and_pd(_mm256_cmp_pd(above, v, _CMP_LT_OQ), _mm256_cmp_pd(v, limit, _CMP_LE_OQ))
        );
        __m256i order = _mm256_loadu_si256((const __m256i *)tfm_pick[m]);
        _mm256_storeu_si256((__m256i *)(out + found), _mm256_permutevar8x32_epi32(_mm256_castpd_si256(v), order));
        found += __builtin_popcount(m);
    }
    return tfm_between_plain(x, j, n, low, high, out, found);
}
TFM_COUNT(tfm_count_avx2, tfm_below_avx2, tfm_bits_in)
#pragma GCC pop_options
#endif

#ifdef TFM_AVX2
#define TFM_CHOOSE(name, ...) \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? name##_avx2(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define TFM_CHOOSE(name, ...) name##_plain(__VA_ARGS__)
#endif

static inline void tfm_sum(const double *x, const double *weights, int n, double shift, int unknown, TfmSums *out) {
    TFM_CHOOSE(tfm_sum, x, weights, n, shift, unknown, out);
}

static inline int tfm_up_to(const double *x, int n, double limit) {
    return TFM_CHOOSE(tfm_up_to, x, n, limit);
}

/* The same for two limits in one go. */
static inline int tfm_up_to_both(const double *x, int n, double low, double high, int *up_to_high) {
    return TFM_CHOOSE(tfm_up_to_both, x, n, low, high, up_to_high);
}

static inline double tfm_kth(const double *x, int n, int k, double *next) {
    return TFM_CHOOSE(tfm_kth, x, n, k, next);
}

static inline int tfm_between(const double *x, int n, double low, double high, double *out) {
    return TFM_CHOOSE(tfm_between, x, 0, n, low, high, out, 0);
}

static inline int tfm_count(const double *x, int n, const double *low, const double *high, int n_cuts,
                            const uint64_t *planes, int n_classes, uint32_t *counts) {
    return TFM_CHOOSE(tfm_count, x, n, low, high, n_cuts, planes, n_classes, counts);
}
#endif
