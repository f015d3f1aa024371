"""A splitter's kernel under guard: what it answers is looked at before the loop believes it.

The kernel gets rooms of its own for cuts, cells and scratch, with marks behind them, and a node whose
``tabulate`` and ``score`` refuse a split that would lead them astray. What it does wrong ends growing with one line. A
build with ``TREEFORGE_DEBUG=1`` guards every kernel, and the contract of ``treeforge.plugin.checks`` those that
it tries; else nothing of this is run.
"""

from cpython.mem cimport PyMem_Free
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_SetDestructor
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from treeforge.core.kernel cimport (
    INTERFACE, Counts, Node, Split, SplitterKernel, index_t, make_splitter, propose_all_function,
)

from treeforge.core.grow import store_raised
from treeforge.errors import PluginError

cdef extern from *:
    """
    #ifdef TREEFORGE_DEBUG
    #define TF_DEBUG 1
    #else
    #define TF_DEBUG 0
    #endif
    """
    const bint TF_DEBUG

#: whether every kernel is guarded
ALWAYS = bool(TF_DEBUG)

cdef enum:
    NO_MEMORY = -1
    RAISED = -2
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

FAULTS = {
    BEYOND_CUTS: "wrote beyond the room of 'cuts', which has the max_cuts that it asked for",
    BEYOND_CELLS: "wrote beyond the room of 'branch_of', one place a cell",
    BEYOND_SCRATCH: "wrote beyond 'scratch', which is [4, n_classes]",
    TOO_MANY_CUTS: "answered a number of cuts that is not 0 to max_cuts for a number, 0 for a category",
    CUTS_DO_NOT_ASCEND: "answered cuts that are not finite and ascending",
    TOO_MANY_BRANCHES: "answered a number of branches that its cells cannot fill",
    NO_SUCH_BRANCH: "sent a cell to a branch that its split does not have",
}


cdef struct Params:
    PyObject* capsule
    const SplitterKernel* kernel


cdef struct Guarded:
    Node node                # what the kernel sees; its ``loop`` is this struct, also in copies that the kernel makes
    const Node* loops        # the node of the loop
    const SplitterKernel* kernel
    int fault
    index_t input            # where
    int32_t* scratch         # [8 * n_classes + MARKS], as words


def guarded(capsule):
    cdef Params params
    cdef propose_all_function of_all = NULL
    if not PyCapsule_IsValid(capsule, b"treeforge.splitter"):
        return capsule           # what is wrong with it the loop says
    params.capsule = <PyObject*>capsule
    params.kernel = <const SplitterKernel*>PyCapsule_GetPointer(capsule, b"treeforge.splitter")
    if (params.kernel.interface != INTERFACE or params.kernel.size != sizeof(SplitterKernel)
            or params.kernel.node_size != sizeof(Node) or params.kernel.split_size != sizeof(Split)):
        return capsule
    if params.kernel.propose_all != NULL:
        of_all = propose_all
    watched = make_splitter(
        propose, of_all, params.kernel.max_cuts, params.kernel.needs, &params, sizeof(Params)
    )
    Py_INCREF(capsule)
    PyCapsule_SetDestructor(watched, free_guarded)
    return watched


cdef void free_guarded(object watched) noexcept:
    cdef SplitterKernel* kernel = <SplitterKernel*>PyCapsule_GetPointer(watched, b"treeforge.splitter")
    Py_DECREF(<object>(<Params*>(kernel + 1)).capsule)
    PyMem_Free(kernel)


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    cdef Guarded guard
    cdef Split split
    cdef int status = NO_MEMORY
    if open_guard(&guard, params, node) == 0 and open_split(&guard, input, out, &split) == 0:
        status = guard.kernel.propose(guard.kernel + 1, &guard.node, input, &split)
        take_over(&guard, input, &split, out)
        free(split.cuts)
    return close_guard(&guard, status)


cdef int propose_all(const void* params, const Node* node, Split* outs) noexcept nogil:
    cdef Guarded guard
    cdef int q, status = open_guard(&guard, params, node)
    cdef Split* splits = <Split*>calloc(node.n_inputs + 1, sizeof(Split))
    for q in range(node.n_candidates if splits != NULL and status == 0 else 0):
        status = min(status, open_split(&guard, node.candidates[q], &outs[node.candidates[q]],
                                        &splits[node.candidates[q]]))
    if splits != NULL and status == 0:
        status = guard.kernel.propose_all(guard.kernel + 1, &guard.node, splits)
        for q in range(node.n_candidates):
            take_over(&guard, node.candidates[q], &splits[node.candidates[q]], &outs[node.candidates[q]])
    for q in range(node.n_candidates if splits != NULL else 0):
        free(splits[node.candidates[q]].cuts)
    status = close_guard(&guard, status if splits != NULL else NO_MEMORY)
    free(splits)
    return status


# ------------------------------------------------------------------ rooms with marks behind them

cdef int open_guard(Guarded* guard, const void* params, const Node* node) noexcept nogil:
    """-1: no memory."""
    guard.node, guard.loops, guard.kernel = node[0], node, (<const Params*>params).kernel
    guard.fault, guard.input = NONE, 0
    guard.scratch = <int32_t*>malloc((8 * <size_t>node.n_classes + MARKS) * sizeof(int32_t))
    if guard.scratch == NULL:
        return NO_MEMORY
    mark(guard.scratch + 8 * <size_t>node.n_classes)
    guard.node.scratch = <double*>guard.scratch
    guard.node.loop = guard
    guard.node.count, guard.node.judge, guard.node.best_cut = count, judge, best_cut
    guard.node.tabulate, guard.node.score, guard.node.planes = tabulate_sound, score_sound, planes
    return 0


