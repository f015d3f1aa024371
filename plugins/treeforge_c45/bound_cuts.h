/* A bound of the gain of every cut of an input (_bounds.pyx says which), in order, without a logarithm. A vector form
 * is taken at run time where the processor has AVX2; the portable form gives the same numbers, for the sums are of
 * whole numbers and each bound is computed by the same operations, none of which may be contracted to a fused
 * multiply-add (setup.py forbids it: -ffp-contract=off). */
#ifndef TREEFORGE_C45_BOUND_CUTS_H
#define TREEFORGE_C45_BOUND_CUTS_H
#include <stdint.h>
#include "treeforge_vector.h"

enum { C45_LABELS = 8 };

typedef struct {
    int three;                          /* 0: two classes are present, 1: three */
    int class_shift, code_shift;        /* of a list's entries; class_shift + 32 covers code and class */
    int32_t pull[2][C45_LABELS];        /* what a case of each class adds to the drift of the first two present */
    int32_t pair[2];                    /* the same for the drift of the first of two, by place in a table of counts */
    int32_t minus_total[2];             /* cases of the first two classes, below 0 */
    float scale[3];                     /* of the squared drifts; of two classes, the first is for both */
    const float *omega;                 /* [n]: by the cases below a cut; 0 where a side is too small */
    float *bound;                       /* [n]: of the cut below each entry, or code; 0 where none is admissible */
    int32_t *drift[2];                  /* [n]: n a_c - a t_c there */
    int32_t *below;                     /* [n_codes]: cases below a code; not for lists */
    float greatest;                     /* of the bounds */
    int n_cuts;                         /* admissible ones */
    int n_values;                       /* codes that occur; not for lists */
} C45Bounds;

static inline float c45_bound_of(const C45Bounds *b, int three, float omega, int32_t drift0, int32_t drift1) {
    float first = (float)drift0, second = (float)drift1, third = first + second;
    float sum = first * first * b->scale[0];
    if (three) sum = (sum + second * second * b->scale[1]) + third * third * b->scale[2];
    return sum * omega;
}

/* the cut below entry j, of which `drift` is that below the entry before; which is at hand, too */
static inline void c45_bound_entry(C45Bounds *b, int three, const uint64_t *list, int j, int32_t *drift) {
    const int label = (int)(list[j - 1] >> b->class_shift) & ((1 << (b->code_shift - b->class_shift)) - 1);
    float bound;
    b->drift[0][j] = drift[0] += b->pull[0][label];
    if (three) b->drift[1][j] = drift[1] += b->pull[1][label];
    bound = c45_bound_of(b, three, b->omega[j], drift[0], drift[1]);
    if ((list[j - 1] ^ list[j]) >> b->code_shift == 0) bound = 0.0f;
    else b->n_cuts += b->omega[j] > 0.0f;
    b->bound[j] = bound;
    if (bound > b->greatest) b->greatest = bound;
}

static inline void c45_bound_code(C45Bounds *b, const uint32_t *rows, int code, int32_t *drift, int32_t *below) {
    const int here = (int)(rows[2 * code] + rows[2 * code + 1]);
    const float omega = here ? b->omega[*below] : 0.0f, bound = c45_bound_of(b, 0, omega, *drift, 0);
    b->drift[0][code] = *drift; b->below[code] = *below; b->bound[code] = bound;
    b->n_cuts += omega > 0.0f; b->n_values += here > 0;
    if (bound > b->greatest) b->greatest = bound;
    *drift += b->pair[0] * (int32_t)rows[2 * code] + b->pair[1] * (int32_t)rows[2 * code + 1];
    *below += here;
}

static inline void c45_bound_list_plain(C45Bounds *b, int three, const uint64_t *list, int n) {
    int32_t drift[2] = {0, 0};
    for (int j = 1; j < n; j++) c45_bound_entry(b, three, list, j, drift);
}

static inline void c45_bound_codes_plain(C45Bounds *b, const uint32_t *rows, int n_codes) {
    int32_t drift = 0, below = 0;
    for (int code = 0; code < n_codes; code++) c45_bound_code(b, rows, code, &drift, &below);
}

static inline int c45_next_above_plain(const float *bound, int j, int n, float floor) {
    while (j < n && !(bound[j] > floor)) j++;
    return j;
}

