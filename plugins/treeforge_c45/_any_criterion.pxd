"""Midpoints under a criterion that is not information gain: each cut is scored by the criterion itself."""

from libc.string cimport memset

from treeforge.core.kernel cimport BYTES, CONSTANT, Column, Counts, Node, Split, entry_class, entry_code, entry_row, index_t
from treeforge.core.kernel cimport set_threshold
from treeforge_c45._scan cimport Params, gap, middle


cdef inline void best_cut_by_criterion(
    const Params* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    """Classes below and above the cut are the two rows of ``node.table``."""
    cdef const Column* column = &node.columns[input]
    cdef int n_classes = node.n_classes, best_code = -1, best_next = 0, code, last = -1, j = 0, c
    cdef double known = 0.0, below = 0.0, best = 0.0, gain, here
    cdef double* left = node.table
    cdef double* right = left + n_classes
    cdef bint coded = column.form == BYTES
    memset(left, 0, 2 * n_classes * sizeof(double))
    if coded:
        for code in range(column.n_codes):
            add_code(node, counts, code, right)
    else:
        for j in range(node.list_size[input]):
            right[entry_class(node, node.list[input][j])] += weight_of(node, input, j)
    for c in range(n_classes):
        known += right[c]
    code, j = -1, 0
    while True:
        if coded:
            code += 1
            if code == column.n_codes:
                break
            if code_weight(node, counts, code) == 0.0:
                continue
        else:
            if j == node.list_size[input]:
                break
            code = entry_code(node, node.list[input][j])
        if (last >= 0 and gap(column, last, code) and node.min_branch - below < 1e-6
                and node.min_branch - (known - below) < 1e-6):
            gain = node.criterion.gain(node.criterion_params, left, 2, n_classes, known, node.weight)
            if gain > best:
                best, best_code, best_next = gain, last, code
        last = code
        if coded:
            below += move_code(node, counts, code, left, right)
            continue
        while j < node.list_size[input] and <int>entry_code(node, node.list[input][j]) == code:
            here, c = weight_of(node, input, j), entry_class(node, node.list[input][j])
            left[c] += here
            right[c] -= here
            below += here
            j += 1
    if best_code >= 0:
        set_threshold(out, middle(column.values, best_code, best_next))
        node.score(node, input, out)
        out.settle = params.settle


cdef inline double weight_of(const Node* node, index_t input, int j) noexcept nogil:
    return 1.0 if node.weights == NULL else node.row_weight[entry_row(node, node.list[input][j])]


cdef inline double cell(const Counts* counts, int code, int k) noexcept nogil:
    cdef size_t at = <size_t>code * counts.stride + counts.place[k]
    if counts.occupied != NULL and not counts.occupied[code >> 6] >> (code & 63) & 1:
        return 0.0
    return counts.weight[at] if counts.number == NULL else <double>counts.number[at]


cdef inline double code_weight(const Node* node, const Counts* counts, int code) noexcept nogil:
    cdef double total = 0.0
    cdef int k
    for k in range(counts.n_present):
        total += cell(counts, code, k)
    return total


cdef inline void add_code(const Node* node, const Counts* counts, int code, double* row) noexcept nogil:
    cdef int k
    for k in range(counts.n_present):
        row[counts.label[k]] += cell(counts, code, k)


cdef inline double move_code(
    const Node* node, const Counts* counts, int code, double* left, double* right
) noexcept nogil:
    """From above the cut to below it; returns the weight moved."""
    cdef double total = 0.0, here
    cdef int k
    for k in range(counts.n_present):
        here = cell(counts, code, k)
        left[counts.label[k]] += here
        right[counts.label[k]] -= here
        total += here
    return total
