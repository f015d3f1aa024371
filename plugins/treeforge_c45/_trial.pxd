"""What the leaves of a subtree would come to hold if it received more cases."""

from libc.stdint cimport int32_t, uint8_t

from treeforge_c45._draft cimport BLOCK, Draft


cdef class Trial:
    cdef Draft draft
    cdef double[:, ::1] before      # [n_nodes, n_classes]: class weights that the leaves have
    cdef double[::1] least          # [n_nodes]: errors to expect of these
    cdef int target                 # cases are sent down from here
    cdef double spare               # errors that may be added before they no longer matter
    cdef bint over                  # more have been added
    cdef int tried                  # cases since that was last looked at
    cdef int32_t[BLOCK] rows        # cases to be tried next
    cdef double[BLOCK] weight
    cdef int n_block
    cdef bint stuck                 # some case has met a test that its value is unknown for
    cdef int wrong                  # cases of the last block not of the class that their leaf predicted
    cdef int n_reached
    cdef int32_t[::1] reached       # [n_nodes]: the leaves that a case has reached
    cdef uint8_t[::1] is_reached    # [n_nodes]
    cdef int32_t[::1] majority      # [n_nodes]: of those leaves
    cdef double[:, ::1] weights     # [n_nodes, n_classes]: of those leaves
    cdef void start(self, int target, double spare) noexcept nogil
    cdef void add(self, int row, double weight) noexcept nogil
    cdef void try_block(self) noexcept nogil
    cdef void reach(self, int leaf) noexcept nogil
    cdef double added(self) noexcept nogil
    cdef double finish(self) noexcept nogil
