"""The node evaluation loop: from a sample to a tree, without the GIL and without recursion.

A node is taken from the stack; every input proposes its best split; the criterion chooses among them; the
cases are divided and the branches are put on the stack, the first on top. A branch that is pure or too
small is a leaf at once: its class weights are known from the split, and its cases are not looked at again.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.math cimport log
from libc.string cimport memcpy, memset

from treeforge.core.branching cimport (
    branch_cases, mask_cases, n_cells, room_for_table, settle_cuts, tabulate,
)
from treeforge.core.columns cimport Region, divide, divide_in_two, load, release, start_weights
from treeforge.core.encode cimport Encoded, encoded
from treeforge.core.histogram cimport (
    count, discard, fill_whole, give, look_at, open_node, prepare, start_sums, subtract, take, worth_whole,
)
from treeforge.core.kernel cimport (
    CONSTANT, INTERFACE, LISTED, Counts, CriterionKernel, Node, Split, SplitterKernel, index_t, uniform,
)
from treeforge.core.nodes cimport add_nodes, discard_nodes, finish, set_test
from treeforge.core.table cimport Table

import threading

import numpy as np

from treeforge.errors import PluginError

cdef double TINY = 1e-6      # c45.md 0.2
cdef double SLACK = 1e-3     # c45.md 4.3
cdef int NO_MEMORY = -1


def grow(
    Table table, splitter, criterion, rows, weights=None, copies=None, held=None, *,
    double min_branch=2.0, min_split=None, max_depth=None, max_attributes=None, uint64_t seed=1, metadata=None,
    bint leaves=False,
):
    """Grow one tree.

    Parameters
    ----------
    table : Table
    splitter, criterion : capsule
        From ``make_splitter`` and ``make_criterion`` of ``kernel.pxd``.
    rows : ndarray of int32, [n]
        The training cases T, each row at most once; those without a class only count in |T|.
    weights : ndarray of float64, [n], or None
        None takes all as 1. Rows of weight 0 stay away.
    copies : ndarray of int32, [n], or None
        How many cases of weight 1 each row stands for (a bootstrap); not together with ``weights``.
    held : ndarray of int32, or None
        More rows of T, held back: they count in |T| and thresholds may take their values.
    min_branch : float
        Least weight of a branch.
    min_split : float, optional
        Least weight of a node that is split; 2 * min_branch unless given.
    max_depth : int, optional
        Most tests on a path.
    max_attributes : int, optional
        Inputs looked at in a node, drawn anew in each; more are drawn while none of them can be split.
    seed : int
        Of the tree's random stream.
    leaves : bool
        Whether the tree is to say where its training rows ended (``training_leaves``). It cannot where a case
        of unknown value went down several branches.
    """
    cdef const int32_t[::1] row_view = np.ascontiguousarray(rows, dtype=np.int32)
    cdef const int32_t[::1] labels = table.classes
    cdef const double[::1] weight_view
    cdef const int32_t[::1] copy_view
    cdef const int32_t[::1] held_view = np.ascontiguousarray([] if held is None else held, dtype=np.int32)
    cdef const double* weight_of = NULL
    cdef const int32_t* copies_of = NULL
    cdef int32_t[::1] leaf_view
    cdef Encoded coded = encoded(table)
    cdef Loop loop
    cdef int status, n = row_view.shape[0]
    cdef const int32_t* first_row = &row_view[0] if n else NULL
    cdef const int32_t* label_of = &labels[0] if table.n_rows else NULL
    cdef const int32_t* first_held = &held_view[0] if held_view.shape[0] else NULL
    if weights is not None:
        weight_view = np.ascontiguousarray(weights, dtype=np.float64)
        if weight_view.shape[0] != n:
            raise ValueError(f"{n} rows, but {weight_view.shape[0]} weights")
        weight_of = &weight_view[0] if n else NULL
    if copies is not None:
        copy_view = np.ascontiguousarray(copies, dtype=np.int32)
        copies_of = &copy_view[0] if n else NULL
    memset(&loop, 0, sizeof(Loop))
    loop.splitter, loop.criterion = splitter_of(splitter), criterion_of(criterion)
    loop.min_branch, loop.min_split = min_branch, 2 * min_branch if min_split is None else min_split
    loop.max_depth = -1 if max_depth is None else max_depth
    loop.max_attributes = 0 if max_attributes is None or max_attributes >= table.n_inputs else max_attributes
    loop.random = seed
    training_leaves = None
    if leaves and table.n_rows:
        training_leaves = np.full(table.n_rows, -1, dtype=np.int32)
        leaf_view = training_leaves
        loop.leaf_of = &leaf_view[0]
    with nogil:
        status = set_up(&loop, coded, first_row, weight_of, copies_of, n, first_held, held_view.shape[0], label_of)
        if status == 0:
            status = run(&loop)
    try:
        if status == NO_MEMORY:
            raise MemoryError
        raise_stored()
        tree = finish(&loop.nodes, metadata)
        tree.training_leaves = None if loop.shared else training_leaves
        return tree
    finally:
        tear_down(&loop)


cdef const SplitterKernel* splitter_of(capsule) except NULL:
    """The kernel in a capsule, if it was compiled against these very structs."""
    if not PyCapsule_IsValid(capsule, b"treeforge.splitter"):
        raise PluginError("a splitter's kernel() must return what make_splitter gives")
    cdef const SplitterKernel* kernel = <const SplitterKernel*>PyCapsule_GetPointer(capsule, b"treeforge.splitter")
    if (kernel.interface != INTERFACE or kernel.size != sizeof(SplitterKernel)
            or kernel.node_size != sizeof(Node) or kernel.split_size != sizeof(Split)):
        raise PluginError(
            f"the splitter was built against interface {kernel.interface} of TreeForge's kernels, this is "
            f"interface {INTERFACE}: rebuild it"
        )
    return kernel


cdef const CriterionKernel* criterion_of(capsule) except NULL:
    if not PyCapsule_IsValid(capsule, b"treeforge.criterion"):
        raise PluginError("a criterion's kernel() must return what make_criterion gives")
    cdef const CriterionKernel* kernel = <const CriterionKernel*>PyCapsule_GetPointer(capsule, b"treeforge.criterion")
    if kernel.interface != INTERFACE or kernel.size != sizeof(CriterionKernel):
        raise PluginError(
            f"the criterion was built against interface {kernel.interface} of TreeForge's kernels, this is "
            f"interface {INTERFACE}: rebuild it"
        )
    return kernel


_raised = threading.local()   # what a Python plugin raised inside the loop, until the loop has ended


def store_raised(error):
    """Keep an exception until the loop has ended."""
    _raised.error = error


def raise_stored():
    error, _raised.error = getattr(_raised, "error", None), None
    if error is not None:
        raise error


# ------------------------------------------------------------------ before and after the loop

cdef int set_up(
    Loop* loop, Encoded coded, const int32_t* rows, const double* weights, const int32_t* copies, int n,
    const int32_t* held, int n_held, const int32_t* labels
) noexcept nogil:
    cdef int i, n_inputs = coded.table.n_inputs, n_classes = coded.table.n_classes
    cdef size_t cells = 0
    cdef int max_cuts = loop.splitter.max_cuts
    cdef Node* node = &loop.node
    if load(&loop.work, coded, rows, weights, copies, n, held, n_held, labels, loop.splitter.needs_rows or loop.leaf_of != NULL) < 0:
        return NO_MEMORY
    if prepare(&loop.counts, &loop.work, n_classes) < 0:
        return NO_MEMORY
    loop.nodes.n_classes = n_classes
    loop.none_competes, loop.n_training = True, n_held
    for i in range(n):
        loop.n_training += (weights == NULL or weights[i] > 0.0) and (copies == NULL or copies[i] > 0)
    for i in range(n_inputs):
        cells += max(max_cuts + 1, coded.columns[i].n_codes if coded.columns[i].nominal else 0)
        if not many_valued(loop, i):
            loop.none_competes = False
    loop.order = <int32_t*>malloc(4 * <size_t>n_inputs + 8)
    loop.live = <int32_t*>malloc(4 * <size_t>n_inputs + 8)
    loop.dead = <uint8_t*>calloc(n_inputs + 1, 1)
    loop.present = <int32_t*>malloc(4 * <size_t>n_classes + 8)
    loop.region_lists = <int*>calloc(6 * <size_t>loop.work.n_listed + 1, sizeof(int))
    loop.splits = <Split*>calloc(n_inputs + 1, sizeof(Split))
    loop.cut_room = <double*>malloc(<size_t>n_inputs * max_cuts * sizeof(double) + 8)
    loop.cell_room = <int32_t*>malloc(cells * sizeof(int32_t) + 8)
    loop.bounds = <int32_t*>malloc(4 * <size_t>max_cuts + 8)
    node.scratch = <double*>malloc(4 * <size_t>n_classes * sizeof(double) + 8)
    node.list = <const uint64_t* const*>calloc(n_inputs + 1, sizeof(void*))
    node.bytes = <const uint8_t* const*>calloc(n_inputs + 1, sizeof(void*))
    node.wide = <const int32_t* const*>calloc(n_inputs + 1, sizeof(void*))
    node.list_size = <const int32_t*>calloc(n_inputs + 1, sizeof(int32_t))
    node.n_classes, node.n_inputs = n_classes, n_inputs
    loop.pair_lists = loop.region_lists + 2 * loop.work.n_listed
    if (loop.order == NULL or loop.live == NULL or loop.dead == NULL or loop.present == NULL or loop.region_lists == NULL
            or loop.splits == NULL or loop.cut_room == NULL or loop.cell_room == NULL or loop.bounds == NULL
            or node.scratch == NULL or node.list == NULL or node.bytes == NULL or node.wide == NULL or node.list_size == NULL
            or room_for_table(loop, 4) < 0 or fill_xlogx(loop) < 0):
        return NO_MEMORY
    cells = 0
    for i in range(n_inputs):
        loop.live[i] = i
        loop.splits[i].cuts = loop.cut_room + <size_t>i * max_cuts
        loop.splits[i].branch_of = loop.cell_room + cells
        cells += max(max_cuts + 1, coded.columns[i].n_codes if coded.columns[i].nominal else 0)
    node.min_branch, node.columns = loop.min_branch, coded.columns
    node.row_bits, node.class_bits = coded.row_bits, coded.class_bits
    node.present = loop.present
    node.criterion, node.criterion_params = loop.criterion, <const void*>(loop.criterion + 1)
    node.random, node.loop = &loop.random, loop
    node.count, node.score = count_for_kernel, score_for_kernel
    return 0


cdef int fill_xlogx(Loop* loop) noexcept nogil:
    """x ln x for every count there can be: the same double that computing it on the spot gives."""
    cdef int i, n = loop.work.n_cases
    cdef double* xlogx = <double*>malloc((<size_t>n + 2) * sizeof(double))
    if xlogx == NULL:
        return NO_MEMORY
    xlogx[0] = 0.0
    for i in range(1, n + 2):
        xlogx[i] = i * log(<double>i)
    loop.node.xlogx = xlogx
    return 0


cdef void tear_down(Loop* loop) noexcept nogil:
    while loop.stack_size:
        loop.stack_size -= 1
        free(loop.stack[loop.stack_size].ready)
    release(&loop.work)
    discard(&loop.counts)
    discard_nodes(&loop.nodes)
    free(loop.order)
    free(loop.live)
    free(loop.stack_live)
    free(loop.dead)
    free(loop.present)
    free(loop.region_lists)
    free(loop.splits)
    free(loop.cut_room)
    free(loop.cell_room)
    free(loop.bounds)
    free(loop.table)
    free(loop.stack)
    free(loop.stack_lists)
    free(loop.node.scratch)
    free(<void*>loop.node.list)
    free(<void*>loop.node.bytes)
    free(<void*>loop.node.wide)
    free(<void*>loop.node.list_size)
    free(<void*>loop.node.xlogx)


cdef inline bint many_valued(const Loop* loop, int input) noexcept nogil:
    """c45.md 4.1: declared categories against the whole training set, at every node."""
    return loop.work.columns[input].nominal and loop.work.columns[input].n_codes - 0.3 * loop.n_training > -TINY


# ------------------------------------------------------------------ the loop

cdef int run(Loop* loop) noexcept nogil:
    cdef Pending at
    cdef int status = push_root(loop), best
    while status == 0 and loop.stack_size:
        loop.stack_size -= 1
        at = loop.stack[loop.stack_size]
        open_pending(loop, &at)
        status = propose(loop)
        if status < 0:
            break
        best = choose(loop)
        if best >= 0:
            status = split_node(loop, &at, best)
        else:
            end_cases(loop, at.node)
        give(&loop.counts, loop.counts.ready)
        loop.counts.ready = NULL
    return status


cdef void end_cases(Loop* loop, int leaf) noexcept nogil:
    """Note where the node's cases end."""
    cdef int j
    if loop.leaf_of != NULL:
        for j in range(loop.node.n_rows):
            loop.leaf_of[loop.node.rows[j]] = leaf


