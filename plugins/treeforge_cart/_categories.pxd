"""The best two-sided test of a nominal attribute: a subset of its categories against the rest."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from treeforge.core.kernel cimport CONSTANT, WIDE, Counts, Node, Split, class_weight, index_t
from treeforge_cart._partitions cimport (
    NO_MEMORY, Parts, best_partition, close_parts, keep_present, open_parts, send,
)


cdef inline int best_categories(
    int exact_up_to, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Parts parts
    cdef int n_codes = node.columns[input].n_codes
    cdef int32_t* code_of = <int32_t*>malloc((<size_t>n_codes + 1) * sizeof(int32_t))
    if code_of == NULL or open_parts(&parts, node, n_codes) < 0:
        free(code_of)
        return NO_MEMORY
    count_categories(&parts, node, input, counts)
    keep_present(&parts, parts.counts, n_codes, code_of)
    out.n_branches = CONSTANT if parts.m < 2 else 0
    if best_partition(&parts, exact_up_to):
        out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = 2, 0, 0, 0, 0
        send(&parts, code_of, n_codes, out.branch_of)
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    close_parts(&parts)
    free(code_of)
    return 0


cdef inline void count_categories(Parts* parts, const Node* node, index_t input, const Counts* counts) noexcept nogil:
    cdef int code, k, j, n = node.n_classes
    cdef const int32_t* wide
    if node.columns[input].form == WIDE:
        wide = node.wide[input]
        for j in range(node.n_rows):
            if wide[j] >= 0:
                parts.counts[<size_t>wide[j] * n + node.classes[j]] += node.weights[j] if node.weights != NULL else 1.0
        return
    for code in range(node.columns[input].n_codes):
        if counts.occupied == NULL or counts.occupied[code >> 6] >> (code & 63) & 1:
            for k in range(counts.n_present):
                parts.counts[<size_t>code * n + counts.label[k]] = class_weight(counts, code, k)
