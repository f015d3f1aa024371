"""The way of a case with unknown values."""

from treeforge.core.block cimport Source
from treeforge.core.tree cimport TreeView


cdef struct Frame:      # a test whose value is unknown: its branches are answered one after the other
    int node
    int branch
    double part


cdef struct Walk:
    Frame* frames       # [size]
    double* sums        # [size, n_classes]: what a frame's branches add up to
    int size


cdef int descend(
    const TreeView* tree, const Source* values, Py_ssize_t row, bint laplace, Walk* walk, double* out
) noexcept nogil
