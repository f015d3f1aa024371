"""From a split to its class weights, and to the branch of every case."""

from libc.stdint cimport int32_t

from treeforge.core.loop cimport Loop
from treeforge.core.kernel cimport Counts, Node, Split, index_t


cdef int n_cells(const Node* node, index_t input, const Split* split) noexcept nogil
cdef void find_bounds(Loop* loop, index_t input, const Split* split) noexcept nogil
cdef int room_for_table(Loop* loop, int n_branches) noexcept nogil
cdef void tabulate(Loop* loop, index_t input, const Counts* counts, const Split* split) noexcept nogil
cdef int mask_cases(Loop* loop, index_t input, const Split* split) noexcept nogil
cdef void branch_cases(Loop* loop, index_t input, const Split* split) noexcept nogil
cdef void settle_cuts(Loop* loop, index_t input, Split* split) noexcept nogil
