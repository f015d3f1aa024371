"""Before and after the loop: all of its memory, and what kernels may call."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from treeforge.core.count cimport count
from treeforge.core.crew cimport Crew
from treeforge.core.encode cimport Encoded
from treeforge.core.hands cimport join_hands, release_hands
from treeforge.core.histogram cimport discard, prepare
from treeforge.core.kernel cimport CONSTANT, COUNTS_SUFFICE, NEEDS_ROWS, Counts, Node, Split, index_t
from treeforge.core.load cimport load
from treeforge.core.loop cimport Loop, many_valued
from treeforge.core.midpoints cimport best_cut
from treeforge.core.nodes cimport discard_nodes
from treeforge.core.numbers cimport planes
from treeforge.core.storage cimport release
from treeforge.core.tabulate cimport room_for_table, tabulate

cdef double TINY = 1e-6      # c45.md 0.2
cdef int NO_MEMORY = -1


cdef int set_up(
    Loop* loop, Encoded coded, const int32_t* rows, const double* weights, const int32_t* copies, int n,
    const int32_t* held, int n_held, const int32_t* labels, Crew* crew
) noexcept nogil:
    """A sample's cases, and all that the loop needs. ``crew``: threads to share large nodes, or NULL.

    -1: no memory; REFUSED: the rows are no sample.
    """
    cdef int status
    cdef bint keep_rows = loop.splitter.needs & NEEDS_ROWS or loop.leaf_of != NULL
    cdef bint draws = loop.max_attributes > 0, bundled = loop.splitter.needs & COUNTS_SUFFICE
    status = load(&loop.work, coded, rows, weights, copies, n, held, n_held, labels, keep_rows, draws, bundled, crew)
    if status < 0:
        return status
    if furnish(loop, coded) < 0:
        return NO_MEMORY
    return join_hands(loop)


cdef int furnish(Loop* loop, Encoded coded) noexcept nogil:
    """All that a loop needs besides its columns. -1: no memory."""
    cdef int i, n_inputs = coded.table.n_inputs, n_classes = coded.table.n_classes
    cdef size_t cells = 0
    cdef int max_cuts = loop.splitter.max_cuts
    cdef Node* node = &loop.node
    if prepare(&loop.counts, &loop.work, n_classes) < 0:
        return NO_MEMORY
    loop.nodes.n_classes = n_classes
    loop.none_competes = True
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
    node.list = <const uint64_t* const*>calloc(n_inputs + 1, sizeof(void*))
    node.bytes = <const uint8_t* const*>calloc(n_inputs + 1, sizeof(void*))
    node.wide = <const int32_t* const*>calloc(n_inputs + 1, sizeof(void*))
    node.numbers = <const double* const*>calloc(n_inputs + 1, sizeof(void*))
    node.list_size = <const int32_t*>calloc(n_inputs + 1, sizeof(int32_t))
    node.n_classes, node.n_inputs = n_classes, n_inputs
    loop.pair_lists = loop.region_lists + 2 * loop.work.n_listed
    if (loop.order == NULL or loop.live == NULL or loop.dead == NULL or loop.present == NULL
            or loop.region_lists == NULL
            or loop.splits == NULL or loop.cut_room == NULL or loop.cell_room == NULL
            or node.list == NULL or node.bytes == NULL or node.wide == NULL or node.numbers == NULL
            or node.list_size == NULL or furnish_calls(loop) < 0):
        return NO_MEMORY
    cells = 0
    for i in range(n_inputs):
        loop.live[i] = i
        loop.splits[i].cuts = loop.cut_room + <size_t>i * max_cuts
        loop.splits[i].branch_of = loop.cell_room + cells
        cells += max(max_cuts + 1, coded.columns[i].n_codes if coded.columns[i].nominal else 0)
        if loop.work.gathered:
            (<const uint8_t**>node.bytes)[i], (<const int32_t**>node.wide)[i] = loop.work.bytes[i], loop.work.wide[i]
            (<const double**>node.numbers)[i] = loop.work.numbers[i]
    loop.coded_bytes, loop.coded_lists, loop.coded_list_size = coded.bytes, coded.lists, coded.list_size
    node.min_branch, node.columns = loop.min_branch, coded.columns
    node.row_bits, node.class_bits = coded.row_bits, coded.class_bits
    node.present = loop.present
    node.criterion, node.criterion_params = loop.criterion, <const void*>(loop.criterion + 1)
    node.random, node.loop = &loop.random, loop
    node.count, node.score = count_for_kernel, score_for_kernel
    node.tabulate, node.judge, node.best_cut = tabulate_for_kernel, judge_for_kernel, best_cut
    node.planes, node.room = planes_for_kernel, <double*>loop.work.spare
    return 0


cdef int furnish_calls(Loop* loop) noexcept nogil:
    """What the functions write to that kernels may call. -1: no memory."""
    cdef size_t n_classes = loop.node.n_classes, max_cuts = loop.splitter.max_cuts
    loop.bounds = <int32_t*>malloc(4 * max_cuts + 8)
    loop.places = <int*>malloc((max_cuts + 2) * sizeof(int))
    loop.counters = <uint32_t*>malloc((2 * n_classes + 1) * sizeof(uint32_t))
    loop.node.scratch = <double*>malloc(4 * n_classes * sizeof(double) + 8)
    if loop.bounds == NULL or loop.places == NULL or loop.counters == NULL or loop.node.scratch == NULL:
        return NO_MEMORY
    return room_for_table(loop, 4)


cdef void release_calls(Loop* loop) noexcept nogil:
    free(loop.bounds)
    free(loop.places)
    free(loop.counters)
    free(loop.table)
    free(loop.node.scratch)


cdef void tear_down(Loop* loop) noexcept nogil:
    while loop.stack_size:
        loop.stack_size -= 1
        free(loop.stack[loop.stack_size].ready)
    release_hands(loop)
    release(&loop.work)
    release_calls(loop)
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
    free(loop.stack)
    free(loop.stack_lists)
    free(<void*>loop.node.list)
    free(<void*>loop.node.bytes)
    free(<void*>loop.node.wide)
    free(<void*>loop.node.numbers)
    free(<void*>loop.node.list_size)


# ------------------------------------------------------------------ what kernels may call

cdef void count_for_kernel(const Node* node, const index_t* inputs, int n_inputs, Counts* out) noexcept nogil:
    count(&(<Loop*>node.loop).counts, node, inputs, n_inputs, out)


cdef const uint64_t* planes_for_kernel(const Node* node) noexcept nogil:
    return planes(&(<Loop*>node.loop).counts, node)


cdef void tabulate_for_kernel(const Node* node, index_t input, const Counts* counts, Split* split) noexcept nogil:
    """Without memory nothing is proposed."""
    cdef Loop* loop = <Loop*>node.loop
    if room_for_table(loop, split.n_branches) < 0:
        split.n_branches = 0
    else:
        tabulate(loop, input, counts, split)


cdef void judge_for_kernel(const Node* node, Split* split) noexcept nogil:
    """Take a tabulated split back if fewer than two branches are heavy enough, or score it."""
    cdef Loop* loop = <Loop*>node.loop
    cdef int b, c, heavy = 0, taken = 0, n_classes = node.n_classes
    cdef double known = 0.0, total
    for b in range(split.n_branches):
        total = 0.0
        for c in range(n_classes):
            total += loop.table[<size_t>b * n_classes + c]
        known += total
        taken += total > 0.0
        heavy += total - node.min_branch > -TINY
    if heavy < 2:     # one branch a category, and all known cases in one: so it is in every branch below
        split.n_branches = CONSTANT if split.n_cuts == 0 and split.identity and taken < 2 else 0
        return
    split.gain = loop.criterion.gain(node.criterion_params, loop.table, split.n_branches, n_classes, known, node.weight)
    if split.charge > 0.0:
        split.gain -= split.charge
        if split.gain < TINY:
            split.n_branches = 0
            return
    split.score = split.gain
    if loop.criterion.score != NULL:
        split.score = loop.criterion.score(
            node.criterion_params, loop.table, split.n_branches, n_classes, known, node.weight, split.gain
        )


cdef void score_for_kernel(const Node* node, index_t input, Split* split) noexcept nogil:
    tabulate_for_kernel(node, input, NULL, split)
    judge_for_kernel(node, split)