cdef int push_root(Loop* loop) noexcept nogil:
    cdef int j, c, n = loop.work.n_cases, l
    cdef double total = 0.0
    cdef double* weights
    if add_nodes(&loop.nodes, 1, -1) < 0 or more_stack(loop, 1) < 0:
        return NO_MEMORY
    weights = loop.nodes.distribution
    for c in range(loop.nodes.n_classes):
        weights[c] = 0.0
    for j in range(n):
        weights[loop.work.classes[j]] += loop.work.weights[j] if loop.work.n_weighted else 1.0
        total += loop.work.weights[j] if loop.work.n_weighted else 1.0
    loop.nodes.weight[0], loop.nodes.share[0] = total, 1.0
    loop.nodes.empty[0] = total < TINY
    if is_leaf(loop, 0, 0):
        loop.shared = True        # nothing to divide, nothing to note
        return 0
    loop.stack[0] = Pending(
        node=0, start=0, n=n, depth=0, weighted=loop.work.n_weighted, n_live=loop.node.n_inputs, ready=NULL
    )
    for l in range(loop.node.n_inputs):
        loop.stack_live[l] = l
    for l in range(loop.work.n_listed):
        loop.stack_lists[l] = 0
        loop.stack_lists[loop.work.n_listed + l] = loop.work.list_capacity[loop.work.listed[l]]
    loop.stack_size = 1
    return 0


