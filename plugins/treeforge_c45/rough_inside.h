/* Many cuts valued at once, roughly: plain loops that a compiler makes vectors of, compiled for any processor and for
 * AVX2, which is taken at run time where the processor has it. Build with -DTREEFORGE_PORTABLE to leave that out. */
#ifndef TREEFORGE_C45_ROUGH_INSIDE_H
#define TREEFORGE_C45_ROUGH_INSIDE_H
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TREEFORGE_PORTABLE)
#define C45_AVX2 1
#endif
#ifdef __GNUC__
#define C45_BODY static inline __attribute__((always_inline))
#else
#define C45_BODY static inline
#endif

enum { C45_CUTS = 16, C45_CUT_CLASSES = 8, C45_LANES = 8 };

typedef struct {                                /* cuts that wait to be valued */
    int n;
    /* class weights below each cut, and above; with room for a whole vector behind the last */
    double left[C45_CUT_CLASSES][C45_CUTS + C45_LANES];
    double right[C45_CUT_CLASSES][C45_CUTS + C45_LANES];
    double below[C45_CUTS];                     /* weight below */
    int code[C45_CUTS];                         /* each lies between this code ... */
    int next_code[C45_CUTS];                    /* ... and this one */
} C45Cuts;

/* x ln x for x in [0, 1], error below 2e-7: ln of the mantissa in [0.7, 1.42) by the series of artanh */
C45_BODY float c45_rough_xlogx(float x) {
    int32_t bits, e;
    float m, s, q;
    x = __builtin_fabsf(x);                     /* a difference may have come out just below 0 */
    memcpy(&bits, &x, 4);
    e = (bits - 0x3F3504F3) >> 23;
    bits -= e * (1 << 23);
    memcpy(&m, &bits, 4);
    s = (m - 1.0f) / (m + 1.0f);
    q = s * s;
    q = 1.0f + q * (1.0f / 3 + q * (1.0f / 5 + q * (1.0f / 7)));
    return x * ((float)e * 0.6931472f + 2.0f * s * q);
}

/* `inside` (_scan.pxd) of the waiting cuts, all weights times `scale`, which makes them at most 1; the greatest of them */
C45_BODY float c45_rough_body(C45Cuts *cuts, int n_classes, double scale, float *restrict inside) {
    float below[C45_CUTS] = {0}, above[C45_CUTS] = {0}, best = -__builtin_inff();
    int n = (cuts->n + C45_LANES - 1) / C45_LANES * C45_LANES;
    for (int i = 0; i < n; i++) inside[i] = 0.0f;
    for (int k = 0; k < n_classes; k++) {
        double *left = cuts->left[k], *right = cuts->right[k];
        for (int i = 0; i < C45_LANES; i++) left[cuts->n + i] = right[cuts->n + i] = 0.0;
        for (int i = 0; i < n; i++) {
            float l = (float)(left[i] * scale), r = (float)(right[i] * scale);
            below[i] += l;
            above[i] += r;
            inside[i] += c45_rough_xlogx(l) + c45_rough_xlogx(r);
        }
    }
    for (int i = 0; i < n; i++) inside[i] -= c45_rough_xlogx(below[i]) + c45_rough_xlogx(above[i]);
    for (int i = 0; i < cuts->n; i++) best = inside[i] > best ? inside[i] : best;
    return best;
}

static float c45_rough_plain(C45Cuts *cuts, int n_classes, double scale, float *restrict inside) {
    return c45_rough_body(cuts, n_classes, scale, inside);
}

#ifdef C45_AVX2
#pragma GCC push_options
#pragma GCC target("avx2")
static float c45_rough_avx2(C45Cuts *cuts, int n_classes, double scale, float *restrict inside) {
    return c45_rough_body(cuts, n_classes, scale, inside);
}
#pragma GCC pop_options
#endif

static inline float c45_rough_inside(C45Cuts *cuts, int n_classes, double scale, float *restrict inside) {
#ifdef C45_AVX2
    if (__builtin_cpu_supports("avx2")) return c45_rough_avx2(cuts, n_classes, scale, inside);
#endif
    return c45_rough_plain(cuts, n_classes, scale, inside);
}
#endif
