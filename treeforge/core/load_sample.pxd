"""The columns of a sample that is not simply the table."""

from libc.stdint cimport int32_t

from treeforge.core.load cimport Loading


cdef int load_sample(
    Loading* job, const double* weights, const int32_t* copies, const int32_t* held, int n_held,
    const int32_t* labels, bint keep_rows
) noexcept nogil