cdef int more_stack(Loop* loop, int more) noexcept nogil:
    """Room for some more pending nodes."""
    cdef int capacity
    cdef void* moved
    if loop.stack_size + more <= loop.stack_capacity:
        return 0
    capacity = 2 * loop.stack_capacity + more + 32
    moved = realloc(loop.stack, capacity * sizeof(Pending))
    if moved == NULL:
        return NO_MEMORY
    loop.stack = <Pending*>moved
    moved = realloc(loop.stack_lists, (<size_t>capacity * 2 * loop.work.n_listed + 1) * sizeof(int))
    if moved == NULL:
        return NO_MEMORY
    loop.stack_lists = <int*>moved
    moved = realloc(loop.stack_live, (<size_t>capacity * loop.node.n_inputs + 1) * sizeof(int32_t))
    if moved == NULL:
        return NO_MEMORY
    loop.stack_live = <int32_t*>moved
    loop.stack_capacity = capacity
    return 0


cdef bint is_leaf(const Loop* loop, int node, int depth) noexcept nogil:
    """c45.md 2: too light, pure, or as deep as allowed."""
    cdef const double* weights = loop.nodes.distribution + <size_t>node * loop.nodes.n_classes
    cdef double most = 0.0, total = loop.nodes.weight[node]
    cdef int c
    for c in range(loop.nodes.n_classes):
        if weights[c] > most:
            most = weights[c]
    return loop.min_split - total > TINY or total - most < TINY or depth == loop.max_depth


