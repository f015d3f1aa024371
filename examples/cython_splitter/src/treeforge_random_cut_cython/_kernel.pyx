"""Random cuts of a numeric input, each scored by the loop. Says what the structs hold: treeforge/core/kernel.pxd."""

from libc.math cimport INFINITY

from treeforge.core.kernel cimport Node, Split, index_t, make_splitter, set_threshold, uniform


cdef struct Params:
    int tries


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    cdef const double* values = node.columns[input].numbers
    cdef double low = INFINITY, high = -INFINITY, value, cut, best_cut = 0.0, best = -INFINITY
    cdef int i
    out.n_branches = 0
    if values == NULL:                      # a nominal input: nothing to propose
        return 0
    for i in range(node.n_rows):
        value = values[node.rows[i]]
        if value < low:                     # both tests fail on NaN, so unknown values drop out
            low = value
        if value > high:
            high = value
    if not low < high:
        return 0
    for i in range((<const Params*>params).tries):
        cut = low + (high - low) * uniform(node)
        set_threshold(out, cut)
        node.score(node, input, out)        # counts the classes, applies min_branch, asks the criterion
        if out.n_branches > 0 and out.gain > best:
            best, best_cut = out.gain, cut
    out.n_branches = 0
    if best > -INFINITY:
        set_threshold(out, best_cut)
        node.score(node, input, out)
    return 0


def kernel(int tries):
    cdef Params params = Params(tries)
    return make_splitter(propose, NULL, 1, True, &params, sizeof(Params))
