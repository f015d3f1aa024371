"""Trees in the form that predicts."""

from libc.stdint cimport int32_t

from treeforge.core.tree cimport TreeView


cdef struct Step:
    double cut
    int32_t input             # place in a row of numbers
    int32_t first             # twice the number of the next step, or of the one before it: see step_at


cdef inline const Step* step_at(const Step* steps, Py_ssize_t here) noexcept nogil:
    """A step by twice its number. Processors multiply by 8 on the way to memory, but not by 16."""
    return <const Step*>(<const double*>steps + here)


cdef class Walker:
    cdef readonly int n_trees, n_classes
    cdef readonly int n_inputs    # up to the last that is tested
    cdef readonly int n_tested    # how many of them are
    cdef readonly int width       # numbers in a row
    cdef readonly int n_steps, n_answers
    cdef list arrays              # of each tree; not the trees, which keep their own walker: no circle of references
    cdef TreeView* views          # [n_trees]
    cdef Step* steps              # [n_steps]
    cdef int32_t* roots           # [n_trees]
    cdef int32_t* answers         # [n_steps]: row of the proportions, -1 on the way
    cdef int32_t* tested          # [n_tested]: the inputs that any tree tests
    cdef int32_t* places          # [n_tested]: where each stands in a row
    cdef int32_t* least_cells     # [n_tested]: fewest categories that a nominal test of it knows
    cdef object tables            # laplace -> (proportions, labels, pure)
    cdef int32_t* node_of_answer  # [n_answers]
    cdef int32_t* first_answer    # [n_trees + 1]: of each tree
