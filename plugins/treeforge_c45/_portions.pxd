"""Lists of cases with weights, and how a test divides them where values are unknown."""

from libc.stdint cimport int32_t, uint64_t

from treeforge_c45._cases cimport Cases
from treeforge_c45._draft cimport Draft


cdef struct Part:           # the cases that come to a node with part of their weight: rows[start:start + n]
    int node
    int start
    int n
    int top                 # from here on nothing is in use
    int list                # rows[list:list + n_list]: the same and the cases that end in the node
    int n_list
    int list_top
    int branch              # the next branch to prune
    int parts               # where its branches' parts start, -1 before they are made


cdef class Portions:
    cdef Draft draft
    cdef Cases cases
    cdef const int32_t[::1] training  # [n]: the rows of the cases, as they follow one another in training
    cdef int32_t[::1] place          # [n_rows of the table]: which case a row is
    cdef double[::1] weight_at       # [n]: of the cases of the list being put in order
    cdef uint64_t[::1] listed        # [n / 64]: a bit for each of these
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
    cdef int tally(self, int node, int start, int n, const double* whole) noexcept nogil
    cdef bint copy_list(self, Part* part) noexcept nogil
    cdef bint add_own(self, Part* part, int node) noexcept nogil
    cdef bint add_below(self, Part* part, int node) noexcept nogil
    cdef bint complete(self, Part* part, bint all_came) noexcept nogil
    cdef void put_in_order(self, Part* part) noexcept nogil
    cdef bint divide(self, const Part* part, const double* share, int n_unknown, int first_part) noexcept nogil
