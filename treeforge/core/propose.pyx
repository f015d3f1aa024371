"""Which inputs a node looks at, and what they propose.

With ``max_attributes`` they are drawn at random, and only the columns of these are made: gathered from the
table by the rows of the node's cases.
"""

from libc.stdint cimport int32_t
from libc.string cimport memcpy

from treeforge.core.columns cimport is_large
from treeforge.core.gather cimport gather_column
from treeforge.core.hands cimport ask_together
from treeforge.core.kernel cimport CONSTANT, LISTED, Node, Split, uniform
from treeforge.core.loop cimport Loop
from treeforge.core.spread cimport bury

cdef double TINY = 1e-6      # c45.md 0.2


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
            gather(loop, loop.order[i])
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


cdef inline void gather(Loop* loop, int input) noexcept nogil:
    """Bring a column of the table into the order of the node's cases; a list always is, but its weights may lack."""
    if loop.work.columns[input].form != LISTED:
        gather_column(&loop.work, input, loop.coded_bytes, loop.node.rows, loop.node.n_rows)
    elif loop.node.weights != NULL and not loop.rows_weighed:
        weigh_rows(loop)


cdef void weigh_rows(Loop* loop) noexcept nogil:
    """Weights by row, for lists."""
    cdef int j
    for j in range(loop.node.n_rows):
        loop.work.row_weight[loop.node.rows[j]] = loop.node.weights[j]
    loop.rows_weighed = 1


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


cdef int ask(Loop* loop) noexcept nogil:
    """Let the candidates propose. Below 0: a splitter failed."""
    cdef const Node* node = &loop.node
    cdef const void* params = <const void*>(loop.splitter + 1)
    cdef int q, status
    clear_splits(loop)
    if loop.hands != NULL and is_large(&loop.work, node.n_rows):
        if ask_together(loop):
            return 0
        clear_splits(loop)
    if loop.splitter.propose_all != NULL:
        return loop.splitter.propose_all(params, node, loop.splits)
    for q in range(node.n_candidates):
        status = loop.splitter.propose(params, node, node.candidates[q], &loop.splits[node.candidates[q]])
        if status < 0:
            return status
    return 0


cdef inline void clear_splits(Loop* loop) noexcept nogil:
    cdef int q
    cdef Split* split
    for q in range(loop.node.n_candidates):
        split = &loop.splits[loop.node.candidates[q]]
        split.n_branches, split.charge = 0, 0.0
