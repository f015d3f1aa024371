/* Random cuts of a numeric input, each scored by the loop. What the structs hold: treeforge/core/kernel.h. */
#include "treeforge/core/kernel.h"
#include <math.h>

typedef struct {
    int tries;
} Params;

static int propose(const void *params, const TfNode *node, index_t input, TfSplit *out) {
    const double *values = node->columns[input].numbers;
    double low = INFINITY, high = -INFINITY, best_cut = 0.0, best = -INFINITY;
    out->n_branches = 0;
    if (values == NULL) /* a nominal input: nothing to propose */
        return 0;
    for (int i = 0; i < node->n_rows; i++) {
        double value = values[node->rows[i]];
        if (value < low) /* both tests fail on NaN, so unknown values drop out */
            low = value;
        if (value > high)
            high = value;
    }
    if (!(low < high))
        return 0;
    for (int i = 0; i < ((const Params *)params)->tries; i++) {
        double cut = low + (high - low) * tf_uniform(node);
        tf_set_threshold(out, cut);
        node->score(node, input, out); /* counts the classes, applies min_branch, asks the criterion */
        if (out->n_branches > 0 && out->gain > best) {
            best = out->gain;
            best_cut = cut;
        }
    }
    out->n_branches = 0;
    if (best > -INFINITY) {
        tf_set_threshold(out, best_cut);
        node->score(node, input, out);
    }
    return 0;
}

static PyObject *kernel(PyObject *module, PyObject *argument) {
    Params params = {(int)PyLong_AsLong(argument)};
    (void)module;
    if (PyErr_Occurred())
        return NULL;
    return tf_make_splitter(propose, NULL, 1, 1, &params, sizeof params);
}

static PyMethodDef methods[] = {
    {"kernel", kernel, METH_O, "kernel(tries): the compiled splitter in its capsule."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_kernel", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernel(void) {
    return PyModuleDef_Init(&definition);
}
