"""Before and after the loop."""

from libc.stdint cimport int32_t

from treeforge.core.crew cimport Crew
from treeforge.core.encode cimport Encoded
from treeforge.core.loop cimport Loop


cdef int set_up(
    Loop* loop, Encoded coded, const int32_t* rows, const double* weights, const int32_t* copies, int n,
    const int32_t* held, int n_held, const int32_t* labels, Crew* crew
) noexcept nogil
cdef int furnish(Loop* loop, Encoded coded) noexcept nogil
cdef int furnish_calls(Loop* loop) noexcept nogil
cdef void release_calls(Loop* loop) noexcept nogil
cdef void tear_down(Loop* loop) noexcept nogil
