"""Subtrees that grow side by side."""

from treeforge.core.encode cimport Encoded
from treeforge.core.loop cimport Loop, Part, Pending
from treeforge.core.nodes cimport Nodes


cdef int detach(Loop* loop, const Pending* at) noexcept nogil
cdef int grow_part(Part* part, Encoded coded) noexcept nogil
cdef int join(Loop* loop, Nodes* whole, int table_rows) noexcept nogil
cdef void discard_parts(Loop* loop) noexcept nogil