cdef void open_pending(Loop* loop, const Pending* at) noexcept nogil:
    """Point the node struct at a pending node's cases."""
    cdef Node* node = &loop.node
    cdef int i, l, c, q, n_listed = loop.work.n_listed
    cdef const int* lists = loop.stack_lists + <size_t>loop.stack_size * 2 * n_listed
    node.n_rows, node.depth = at.n, at.depth
    node.weight = loop.nodes.weight[at.node]
    node.class_weight = loop.nodes.distribution + <size_t>at.node * node.n_classes
    node.n_present = 0
    for c in range(node.n_classes):
        if node.class_weight[c] > 0.0:
            loop.present[node.n_present] = c
            node.n_present += 1
    node.rows = loop.work.rows + at.start if loop.work.rows != NULL else NULL
    node.classes = loop.work.classes + at.start
    node.weights = loop.work.weights + at.start if at.weighted else NULL
    node.row_weight = loop.work.row_weight
    memcpy(loop.live, loop.stack_live + <size_t>loop.stack_size * node.n_inputs, at.n_live * sizeof(int32_t))
    loop.work.live, loop.work.n_live = loop.live, at.n_live
    for q in range(at.n_live):
        i = loop.live[q]
        if loop.work.bytes[i] != NULL:
            (<const uint8_t**>node.bytes)[i] = loop.work.bytes[i] + at.start
        elif loop.work.wide[i] != NULL:
            (<const int32_t**>node.wide)[i] = loop.work.wide[i] + at.start
        else:
            l = loop.work.list_place[i]
            loop.region_lists[l], loop.region_lists[n_listed + l] = lists[l], lists[n_listed + l]
            (<const uint64_t**>node.list)[i] = loop.work.list[i] + lists[l]
            (<int32_t*>node.list_size)[i] = lists[n_listed + l]
    if at.weighted and n_listed:
        for i in range(at.n):
            loop.work.row_weight[node.rows[i]] = node.weights[i]
    loop.counts.ready = at.ready
    look_at(&loop.counts, &loop.work)
    if at.ready == NULL and not at.weighted and loop.max_attributes == 0 and worth_whole(&loop.counts, at.n):
        loop.counts.ready = take(&loop.counts)
        if loop.counts.ready != NULL:
            fill_whole(&loop.counts, &loop.work, at.start, at.n, loop.counts.ready)
    open_node(&loop.counts, node)


