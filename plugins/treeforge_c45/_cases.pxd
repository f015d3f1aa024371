"""Which node of a draft each training case ends in."""

from libc.stdint cimport int32_t, uint8_t

from treeforge_c45._draft cimport Draft
from treeforge_c45._trial cimport Trial


cdef struct Run:            # cases of one class that end in one node: rows[start:start + n]
    int32_t start
    int32_t n
    int32_t next            # of the same list


cdef struct Rest:           # in a trial, what is left of a run
    int32_t start
    int32_t n
    int32_t label           # its class


cdef class Cases:
    cdef Draft draft
    cdef double* held                # [n_nodes, n_classes]: class weights of the cases that reach a node
    cdef double* total               # [n_nodes]: their sums
    cdef int32_t* rows               # [n]
    cdef double* weight              # [n], or NULL: all are 1
    cdef int32_t* last               # [n_nodes, n_classes]: last run of a list, whose next is the first; -1: none
    cdef int32_t* n_own              # [n_nodes]: cases that end there
    cdef uint8_t* dirty              # [n_nodes]: has received a case
    cdef int32_t* found              # [n_nodes]: nodes being visited
    cdef int32_t* labels             # [n_classes]: in the order of a trial
    cdef Rest* waiting               # [n / BLOCK + 1]
    cdef int n_waiting
    cdef Run* runs                   # [capacity]
    cdef int n_runs
    cdef int capacity
    cdef void* memory
    cdef Trial trial
    cdef bint failed                 # no memory
    cdef int allocate(self, size_t n, bint weighted) except -1
    cdef int sort(self, const int32_t[::1] rows, const double[::1] weight, const int32_t[::1] leaves) except -1
    cdef int make_runs(self, size_t n) except -1
    cdef void watch(self, double* held, double* total, const double* least) noexcept nogil
    cdef int add_run(self, int node, int label, int start, int n) noexcept nogil
    cdef void link(self, int node, int label, int last) noexcept nogil
    cdef int visit(self, int node, int n_found) noexcept nogil
    cdef void gather(self, int node) noexcept nogil
    cdef void take(self, int node, int source) noexcept nogil
    cdef void count(self, int node, double* counts) noexcept nogil
    cdef void move_others(self, int node, int branch, int target) noexcept nogil
    cdef void move(self, int source, int target) noexcept nogil
    cdef void move_run(self, int start, int n, int label, int target) noexcept nogil
    cdef int send(self, int target, int label, int at) noexcept nogil
    cdef void try_others(self, int node, int branch) noexcept nogil
    cdef int order_labels(self, int node, int child) noexcept nogil
    cdef void try_list(self, int node, int label) noexcept nogil
    cdef void try_run(self, int start, int n, int label, int patience) noexcept nogil


cdef inline double weight_of(Cases cases, int at) noexcept nogil:
    """Weight of the case at a place in ``rows``."""
    return 1.0 if cases.weight == NULL else cases.weight[at]
