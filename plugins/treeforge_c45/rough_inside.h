/* Many cuts valued at once, roughly: plain loops that a compiler makes vectors of. */
#ifndef TREEFORGE_C45_ROUGH_INSIDE_H
#define TREEFORGE_C45_ROUGH_INSIDE_H
#include <stdint.h>
#include <string.h>

enum { C45_CUTS = 16, C45_CUT_CLASSES = 8, C45_LANES = 4 };

typedef struct {                                /* cuts that wait to be valued */
    int n;
    double left[C45_CUT_CLASSES][C45_CUTS];     /* class weights below each cut ... */
    double right[C45_CUT_CLASSES][C45_CUTS];    /* ... and above */
    double below[C45_CUTS];                     /* weight below */
    int code[C45_CUTS];                         /* each lies between this code ... */
    int next_code[C45_CUTS];                    /* ... and this one */
} C45Cuts;

/* x ln x for x in [0, 1], error below 2e-7: ln of the mantissa in [0.7, 1.42) by the series of artanh */
static inline float c45_rough_xlogx(float x) {
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

/* `inside` (_scan.pxd) of the waiting cuts, all weights times `scale`, which makes them at most 1 */
static inline void c45_rough_inside(C45Cuts *cuts, int n_classes, double scale, float *restrict inside) {
    float below[C45_CUTS] = {0}, above[C45_CUTS] = {0};
    int n = (cuts->n + C45_LANES - 1) / C45_LANES * C45_LANES;
    for (int i = 0; i < n; i++) inside[i] = 0.0f;
    for (int k = 0; k < n_classes; k++) {
        double *left = cuts->left[k], *right = cuts->right[k];
        for (int i = cuts->n; i < n; i++) left[i] = right[i] = 0.0;
        for (int i = 0; i < n; i++) {
            float l = (float)(left[i] * scale), r = (float)(right[i] * scale);
            below[i] += l;
            above[i] += r;
            inside[i] += c45_rough_xlogx(l) + c45_rough_xlogx(r);
        }
    }
    for (int i = 0; i < n; i++) inside[i] -= c45_rough_xlogx(below[i]) + c45_rough_xlogx(above[i]);
}
#endif
