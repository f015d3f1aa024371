"""Subtrees that grow side by side, each in a loop of its own.

A node that is small enough leaves the loop as a *part*: any thread may go on with its cases, since nothing that
a subtree grows from lies outside them. They stay where they are unless some value is unknown; then they are
copied. When all parts are grown they are joined, and the nodes are numbered as one loop would have numbered
them: the same tree for any number of threads.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy

from treeforge.core.bundles cimport in_bundle
from treeforge.core.columns cimport Columns
from treeforge.core.encode cimport Encoded
from treeforge.core.histogram cimport give
from treeforge.core.kernel cimport LISTED
from treeforge.core.loop cimport Loop, Part, Pending, run
from treeforge.core.nodes cimport Nodes, add_nodes, copy_node
from treeforge.core.settle cimport mark_all
from treeforge.core.setup cimport furnish, tear_down
from treeforge.core.spread cimport more_stack
from treeforge.core.storage cimport allocate_scratch, copied, list_inputs, release, start_weights

cdef int NO_MEMORY = -1


# ------------------------------------------------------------------ a pending node becomes a part

cdef int detach(Loop* loop, const Pending* at) noexcept nogil:
    """Take over what a pending node, just taken from the stack, grows from. -1: no memory."""
    cdef const int32_t* live = loop.stack_live + <size_t>loop.stack_size * loop.node.n_inputs
    cdef const int* lists = loop.stack_lists + <size_t>loop.stack_size * 2 * loop.work.n_listed
    cdef void* moved
    cdef Loop* own
    if loop.n_parts == 0 and mark_all(loop) < 0:      # what parts share
        return NO_MEMORY
    if loop.n_parts == loop.parts_capacity:
        moved = realloc(loop.parts, (2 * <size_t>loop.parts_capacity + 16) * sizeof(Part))
        if moved == NULL:
            return NO_MEMORY
        loop.parts, loop.parts_capacity = <Part*>moved, 2 * loop.parts_capacity + 16
    own = <Loop*>calloc(1, sizeof(Loop))
    if own == NULL:
        return NO_MEMORY
    loop.parts[loop.n_parts] = Part(node=at.node, loop=own)
    loop.n_parts += 1
    own.criterion, own.splitter = loop.criterion, loop.splitter
    own.min_branch, own.min_split, own.max_depth = loop.min_branch, loop.min_split, loop.max_depth
    own.max_attributes = loop.max_attributes
    own.leaf_of, own.node.xlogx = loop.leaf_of, loop.node.xlogx
    own.nodes.n_classes = loop.nodes.n_classes
    give(&loop.counts, at.ready)
    if take_cases(&own.work, &loop.work, at, live, lists) or copy_root(own, loop, at, live):
        return NO_MEMORY
    return 0


cdef int take_cases(
    Columns* own, const Columns* work, const Pending* at, const int32_t* live, const int* lists
) noexcept nogil:
    """1: no memory."""
    cdef int q, i, l
    cdef size_t n = at.n, start = at.start
    own.is_part, own.all_known, own.n_inputs, own.n_listed = 1, work.all_known, work.n_inputs, work.n_listed
    own.n_cases = own.capacity = own.spare_cases = at.n
    own.n_weighted, own.table_rows, own.row_bits = at.weighted, work.table_rows, work.row_bits
    own.n_training = work.n_training
    own.columns, own.copied, own.gathered, own.bundles = work.columns, work.copied, work.gathered, work.bundles
    if list_inputs(own) or allocate_scratch(own, work.rows != NULL):
        return 1
    memcpy(own.present, work.present, work.n_inputs * sizeof(void*))
    own.classes = <uint16_t*>taken(own, work.classes + start, n * sizeof(uint16_t))
    if work.rows != NULL:
        own.rows = <uint32_t*>taken(own, work.rows + start, n * sizeof(uint32_t))
    if at.weighted:
        own.weights = <double*>taken(own, work.weights + start, n * sizeof(double))
        if own.weights == NULL or start_weights(own) < 0:
            return 1
    if own.classes == NULL or (work.rows != NULL and own.rows == NULL):
        return 1
    for i in range(work.bundles.n):
        own.bundle[i] = <uint8_t*>taken(own, work.bundle[i] + start, n)
        if own.bundle[i] == NULL:
            return 1
    for q in range(at.n_live):
        i = live[q]
        if in_bundle(&work.bundles, i):
            continue
        if work.gathered and work.columns[i].form != LISTED:
            make_column(own, work, i)
        elif work.bytes[i] != NULL:
            own.bytes[i] = <uint8_t*>taken(own, work.bytes[i] + start, n)
        elif work.wide[i] != NULL:
            own.wide[i] = <int32_t*>taken(own, work.wide[i] + start, n * sizeof(int32_t))
        elif work.numbers[i] != NULL:
            own.numbers[i] = <double*>taken(own, work.numbers[i] + start, n * sizeof(double))
        else:
            l = work.list_place[i]
            own.list_capacity[i] = lists[work.n_listed + l]
            own.list[i] = <uint64_t*>taken(own, work.list[i] + lists[l], own.list_capacity[i] * sizeof(uint64_t))
        if own.bytes[i] == NULL and own.wide[i] == NULL and own.numbers[i] == NULL and own.list[i] == NULL:
            return 1
    return 0


cdef void make_column(Columns* own, const Columns* work, int i) noexcept nogil:
    """Room for a column that nodes gather."""
    cdef size_t n = own.n_cases
    if work.bytes[i] != NULL:
        own.bytes[i] = <uint8_t*>malloc(n + 64)
    elif work.wide[i] != NULL:
        own.wide[i] = <int32_t*>malloc(n * sizeof(int32_t) + 64)
    else:
        own.numbers[i] = <double*>malloc(n * sizeof(double) + 64)


cdef inline void* taken(const Columns* own, const void* source, size_t size) noexcept nogil:
    """The place itself, or a copy: the loop would write over it where cases of unknown value make a node grow."""
    return <void*>source if own.all_known else copied(source, size)


cdef int copy_root(Loop* own, const Loop* loop, const Pending* at, const int32_t* live) noexcept nogil:
    """The node itself, as the only one on the part's stack. 1: no memory."""
    cdef int l, i, j, n_listed = loop.work.n_listed
    cdef uint32_t row
    own.node.n_inputs = loop.node.n_inputs
    if add_nodes(&own.nodes, 1, -1) < 0 or more_stack(own, 1) < 0:
        return 1
    copy_node(&own.nodes, 0, &loop.nodes, at.node)
    own.stack[0] = at[0]
    own.stack[0].node, own.stack[0].start, own.stack[0].ready = 0, 0, NULL
    memcpy(own.stack_live, live, at.n_live * sizeof(int32_t))
    for l in range(n_listed):
        i = own.work.listed[l]
        own.stack_lists[l], own.stack_lists[n_listed + l] = 0, own.work.list_capacity[i]
    own.stack_size = 1
    if own.leaf_of == NULL:
        return 0
    own.first_rows = <uint32_t*>malloc((<size_t>at.n + 1) * sizeof(uint32_t))
    if own.first_rows == NULL:
        return 1
    for j in range(at.n):      # rows that ended above may come to several parts; copies of a row follow one another
        row = own.work.rows[j]
        if own.leaf_of[row] >= -1 and (own.n_first == 0 or own.first_rows[own.n_first - 1] != row):
            own.first_rows[own.n_first] = row
            own.n_first += 1
    return 0


