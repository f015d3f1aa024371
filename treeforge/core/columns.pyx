"""Columns in node order, and how a node's cases are divided among its branches.

The cases of a node are ``[start, start + n)`` of every column, the known ones of a LISTED column
``[list_start, list_start + list_size)`` of its list. Dividing replaces a node by its branches, the last
branch lowest: the loop works from the top of a stack, so the first branch comes first and there is always
room above it. Without unknown values the branches fill exactly their parent's place. A case whose value is
unknown is put into every branch, with part of its weight; then the top of the stack moves up.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

cdef extern from "treeforge_vector.h" nogil:
    void tf_divide8(uint8_t* a, uint8_t* spare, const uint8_t* mask, int n, int yes)
    void tf_divide16(uint16_t* a, uint16_t* spare, const uint8_t* mask, int n, int yes)
    void tf_divide32(uint32_t* a, uint32_t* spare, const uint8_t* mask, int n, int yes)
    void tf_divide64(uint64_t* a, uint64_t* spare, const uint8_t* mask, int n, int yes)
    void tf_divide_list(
        uint64_t* a, uint64_t* spare, const uint64_t* side, uint64_t row_mask, int n, int yes
    )

cdef enum:
    BLOCK = 256             # entries whose branches are looked up together

ctypedef fused cell_t:
    uint8_t
    uint16_t
    int32_t
    uint32_t
    uint64_t


# ------------------------------------------------------------------ two branches, every value known

cdef void divide_in_two(Columns* work, const Region* node, int skip, int n_last, Region* children) noexcept nogil:
    """Divide by ``mask`` (and ``side``, for lists); branch 1 is put lowest. ``skip``: the list tested, in order."""
    cdef int i, l, q, start = node.start, n = node.n
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1
    cdef const uint8_t* mask = <const uint8_t*>work.mask
    cdef uint64_t* list
    tf_divide16(work.classes + start, <uint16_t*>work.spare, mask, n, n_last)
    if work.rows != NULL:
        tf_divide32(work.rows + start, <uint32_t*>work.spare, mask, n, n_last)
    if work.weights != NULL:
        tf_divide64(<uint64_t*>work.weights + start, <uint64_t*>work.spare, mask, n, n_last)
    children[1].start, children[1].n = start, n_last
    children[0].start, children[0].n = start + n_last, n - n_last
    for q in range(work.n_live):
        i = work.live[q]
        if work.bytes[i] != NULL:
            tf_divide8(work.bytes[i] + start, work.spare, mask, node.n, children[1].n)
            continue
        if work.wide[i] != NULL:
            tf_divide32(<uint32_t*>work.wide[i] + start, <uint32_t*>work.spare, mask, node.n, children[1].n)
            continue
        l = work.list_place[i]
        list, n = work.list[i] + node.list_start[l], node.list_size[l]
        n_last = children[1].n if n == node.n else in_last(work, list, n)
        if i == skip:
            turn(list, <uint64_t*>work.spare, n - n_last, n_last)
        else:
            tf_divide_list(list, <uint64_t*>work.spare, work.side, row_mask, n, n_last)
        children[1].list_start[l], children[1].list_size[l] = node.list_start[l], n_last
        children[0].list_start[l], children[0].list_size[l] = node.list_start[l] + n_last, n - n_last


cdef int in_last(const Columns* work, const uint64_t* list, int n) noexcept nogil:
    """How many of a list's cases go to the last branch."""
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1, row
    cdef int j, count = 0
    for j in range(n):
        row = list[j] & row_mask
        count += <int>(work.side[row >> 6] >> (row & 63) & 1)
    return count


cdef inline void turn(uint64_t* list, uint64_t* spare, int n_first, int n_last) noexcept nogil:
    """The last part to the front, order kept."""
    cdef int j
    if n_first <= n_last:
        memcpy(spare, list, <size_t>n_first * 8)
        for j in range(n_last):
            list[j] = list[j + n_first]
        memcpy(list + n_last, spare, <size_t>n_first * 8)
    else:
        memcpy(spare, list + n_first, <size_t>n_last * 8)
        for j in range(n_first - 1, -1, -1):
            list[j + n_last] = list[j]
        memcpy(list, spare, <size_t>n_last * 8)


# ------------------------------------------------------------------ any number of branches, unknown values

