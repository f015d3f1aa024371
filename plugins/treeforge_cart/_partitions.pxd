"""Two-sided partitions of values by their class weights: which are tried, and how the best is kept.

A value is a category or a block of a number that has cases. The reference in Python is ``subsets.py``; what is
tried, and in which order, is said there.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from treeforge.core.kernel cimport Node

cdef enum:
    NO_MEMORY = -1


cdef struct Parts:
    const Node* node
    int m                    # values present
    int n_classes
    double* counts           # class weights of each, [m, n_classes]
    double* weight           # [m]
    double* whole            # class weights of all, [n_classes]
    double* sides            # of the candidate, [2, n_classes]
    int* order               # scratch, [m]
    uint8_t* side            # answer: 1 for the values of one side, [m]
    double known


cdef inline int open_parts(Parts* parts, const Node* node, int m) noexcept nogil:
    """Room for m values, all counts 0. -1: no memory."""
    cdef size_t doubles = (<size_t>m + 3) * node.n_classes + m
    cdef double* room = <double*>malloc(doubles * sizeof(double) + m * sizeof(int) + m + 1)
    if room == NULL:
        return NO_MEMORY
    memset(room, 0, doubles * sizeof(double))
    parts.node, parts.m, parts.n_classes = node, m, node.n_classes
    parts.counts, parts.weight = room, room + <size_t>m * node.n_classes
    parts.whole = parts.weight + m
    parts.sides = parts.whole + node.n_classes
    parts.order = <int*>(parts.sides + 2 * <size_t>node.n_classes)
    parts.side = <uint8_t*>(parts.order + m)
    return 0


cdef inline void close_parts(Parts* parts) noexcept nogil:
    free(parts.counts)


cdef inline void sum_parts(Parts* parts) noexcept nogil:
    cdef int v, c
    parts.known = 0.0
    for v in range(parts.m):
        for c in range(parts.n_classes):
            parts.weight[v] += parts.counts[<size_t>v * parts.n_classes + c]
            parts.whole[c] += parts.counts[<size_t>v * parts.n_classes + c]
        parts.known += parts.weight[v]


cdef inline void keep_present(Parts* parts, const double* counts, int n_cells, int32_t* code_of) noexcept nogil:
    """The values are the cells that have cases: their class weights side by side, and which cell each is."""
    cdef int cell, c, v = 0, n = parts.n_classes
    cdef double here
    for cell in range(n_cells):
        here = 0.0
        for c in range(n):
            here += counts[<size_t>cell * n + c]
        if here > 0.0:
            code_of[v] = cell
            for c in range(n):
                parts.counts[<size_t>v * n + c] = counts[<size_t>cell * n + c]
            v += 1
    parts.m = v
    sum_parts(parts)


cdef inline bint best_partition(Parts* parts, int exact_up_to) noexcept nogil:
    """Set ``side``; False: no partition has two sides that are heavy enough."""
    cdef int c, n_present = 0
    for c in range(parts.n_classes):
        n_present += parts.whole[c] > 0.0
    if parts.m < 2:
        return False
    if n_present <= 2:
        return by_share(parts)
    if parts.m <= exact_up_to:
        return by_trying_all(parts)
    return by_growth(parts)


cdef inline bint by_share(Parts* parts) noexcept nogil:
    """Two classes: a prefix of the values in order of the first class's share (Breiman et al. 1984, theorem 4.5)."""
    cdef int first = 0, v, i, best_size = 0, n = parts.n_classes
    cdef int* order = parts.order
    cdef double best = -INFINITY, gain
    while first < n - 1 and not parts.whole[first] > 0.0:
        first += 1
    for v in range(parts.m):     # insertion keeps equal shares in the order of the values
        i = v
        while i > 0 and share(parts, v, first) > share(parts, order[i - 1], first):
            order[i] = order[i - 1]
            i -= 1
        order[i] = v
    clear_sides(parts)
    for i in range(parts.m - 1):
        add_to_side(parts, order[i])
        gain = gain_of_sides(parts, True)
        if gains_more(gain, best):
            best, best_size = gain, i + 1
    memset(parts.side, 0, parts.m)
    for i in range(best_size):
        parts.side[order[i]] = 1
    return best_size > 0