cdef int propose(Loop* loop) noexcept nogil:
    """Let the candidates propose; with a random choice of them, go on drawing while none can be split."""
    cdef Node* node = &loop.node
    cdef int n_live = loop.work.n_live, drawn = 0, wanted = loop.max_attributes, i, status
    if wanted == 0:
        node.candidates, node.n_candidates = loop.live, n_live
        status = ask(loop)
        drop_constant(loop)
        return status
    memcpy(loop.order, loop.live, n_live * sizeof(int32_t))
    node.n_candidates = 0
    while drawn < n_live:
        wanted = min(wanted, n_live - drawn)
        for i in range(drawn, drawn + wanted):
            draw(loop, i)
        # kernels see only the new ones; `choose` sees all that were drawn
        node.candidates, node.n_candidates = loop.order + drawn, wanted
        status = ask(loop)
        drawn += wanted
        node.candidates, node.n_candidates = loop.order, drawn
        if status < 0:
            return status
        for i in range(drawn):
            if loop.splits[loop.order[i]].n_branches > 0 and loop.splits[loop.order[i]].score > TINY:
                drop_constant(loop)
                return 0
        wanted = 1
    drop_constant(loop)
    return 0


cdef inline void draw(Loop* loop, int i) noexcept nogil:
    """Put a random one of the inputs not yet drawn at place i."""
    cdef int j = i + <int>(uniform(&loop.node) * (loop.work.n_live - i))
    loop.order[i], loop.order[j] = loop.order[j], loop.order[i]


