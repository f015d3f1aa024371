"""Which inputs a node looks at, and what they propose."""

from treeforge.core.loop cimport Loop


cdef int propose(Loop* loop) noexcept nogil
cdef void weigh_rows(Loop* loop) noexcept nogil
