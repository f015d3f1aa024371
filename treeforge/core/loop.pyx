"""The node evaluation loop, without the GIL and without recursion.

A node is taken from the stack; every input proposes its best split; the criterion chooses among them; the
cases are divided and the branches are put on the stack, the first on top. A branch that is pure or too
small is a leaf at once: its class weights are known from the split, and its cases are not looked at again.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy

from treeforge.core.columns cimport is_kept
from treeforge.core.count cimport open_node
from treeforge.core.histogram cimport fill_whole, give, look_at, take, worth_whole
from treeforge.core.kernel cimport NEEDS_NUMBERS, Node, Split
from treeforge.core.nodes cimport add_nodes
from treeforge.core.parts cimport detach
from treeforge.core.propose cimport propose, weigh_rows
from treeforge.core.spread cimport more_stack, split_node

cdef double TINY = 1e-6      # c45.md 0.2
cdef double SLACK = 1e-3     # c45.md 4.3
cdef int NO_MEMORY = -1


cdef int run(Loop* loop) noexcept nogil:
    """Evaluate what is on the stack, and what comes of it. Below 0: no memory, or a kernel's error."""
    cdef Pending at
    cdef int status = 0, best
    while status == 0 and loop.stack_size:
        loop.stack_size -= 1
        at = loop.stack[loop.stack_size]
        if at.n <= loop.part_size:
            status = detach(loop, &at)
            continue
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
    """Note where the node's cases end, but for those that ended at a test above."""
    cdef int j
    if loop.leaf_of != NULL:
        for j in range(loop.node.n_rows):
            if loop.leaf_of[loop.node.rows[j]] >= -1:
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
        if loop.leaf_of != NULL:
            for j in range(n):
                loop.leaf_of[loop.work.rows[j]] = 0
        return 0
    loop.stack[0] = Pending(
        node=0, start=0, n=n, depth=0, weighted=loop.work.n_weighted, n_live=loop.node.n_inputs, ready=NULL,
        random=loop.random,
    )
    for l in range(loop.node.n_inputs):
        loop.stack_live[l] = l
    for l in range(loop.work.n_listed):
        loop.stack_lists[l] = 0
        loop.stack_lists[loop.work.n_listed + l] = loop.work.list_capacity[loop.work.listed[l]]
    loop.stack_size = 1
    return 0


cdef void open_pending(Loop* loop, const Pending* at) noexcept nogil:
    """Point the node struct at a pending node's cases."""
    cdef Node* node = &loop.node
    cdef int i, l, c, q, n_listed = loop.work.n_listed
    # a kernel of plain values goes through few cases one by one, and leaves their tables alone
    cdef int n_counted = at.n // 4 if loop.splitter.needs & NEEDS_NUMBERS else at.n
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
    for i in range(loop.work.bundles.n):
        loop.work.bundle_here[i] = loop.work.bundle[i] + at.start
    for q in range(at.n_live):
        i = loop.live[q]
        if not is_kept(&loop.work, i):
            continue
        if loop.work.bytes[i] != NULL:
            (<const uint8_t**>node.bytes)[i] = loop.work.bytes[i] + at.start
        elif loop.work.wide[i] != NULL:
            (<const int32_t**>node.wide)[i] = loop.work.wide[i] + at.start
        elif loop.work.numbers[i] != NULL:
            (<const double**>node.numbers)[i] = loop.work.numbers[i] + at.start
        else:
            l = loop.work.list_place[i]
            loop.region_lists[l], loop.region_lists[n_listed + l] = lists[l], lists[n_listed + l]
            (<const uint64_t**>node.list)[i] = loop.work.list[i] + lists[l]
            (<int32_t*>node.list_size)[i] = lists[n_listed + l]
    loop.rows_weighed = 0
    if at.weighted and n_listed and not loop.work.gathered:
        weigh_rows(loop)
    loop.counts.ready, loop.random = at.ready, at.random
    if loop.max_attributes == 0:      # else there are no whole tables
        look_at(&loop.counts, &loop.work)
    if at.ready == NULL and not at.weighted and loop.max_attributes == 0 and worth_whole(&loop.counts, n_counted):
        loop.counts.ready = take(&loop.counts)
        if loop.counts.ready != NULL:
            fill_whole(&loop.counts, &loop.work, at.start, at.n, loop.counts.ready)
    open_node(&loop.counts, node)


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