cdef void drop_constant(Loop* loop) noexcept nogil:
    """Inputs that are constant here are constant below: nothing of them is counted or moved any more."""
    cdef Node* node = &loop.node
    cdef int q, n_dead = 0
    for q in range(node.n_candidates):
        if loop.splits[node.candidates[q]].n_branches == CONSTANT:
            loop.dead[node.candidates[q]] = 1
            n_dead += 1
    if n_dead:
        bury(loop)
        if node.candidates == loop.live:
            node.n_candidates = loop.work.n_live


cdef void bury(Loop* loop) noexcept nogil:
    """Take the inputs marked dead off the list of those that still vary."""
    cdef int q, i, kept = 0
    for q in range(loop.work.n_live):
        i = loop.live[q]
        if loop.dead[i]:
            loop.dead[i] = 0
        else:
            loop.live[kept] = i
            kept += 1
    loop.work.n_live = kept
    look_at(&loop.counts, &loop.work)


cdef int ask(Loop* loop) noexcept nogil:
    """Let the candidates propose. Below 0: a splitter failed."""
    cdef const Node* node = &loop.node
    cdef const void* params = <const void*>(loop.splitter + 1)
    cdef int q, status
    for q in range(node.n_candidates):
        loop.splits[node.candidates[q]].n_branches = 0
    if loop.splitter.propose_all != NULL:
        return loop.splitter.propose_all(params, node, loop.splits)
    for q in range(node.n_candidates):
        status = loop.splitter.propose(params, node, node.candidates[q], &loop.splits[node.candidates[q]])
        if status < 0:
            return status
    return 0


cdef int choose(Loop* loop) noexcept nogil:
    """The input to split on, -1 for none: the best score, near-ties to the lower input (c45.md 4)."""
    cdef const Split* split
    cdef double average = 0.0, best_score = 0.0
    cdef int i, input, best = -1, n_usable = 0
    if loop.criterion.average_rule:
        for i in range(loop.node.n_candidates):
            input = loop.node.candidates[i]
            if loop.splits[input].n_branches > 0 and (loop.none_competes or not many_valued(loop, input)):
                average += loop.splits[input].gain
                n_usable += 1
        if n_usable == 0:
            return -1
        average = average / n_usable - SLACK
    for i in range(loop.node.n_candidates):
        input = loop.node.candidates[i]
        split = &loop.splits[input]
        if split.n_branches <= 0 or (loop.criterion.average_rule and split.gain < average):
            continue
        if split.score - best_score > TINY or (best >= 0 and input < best and split.score - best_score > -TINY):
            best, best_score = input, split.score
    return best


