"""A splitter's kernel under guard: what it answers is looked at before the loop believes it.

The kernel gets rooms of its own for cuts, cells and scratch, with marks behind them, and a node whose
``tabulate``, ``judge`` and ``score`` refuse a split that would lead them astray. What it does wrong ends growing with
one line. A build with ``TREEFORGE_DEBUG=1`` guards every kernel, and the contract of ``treeforge.plugin.checks`` those
that it tries; else nothing of this is run.
"""

from cpython.mem cimport PyMem_Free
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_SetDestructor
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from treeforge.core._rooms cimport (
    BEYOND_CELLS, BEYOND_CUTS, BEYOND_SCRATCH, CUTS_DO_NOT_ASCEND, MARKS, MOVED, NONE, NO_SUCH_BRANCH, NOT_ASKED,
    NOT_TABULATED, TOO_MANY_BRANCHES, TOO_MANY_CUTS, Guarded, fault_of, fault_of_room, mark, marked, n_cells, note,
    open_room,
)
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
    NO_INPUT = -1            # nobody knows which of several it was

FAULTS = {
    BEYOND_CUTS: "wrote beyond the room of 'cuts', which has the max_cuts that it asked for",
    BEYOND_CELLS: "wrote beyond the room of 'branch_of', one place a cell",
    BEYOND_SCRATCH: "wrote beyond 'scratch', which is [4, n_classes]",
    TOO_MANY_CUTS: "answered a number of cuts that is not 0 to max_cuts for a number, 0 for a category",
    CUTS_DO_NOT_ASCEND: "answered cuts that do not ascend",
    TOO_MANY_BRANCHES: "answered a number of branches that its cells cannot fill",
    NO_SUCH_BRANCH: "sent a cell to a branch that its split does not have",
    NOT_TABULATED: "had more branches judged than it had tabulated",
    MOVED: "put other memory in the place of 'cuts' or 'branch_of'",
    NOT_ASKED: "answered for an input that was no candidate",
}


cdef struct Params:
    PyObject* capsule
    const SplitterKernel* kernel


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
    cdef Split split = out[0]
    cdef double* room = NULL
    cdef int status = open_guard(&guard, params, node, input)
    if status == 0:
        room = open_room(&guard, input, &split)
        status = NO_MEMORY if room == NULL else 0
    if status == 0:
        status = guard.kernel.propose(guard.kernel + 1, &guard.node, input, &split)
        take_over(&guard, input, room, &split, out)
    free(room)
    return close_guard(&guard, status)


cdef int propose_all(const void* params, const Node* node, Split* outs) noexcept nogil:
    """All inputs have rooms, so that an answer for one that was not asked for harms nobody."""
    cdef Guarded guard
    cdef int i, status = open_guard(&guard, params, node, NO_INPUT)
    cdef Split* splits = <Split*>calloc(node.n_inputs + 1, sizeof(Split))
    cdef double** rooms = <double**>calloc(node.n_inputs + 1, sizeof(double*))
    if status == 0:
        status = open_all(&guard, outs, splits, rooms)
    if status == 0:
        status = guard.kernel.propose_all(guard.kernel + 1, &guard.node, splits)
        take_over_all(&guard, rooms, splits, outs)
    for i in range(node.n_inputs if rooms != NULL else 0):
        free(rooms[i])
    free(rooms)
    free(splits)
    return close_guard(&guard, status)


cdef int open_all(const Guarded* guard, const Split* outs, Split* splits, double** rooms) noexcept nogil:
    """-1: no memory."""
    cdef const Node* node = guard.loops
    cdef int i, q
    if splits == NULL or rooms == NULL:
        return NO_MEMORY
    for q in range(node.n_candidates):       # the others may be another thread's
        splits[node.candidates[q]] = outs[node.candidates[q]]
    for i in range(node.n_inputs):
        rooms[i] = open_room(guard, i, &splits[i])
        if rooms[i] == NULL:
            return NO_MEMORY
    return 0


cdef void take_over_all(Guarded* guard, double** rooms, Split* splits, Split* outs) noexcept nogil:
    cdef const Node* node = guard.loops
    cdef int i, q
    for q in range(node.n_candidates):
        i = node.candidates[q]
        take_over(guard, i, rooms[i], &splits[i], &outs[i])
        splits[i].n_branches = 0
    for i in range(node.n_inputs):
        note(guard, i, fault_of_room(guard, i, rooms[i], &splits[i]))
        if splits[i].n_branches != 0:
            note(guard, i, NOT_ASKED)


