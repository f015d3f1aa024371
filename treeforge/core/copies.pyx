"""The copies of a row in a bootstrap become one case, that weighs as much as they do.

While all weights are 1, copies are cases of their own: whole numbers are counted fast, and kernels need not
know of copies. Once cases are shared out there are weights anyway, and then a third of a bootstrap's cases
need not be carried along. A row's copies have the same values, so they go the same way, and lie side by side.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from treeforge.core.columns cimport Columns, Region
from treeforge.core.kernel cimport LISTED


cdef void merge_copies(Columns* work, Region* node) noexcept nogil:
    """Merge the cases of a node whose columns are ``gathered``; ``branch`` goes along, and ``weights`` begin."""
    cdef uint32_t* rows = work.rows + node.start
    cdef uint16_t* classes = work.classes + node.start
    cdef double* weights = work.weights + node.start
    cdef int j, q, m = -1
    for j in range(node.n):
        if m >= 0 and rows[m] == rows[j]:
            weights[m] += 1.0
            continue
        m += 1
        rows[m], classes[m], work.branch[m], weights[m] = rows[j], classes[j], work.branch[j], 1.0
    node.n = m + 1
    for q in range(work.n_live):
        if work.columns[work.live[q]].form == LISTED:
            merge_list(work, node, work.live[q])


cdef void merge_list(Columns* work, Region* node, int input) noexcept nogil:
    cdef int l = work.list_place[input], j, m = -1
    cdef uint64_t* list = work.list[input] + node.list_start[l]
    for j in range(node.list_size[l]):
        m += m < 0 or list[m] != list[j]     # copies are the same entry
        list[m] = list[j]
    node.list_size[l] = m + 1
