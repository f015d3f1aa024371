"""A sample becomes the root."""

from libc.stdint cimport int32_t

from treeforge.core.columns cimport Columns
from treeforge.core.crew cimport Crew
from treeforge.core.encode cimport Encoded


cdef int load(
    Columns* work, Encoded coded, const int32_t* rows, const double* weights, const int32_t* copies, int n,
    const int32_t* held, int n_held, const int32_t* labels, bint keep_rows, Crew* crew
) noexcept nogil