# ------------------------------------------------------------------ rooms with marks behind them

cdef int open_guard(Guarded* guard, const void* params, const Node* node, index_t input) noexcept nogil:
    """-1: no memory."""
    guard.node, guard.loops, guard.kernel = node[0], node, (<const Params*>params).kernel
    guard.fault, guard.input, guard.n_tabulated = NONE, input, 0
    guard.scratch = <int32_t*>malloc((8 * <size_t>node.n_classes + MARKS) * sizeof(int32_t))
    if guard.scratch == NULL:
        return NO_MEMORY
    mark(guard.scratch + 8 * <size_t>node.n_classes)
    guard.node.scratch = <double*>guard.scratch
    guard.node.loop = guard
    guard.node.count, guard.node.judge, guard.node.best_cut = count, judge_sound, best_cut
    guard.node.tabulate, guard.node.score, guard.node.planes = tabulate_sound, score_sound, planes
    return 0


cdef int close_guard(Guarded* guard, int status) noexcept nogil:
    """What the loop is told: the kernel's own status, or that it did wrong."""
    if guard.scratch != NULL and not marked(guard.scratch + 8 * <size_t>guard.node.n_classes):
        note(guard, guard.input, BEYOND_SCRATCH)
    free(guard.scratch)
    if guard.fault != NONE:
        tell(guard)
        return RAISED
    return status


cdef void take_over(Guarded* guard, index_t input, double* room, const Split* split, Split* out) noexcept nogil:
    """Copy the kernel's answer into the loop's split, if nothing is wrong with it."""
    cdef double* cuts = out.cuts
    cdef int32_t* branch_of = out.branch_of
    cdef int i
    note(guard, input, fault_of_room(guard, input, room, split))
    if guard.fault == NONE and split.n_branches > 0:
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


# ------------------------------------------------------------------ what the kernel may call

cdef void count(const Node* node, const index_t* inputs, int n_inputs, Counts* out) noexcept nogil:
    cdef const Node* loops = (<Guarded*>node.loop).loops
    loops.count(loops, inputs, n_inputs, out)


cdef const uint64_t* planes(const Node* node) noexcept nogil:
    cdef const Node* loops = (<Guarded*>node.loop).loops
    return loops.planes(loops)


cdef void judge_sound(const Node* node, Split* split) noexcept nogil:
    """Refuse a split with more branches than ``table`` has rows for."""
    cdef Guarded* guard = <Guarded*>node.loop
    if split.n_branches > guard.n_tabulated:
        note(guard, guard.input, NOT_TABULATED)
    if guard.fault != NONE:
        split.n_branches = 0
        return
    guard.loops.judge(guard.loops, split)


cdef int best_cut(
    const Node* node, index_t input, const Counts* counts, double smallest, double gap, Split* out
) noexcept nogil:
    cdef Guarded* guard = <Guarded*>node.loop
    cdef int n_admissible = guard.loops.best_cut(guard.loops, input, counts, smallest, gap, out)
    if out.n_branches > 0:
        guard.n_tabulated = out.n_branches
    return n_admissible


cdef void tabulate_sound(const Node* node, index_t input, const Counts* counts, Split* split) noexcept nogil:
    """Refuse a split that would lead it astray."""
    cdef Guarded* guard = <Guarded*>node.loop
    note(guard, input, fault_of(guard, input, split))
    if guard.fault != NONE:
        split.n_branches = 0
        return
    guard.loops.tabulate(guard.loops, input, counts, split)
    guard.n_tabulated = split.n_branches      # 0 if there was no memory
    guard.node.table = guard.loops.table      # it may have moved


cdef void score_sound(const Node* node, index_t input, Split* split) noexcept nogil:
    tabulate_sound(node, input, NULL, split)
    judge_sound(node, split)


cdef void tell(const Guarded* guard) noexcept with gil:
    where = "" if guard.input == NO_INPUT else f" (input {guard.input}, from 0)"
    store_raised(PluginError(f"the splitter's kernel {FAULTS[guard.fault]}{where}"))
