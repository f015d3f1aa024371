"""What follows from a chosen split: the node becomes a test, its branches leaves or pending nodes.

Branches that are leaves at once get no cases. Inputs that are constant in the node are constant below: they
are buried, and nothing of them is counted or moved any more.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from treeforge.core.branching cimport branch_cases, mask_cases
from treeforge.core.cells cimport n_cells
from treeforge.core.columns cimport Region, divide_in_two
from treeforge.core.copies cimport merge_copies
from treeforge.core.divide cimport divide
from treeforge.core.histogram cimport fill_whole, give, look_at, start_sums, subtract, take, worth_whole
from treeforge.core.kernel cimport LISTED, Split
from treeforge.core.loop cimport Loop, Pending, is_leaf
from treeforge.core.nodes cimport add_nodes, set_test
from treeforge.core.settle cimport settle_cuts
from treeforge.core.storage cimport start_weights
from treeforge.core.tabulate cimport room_for_table, tabulate

cdef double TINY = 1e-6      # c45.md 0.2
cdef int NO_MEMORY = -1

cdef extern from *:
    int trailing_zeros "__builtin_ctzll"(uint64_t word) nogil


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
    if loop.max_attributes == 0:
        look_at(&loop.counts, &loop.work)


cdef int split_node(Loop* loop, const Pending* at, int input) noexcept nogil:
    """Make the node a test, its branches leaves or pending nodes."""
    cdef Split* split = &loop.splits[input]
    cdef int n_branches = split.n_branches, n_classes = loop.nodes.n_classes, b, c, first, open_branches = 0, n_last = 0
    cdef bint in_two
    cdef double known = 0.0, total, unknown = 0.0, share
    cdef const double* lost
    cdef double* row
    if split.settle and settle_cuts(loop, input, split) < 0:
        return NO_MEMORY
    first = add_nodes(&loop.nodes, n_branches, at.node)
    if (first < 0 or room_for_table(loop, n_branches) < 0 or more_stack(loop, n_branches + 1) < 0
            or set_test(&loop.nodes, at.node, input, split, n_cells(&loop.node, input, split), first) < 0):
        return NO_MEMORY
    loop.node.class_weight = loop.nodes.distribution + <size_t>at.node * n_classes   # add_nodes may have moved it
    tabulate(loop, input, NULL, split)
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
    if open_branches == 0 and loop.leaf_of == NULL:
        return 0
    in_two = n_branches == 2 and unknown == 0.0
    if in_two:
        n_last = mask_cases(loop, input, split)
    else:
        branch_cases(loop, input, split)
    if loop.leaf_of != NULL and in_two and open_branches < 2:
        end_in_two(loop, at, first)
    elif loop.leaf_of != NULL and (open_branches < n_branches or unknown > 0.0):
        end_in_branches(loop, at.node, first, n_branches)
    if open_branches == 0:
        return 0
    if loop.work.columns[input].nominal and split.identity:   # each branch has one category
        loop.dead[input] = 1
        bury(loop)
    if in_two:
        return push_two(loop, at, input, split, first, n_last)
    return push_branches(loop, at, n_branches, first, unknown > 0.0)


cdef void end_in_two(Loop* loop, const Pending* at, int first) noexcept nogil:
    """Note the ends of the cases whose branch, of two, is a leaf."""
    cdef uint64_t left = -<uint64_t>is_leaf(loop, first, at.depth + 1)        # all bits: branch 0 is a leaf
    cdef uint64_t right = -<uint64_t>is_leaf(loop, first + 1, at.depth + 1)
    cdef uint64_t word, ending
    cdef int j, k
    cdef int32_t* end
    for j in range(0, loop.node.n_rows, 64):
        word = loop.work.mask[j >> 6]
        ending = ~word & left | word & right
        if loop.node.n_rows - j < 64:
            ending &= (<uint64_t>1 << (loop.node.n_rows - j)) - 1
        while ending:
            k = trailing_zeros(ending)
            ending &= ending - 1
            end = &loop.leaf_of[loop.node.rows[j + k]]
            if end[0] >= -1:
                end[0] = first + <int>(word >> k & 1)


cdef void end_in_branches(Loop* loop, int node, int first, int n_branches) noexcept nogil:
    """Note the branch of each case as its end; branches that go on will say it better.

    A case of unknown value ends at the test, whatever becomes of its parts below.
    """
    cdef int j, branch
    cdef int32_t* end
    for j in range(loop.node.n_rows):
        branch = loop.work.branch[j]
        end = &loop.leaf_of[loop.node.rows[j]]
        if end[0] >= -1:
            end[0] = first + branch if branch < n_branches else -2 - node


cdef int push_two(
    Loop* loop, const Pending* at, int input, const Split* split, int first, int n_last
) noexcept nogil:
    """Two branches and no unknown value: divided in place by ``mask``, whole tables by subtraction."""
    cdef Region node
    cdef Region children[2]
    cdef int n_small, small, b, n_listed = loop.work.n_listed
    cdef uint32_t* tables[2]
    region_of(loop, at, &node)
    for b in range(2):
        children[b].list_start = loop.pair_lists + 2 * b * n_listed
        children[b].list_size = loop.pair_lists + (2 * b + 1) * n_listed
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
        push(loop, first + b, b, &children[b], at.depth + 1, at.weighted, tables[b])
    return 0


cdef int push_branches(Loop* loop, const Pending* at, int n_branches, int first, bint shared) noexcept nogil:
    """Divided by ``branch``; ``shared``: cases of unknown value go down several, with part of their weight."""
    cdef int b, n_listed = loop.work.n_listed, status = 0
    cdef bint weighted = at.weighted
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
    if shared and not weighted and may_merge(loop):
        merge_copies(&loop.work, &node)
        weighted = True
    if divide(&loop.work, &node, n_branches, loop.nodes.share + first, is_open, weighted, children) < 0:
        status = NO_MEMORY
    else:
        for b in range(n_branches - 1, -1, -1):
            if is_open[b]:
                push(loop, first + b, b, &children[b], at.depth + 1, weighted or shared, NULL)
    free(children)
    return status


cdef inline bint may_merge(const Loop* loop) noexcept nogil:
    """Kernels may ask for so many cases, as C4.5's does for two a branch of least weight 2; of one, weight tells."""
    return loop.work.copied and loop.work.gathered and loop.min_branch <= 1.0