cdef inline double share(const Parts* parts, int value, int label) noexcept nogil:
    return parts.counts[<size_t>value * parts.n_classes + label] / parts.weight[value]


cdef inline bint by_trying_all(Parts* parts) noexcept nogil:
    """Every partition once: subsets by size up to half of the values, in lexical order (Wang et al. 2016)."""
    cdef int size, i, m = parts.m, found = 0
    cdef int* chosen = parts.order
    cdef double best = -INFINITY, gain
    for size in range(1, m // 2 + 1):
        for i in range(size):
            chosen[i] = i
        while True:
            clear_sides(parts)
            for i in range(size):
                add_to_side(parts, chosen[i])
            gain = gain_of_sides(parts, True)
            if gains_more(gain, best):
                best, found = gain, 1
                memset(parts.side, 0, m)
                for i in range(size):
                    parts.side[chosen[i]] = 1
            i = size - 1
            while i >= 0 and chosen[i] == m - size + i:
                i -= 1
            if i < 0 or (2 * size == m and i == 0):   # at half, the complements of what was tried follow
                break
            chosen[i] += 1
            for i in range(i + 1, size):
                chosen[i] = chosen[i - 1] + 1
    return found


cdef inline bint by_growth(Parts* parts) noexcept nogil:
    """SPRINT's greedy growth: add the value that helps most, until none helps."""
    cdef int v, c, at, size = 0, n = parts.n_classes
    cdef double best = -INFINITY, best_here, gain
    memset(parts.side, 0, parts.m)
    clear_sides(parts)
    while size < parts.m - 1:
        at, best_here = -1, -INFINITY
        for v in range(parts.m):
            if parts.side[v]:
                continue
            add_to_side(parts, v)
            gain = gain_of_sides(parts, False)
            for c in range(n):
                parts.sides[c] -= parts.counts[<size_t>v * n + c]
                parts.sides[n + c] += parts.counts[<size_t>v * n + c]
            if at < 0 or gains_more(gain, best_here):
                at, best_here = v, gain
        if not best_here > best:
            break
        best = best_here
        add_to_side(parts, at)
        parts.side[at] = 1
        size += 1
    return True


cdef inline bint gains_more(double gain, double best) noexcept nogil:
    """Gains that differ by less are the same: then the earlier candidate stays."""
    return gain > best + 1e-12


cdef inline bint too_light(double weight, double least) noexcept nogil:
    return least - weight >= 1e-6


cdef inline void clear_sides(Parts* parts) noexcept nogil:
    cdef int c
    for c in range(parts.n_classes):
        parts.sides[c], parts.sides[parts.n_classes + c] = 0.0, parts.whole[c]


cdef inline void add_to_side(Parts* parts, int value) noexcept nogil:
    cdef int c
    for c in range(parts.n_classes):
        parts.sides[c] += parts.counts[<size_t>value * parts.n_classes + c]
        parts.sides[parts.n_classes + c] -= parts.counts[<size_t>value * parts.n_classes + c]


cdef inline double gain_of_sides(const Parts* parts, bint weighed) noexcept nogil:
    """Minus infinity where a side is too light, if that is asked."""
    cdef const Node* node = parts.node
    cdef double inside = 0.0
    cdef int c
    if weighed:
        for c in range(parts.n_classes):
            inside += parts.sides[c]
        if too_light(inside, node.min_branch) or too_light(parts.known - inside, node.min_branch):
            return -INFINITY
    return node.criterion.gain(node.criterion_params, parts.sides, 2, parts.n_classes, parts.known, node.weight)


cdef inline void send(const Parts* parts, const int32_t* code_of, int n_cells, int32_t* branch_of) noexcept nogil:
    """Cells to branches: the side of the lowest value present is branch 0; a cell without cases joins the heavier."""
    cdef double inside = 0.0
    cdef int v, cell, heavier
    for v in range(parts.m):
        if parts.side[v] == parts.side[0]:
            inside += parts.weight[v]
    heavier = 0 if inside >= parts.known - inside - 1e-9 * parts.known else 1
    for cell in range(n_cells):
        branch_of[cell] = heavier
    for v in range(parts.m):
        branch_of[code_of[v]] = parts.side[v] != parts.side[0]
