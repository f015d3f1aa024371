"""A tree while it is pruned."""

from libc.stdint cimport int32_t, uint8_t

from treeforge.core.encode cimport Encoded
from treeforge.core.table cimport Table
from treeforge.core.tree cimport Tree, TreeView, branch_of_row
from treeforge_c45._estimate cimport Confidence

cdef enum:
    LEAF = 0
    CODE_ABOVE = 1          # a threshold on a byte: branch 1 where the code is above `code`
    CODE = 2                # the byte is the branch
    NUMBER_ABOVE = 3        # a threshold on a number
    OTHER = 4               # any other test: looked up in the grown tree
    BLOCK = 16              # rows walked side by side

cdef extern from *:
    void prefetch "__builtin_prefetch"(const void* address) nogil


cdef struct Step:           # what sending a case through a node needs, in one place: a walk waits for memory
    int32_t kind
    int32_t first           # first child
    int32_t n_branches      # of a leaf 0
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
    cdef const int32_t* labels      # [n_rows]: class of each row
    cdef int32_t* place             # [nodes of the grown tree]: the node that each is, or lies below
    cdef int n_nodes                # a node's children come after it
    cdef Step* step                 # [n_nodes]
    cdef double* weights            # [n_nodes, n_classes]
    cdef double* total              # [n_nodes]
    cdef double* share              # [n_nodes]
    cdef uint8_t* empty             # [n_nodes]
    cdef double* errors             # [n_nodes]: expected errors of the leaves below
    cdef bint counts                # class weights are whole numbers
    cdef void* memory
    cdef int number_nodes(self, bint collapse) except -1
    cdef int allocate(self) except -1
    cdef void copy_node(self, int node, int grown) noexcept nogil
    cdef void expect(self, bint counts) noexcept nogil
    cdef void receive(self, int node, const double* counts, double share) noexcept nogil
    cdef double own_errors(self, int node) noexcept nogil
    cdef double errors_below(self, int node) noexcept nogil
    cdef int largest_branch(self, int node) noexcept nogil
    cdef double limit(self, double as_leaf, double below) noexcept nogil
    cdef int decide(self, double as_leaf, double below, double raised) noexcept nogil
    cdef void make_leaf(self, int node) noexcept nogil


cdef object walked(Draft draft, const int32_t[::1] rows)


cdef inline double* weights_of(Draft draft, int node) noexcept nogil:
    """Class weights, [n_classes]."""
    return draft.weights + <size_t>node * draft.n_classes


cdef inline void* carve(char** free_memory, size_t size) noexcept nogil:
    """The next part of a block of memory, for numbers of up to 8 bytes."""
    cdef void* part = free_memory[0]
    free_memory[0] += (size + 7) & ~<size_t>7
    return part


cdef inline int branch_of(Draft draft, const Step* step, int row) noexcept nogil:
    """Branch of a row at a test, -1 when the value is unknown."""
    cdef int code, above
    if step.bytes != NULL:
        code = step.bytes[row]
        if code == step.unknown:
            return -1
        above = code > step.code
        return above ^ ((above ^ code) & -(step.kind == CODE))      # no jump: which kind comes next is hard to predict
    if step.kind == NUMBER_ABOVE:
        return -1 if step.numbers[row] != step.numbers[row] else step.numbers[row] > step.cut
    return branch_of_row(draft.view, draft.table, step.test, row)


cdef inline void ask_for(const Step* step, int row) noexcept nogil:
    """Have the value that a test will look at fetched."""
    if step.bytes != NULL:
        prefetch(step.bytes + row)
    elif step.numbers != NULL:
        prefetch(step.numbers + row)


cdef inline void ends(Draft draft, int node, const int32_t* rows, int n, int32_t* found) noexcept nogil:
    """Where up to BLOCK rows end below a node: at a leaf, or at the first test that their value is unknown for.

    Side by side, a test each in turn: a row walked alone waits for memory at every test.
    """
    cdef const Step* step = &draft.step[node]
    cdef int walking[BLOCK]
    cdef int n_walking = n if step.kind else 0, i, k, b, kept
    for k in range(n):
        found[k], walking[k] = node, k
        ask_for(step, rows[k])
    while n_walking:
        kept = 0
        for i in range(n_walking):
            k = walking[i]
            step = &draft.step[found[k]]
            b = branch_of(draft, step, rows[k])
            if b < 0:
                continue
            found[k] = step.first + b
            step = &draft.step[found[k]]
            walking[kept] = k       # no jump either: whether it is a leaf is hard to predict
            kept += step.kind != 0
            ask_for(step, rows[k])
        n_walking = kept