cdef int grow_part(Part* part, Encoded coded) noexcept nogil:
    """Below 0: as ``run``. Its cases are given back."""
    cdef int status = furnish(part.loop, coded)
    if status == 0:
        status = run(part.loop)
    release(&part.loop.work)
    return status


# ------------------------------------------------------------------ parts become one tree

cdef struct Step:           # a node whose branches are yet to be numbered
    int node                # in its own part
    int whole               # in the whole tree
    int part                # -1: the loop that the parts left


cdef int join(Loop* loop, Nodes* whole, int table_rows) noexcept nogil:
    """All nodes in the order of a single loop: a node's branches when it is split, the first one's subtree first.

    ``leaf_of`` is made to speak of the whole tree. -1: no memory.
    """
    cdef int p, n = loop.nodes.n
    cdef int32_t* part_of
    cdef int32_t** number
    for p in range(loop.n_parts):
        n += loop.parts[p].loop.nodes.n
    part_of = <int32_t*>malloc((<size_t>loop.nodes.n + 1) * sizeof(int32_t))
    number = <int32_t**>calloc(loop.n_parts + 1, sizeof(void*))
    cdef int32_t* numbers = <int32_t*>malloc((<size_t>n + 1) * sizeof(int32_t))
    cdef Step* stack = <Step*>malloc((<size_t>n + 1) * sizeof(Step))
    cdef int status = NO_MEMORY
    if part_of != NULL and number != NULL and numbers != NULL and stack != NULL:
        for p in range(loop.nodes.n):
            part_of[p] = -1
        n = loop.nodes.n
        number[loop.n_parts] = numbers
        for p in range(loop.n_parts):
            part_of[loop.parts[p].node] = p
            number[p] = numbers + n
            n += loop.parts[p].loop.nodes.n
        status = number_nodes(loop, whole, part_of, number, stack)
        if status == 0 and loop.leaf_of != NULL:
            rename_leaves(loop, number, table_rows)
    free(part_of)
    free(number)
    free(numbers)
    free(stack)
    return status


