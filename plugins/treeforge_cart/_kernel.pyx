"""Binary tests, compiled: the best subset of categories, the best union of blocks of a number.

The best midpoint is the loop's own (``best_cut`` of the node). The reference in Python is ``subsets.py`` and
``blocks.py``; what is tried, and in which order, is said there.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from treeforge.core.kernel cimport (
    BYTES, CONSTANT, WIDE, Counts, Node, Split, class_weight, entry_class, entry_code, index_t, make_splitter, midpoint,
    search_all, search_one,
)

cdef double TINY = 1e-6      # weights that differ by less are the same
cdef double TIE = 1e-12      # and gains that do; then the earlier candidate stays
cdef double SAME = 1e-9      # weights that differ by this share of the whole are the same
cdef int NO_MEMORY = -1


cdef struct Params:
    int blocks               # of a numeric attribute; 0: midpoints
    int exact_up_to          # categories of which all subsets are tried, with more than two classes


def kernel(int blocks, int exact_up_to):
    """``blocks`` 0: best midpoint."""
    cdef Params params = Params(blocks, exact_up_to)
    return make_splitter(propose, propose_all, max(blocks - 1, 1), False, &params, sizeof(Params))


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    return search_one(params, node, input, search, out)


cdef int propose_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    return search_all(params, node, search, splits)


cdef int search(const void* params, const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    cdef const Params* p = <const Params*>params
    if node.columns[input].nominal:
        return best_categories(p, node, input, counts, out)
    if p.blocks:
        return best_blocks(p, node, input, counts, out)
    node.best_cut(node, input, counts, node.min_branch, 0.0, out)
    return 0


# ------------------------------------------------------------------ two-sided partitions of m values

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


cdef int open_parts(Parts* parts, const Node* node, int m) noexcept nogil:
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


cdef void sum_parts(Parts* parts) noexcept nogil:
    cdef int v, c
    parts.known = 0.0
    for v in range(parts.m):
        for c in range(parts.n_classes):
            parts.weight[v] += parts.counts[<size_t>v * parts.n_classes + c]
            parts.whole[c] += parts.counts[<size_t>v * parts.n_classes + c]
        parts.known += parts.weight[v]


cdef bint best_partition(Parts* parts, int exact_up_to) noexcept nogil:
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


cdef bint by_share(Parts* parts) noexcept nogil:
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
        if gain > best + TIE:
            best, best_size = gain, i + 1
    memset(parts.side, 0, parts.m)
    for i in range(best_size):
        parts.side[order[i]] = 1
    return best_size > 0


cdef inline double share(const Parts* parts, int value, int label) noexcept nogil:
    return parts.counts[<size_t>value * parts.n_classes + label] / parts.weight[value]


cdef bint by_trying_all(Parts* parts) noexcept nogil:
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
            if gain > best + TIE:
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


cdef bint by_growth(Parts* parts) noexcept nogil:
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
            if at < 0 or gain > best_here + TIE:
                at, best_here = v, gain
        if not best_here > best:
            break
        best = best_here
        add_to_side(parts, at)
        parts.side[at] = 1
        size += 1
    return True


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
        if node.min_branch - inside >= TINY or node.min_branch - (parts.known - inside) >= TINY:
            return -INFINITY
    return node.criterion.gain(node.criterion_params, parts.sides, 2, parts.n_classes, parts.known, node.weight)


cdef void send(const Parts* parts, const int32_t* code_of, int n_cells, int32_t* branch_of) noexcept nogil:
    """Cells to branches: the side of the lowest value present is branch 0; a cell without cases joins the heavier."""
    cdef double inside = 0.0
    cdef int v, cell, heavier
    for v in range(parts.m):
        if parts.side[v] == parts.side[0]:
            inside += parts.weight[v]
    heavier = 0 if inside >= parts.known - inside - SAME * parts.known else 1
    for cell in range(n_cells):
        branch_of[cell] = heavier
    for v in range(parts.m):
        branch_of[code_of[v]] = parts.side[v] != parts.side[0]


# ------------------------------------------------------------------ categories

cdef int best_categories(
    const Params* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Parts parts
    cdef int n_codes = node.columns[input].n_codes, code, c, v = 0, n = node.n_classes
    cdef double here
    cdef int32_t* code_of = <int32_t*>malloc((<size_t>n_codes + 1) * sizeof(int32_t))
    if code_of == NULL or open_parts(&parts, node, n_codes) < 0:
        free(code_of)
        return NO_MEMORY
    count_categories(&parts, node, input, counts)
    for code in range(n_codes):      # leave out categories without cases
        here = 0.0
        for c in range(n):
            here += parts.counts[<size_t>code * n + c]
        if here > 0.0:
            code_of[v] = code
            for c in range(n):
                parts.counts[<size_t>v * n + c] = parts.counts[<size_t>code * n + c]
            v += 1
    parts.m = v
    sum_parts(&parts)
    out.n_branches = CONSTANT if v < 2 else 0
    if best_partition(&parts, params.exact_up_to):
        out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = 2, 0, 0, 0, 0
        send(&parts, code_of, n_codes, out.branch_of)
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    close_parts(&parts)
    free(code_of)
    return 0


cdef void count_categories(Parts* parts, const Node* node, index_t input, const Counts* counts) noexcept nogil:
    cdef int code, k, j, n = node.n_classes
    cdef const int32_t* wide
    if node.columns[input].form == WIDE:
        wide = node.wide[input]
        for j in range(node.n_rows):
            if wide[j] >= 0:
                parts.counts[<size_t>wide[j] * n + node.classes[j]] += node.weights[j] if node.weights != NULL else 1.0
        return
    for code in range(node.columns[input].n_codes):
        if counts.occupied == NULL or counts.occupied[code >> 6] >> (code & 63) & 1:
            for k in range(counts.n_present):
                parts.counts[<size_t>code * n + counts.label[k]] = class_weight(counts, code, k)


# ------------------------------------------------------------------ blocks (improved SPRINT)

cdef struct Gap:
    double width
    double cut


cdef int best_blocks(
    const Params* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Parts parts
    cdef int cell, c, v = 0, n = node.n_classes, n_cuts = 0
    cdef int32_t[64] code_of
    cdef double here
    if find_cuts(params, node, input, counts, out.cuts, &n_cuts) < 0 or open_parts(&parts, node, n_cuts + 1) < 0:
        return NO_MEMORY
    out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = n_cuts + 1, n_cuts, 0, 1, 0
    node.tabulate(node, input, counts, out)
    out.n_branches = 0
    for cell in range(n_cuts + 1):
        here = 0.0
        for c in range(n):
            here += node.table[<size_t>cell * n + c]
        if here > 0.0:
            code_of[v] = cell
            for c in range(n):
                parts.counts[<size_t>v * n + c] = node.table[<size_t>cell * n + c]
            v += 1
    parts.m = v
    sum_parts(&parts)
    if best_partition(&parts, params.exact_up_to):
        out.n_branches, out.identity = 2, 0
        send(&parts, code_of, n_cuts + 1, out.branch_of)
        join_cells(out)
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    close_parts(&parts)
    return 0


cdef void join_cells(Split* out) noexcept nogil:
    """Drop the cuts that have the same branch on both sides."""
    cdef int j, kept = 0
    for j in range(out.n_cuts):
        if out.branch_of[j + 1] != out.branch_of[kept]:
            out.cuts[kept] = out.cuts[j]
            out.branch_of[kept + 1] = out.branch_of[j + 1]
            kept += 1
    out.n_cuts = kept


cdef int find_cuts(
    const Params* params, const Node* node, index_t input, const Counts* counts, double* cuts, int* n_cuts
) noexcept nogil:
    """The cuts of ``blocks.py``. -1: no memory."""
    cdef const double* values = node.columns[input].values
    cdef int wanted = params.blocks - 1, n = node.n_classes, c, k, j, code, m = 0
    cdef size_t gaps_size = <size_t>n * wanted * sizeof(Gap)
    cdef Gap* gaps = <Gap*>malloc(gaps_size + <size_t>n * wanted * sizeof(double) + <size_t>n * sizeof(int))
    cdef double* pool = <double*>(gaps + <size_t>n * wanted)
    cdef int* last = <int*>(pool + <size_t>n * wanted)     # the class's latest value
    if gaps == NULL:
        return NO_MEMORY
    for j in range(n * wanted):
        gaps[j].width = 0.0
    for c in range(n):
        last[c] = -1
    if node.columns[input].form == BYTES:
        for code in range(node.columns[input].n_codes):
            if counts.occupied == NULL or counts.occupied[code >> 6] >> (code & 63) & 1:
                for k in range(counts.n_present):
                    c = counts.label[k]
                    if class_weight(counts, code, k) > 0.0:
                        step(gaps + c * wanted, wanted, values, &last[c], code)
    else:
        for j in range(node.list_size[input]):
            c = entry_class(node, node.list[input][j])
            step(gaps + c * wanted, wanted, values, &last[c], entry_code(node, node.list[input][j]))
    for j in range(n * wanted):
        if gaps[j].width > 0.0:
            m = pooled(pool, m, gaps[j].cut)
    while m > wanted:
        m = thinned(pool, m)
    for j in range(m):
        cuts[j] = pool[j]
    n_cuts[0] = m
    free(gaps)
    return 0


cdef inline void step(Gap* gaps, int wanted, const double* values, int* last, int code) noexcept nogil:
    """Go on to a class's next value, and keep the gap if it is among the widest, earlier ones before equals."""
    cdef double width
    cdef int i = wanted
    if last[0] == code:
        return
    if last[0] >= 0:
        width = values[code] - values[last[0]]
        while i > 0 and width > gaps[i - 1].width:
            if i < wanted:
                gaps[i] = gaps[i - 1]
            i -= 1
        if i < wanted:
            gaps[i].width, gaps[i].cut = width, midpoint(values[last[0]], values[code])
    last[0] = code


cdef int pooled(double* pool, int m, double cut) noexcept nogil:
    """Insert in ascending order, once."""
    cdef int i = m, j
    while i > 0 and pool[i - 1] > cut:
        i -= 1
    if i > 0 and pool[i - 1] == cut:
        return m
    for j in range(m, i, -1):
        pool[j] = pool[j - 1]
    pool[i] = cut
    return m + 1


cdef int thinned(double* pool, int m) noexcept nogil:
    """Replace the two that lie closest by their midpoint; the lower pair on a tie."""
    cdef int at = 0, i
    for i in range(1, m - 1):
        if pool[i + 1] - pool[i] < pool[at + 1] - pool[at]:
            at = i
    pool[at] = midpoint(pool[at], pool[at + 1])
    for i in range(at + 1, m - 1):
        pool[i] = pool[i + 1]
    return m - 1
