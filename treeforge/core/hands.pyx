"""Threads that let the inputs of a large node propose, side by side.

Each has what kernels may write to: their scratch, the table of class weights, counts and a random stream. All
else of the node is the loop's own, and only read. What an input proposes depends on its values alone, so it is
the same in any thread, unless the kernel draws random numbers: that is seen from the streams afterwards, and
from then on the loop asks by itself, as it does again after a failure.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc

from treeforge.core.columns cimport spare_of
from treeforge.core.count cimport open_node
from treeforge.core.crew cimport share
from treeforge.core.histogram cimport discard, prepare, start_sums
from treeforge.core.kernel cimport BYTES, OTHER
from treeforge.core.loop cimport Hands, Loop
from treeforge.core.setup cimport furnish_calls, release_calls

cdef int NO_MEMORY = -1


cdef int join_hands(Loop* loop) noexcept nogil:
    """Furnish the hands of a loop whose columns have a crew, if its kernels may be called side by side.

    These are splitters that take all candidates of a node in one call, whichever these are, with a criterion
    that they know: a criterion in Python is none of those. -1: no memory.
    """
    cdef int t
    cdef Hands* hands
    if loop.work.crew == NULL or loop.splitter.propose_all == NULL or loop.criterion.measure == OTHER:
        return 0
    hands = loop.hands = <Hands*>calloc(1, sizeof(Hands))
    if hands == NULL:
        return NO_MEMORY
    hands.each = <Loop*>calloc(loop.work.crew.n_threads, sizeof(Loop))
    hands.status = <int*>malloc(loop.work.crew.n_threads * sizeof(int))
    hands.order = <int32_t*>malloc(4 * <size_t>loop.node.n_inputs + 8)
    if hands.each == NULL or hands.status == NULL or hands.order == NULL:
        return NO_MEMORY
    for t in range(loop.work.crew.n_threads):
        hands.each[t].node.n_classes = loop.node.n_classes
        hands.each[t].criterion, hands.each[t].splitter = loop.criterion, loop.splitter
        if prepare(&hands.each[t].counts, &loop.work, loop.node.n_classes) < 0 or furnish_calls(&hands.each[t]) < 0:
            return NO_MEMORY
    return 0


cdef bint ask_together(Loop* loop) noexcept nogil:
    """Let the candidates propose. False: nothing is done, ask them one after the other."""
    cdef Hands* hands = loop.hands
    cdef int t, n_items, n_threads = loop.work.crew.n_threads
    if hands.draws:
        return False
    put_in_order(hands, loop)
    for t in range(n_threads):
        if not look_at_node(&hands.each[t], loop):
            return False
        hands.each[t].node.room = <double*>spare_of(&loop.work, t)
        hands.status[t] = 0
    n_items = hands.n_single + (hands.n_candidates - hands.n_single + 3) // 4
    share(loop.work.crew, ask_some, loop, n_items)
    for t in range(n_threads):
        hands.draws = hands.draws or hands.each[t].random != loop.random
        if hands.draws or hands.status[t] < 0:
            return False
    return True


cdef void put_in_order(Hands* hands, const Loop* loop) noexcept nogil:
    """Whatever is gone through case by case first: it takes longest."""
    cdef int q, input, counted, n = 0
    for counted in range(2):
        for q in range(loop.node.n_candidates):
            input = loop.node.candidates[q]
            if (loop.node.columns[input].form == BYTES) == counted:
                hands.order[n] = input
                n += 1
        if not counted:
            hands.n_single = n
    hands.n_candidates = n


cdef bint look_at_node(Loop* hand, const Loop* loop) noexcept nogil:
    """Point a hand at the loop's node. False: no memory."""
    cdef double* scratch = hand.node.scratch
    hand.work, hand.node, hand.random = loop.work, loop.node, loop.random
    hand.work.crew = NULL
    hand.node.scratch, hand.node.table = scratch, hand.table
    hand.node.loop, hand.node.random = hand, &hand.random
    hand.counts.ready = loop.counts.ready
    open_node(&hand.counts, &hand.node)
    return loop.node.weights == NULL or start_sums(&hand.counts) == 0


cdef void ask_some(void* shared, int thread, int item) noexcept nogil:
    """One input, or four that are counted together."""
    cdef const Loop* loop = <const Loop*>shared
    cdef const Hands* hands = loop.hands
    cdef Loop* hand = &hands.each[thread]
    cdef int first = item, n = 1, status
    if item >= hands.n_single:
        first = hands.n_single + 4 * (item - hands.n_single)
        n = min(4, hands.n_candidates - first)
    hand.node.candidates, hand.node.n_candidates = hands.order + first, n
    status = hand.splitter.propose_all(<const void*>(hand.splitter + 1), &hand.node, loop.splits)
    if status < 0:
        hands.status[thread] = status


cdef void release_hands(Loop* loop) noexcept nogil:
    cdef int t
    cdef Hands* hands = loop.hands
    if hands == NULL:
        return
    for t in range(loop.work.crew.n_threads if hands.each != NULL else 0):
        hands.each[t].counts.ready = NULL       # the loop's own
        discard(&hands.each[t].counts)
        release_calls(&hands.each[t])
    free(hands.each)
    free(hands.status)
    free(hands.order)
    free(hands)
    loop.hands = NULL