cdef int divide(
    Columns* work, const Region* node, int n_branches, const double* share, const uint8_t* is_open, bint weighted,
    Region* children
) noexcept nogil:
    """Divide by ``branch`` (and ``side_branch``, for lists). -1: no memory.

    A case of branch ``n_branches`` is unknown: it goes to every branch whose share is above 0, and if
    there is one, ``weights`` must be there (``weighted``: they already hold the cases' weights). Branches
    that are not open are leaves: nobody will look at their cases, so they get none.
    """
    cdef int i, q, total = trace(work, node, n_branches, share, is_open, children)
    if total < 0 or make_room(work, node.start + total) < 0:
        return -1
    gather[uint16_t](work.classes, node.start, node.n, <uint16_t*>work.spare, work.origin, total)
    if work.rows != NULL:
        gather[uint32_t](work.rows, node.start, node.n, <uint32_t*>work.spare, work.origin, total)
    if work.weights != NULL:
        gather_weights(work, node, n_branches, share, weighted, children)
    for q in range(work.n_live):
        i = work.live[q]
        if work.bytes[i] != NULL:
            gather[uint8_t](work.bytes[i], node.start, node.n, work.spare, work.origin, total)
        elif work.wide[i] != NULL:
            gather[int32_t](work.wide[i], node.start, node.n, <int32_t*>work.spare, work.origin, total)
        elif divide_list(work, node, i, n_branches, share, is_open, children) < 0:
            return -1
    return 0


cdef int trace(
    Columns* work, const Region* node, int n_branches, const double* share, const uint8_t* is_open, Region* children
) noexcept nogil:
    """Fill ``origin``, and the places of the branches, the last lowest. Returns the number of cases; -1: no memory."""
    cdef int b, j, n_unknown = 0, top = node.start, total
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
        moved = realloc(work.cursors, <size_t>work.cursor_capacity * sizeof(Cursor))
        if moved == NULL:
            return -1
        work.cursors = <Cursor*>moved
    for b in range(n_branches):
        if not is_open[b]:
            children[b].start = top      # written to, never read: cheaper than a branch guessed wrong
    for j in range(node.n):
        b = work.branch[j]
        if b < n_branches:
            work.origin[children[b].start - node.start] = j
            children[b].start += is_open[b]
            continue
        for b in range(n_branches):
            if is_open[b] and share[b] > 0.0:
                work.origin[children[b].start - node.start] = j
                children[b].start += 1
    for b in range(n_branches):
        children[b].start -= children[b].n
    return total


cdef void gather(
    cell_t* column, int start, int n, cell_t* spare, const int32_t* origin, int total
) noexcept nogil:
    cdef int m
    memcpy(spare, column + start, n * sizeof(cell_t))
    for m in range(total):
        column[start + m] = spare[origin[m]]


cdef void gather_weights(
    Columns* work, const Region* node, int n_branches, const double* share, bint weighted, const Region* children
) noexcept nogil:
    cdef double* spare = <double*>work.spare
    cdef double weight
    cdef int m, j, b
    if weighted:
        memcpy(spare, work.weights + node.start, node.n * sizeof(double))
    for b in range(n_branches):
        for m in range(children[b].start, children[b].start + children[b].n):
            j = work.origin[m - node.start]
            weight = spare[j] if weighted else 1.0
            work.weights[m] = weight * share[b] if work.branch[j] == n_branches else weight


cdef int divide_list(
    Columns* work, const Region* node, int i, int n_branches, const double* share, const uint8_t* is_open,
    Region* children
) noexcept nogil:
    cdef int l = work.list_place[i], start = node.list_start[l], n = node.list_size[l], j, b, top = start, n_unknown = 0
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1
    cdef uint64_t* list = work.list[i]
    cdef uint64_t* spare = <uint64_t*>work.spare
    cdef Cursor* cursors = work.cursors
    cdef uint16_t[BLOCK] branches
    cdef int m
    for b in range(n_branches):
        children[b].list_size[l] = children[b].n if n == node.n else 0
    if n < node.n:       # the list lacks some of the node's cases
        for j in range(n):
            b = work.side_branch[list[start + j] & row_mask]
            if b == n_branches:
                n_unknown += 1
            else:
                children[b].list_size[l] += is_open[b]
        for b in range(n_branches):
            if is_open[b] and share[b] > 0.0:
                children[b].list_size[l] += n_unknown
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
            for b in range(n_branches):
                if is_open[b] and share[b] > 0.0:
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
    for i in range(work.n_inputs):
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