#ifdef TF_AVX2
/* the low halves of eight words of 64 bits */
__attribute__((target("avx2")))
static inline __m256i c45_low_halves(__m256i a, __m256i b) {
    __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(both), 0xD8);
}

/* sums of the elements up to each, and `before` */
__attribute__((target("avx2")))
static inline __m256i c45_running(__m256i x, __m256i before) {
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    __m256i lower = _mm256_shuffle_epi32(_mm256_permute2x128_si256(x, x, 0x08), 0xFF);
    return _mm256_add_epi32(_mm256_add_epi32(x, lower), before);
}

__attribute__((target("avx2")))
static inline int c45_sum(__m256i x) {
    int part[8], sum = 0;
    _mm256_storeu_si256((void *)part, x);
    for (int i = 0; i < 8; i++) sum += part[i];
    return sum;
}

__attribute__((target("avx2")))
static inline float c45_max(__m256 x) {
    float part[8], most = 0.0f;
    _mm256_storeu_ps(part, x);
    for (int i = 0; i < 8; i++) most = part[i] > most ? part[i] : most;
    return most;
}

__attribute__((target("avx2")))
static inline void c45_bound_list_avx2(C45Bounds *b, int three, const uint64_t *list, int n) {
    const __m128i class_shift = _mm_cvtsi32_si128(b->class_shift);
    const __m128i class_bits = _mm_cvtsi32_si128(b->code_shift - b->class_shift);
    const __m256i mask = _mm256_set1_epi32((1 << (b->code_shift - b->class_shift)) - 1);
    const __m256i last = _mm256_set1_epi32(7), zero = _mm256_setzero_si256();
    const __m256i pull0 = _mm256_loadu_si256((const void *)b->pull[0]), pull1 = _mm256_loadu_si256((const void *)b->pull[1]);
    const __m256 scale0 = _mm256_set1_ps(b->scale[0]), scale1 = _mm256_set1_ps(b->scale[1]), scale2 = _mm256_set1_ps(b->scale[2]);
    __m256i carry0 = zero, carry1 = zero, cuts = zero; __m256 greatest = _mm256_setzero_ps();
    int32_t drift[2]; int j = 1;
    for (; j + 8 <= n; j += 8) {
        const uint64_t *at = list + j;
        __m256i before = c45_low_halves(
            _mm256_srl_epi64(_mm256_loadu_si256((const void *)(at - 1)), class_shift),
            _mm256_srl_epi64(_mm256_loadu_si256((const void *)(at + 3)), class_shift));
        __m256i here = c45_low_halves(
            _mm256_srl_epi64(_mm256_loadu_si256((const void *)at), class_shift),
            _mm256_srl_epi64(_mm256_loadu_si256((const void *)(at + 4)), class_shift));
        __m256i label = _mm256_and_si256(before, mask);
        __m256i same = _mm256_cmpeq_epi32(_mm256_srl_epi32(_mm256_xor_si256(before, here), class_bits), zero);
        __m256 omega = _mm256_andnot_ps(_mm256_castsi256_ps(same), _mm256_loadu_ps(b->omega + j)), first, second, third, sum;
        __m256i drift0 = c45_running(_mm256_permutevar8x32_epi32(pull0, label), carry0), drift1;
        carry0 = _mm256_permutevar8x32_epi32(drift0, last);
        _mm256_storeu_si256((void *)(b->drift[0] + j), drift0);
        first = _mm256_cvtepi32_ps(drift0);
        sum = _mm256_mul_ps(_mm256_mul_ps(first, first), scale0);
        if (three) {
            drift1 = c45_running(_mm256_permutevar8x32_epi32(pull1, label), carry1);
            carry1 = _mm256_permutevar8x32_epi32(drift1, last);
            _mm256_storeu_si256((void *)(b->drift[1] + j), drift1);
            second = _mm256_cvtepi32_ps(drift1);
            third = _mm256_add_ps(first, second);
            sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_mul_ps(second, second), scale1));
            sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_mul_ps(third, third), scale2));
        }
        sum = _mm256_mul_ps(sum, omega);
        cuts = _mm256_sub_epi32(cuts, _mm256_cmpgt_epi32(_mm256_castps_si256(omega), zero));
        greatest = _mm256_max_ps(greatest, sum);
        _mm256_storeu_ps(b->bound + j, sum);
    }
    drift[0] = _mm256_cvtsi256_si32(carry0); drift[1] = _mm256_cvtsi256_si32(carry1);
    b->n_cuts += c45_sum(cuts); b->greatest = c45_max(greatest);
    for (; j < n; j++) c45_bound_entry(b, three, list, j, drift);
}

