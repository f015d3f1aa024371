"""What the kernels of this package share: which form of an input is searched how, and nominal inputs."""

from treeforge.core.kernel cimport (
    BYTES, Counts, Node, Split, index_t, propose_function, search_function, set_categories,
)
from treeforge_moments._plain cimport goes_plain
from treeforge_moments._whole cimport branch_size, is_whole, judge_whole, occurs


cdef inline void every_category(const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    """One branch a category."""
    cdef int n_codes = node.columns[input].n_codes, n_known = node.n_rows
    set_categories(out, n_codes)
    if node.columns[input].form == BYTES and is_whole(node):
        if occurs(counts, n_codes):
            n_known -= branch_size(counts, n_codes)
        judge_whole(node, counts, n_known, out)
    else:
        node.tabulate(node, input, counts, out)
        node.judge(node, out)


cdef inline void search_mixed(
    const void* params, const Node* node, propose_function plain, search_function coded, Split* splits
) noexcept nogil:
    """The body of a ``propose_all``: case by case, or by counts; BYTES columns are counted four at a time."""
    cdef bint whole = is_whole(node)
    cdef index_t waiting[4]
    cdef Counts counts[4]
    cdef index_t input
    cdef int i, q, m = 0
    for i in range(node.n_candidates):
        input = node.candidates[i]
        if goes_plain(node, input, whole):
            plain(params, node, input, &splits[input])
        elif node.columns[input].form == BYTES:
            waiting[m] = input
            m += 1
        else:
            coded(params, node, input, NULL, &splits[input])
        if m == 4 or (m and i + 1 == node.n_candidates):
            node.count(node, waiting, m, counts)
            for q in range(m):
                coded(params, node, waiting[q], &counts[q], &splits[waiting[q]])
            m = 0
