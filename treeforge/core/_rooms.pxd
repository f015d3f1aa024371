"""What a guarded kernel writes in, with marks behind it, and what is wrong with what it wrote."""

from libc.stdint cimport int32_t
from libc.stdlib cimport malloc

from treeforge.core.kernel cimport Node, Split, SplitterKernel, index_t

cdef enum:
    MARKS = 64               # behind each room
    MARK = 0x5AFEC0DE


cdef enum Fault:
    NONE = 0
    BEYOND_CUTS
    BEYOND_CELLS
    BEYOND_SCRATCH
    TOO_MANY_CUTS
    CUTS_DO_NOT_ASCEND
    TOO_MANY_BRANCHES
    NO_SUCH_BRANCH
    NOT_TABULATED
    MOVED
    NOT_ASKED


cdef struct Guarded:
    Node node                # what the kernel sees; its ``loop`` is this struct, also in copies that the kernel makes
    const Node* loops        # the node of the loop
    const SplitterKernel* kernel
    int fault
    index_t input            # where; while nothing is wrong, the one that is asked for
    int n_tabulated          # branches in ``table``
    int32_t* scratch         # [8 * n_classes + MARKS], as words


cdef inline void note(Guarded* guard, index_t input, int fault) noexcept nogil:
    """The first fault is the one that is told; ``NONE`` is none."""
    if guard.fault == NONE and fault != NONE:
        guard.fault, guard.input = fault, input


# ------------------------------------------------------------------ rooms with marks behind them

cdef inline void mark(int32_t* room) noexcept nogil:
    cdef int i
    for i in range(MARKS):
        room[i] = MARK


cdef inline bint marked(const int32_t* room) noexcept nogil:
    cdef int i
    for i in range(MARKS):
        if room[i] != MARK:
            return False
    return True


cdef inline size_t n_room_cells(const Guarded* guard, index_t input) noexcept nogil:
    return max(guard.kernel.max_cuts + 1, guard.node.columns[input].n_codes if guard.node.columns[input].nominal else 0)


cdef inline int32_t* cells_of_room(const Guarded* guard, double* room) noexcept nogil:
    return <int32_t*>(room + guard.kernel.max_cuts) + MARKS


cdef inline double* open_room(const Guarded* guard, index_t input, Split* split) noexcept nogil:
    """Cuts, then cells, each with marks behind them; to be freed. NULL: no memory."""
    cdef size_t n_cuts = guard.kernel.max_cuts
    cdef double* room = <double*>malloc(
        n_cuts * sizeof(double) + (n_room_cells(guard, input) + 2 * MARKS) * sizeof(int32_t)
    )
    if room == NULL:
        return NULL
    split.cuts, split.branch_of = room, cells_of_room(guard, room)
    mark(<int32_t*>(room + n_cuts))
    mark(split.branch_of + n_room_cells(guard, input))
    return room


cdef inline int fault_of_room(const Guarded* guard, index_t input, double* room, const Split* split) noexcept nogil:
    if not marked(<const int32_t*>(room + guard.kernel.max_cuts)):
        return BEYOND_CUTS
    if not marked(cells_of_room(guard, room) + n_room_cells(guard, input)):
        return BEYOND_CELLS
    return NONE if split.cuts == room and split.branch_of == cells_of_room(guard, room) else MOVED


# ------------------------------------------------------------------ what makes sense

cdef inline int n_cells(const Guarded* guard, index_t input, const Split* split) noexcept nogil:
    return guard.node.columns[input].n_codes if guard.node.columns[input].nominal else split.n_cuts + 1


cdef inline int fault_of(const Guarded* guard, index_t input, const Split* split) noexcept nogil:
    cdef bint nominal = guard.node.columns[input].nominal
    cdef int i
    if not 0 <= split.n_cuts <= (0 if nominal else guard.kernel.max_cuts):
        return TOO_MANY_CUTS
    for i in range(split.n_cuts):
        if split.cuts[i] != split.cuts[i] or (i and not split.cuts[i - 1] < split.cuts[i]):
            return CUTS_DO_NOT_ASCEND
    if not 0 <= split.n_branches <= n_cells(guard, input, split) or (
        split.identity and split.n_branches != n_cells(guard, input, split)
    ):
        return TOO_MANY_BRANCHES
    for i in range(0 if split.identity else n_cells(guard, input, split)):
        if not 0 <= split.branch_of[i] < split.n_branches:
            return NO_SUCH_BRANCH
    return NONE