cdef int close_guard(Guarded* guard, int status) noexcept nogil:
    """What the loop is told: the kernel's own status, or that it did wrong."""
    if guard.scratch != NULL and not marked(guard.scratch + 8 * <size_t>guard.node.n_classes):
        guard.fault = BEYOND_SCRATCH
    free(guard.scratch)
    if guard.fault != NONE:
        tell(guard)
        return RAISED
    return status


cdef int open_split(const Guarded* guard, index_t input, const Split* given, Split* split) noexcept nogil:
    """Cuts, then cells, each with marks behind them; to be freed by ``cuts``. -1: no memory."""
    cdef size_t n_cuts = guard.kernel.max_cuts
    split[0] = given[0]
    split.cuts = <double*>malloc(n_cuts * sizeof(double) + (n_room_cells(guard, input) + 2 * MARKS) * sizeof(int32_t))
    if split.cuts == NULL:
        return NO_MEMORY
    mark(<int32_t*>(split.cuts + n_cuts))
    split.branch_of = <int32_t*>(split.cuts + n_cuts) + MARKS
    mark(split.branch_of + n_room_cells(guard, input))
    return 0


cdef void take_over(Guarded* guard, index_t input, const Split* split, Split* out) noexcept nogil:
    """Copy the kernel's answer into the loop's split, if nothing is wrong with it."""
    cdef double* cuts = out.cuts
    cdef int32_t* branch_of = out.branch_of
    cdef int i
    if not marked(<const int32_t*>(split.cuts + guard.kernel.max_cuts)):
        note(guard, input, BEYOND_CUTS)
    elif not marked(split.branch_of + n_room_cells(guard, input)):
        note(guard, input, BEYOND_CELLS)
    elif split.n_branches > 0:
        note(guard, input, fault_of(guard, input, split))
    if guard.fault != NONE:
        return
    out[0] = split[0]
    out.cuts, out.branch_of = cuts, branch_of
    if split.n_branches > 0:
        for i in range(split.n_cuts):
            cuts[i] = split.cuts[i]
        for i in range(0 if split.identity else n_cells(guard, input, split)):
            branch_of[i] = split.branch_of[i]


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


# ------------------------------------------------------------------ what makes sense

cdef inline int n_cells(const Guarded* guard, index_t input, const Split* split) noexcept nogil:
    return guard.node.columns[input].n_codes if guard.node.columns[input].nominal else split.n_cuts + 1


cdef int fault_of(const Guarded* guard, index_t input, const Split* split) noexcept nogil:
    cdef bint nominal = guard.node.columns[input].nominal
    cdef int i
    if not 0 <= split.n_cuts <= (0 if nominal else guard.kernel.max_cuts):
        return TOO_MANY_CUTS
    for i in range(split.n_cuts):
        if split.cuts[i] - split.cuts[i] != 0.0 or (i and not split.cuts[i - 1] < split.cuts[i]):
            return CUTS_DO_NOT_ASCEND
    if split.n_branches > n_cells(guard, input, split) or (
        split.identity and split.n_branches != n_cells(guard, input, split)
    ):
        return TOO_MANY_BRANCHES
    for i in range(0 if split.identity else n_cells(guard, input, split)):
        if not 0 <= split.branch_of[i] < split.n_branches:
            return NO_SUCH_BRANCH
    return NONE


cdef inline void note(Guarded* guard, index_t input, int fault) noexcept nogil:
    """The first fault is the one that is told."""
    if guard.fault == NONE:
        guard.fault, guard.input = fault, input


# ------------------------------------------------------------------ what the kernel may call

cdef void count(const Node* node, const index_t* inputs, int n_inputs, Counts* out) noexcept nogil:
    cdef const Node* loops = (<Guarded*>node.loop).loops
    loops.count(loops, inputs, n_inputs, out)


cdef const uint64_t* planes(const Node* node) noexcept nogil:
    cdef const Node* loops = (<Guarded*>node.loop).loops
    return loops.planes(loops)


cdef void judge(const Node* node, Split* split) noexcept nogil:
    cdef const Node* loops = (<Guarded*>node.loop).loops
    loops.judge(loops, split)


cdef int best_cut(
    const Node* node, index_t input, const Counts* counts, double smallest, double gap, Split* out
) noexcept nogil:
    cdef const Node* loops = (<Guarded*>node.loop).loops
    return loops.best_cut(loops, input, counts, smallest, gap, out)


cdef void tabulate_sound(const Node* node, index_t input, const Counts* counts, Split* split) noexcept nogil:
    """Refuse a split that would lead it astray."""
    cdef Guarded* guard = <Guarded*>node.loop
    if split.n_branches > 0:
        note(guard, input, fault_of(guard, input, split))
    if guard.fault != NONE:
        split.n_branches = 0
        return
    guard.loops.tabulate(guard.loops, input, counts, split)
    guard.node.table = guard.loops.table      # it may have moved


cdef void score_sound(const Node* node, index_t input, Split* split) noexcept nogil:
    tabulate_sound(node, input, NULL, split)
    if split.n_branches > 0:
        judge(node, split)


cdef void tell(const Guarded* guard) noexcept with gil:
    store_raised(PluginError(f"the splitter's kernel {FAULTS[guard.fault]} (input {guard.input}, from 0)"))
