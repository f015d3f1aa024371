"""The way of a case that is parted: by unknown values, and by soft thresholds."""

from treeforge.core.block cimport Source
from treeforge.core.tree cimport TreeView


cdef struct Bounds:     # of soft thresholds
    const double* lower  # [n_cuts]
    const double* upper  # [n_cuts]


cdef struct Frame:      # a test at which the case is parted: its branches are answered one after the other
    int node
    int branch          # the next one
    double part
    double below        # the part of it that lies below the cut; -1: the value is unknown


cdef struct Walk:
    Frame* frames       # [size]
    double* sums        # [size, n_classes]: what a frame's branches add up to
    int size


cdef double part_below(double value, double lower, double cut, double upper, bint closed_left) noexcept nogil
cdef int descend(
    const TreeView* tree, const Bounds* soft, const Source* values, Py_ssize_t row, int root, bint laplace, Walk* walk,
    double* out
) noexcept nogil
cdef void close_walk(Walk* walk) noexcept
