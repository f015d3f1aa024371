"""Many rows through one tree."""

from libc.stdint cimport int32_t

from treeforge.core.block cimport Block
from treeforge.core.steps cimport Walker


cdef void walk_block(Walker walker, int t, const Block* block, int32_t* ends) noexcept nogil
