/* The small functions of kernel.pxd in C. Included by kernel.h; not to be included alone. */

/* An entry of a LISTED column: code, class and row of a case. */
static inline uint32_t tf_entry_code(const TfNode *node, uint64_t entry) {
    return (uint32_t)(entry >> (node->row_bits + node->class_bits));
}

static inline int tf_entry_class(const TfNode *node, uint64_t entry) {
    return (int)(entry >> node->row_bits) & ((1 << node->class_bits) - 1);
}

static inline uint32_t tf_entry_row(const TfNode *node, uint64_t entry) {
    return (uint32_t)(entry & (((uint64_t)1 << node->row_bits) - 1));
}

/* A number in [0, 1) from the tree's stream (SplitMix64, Steele et al. 2014). */
static inline double tf_uniform(const TfNode *node) {
    uint64_t z = *node->random += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}

/* Two branches: value <= cut, value > cut. */
static inline void tf_set_threshold(TfSplit *split, double cut) {
    split->n_branches = 2;
    split->n_cuts = 1;
    split->closed_left = 0;
    split->identity = 1;
    split->settle = 0;
    split->cuts[0] = cut;
}

/* One branch a category. */
static inline void tf_set_categories(TfSplit *split, int n_categories) {
    split->n_branches = n_categories;
    split->n_cuts = 0;
    split->closed_left = 0;
    split->identity = 1;
    split->settle = 0;
}

static inline void tf_free_splitter(PyObject *capsule) {
    PyMem_Free(PyCapsule_GetPointer(capsule, "treeforge.splitter"));
}

static inline void tf_free_criterion(PyObject *capsule) {
    PyMem_Free(PyCapsule_GetPointer(capsule, "treeforge.criterion"));
}

/* A splitter kernel in its capsule; the parameters are copied, so they are plain C values. NULL: an exception is set. */
static inline PyObject *tf_make_splitter(propose_function propose, propose_all_function propose_all, int max_cuts,
                                         int needs, const void *params, size_t params_size) {
    TfSplitterKernel *kernel = (TfSplitterKernel *)PyMem_Malloc(sizeof(TfSplitterKernel) + params_size);
    if (kernel == NULL)
        return PyErr_NoMemory();
    memset(kernel, 0, sizeof(TfSplitterKernel));
    kernel->interface = TF_INTERFACE;
    kernel->size = (int)sizeof(TfSplitterKernel);
    kernel->node_size = (int)sizeof(TfNode);
    kernel->split_size = (int)sizeof(TfSplit);
    kernel->max_cuts = max_cuts;
    kernel->needs = needs;
    kernel->propose = propose;
    kernel->propose_all = propose_all;
    if (params_size)
        memcpy(kernel + 1, params, params_size);
    return PyCapsule_New(kernel, "treeforge.splitter", tf_free_splitter);
}

/* A criterion kernel in its capsule. */
static inline PyObject *tf_make_criterion(gain_function gain, score_function score, int measure, int average_rule,
                                          const void *params, size_t params_size) {
    TfCriterionKernel *kernel = (TfCriterionKernel *)PyMem_Malloc(sizeof(TfCriterionKernel) + params_size);
    if (kernel == NULL)
        return PyErr_NoMemory();
    memset(kernel, 0, sizeof(TfCriterionKernel));
    kernel->interface = TF_INTERFACE;
    kernel->size = (int)sizeof(TfCriterionKernel);
    kernel->measure = measure;
    kernel->average_rule = average_rule;
    kernel->gain = gain;
    kernel->score = score;
    if (params_size)
        memcpy(kernel + 1, params, params_size);
    return PyCapsule_New(kernel, "treeforge.criterion", tf_free_criterion);
}
