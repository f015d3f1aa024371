"""Lists of cases with weights, and how a test divides them where values are unknown."""

from libc.stdint cimport int32_t

from treeforge_c45._draft cimport Draft


cdef struct Part:           # a node's cases: rows[start:start + n] and their weights
    int node
    int start
    int n
    int top                 # from here on nothing is in use
    int branch              # the next branch to prune
    int superset            # in a trial: holds all that the node itself holds, and perhaps more
    int parts               # where its branches' parts start, -1 before they are made


cdef class Portions:
    cdef Draft draft
    cdef int32_t* rows       # [capacity]
    cdef double* weight      # [capacity]
    cdef int32_t* branch     # [capacity]: of the cases being divided
    cdef int capacity
    cdef Part* parts
    cdef int n_parts
    cdef int parts_capacity
    cdef double* table       # [most branches + 1, n_classes]
    cdef double* branch_total
    cdef int* at
    cdef bint failed
    cdef bint room(self, int capacity) noexcept nogil
    cdef int new_parts(self, int count) noexcept nogil
    cdef int tally(self, int node, int start, int n) noexcept nogil
    cdef bint divide(
        self, int node, int start, int n, int top, const double* share, int n_unknown, int first_part
    ) noexcept nogil
