"""What the leaves of a subtree would come to hold if it received more cases."""

from libc.stdint cimport int32_t

from treeforge_c45._draft cimport BLOCK, Draft


cdef struct Reached:                # a leaf that a case has reached
    int leaf
    int majority
    bint doubtful                   # has received cases of other classes since its errors were looked at
    double total
    double errors                   # to expect


cdef class Trial:
    cdef Draft draft
    cdef const double* before       # [n_nodes, n_classes]: class weights that the leaves have
    cdef const double* total        # [n_nodes]: their sums
    cdef const double* least        # [n_nodes]: errors to expect of these
    cdef int target                 # cases are sent down from here
    cdef double spare               # errors that may be added before they no longer matter
    cdef double added               # that have been, at least
    cdef double doubt               # weight of cases not of their leaf's class that are not among these yet
    cdef bint over                  # more than can be spared
    cdef bint stuck                 # some case has met a test that its value is unknown for
    cdef int wrong                  # cases of the last block not of their leaf's class
    cdef int32_t[BLOCK] rows        # cases to be tried next
    cdef int32_t[BLOCK] label
    cdef double[BLOCK] weight
    cdef int n_block
    cdef int width                  # of a block: the first are small, since few cases end most trials
    cdef int n_reached
    cdef Reached* reached           # [n_nodes]
    cdef int32_t* place             # [n_nodes]: where a leaf is in ``reached``, -1: not there
    cdef int32_t* doubtful          # [n_nodes]: places in ``reached``
    cdef int n_doubtful
    cdef double* weights            # [capacity, n_classes]: of the leaves reached
    cdef int capacity
    cdef bint failed                # no memory
    cdef void start(self, int target, double spare) noexcept nogil
    cdef void add(self, int row, int label, double weight) noexcept nogil
    cdef void try_block(self) noexcept nogil
    cdef int reach(self, int leaf) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef double finish(self) noexcept nogil
