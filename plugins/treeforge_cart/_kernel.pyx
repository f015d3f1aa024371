"""Binary tests, compiled: the best subset of categories, the best union of blocks of a number.

The best midpoint is the loop's own (``best_cut`` of the node).
"""

from treeforge.core.kernel cimport COUNTS_SUFFICE, Counts, Node, Split, index_t, make_splitter, search_all, search_one
from treeforge_cart._blocks cimport best_blocks
from treeforge_cart._categories cimport best_categories


cdef struct Params:
    int blocks               # of a numeric attribute; 0: midpoints
    int exact_up_to          # categories of which all subsets are tried, with more than two classes


def kernel(int blocks, int exact_up_to):
    """``blocks`` 0: best midpoint."""
    cdef Params params = Params(blocks, exact_up_to)
    return make_splitter(propose, propose_all, max(blocks - 1, 1), COUNTS_SUFFICE, &params, sizeof(Params))


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    return search_one(params, node, input, search, out)


cdef int propose_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    return search_all(params, node, search, splits)


cdef int search(const void* params, const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    cdef const Params* p = <const Params*>params
    if node.columns[input].nominal:
        return best_categories(p.exact_up_to, node, input, counts, out)
    if p.blocks:
        return best_blocks(p.blocks, p.exact_up_to, node, input, counts, out)
    node.best_cut(node, input, counts, node.min_branch, 0.0, out)
    return 0