cdef int number_nodes(
    const Loop* loop, Nodes* whole, const int32_t* part_of, int32_t** number, Step* stack
) noexcept nogil:
    """-1: no memory."""
    cdef int size = 1, b, first, n_branches, p
    cdef Step at
    cdef const Nodes* nodes
    whole.n_classes = loop.nodes.n_classes
    if add_nodes(whole, 1, -1) < 0:
        return NO_MEMORY
    stack[0] = Step(node=0, whole=0, part=-1)
    while size:
        size -= 1
        at = stack[size]
        if at.part < 0 and part_of[at.node] >= 0:
            number[loop.n_parts][at.node] = at.whole
            at.node, at.part = 0, part_of[at.node]
        nodes = &loop.nodes if at.part < 0 else &loop.parts[at.part].loop.nodes
        p = loop.n_parts if at.part < 0 else at.part
        number[p][at.node] = at.whole
        if copy_node(whole, at.whole, nodes, at.node) < 0:
            return NO_MEMORY
        n_branches = nodes.n_branches[at.node]
        if n_branches == 0:
            continue
        first = add_nodes(whole, n_branches, at.whole)
        if first < 0:
            return NO_MEMORY
        whole.first_child[at.whole] = first
        for b in range(n_branches - 1, -1, -1):
            stack[size] = Step(node=nodes.first_child[at.node] + b, whole=first + b, part=at.part)
            size += 1
    return 0


cdef void rename_leaves(Loop* loop, int32_t** number, int table_rows) noexcept nogil:
    """Parts have written their own numbers over the loop's; where these lie among all tells them apart on the way."""
    cdef int p, j, n, start
    cdef const Loop* own
    cdef const int32_t* numbers = number[loop.n_parts]
    cdef int32_t* end
    for p in range(loop.n_parts):
        own, start = loop.parts[p].loop, <int>(number[p] - numbers)
        for j in range(own.n_first):
            end = &loop.leaf_of[own.first_rows[j]]
            end[0] += start if end[0] >= 0 else -start
    for j in range(table_rows):
        n = loop.leaf_of[j]
        if n != -1:
            loop.leaf_of[j] = numbers[n] if n >= 0 else -2 - numbers[-2 - n]


cdef void discard_parts(Loop* loop) noexcept nogil:
    cdef int p
    for p in range(loop.n_parts):
        tear_down(loop.parts[p].loop)
        free(loop.parts[p].loop.first_rows)
        free(loop.parts[p].loop)
    free(loop.parts)
