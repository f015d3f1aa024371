"""From a split to the class weights of its branches."""

from treeforge.core.kernel cimport Counts, Split, index_t
from treeforge.core.loop cimport Loop


cdef int room_for_table(Loop* loop, int n_branches) noexcept nogil
cdef void tabulate(Loop* loop, index_t input, const Counts* counts, const Split* split) noexcept nogil
