"""Dividing a node's cases among any number of branches, where values may be unknown (two branches: ``columns``)."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from treeforge.core.columns cimport Columns, Cursor, Region, is_kept, is_large, n_threads, spare_of
from treeforge.core.crew cimport share as share_out

cdef extern from "treeforge_vector.h" nogil:
    void tf_gather8(uint8_t* to, const uint8_t* values, const uint32_t* places, int n)
    void tf_gather16(uint16_t* to, const uint16_t* values, const uint32_t* places, int n)
    void tf_gather32(uint32_t* to, const uint32_t* values, const uint32_t* places, int n)
    void tf_gather64(double* to, const double* values, const uint32_t* places, int n)

cdef enum:
    BLOCK = 256             # entries whose branches are looked up together
    MOST_CASES = 1073741824     # on the stack: unknown values may make any number of them

ctypedef fused cell_t:
    uint8_t
    uint16_t
    int32_t
    uint32_t
    double


cdef struct Job:            # a node that is divided; several threads take the columns of a large one
    Columns* work
    const Region* node
    int n_branches
    const double* share     # [n_branches]
    const uint8_t* is_open  # [n_branches]
    bint weighted
    Region* children        # [n_branches]
    int total               # cases of all branches
    int failed              # 1: no memory


cdef int divide(
    Columns* work, const Region* node, int n_branches, const double* share, const uint8_t* is_open, bint weighted,
    Region* children
) noexcept nogil:
    """Divide by ``branch`` (and ``side_branch``, for lists). -1: no memory.

    A case of branch ``n_branches`` is unknown: it goes to every branch whose share is above 0, and if
    there is one, ``weights`` must be there (``weighted``: they already hold the cases' weights). Branches
    that are not open are leaves: nobody will look at their cases, so they get none.
    """
    cdef int q, total = trace(work, node, n_branches, share, is_open, children)
    cdef Job job
    if total < 0 or make_room(work, node.start + total) < 0:
        return -1
    job = Job(work=work, node=node, n_branches=n_branches, share=share, is_open=is_open, weighted=weighted,
              children=children, total=total, failed=0)
    if is_large(work, node.n):
        share_out(work.crew, do_item, &job, work.n_live + work.bundles.n + 1)
    else:
        for q in range(work.n_live + work.bundles.n + 1):
            do_item(&job, 0, q)
    return -1 if job.failed else 0


cdef void do_item(void* shared, int thread, int item) noexcept nogil:
    """The live inputs, the bundles, then what does not belong to one input."""
    cdef Job* job = <Job*>shared
    cdef Columns* work = job.work
    cdef int start = job.node.start, n = job.node.n, i, b = item - work.n_live
    cdef uint8_t* spare = spare_of(work, thread)
    if b == work.bundles.n:
        gather[uint16_t](work.classes, start, n, <uint16_t*>spare, work.origin, job.total)
        if work.rows != NULL:
            gather[uint32_t](work.rows, start, n, <uint32_t*>spare, work.origin, job.total)
        if work.weights != NULL:
            gather_weights(job, <double*>spare)
        return
    if b >= 0:
        if work.bundle_lives[b]:
            gather[uint8_t](work.bundle[b], start, n, spare, work.origin, job.total)
        return
    i = work.live[item]
    if not is_kept(work, i):
        return
    if work.bytes[i] != NULL:
        gather[uint8_t](work.bytes[i], start, n, spare, work.origin, job.total)
    elif work.wide[i] != NULL:
        gather[int32_t](work.wide[i], start, n, <int32_t*>spare, work.origin, job.total)
    elif work.numbers[i] != NULL:
        gather[double](work.numbers[i], start, n, <double*>spare, work.origin, job.total)
    elif divide_list(job, i, <uint64_t*>spare, work.cursors + thread * work.cursor_capacity) < 0:
        job.failed = 1


cdef int trace(
    Columns* work, const Region* node, int n_branches, const double* share, const uint8_t* is_open, Region* children
) noexcept nogil:
    """Fill ``origin``, and the places of the branches, the last lowest. Returns the number of cases; -1: no memory."""
    cdef int b, j, q, n_unknown = 0, top = node.start, total
    cdef int64_t reached = node.start
    cdef void* moved
    for b in range(n_branches):
        children[b].n = 0
    for j in range(node.n):
        b = work.branch[j]
        if b == n_branches:
            n_unknown += 1
        else:
            children[b].n += is_open[b]
    for b in range(n_branches - 1, -1, -1):
        if is_open[b] and share[b] > 0.0:
            children[b].n += n_unknown
        reached += children[b].n
        if reached > MOST_CASES:
            return -1
        children[b].start = top
        top += children[b].n
    total = top - node.start
    if total >= work.origin_capacity:
        work.origin_capacity = total + total // 2 + 64
        moved = realloc(work.origin, <size_t>work.origin_capacity * sizeof(int32_t))
        if moved == NULL:
            return -1
        work.origin = <int32_t*>moved
    if n_branches > work.cursor_capacity:
        work.cursor_capacity = 2 * n_branches
        moved = realloc(work.cursors, <size_t>n_threads(work) * work.cursor_capacity * sizeof(Cursor))
        if moved == NULL:
            return -1
        work.cursors = <Cursor*>moved
        moved = realloc(work.takers, work.cursor_capacity * sizeof(int32_t))
        if moved == NULL:
            return -1
        work.takers = <int32_t*>moved
    work.n_takers = 0
    for b in range(n_branches):
        if is_open[b] and share[b] > 0.0:
            work.takers[work.n_takers] = b
            work.n_takers += 1
    for b in range(n_branches):
        if not is_open[b]:
            children[b].start = top      # written to, never read: cheaper than a branch guessed wrong
    for j in range(node.n):
        b = work.branch[j]
        if b < n_branches:
            work.origin[children[b].start - node.start] = j
            children[b].start += is_open[b]
            continue
        for q in range(work.n_takers):
            b = work.takers[q]
            work.origin[children[b].start - node.start] = j
            children[b].start += 1
    for b in range(n_branches):
        children[b].start -= children[b].n
    return total


cdef void gather(
    cell_t* column, int start, int n, cell_t* spare, const int32_t* origin, int total
) noexcept nogil:
    memcpy(spare, column + start, n * sizeof(cell_t))
    if cell_t is uint8_t:
        tf_gather8(column + start, spare, <const uint32_t*>origin, total)
    elif cell_t is uint16_t:
        tf_gather16(column + start, spare, <const uint32_t*>origin, total)
    elif cell_t is double:
        tf_gather64(column + start, spare, <const uint32_t*>origin, total)
    else:
        tf_gather32(<uint32_t*>column + start, <uint32_t*>spare, <const uint32_t*>origin, total)


cdef void gather_weights(const Job* job, double* spare) noexcept nogil:
    cdef double* weights = job.work.weights
    cdef const Region* child
    cdef double weight
    cdef int m, j, b
    if job.weighted:
        memcpy(spare, weights + job.node.start, job.node.n * sizeof(double))
    for b in range(job.n_branches):
        child = &job.children[b]
        for m in range(child.start, child.start + child.n):
            j = job.work.origin[m - job.node.start]
            weight = spare[j] if job.weighted else 1.0
            weights[m] = weight * job.share[b] if job.work.branch[j] == job.n_branches else weight


cdef int divide_list(const Job* job, int i, uint64_t* spare, Cursor* cursors) noexcept nogil:
    """-1: no memory."""
    cdef Columns* work = job.work
    cdef const Region* node = job.node
    cdef Region* children = job.children
    cdef const uint8_t* is_open = job.is_open
    cdef int n_branches = job.n_branches, l = work.list_place[i], start = node.list_start[l], n = node.list_size[l]
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1
    cdef uint64_t* list = work.list[i]
    cdef uint16_t[BLOCK] branches
    cdef int j, b, q, m, top = start, n_unknown = 0
    for b in range(n_branches):
        children[b].list_size[l] = children[b].n if n == node.n else 0
    if n < node.n:       # the list lacks some of the node's cases
        for j in range(n):
            b = work.side_branch[list[start + j] & row_mask]
            if b == n_branches:
                n_unknown += 1
            else:
                children[b].list_size[l] += is_open[b]
        for q in range(work.n_takers):
            children[work.takers[q]].list_size[l] += n_unknown
    for b in range(n_branches - 1, -1, -1):
        children[b].list_start[l] = top
        top += children[b].list_size[l]
    if top > work.list_capacity[i]:
        list = <uint64_t*>realloc(list, (<size_t>top + top // 2) * 8 + 64)
        if list == NULL:
            return -1
        work.list[i], work.list_capacity[i] = list, top + top // 2
    memcpy(spare, list + start, <size_t>n * 8)
    for b in range(n_branches):
        cursors[b].at, cursors[b].step = list + (children[b].list_start[l] if is_open[b] else top), is_open[b]
    while n:
        m = min(n, <int>BLOCK)
        for j in range(m):      # by themselves, so that many are on their way from memory at once
            branches[j] = work.side_branch[spare[j] & row_mask]
        for j in range(m):
            b = branches[j]
            if b < n_branches:
                cursors[b].at[0] = spare[j]
                cursors[b].at += cursors[b].step
                continue
            for q in range(work.n_takers):
                b = work.takers[q]
                cursors[b].at[0] = spare[j]
                cursors[b].at += 1
        spare += m
        n -= m
    return 0


cdef int make_room(Columns* work, int total) noexcept nogil:
    """Room for ``total`` cases on the stack. -1: no memory."""
    cdef int i, more
    cdef void* moved
    if total <= work.capacity:
        return 0
    more = total + total // 2
    for i in range(0 if work.gathered else work.n_inputs):
        if work.bytes[i] != NULL:
            moved = realloc(work.bytes[i], more + 64)
            if moved == NULL:
                return -1
            work.bytes[i] = <uint8_t*>moved
        if work.wide[i] != NULL:
            moved = realloc(work.wide[i], 4 * <size_t>more + 64)
            if moved == NULL:
                return -1
            work.wide[i] = <int32_t*>moved
        if work.numbers[i] != NULL:
            moved = realloc(work.numbers[i], 8 * <size_t>more + 64)
            if moved == NULL:
                return -1
            work.numbers[i] = <double*>moved
    for i in range(work.bundles.n):
        moved = realloc(work.bundle[i], more + 64)
        if moved == NULL:
            return -1
        work.bundle[i] = <uint8_t*>moved
    moved = realloc(work.classes, 2 * <size_t>more + 64)
    if moved == NULL:
        return -1
    work.classes = <uint16_t*>moved
    if work.rows != NULL:
        moved = realloc(work.rows, 4 * <size_t>more + 64)
        if moved == NULL:
            return -1
        work.rows = <uint32_t*>moved
    if work.weights != NULL:
        moved = realloc(work.weights, 8 * <size_t>more + 64)
        if moved == NULL:
            return -1
        work.weights = <double*>moved
    work.capacity = more
    return 0
