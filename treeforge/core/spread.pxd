"""From a chosen split to leaves and pending nodes."""

from libc.stdint cimport int32_t

from treeforge.core.loop cimport Loop, Pending


cdef int more_stack(Loop* loop, int more) noexcept nogil
cdef void bury(Loop* loop) noexcept nogil
cdef int split_node(Loop* loop, const Pending* at, int input) noexcept nogil
