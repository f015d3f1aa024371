"""From a threshold to a training value."""

from treeforge.core.kernel cimport Split, index_t
from treeforge.core.loop cimport Loop


cdef int settle_cuts(Loop* loop, index_t input, Split* split) noexcept nogil
cdef int mark_all(Loop* loop) noexcept nogil
