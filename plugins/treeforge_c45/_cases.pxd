"""Which node of a draft each training case ends in."""

from libc.stdint cimport int32_t, uint8_t

from treeforge_c45._draft cimport Draft
from treeforge_c45._trial cimport Trial


cdef class Cases:
    cdef Draft draft
    cdef const int32_t[::1] rows     # [n]
    cdef const double[::1] weight    # [n]
    cdef double[:, ::1] held         # [n_nodes, n_classes]: class weights of the cases that reach a node
    cdef double[::1] total           # [n_nodes]: their sums
    cdef int32_t[::1] majority       # [n_nodes]: of the nodes that cases end in
    cdef int32_t[:, ::1] head        # [n_nodes, 2]: first case not of that class, first of that class; -1: none
    cdef int32_t[:, ::1] tail
    cdef int32_t[::1] next           # [n]: the case after this one in the same list
    cdef uint8_t[::1] dirty          # [n_nodes]: has received a case
    cdef int32_t[::1] node_stack     # [n_nodes]
    cdef int32_t[::1] waiting        # in a trial, cases from which on a list is not tried yet
    cdef int n_waiting
    cdef Trial trial
    cdef void add(self, int node, int case) noexcept nogil
    cdef void append(self, int node, int label, int head, int tail) noexcept nogil
    cdef void gather(self, int node) noexcept nogil
    cdef void move_list(self, int case, int target) noexcept nogil
    cdef void move_others(self, int node, int branch, int target) noexcept nogil
    cdef void try_others(self, int node, int branch, double spare) noexcept nogil
    cdef void try_lists(self, int source) noexcept nogil
    cdef void try_list(self, int case, int patience) noexcept nogil