cdef inline void region_of(Loop* loop, const Pending* at, Region* node) noexcept nogil:
    node.start, node.n = at.start, at.n
    node.list_start, node.list_size = loop.region_lists, loop.region_lists + loop.work.n_listed


cdef inline uint64_t stream_of(uint64_t state, int branch) noexcept nogil:
    """A branch's random stream depends on the tests above it alone, not on what was grown before (SplitMix64)."""
    cdef uint64_t z = state + <uint64_t>(branch + 1) * <uint64_t>0x9E3779B97F4A7C15
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    return z ^ (z >> 27)


cdef void push(
    Loop* loop, int node, int branch, const Region* region, int depth, bint weighted, uint32_t* ready
) noexcept nogil:
    cdef int l, n_listed = loop.work.n_listed
    cdef int* lists = loop.stack_lists + <size_t>loop.stack_size * 2 * n_listed
    loop.stack[loop.stack_size] = Pending(
        node=node, start=region.start, n=region.n, depth=depth, weighted=weighted, n_live=loop.work.n_live, ready=ready,
        random=stream_of(loop.random, branch),
    )
    memcpy(
        loop.stack_live + <size_t>loop.stack_size * loop.node.n_inputs, loop.live, loop.work.n_live * sizeof(int32_t)
    )
    for l in range(n_listed):
        lists[l], lists[n_listed + l] = region.list_start[l], region.list_size[l]
    loop.stack_size += 1