cdef int split_node(Loop* loop, const Pending* at, int input) noexcept nogil:
    """Make the node a test, its branches leaves or pending nodes."""
    cdef Split* split = &loop.splits[input]
    cdef int n_branches = split.n_branches, n_classes = loop.nodes.n_classes, b, c, first, open_branches = 0
    cdef double known = 0.0, total, unknown = 0.0, share
    cdef const double* lost
    cdef double* row
    if split.settle:
        settle_cuts(loop, input, split)
    first = add_nodes(&loop.nodes, n_branches, at.node)
    if (first < 0 or room_for_table(loop, n_branches) < 0 or more_stack(loop, n_branches + 1) < 0
            or set_test(&loop.nodes, at.node, input, split, n_cells(&loop.node, input, split), first) < 0):
        return NO_MEMORY
    loop.node.class_weight = loop.nodes.distribution + <size_t>at.node * n_classes   # add_nodes may have moved it
    tabulate(loop, input, split)
    lost = loop.table + <size_t>n_branches * n_classes
    for c in range(n_classes):
        unknown += lost[c]
    for b in range(n_branches):
        row, total = loop.nodes.distribution + <size_t>(first + b) * n_classes, 0.0
        for c in range(n_classes):
            row[c] = loop.table[<size_t>b * n_classes + c]
            total += row[c]
        loop.nodes.weight[first + b] = total
        known += total
    for b in range(n_branches):    # c45.md 5.1
        share = loop.nodes.weight[first + b] / known if known > TINY else 1.0 / n_branches
        if share <= TINY:
            share = 0.0
        row = loop.nodes.distribution + <size_t>(first + b) * n_classes
        if unknown > 0.0 and share > 0.0:
            for c in range(n_classes):
                row[c] += share * lost[c]
            loop.nodes.weight[first + b] += share * unknown
        loop.nodes.share[first + b] = share
        loop.nodes.empty[first + b] = loop.nodes.weight[first + b] < TINY
        open_branches += not is_leaf(loop, first + b, at.depth + 1)
    loop.shared = loop.shared or unknown > 0.0
    if loop.leaf_of != NULL and not loop.shared and open_branches < n_branches:
        branch_cases(loop, input, split)
        end_in_branches(loop, first)
    if open_branches == 0:
        return 0
    if loop.work.columns[input].nominal and split.identity:   # each branch has one category
        loop.dead[input] = 1
        bury(loop)
    if n_branches == 2 and unknown == 0.0:
        return push_two(loop, at, input, split, first)
    return push_branches(loop, at, input, split, first, unknown > 0.0)


cdef void end_in_branches(Loop* loop, int first) noexcept nogil:
    """Note the branch of each case as its end; branches that go on will say it better."""
    cdef int j
    for j in range(loop.node.n_rows):
        loop.leaf_of[loop.node.rows[j]] = first + loop.work.branch[j]


cdef int push_two(Loop* loop, const Pending* at, int input, const Split* split, int first) noexcept nogil:
    """Two branches and no unknown value: divided in place, whole tables by subtraction."""
    cdef Region node
    cdef Region children[2]
    cdef int n_last, n_small, small, b, n_listed = loop.work.n_listed
    cdef uint32_t* tables[2]
    region_of(loop, at, &node)
    for b in range(2):
        children[b].list_start = loop.pair_lists + 2 * b * n_listed
        children[b].list_size = loop.pair_lists + (2 * b + 1) * n_listed
    n_last = mask_cases(loop, input, split)
    divide_in_two(&loop.work, &node, input if loop.work.columns[input].form == LISTED and split.identity else -1,
                  n_last, children)
    tables[0] = tables[1] = NULL
    small = 1 if n_last <= at.n - n_last else 0
    n_small = children[small].n
    if loop.counts.ready != NULL and worth_whole(&loop.counts, at.n - n_small):
        tables[small] = take(&loop.counts)
        if tables[small] != NULL:
            fill_whole(&loop.counts, &loop.work, children[small].start, n_small, tables[small])
            subtract(&loop.counts, &loop.work, loop.counts.ready, tables[small])
            tables[1 - small], loop.counts.ready = loop.counts.ready, NULL
            if not worth_whole(&loop.counts, n_small):
                give(&loop.counts, tables[small])
                tables[small] = NULL
    for b in range(1, -1, -1):
        if is_leaf(loop, first + b, at.depth + 1):
            give(&loop.counts, tables[b])
            continue
        push(loop, first + b, &children[b], at.depth + 1, at.weighted, tables[b])
    return 0


