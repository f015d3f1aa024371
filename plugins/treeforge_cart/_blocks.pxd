"""Improved SPRINT's test of a number: blocks between its classes' widest gaps, and the best union of blocks.

The reference in Python is ``blocks.py``.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from treeforge.core.kernel cimport BYTES, Counts, Node, Split, class_weight, entry_class, entry_code, index_t, midpoint
from treeforge_cart._partitions cimport (
    NO_MEMORY, Parts, best_partition, close_parts, keep_present, open_parts, send,
)


cdef struct Gap:
    double width
    double cut


cdef inline int best_blocks(
    int n_blocks, int exact_up_to, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Parts parts
    cdef int n_cuts = 0
    cdef int32_t[64] code_of
    if find_cuts(n_blocks - 1, node, input, counts, out.cuts, &n_cuts) < 0 or open_parts(&parts, node, n_cuts + 1) < 0:
        return NO_MEMORY
    out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = n_cuts + 1, n_cuts, 0, 1, 0
    node.tabulate(node, input, counts, out)
    out.n_branches = 0
    keep_present(&parts, node.table, n_cuts + 1, code_of)
    if best_partition(&parts, exact_up_to):
        out.n_branches, out.identity = 2, 0
        send(&parts, code_of, n_cuts + 1, out.branch_of)
        join_cells(out)
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    close_parts(&parts)
    return 0


cdef inline void join_cells(Split* out) noexcept nogil:
    """Drop the cuts that have the same branch on both sides."""
    cdef int j, kept = 0
    for j in range(out.n_cuts):
        if out.branch_of[j + 1] != out.branch_of[kept]:
            out.cuts[kept] = out.cuts[j]
            out.branch_of[kept + 1] = out.branch_of[j + 1]
            kept += 1
    out.n_cuts = kept


cdef inline int find_cuts(
    int wanted, const Node* node, index_t input, const Counts* counts, double* cuts, int* n_cuts
) noexcept nogil:
    """The cuts of ``blocks.py``. -1: no memory."""
    cdef const double* values = node.columns[input].values
    cdef int n = node.n_classes, c, k, j, code, m = 0
    cdef size_t gaps_size = <size_t>n * wanted * sizeof(Gap)
    cdef Gap* gaps = <Gap*>malloc(gaps_size + <size_t>n * wanted * sizeof(double) + <size_t>n * sizeof(int))
    cdef double* pool = <double*>(gaps + <size_t>n * wanted)
    cdef int* last = <int*>(pool + <size_t>n * wanted)     # the class's latest value
    if gaps == NULL:
        return NO_MEMORY
    for j in range(n * wanted):
        gaps[j].width = 0.0
    for c in range(n):
        last[c] = -1
    if node.columns[input].form == BYTES:
        for code in range(node.columns[input].n_codes):
            if counts.occupied == NULL or counts.occupied[code >> 6] >> (code & 63) & 1:
                for k in range(counts.n_present):
                    c = counts.label[k]
                    if class_weight(counts, code, k) > 0.0:
                        step(gaps + c * wanted, wanted, values, &last[c], code)
    else:
        for j in range(node.list_size[input]):
            c = entry_class(node, node.list[input][j])
            step(gaps + c * wanted, wanted, values, &last[c], entry_code(node, node.list[input][j]))
    for j in range(n * wanted):
        if gaps[j].width > 0.0:
            m = pooled(pool, m, gaps[j].cut)
    while m > wanted:
        m = thinned(pool, m)
    for j in range(m):
        cuts[j] = pool[j]
    n_cuts[0] = m
    free(gaps)
    return 0


cdef inline void step(Gap* gaps, int wanted, const double* values, int* last, int code) noexcept nogil:
    """Go on to a class's next value, and keep the gap if it is among the widest, earlier ones before equals."""
    cdef double width
    cdef int i = wanted
    if last[0] == code:
        return
    if last[0] >= 0:
        width = values[code] - values[last[0]]
        while i > 0 and width > gaps[i - 1].width:
            if i < wanted:
                gaps[i] = gaps[i - 1]
            i -= 1
        if i < wanted:
            gaps[i].width, gaps[i].cut = width, midpoint(values[last[0]], values[code])
    last[0] = code


cdef inline int pooled(double* pool, int m, double cut) noexcept nogil:
    """Insert in ascending order, once."""
    cdef int i = m, j
    while i > 0 and pool[i - 1] > cut:
        i -= 1
    if i > 0 and pool[i - 1] == cut:
        return m
    for j in range(m, i, -1):
        pool[j] = pool[j - 1]
    pool[i] = cut
    return m + 1


cdef inline int thinned(double* pool, int m) noexcept nogil:
    """Replace the two that lie closest by their midpoint; the lower pair on a tie."""
    cdef int at = 0, i
    for i in range(1, m - 1):
        if pool[i + 1] - pool[i] < pool[at + 1] - pool[at]:
            at = i
    pool[at] = midpoint(pool[at], pool[at + 1])
    for i in range(at + 1, m - 1):
        pool[i] = pool[i + 1]
    return m - 1
