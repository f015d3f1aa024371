/* The cuts of a column in a node of few cases, without a table: every case is compared with all others at once, a bit
 * each, and bits are counted. Only where the processor has AVX2; elsewhere a table is the faster way. */
#ifndef TREEFORGE_C45_RANK_CASES_H
#define TREEFORGE_C45_RANK_CASES_H
#include "bound_cuts.h"

enum { C45_LEAST_RANKED = 8, C45_RANKED = 64 };     /* cases: one word has a bit for each */

typedef struct {
    uint64_t occupied;                  /* bits: numbers of cases that lie below some case of another value */
    uint8_t above[C45_RANKED];          /* which case that is */
} C45Ranks;

static inline int c45_can_rank(void) {
#ifdef TF_AVX2
    return tf_has_vector;
#else
    return 0;
#endif
}

/* A lane is the place of a case in a vector of bytes: two halves of a vector that may overlap are loaded, so that no
 * byte but the node's own is read, and of the second half only what the first lacks counts. This moves bits by case,
 * of 8 to 64 cases, to their lanes. */
static inline uint64_t c45_lanes(uint64_t cases, int n) {
    const int half = n > 32 ? 32 : n > 16 ? 16 : 8;
    return (cases & (((uint64_t)1 << half) - 1)) | cases >> half << (3 * half - n);
}

#ifdef TF_AVX2
/* how many cases of the first two classes lie below a case, by how many lie below it at all */
__attribute__((target("avx2,popcnt")))
static inline void c45_rank_avx2(
    C45Ranks *ranks, int three, int wide, const uint8_t *codes, int n, const uint64_t *lanes, uint8_t (*of)[C45_RANKED]
) {
    __m256i first, second;
    if (wide) {
        first = _mm256_loadu_si256((const void *)codes);
        second = _mm256_loadu_si256((const void *)(codes + n - 32));
    } else if (n > 16) {
        first = _mm256_set_m128i(_mm_loadu_si128((const void *)(codes + n - 16)), _mm_loadu_si128((const void *)codes));
    } else {
        first = _mm256_castsi128_si256(
            _mm_unpacklo_epi64(_mm_loadl_epi64((const void *)codes), _mm_loadl_epi64((const void *)(codes + n - 8))));
    }
    ranks->occupied = 0;
    for (int i = 0; i < n; i++) {
        const __m256i code = _mm256_set1_epi8((char)codes[i]);
        uint64_t others = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(code, first), code));
        if (wide) others |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(code, second), code)) << 32;
        const uint64_t below = lanes[2] & ~others;
        const int count = __builtin_popcountll(below);
        of[0][count] = (uint8_t)__builtin_popcountll(below & lanes[0]);
        if (three) of[1][count] = (uint8_t)__builtin_popcountll(below & lanes[1]);
        ranks->above[count] = (uint8_t)i;
        ranks->occupied |= (uint64_t)1 << count;
    }
}

__attribute__((target("avx2,popcnt")))
static inline void c45_bound_ranks_avx2(
    C45Bounds *b, int three, int n, uint64_t occupied, uint8_t (*of)[C45_RANKED]
) {
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128), cases = _mm256_set1_epi32(n);
    const __m256i steps = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256 scale0 = _mm256_set1_ps(b->scale[0]), scale1 = _mm256_set1_ps(b->scale[1]), scale2 = _mm256_set1_ps(b->scale[2]);
    const __m256i total0 = _mm256_set1_epi32(b->minus_total[0]), total1 = _mm256_set1_epi32(b->minus_total[1]);
    __m256 greatest = _mm256_setzero_ps();
    int cuts = 0;
    for (int a = 0; a < n; a += 8) {
        const __m256i place = _mm256_add_epi32(_mm256_set1_epi32(a), steps);
        const __m256i here = _mm256_and_si256(_mm256_set1_epi32((int)(occupied >> a & 255)), bits);
        const __m256 omega = _mm256_and_ps(
            _mm256_loadu_ps(b->omega + a), _mm256_castsi256_ps(_mm256_cmpeq_epi32(here, bits)));
        const __m256i drift0 = _mm256_add_epi32(
            _mm256_mullo_epi32(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(of[0] + a))), cases),
            _mm256_mullo_epi32(place, total0));
        __m256 first = _mm256_cvtepi32_ps(drift0), sum = _mm256_mul_ps(_mm256_mul_ps(first, first), scale0);
        _mm256_storeu_si256((void *)(b->drift[0] + a), drift0);
        if (three) {
            const __m256i drift1 = _mm256_add_epi32(
                _mm256_mullo_epi32(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(of[1] + a))), cases),
                _mm256_mullo_epi32(place, total1));
            const __m256 second = _mm256_cvtepi32_ps(drift1), third = _mm256_add_ps(first, second);
            sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_mul_ps(second, second), scale1));
            sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_mul_ps(third, third), scale2));
            _mm256_storeu_si256((void *)(b->drift[1] + a), drift1);
        }
        sum = _mm256_mul_ps(sum, omega);
        cuts += __builtin_popcount((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(omega, _mm256_setzero_ps(), _CMP_GT_OQ)));
        greatest = _mm256_max_ps(greatest, sum);
        _mm256_storeu_ps(b->bound + a, sum);
    }
    b->n_cuts = cuts; b->greatest = c45_max(greatest);
}

__attribute__((target("avx2,popcnt")))
static inline void c45_bound_cases_avx2(
    C45Bounds *b, C45Ranks *ranks, const uint8_t *codes, int n, const uint64_t *lanes
) {
    uint8_t of[2][C45_RANKED];
    if (b->three) {
        if (n > 32) c45_rank_avx2(ranks, 1, 1, codes, n, lanes, of);
        else c45_rank_avx2(ranks, 1, 0, codes, n, lanes, of);
        c45_bound_ranks_avx2(b, 1, n, ranks->occupied, of);
    } else {
        if (n > 32) c45_rank_avx2(ranks, 0, 1, codes, n, lanes, of);
        else c45_rank_avx2(ranks, 0, 0, codes, n, lanes, of);
        c45_bound_ranks_avx2(b, 0, n, ranks->occupied, of);
    }
}
#endif

/* The cuts below each number of cases, of 8 to 64; lanes: of the cases of the first two classes, and of all. `bound`
 * and `drift` have room for n rounded up to 8. Only if c45_can_rank(). */
static inline void c45_bound_cases(C45Bounds *b, C45Ranks *ranks, const uint8_t *codes, int n, const uint64_t *lanes) {
#ifdef TF_AVX2
    c45_bound_cases_avx2(b, ranks, codes, n, lanes);
#endif
}
#endif
