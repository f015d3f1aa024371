"""A tree while it is pruned."""

from libc.stdint cimport int32_t, uint8_t

from treeforge.core.encode cimport Encoded
from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView, branch_of_code, branch_of_number
from treeforge_c45._estimate cimport Confidence

cdef enum:
    LEAF = 0
    CODE_ABOVE = 1          # a threshold on a byte: branch 1 where the code is above `code`
    CODE = 2                # the byte is the branch
    NUMBER_ABOVE = 3        # a threshold on a number
    OTHER = 4               # any other test: looked up in the grown tree


cdef struct Step:           # what sending a case through a node needs, in one place: a walk waits for memory
    int32_t kind
    int32_t first           # first child
    int32_t test            # whose test of the grown tree it is
    int32_t code
    int32_t unknown         # the byte of an unknown value
    const uint8_t* bytes    # by row
    const double* numbers   # by row
    double cut


cdef class Draft:
    cdef Tree tree
    cdef const TreeView* view
    cdef Table table
    cdef Encoded coded
    cdef int n_classes
    cdef Confidence confidence
    cdef bint raising
    cdef const int32_t[::1] labels  # [n_rows]: class of each row
    cdef const int32_t[::1] parent  # [n_nodes], of the grown tree
    cdef Step* step                 # [n_nodes]
    cdef double[:, ::1] weights     # [n_nodes, n_classes]
    cdef double[::1] total          # [n_nodes]
    cdef double[::1] share          # [n_nodes]
    cdef uint8_t[::1] empty         # [n_nodes]
    cdef double[::1] errors         # [n_nodes]: expected errors of the leaves below
    cdef int n_branches(self, int node) noexcept nogil
    cdef double limit(self, int node) noexcept nogil
    cdef int largest_branch(self, int node) noexcept nogil
    cdef double own_errors(self, int node) noexcept nogil
    cdef int decide(self, int node, double raised) noexcept nogil
    cdef void make_leaf(self, int node) noexcept nogil


cdef inline int branch_of(Draft draft, const Step* step, int row) noexcept nogil:
    """Branch of a row at a test, -1 when the value is unknown."""
    cdef int input, code
    if step.bytes != NULL:
        code = step.bytes[row]
        if code == step.unknown:
            return -1
        return code > step.code if step.kind == CODE_ABOVE else code
    if step.kind == NUMBER_ABOVE:
        return -1 if step.numbers[row] != step.numbers[row] else step.numbers[row] > step.cut
    input = draft.view.attribute[step.test]
    if draft.table.numbers[input] != NULL:
        return branch_of_number(draft.view, step.test, draft.table.numbers[input][row])
    return branch_of_code(draft.view, step.test, draft.table.codes[input][row])


cdef inline int known_leaf(Draft draft, int node, int row) noexcept nogil:
    """The leaf below a node where a row ends whose values are all known."""
    cdef const Step* step = &draft.step[node]
    while step.kind:
        if step.kind == CODE_ABOVE:
            node = step.first + (step.bytes[row] > step.code)
        elif step.kind == NUMBER_ABOVE:
            node = step.first + (step.numbers[row] > step.cut)
        elif step.kind == CODE:
            node = step.first + step.bytes[row]
        else:
            node = step.first + branch_of(draft, step, row)
        step = &draft.step[node]
    return node