cdef int push_branches(
    Loop* loop, const Pending* at, int input, const Split* split, int first, bint shared
) noexcept nogil:
    """Any number of branches; ``shared``: cases of unknown value go down several, with part of their weight."""
    cdef int b, n_branches = split.n_branches, n_listed = loop.work.n_listed, status = 0
    cdef Region node
    cdef Region* children = <Region*>malloc(n_branches * (sizeof(Region) + 2 * <size_t>n_listed * sizeof(int) + 1))
    cdef int* lists = <int*>(children + n_branches)
    cdef uint8_t* is_open = <uint8_t*>(lists + 2 * <size_t>n_branches * n_listed)
    if children == NULL:
        return NO_MEMORY
    if shared and (start_weights(&loop.work) < 0 or start_sums(&loop.counts) < 0):
        free(children)
        return NO_MEMORY
    region_of(loop, at, &node)
    for b in range(n_branches):
        children[b].list_start, children[b].list_size = lists + 2 * b * n_listed, lists + (2 * b + 1) * n_listed
        is_open[b] = not is_leaf(loop, first + b, at.depth + 1)
    branch_cases(loop, input, split)
    if divide(&loop.work, &node, n_branches, loop.nodes.share + first, is_open, at.weighted, children) < 0:
        status = NO_MEMORY
    else:
        for b in range(n_branches - 1, -1, -1):
            if is_open[b]:
                push(loop, first + b, &children[b], at.depth + 1, at.weighted or shared, NULL)
    free(children)
    return status


cdef inline void region_of(Loop* loop, const Pending* at, Region* node) noexcept nogil:
    node.start, node.n = at.start, at.n
    node.list_start, node.list_size = loop.region_lists, loop.region_lists + loop.work.n_listed


cdef void push(Loop* loop, int node, const Region* region, int depth, bint weighted, uint32_t* ready) noexcept nogil:
    cdef int l, n_listed = loop.work.n_listed
    cdef int* lists = loop.stack_lists + <size_t>loop.stack_size * 2 * n_listed
    loop.stack[loop.stack_size] = Pending(
        node=node, start=region.start, n=region.n, depth=depth, weighted=weighted, n_live=loop.work.n_live, ready=ready
    )
    memcpy(loop.stack_live + <size_t>loop.stack_size * loop.node.n_inputs, loop.live, loop.work.n_live * sizeof(int32_t))
    for l in range(n_listed):
        lists[l], lists[n_listed + l] = region.list_start[l], region.list_size[l]
    loop.stack_size += 1


# ------------------------------------------------------------------ what kernels may call

cdef void count_for_kernel(const Node* node, const index_t* inputs, int n_inputs, Counts* out) noexcept nogil:
    count(&(<Loop*>node.loop).counts, node, inputs, n_inputs, out)


cdef void score_for_kernel(const Node* node, index_t input, Split* split) noexcept nogil:
    """Tabulate a proposed split, take it back if fewer than two branches are heavy enough, and score it."""
    cdef Loop* loop = <Loop*>node.loop
    cdef int b, c, heavy = 0, n_classes = node.n_classes
    cdef double known = 0.0, total
    if room_for_table(loop, split.n_branches) < 0:
        split.n_branches = 0
        return
    tabulate(loop, input, split)
    for b in range(split.n_branches):
        total = 0.0
        for c in range(n_classes):
            total += loop.table[<size_t>b * n_classes + c]
        known += total
        heavy += total - node.min_branch > -TINY
    if heavy < 2:
        split.n_branches = 0
        return
    split.gain = loop.criterion.gain(node.criterion_params, loop.table, split.n_branches, n_classes, known, node.weight)
    split.score = split.gain
    if loop.criterion.score != NULL:
        split.score = loop.criterion.score(
            node.criterion_params, loop.table, split.n_branches, n_classes, known, node.weight, split.gain
        )
