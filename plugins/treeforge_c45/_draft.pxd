"""A tree while it is pruned."""

from libc.stdint cimport int32_t, uint8_t

from treeforge_c45._estimate cimport Confidence
from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView


cdef class Draft:
    cdef Tree tree
    cdef const TreeView* view
    cdef Table table
    cdef int n_classes
    cdef Confidence confidence
    cdef bint raising
    cdef const int32_t[::1] labels  # [n_rows]: class of each row
    cdef int32_t[::1] test          # [n_nodes]: whose test a node has; -1 at a leaf
    cdef int32_t[::1] first         # [n_nodes]: first child, -1 at a leaf
    cdef double[:, ::1] weights     # [n_nodes, n_classes]
    cdef double[::1] total          # [n_nodes]
    cdef double[::1] share          # [n_nodes]
    cdef uint8_t[::1] empty         # [n_nodes]
    cdef double[::1] errors         # [n_nodes]: expected errors of the leaves below
    cdef int largest_branch(self, int node) noexcept nogil
    cdef int branch_of(self, int node, int row) noexcept nogil
    cdef double own_errors(self, int node) noexcept nogil
    cdef int decide(self, int node, double raised) noexcept nogil
