"""What the leaves of a subtree would come to hold if it received more cases."""

from libc.stdint cimport int32_t, uint8_t

from treeforge_c45._draft cimport Draft, known_leaf


cdef class Trial:
    cdef Draft draft
    cdef double spare               # errors that may be added before they no longer matter
    cdef int tried                  # cases since that was last looked at
    cdef int n_reached
    cdef int32_t[::1] reached       # [n_nodes]: the leaves that a case has reached
    cdef uint8_t[::1] is_reached    # [n_nodes]
    cdef double[:, ::1] weights     # [n_nodes, n_classes]: of those leaves
    cdef void start(self, double spare) noexcept nogil
    cdef void reach(self, int leaf) noexcept nogil
    cdef double added(self) noexcept nogil
    cdef double finish(self) noexcept nogil


cdef inline bint try_case(Trial trial, int target, int row, double weight) noexcept nogil:
    """Count a case, whose values are all known, at its leaf below ``target``. False: enough seen."""
    cdef int leaf = known_leaf(trial.draft, target, row)
    if not trial.is_reached[leaf]:
        trial.reach(leaf)
    trial.weights[leaf, trial.draft.labels[row]] += weight
    trial.tried += 1
    if trial.tried >= 64 and trial.tried >= 4 * trial.n_reached:   # seldom enough to cost little
        trial.tried = 0
        return trial.added() <= trial.spare
    return True