__attribute__((target("avx2")))
static inline void c45_bound_codes_avx2(C45Bounds *b, const uint32_t *rows, int n_codes) {
    const __m256i last = _mm256_set1_epi32(7), zero = _mm256_setzero_si256();
    const __m256i pull = _mm256_set1_epi64x((int64_t)((uint64_t)(uint32_t)b->pair[1] << 32 | (uint32_t)b->pair[0]));
    const __m256 scale = _mm256_set1_ps(b->scale[0]);
    __m256i carry_drift = zero, carry_below = zero, cuts = zero, values = zero; __m256 greatest = _mm256_setzero_ps();
    int32_t drift, below; int code = 0;
    for (; code + 8 <= n_codes; code += 8) {
        __m256i low = _mm256_loadu_si256((const void *)(rows + 2 * code));
        __m256i high = _mm256_loadu_si256((const void *)(rows + 2 * code + 8));
        __m256i here = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low, high), 0xD8);
        __m256i step = _mm256_permute4x64_epi64(
            _mm256_hadd_epi32(_mm256_mullo_epi32(low, pull), _mm256_mullo_epi32(high, pull)), 0xD8);
        __m256i drift_to = c45_running(step, carry_drift), below_to = c45_running(here, carry_below);
        __m256i drifts = _mm256_sub_epi32(drift_to, step), belows = _mm256_sub_epi32(below_to, here);
        __m256i some = _mm256_cmpgt_epi32(here, zero);
        __m256 omega = _mm256_and_ps(_mm256_i32gather_ps(b->omega, belows, 4), _mm256_castsi256_ps(some));
        __m256 first = _mm256_cvtepi32_ps(drifts);
        __m256 bound = _mm256_mul_ps(_mm256_mul_ps(_mm256_mul_ps(first, first), scale), omega);
        carry_drift = _mm256_permutevar8x32_epi32(drift_to, last); carry_below = _mm256_permutevar8x32_epi32(below_to, last);
        cuts = _mm256_sub_epi32(cuts, _mm256_cmpgt_epi32(_mm256_castps_si256(omega), zero));
        values = _mm256_sub_epi32(values, some);
        greatest = _mm256_max_ps(greatest, bound);
        _mm256_storeu_si256((void *)(b->drift[0] + code), drifts);
        _mm256_storeu_si256((void *)(b->below + code), belows);
        _mm256_storeu_ps(b->bound + code, bound);
    }
    drift = _mm256_cvtsi256_si32(carry_drift); below = _mm256_cvtsi256_si32(carry_below);
    b->n_cuts += c45_sum(cuts); b->n_values += c45_sum(values); b->greatest = c45_max(greatest);
    for (; code < n_codes; code++) c45_bound_code(b, rows, code, &drift, &below);
}

__attribute__((target("avx2")))
static inline int c45_next_above_avx2(const float *bound, int j, int n, float floor) {
    const __m256 limit = _mm256_set1_ps(floor);
    for (; j + 8 <= n; j += 8) {
        int found = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(bound + j), limit, _CMP_GT_OQ));
        if (found) return j + __builtin_ctz((unsigned)found);
    }
    return c45_next_above_plain(bound, j, n, floor);
}
#endif

/* the cuts below the entries 1 .. n - 1 of a sorted list */
static inline void c45_bound_list(C45Bounds *b, const uint64_t *list, int n) {
    b->greatest = 0.0f; b->n_cuts = 0;
    if (b->three) TF_CHOOSE(c45_bound_list, b, 1, list, n);
    else TF_CHOOSE(c45_bound_list, b, 0, list, n);
}

/* the cuts below the codes of a column, given how many cases of two classes each has */
static inline void c45_bound_codes(C45Bounds *b, const uint32_t *rows, int n_codes) {
    b->greatest = 0.0f; b->n_cuts = b->n_values = 0;
    TF_CHOOSE(c45_bound_codes, b, rows, n_codes);
}

/* the first place from j on whose bound is above the floor; n if there is none */
static inline int c45_next_above(const float *bound, int j, int n, float floor) {
    return TF_CHOOSE(c45_next_above, bound, j, n, floor);
}
#endif
