"""From a split to the branch of every case."""

from treeforge.core.kernel cimport Split, index_t
from treeforge.core.loop cimport Loop


cdef int mask_cases(Loop* loop, index_t input, const Split* split) noexcept nogil
cdef void branch_cases(Loop* loop, index_t input, const Split* split) noexcept nogil
