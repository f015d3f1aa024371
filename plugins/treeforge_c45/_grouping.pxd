"""Categories merged into groups, greedily: C4.5's option -s (Quinlan 1993, chapter 7).

Every category that occurs starts as a group; the two groups whose merger scores best are merged, as long as
the score rises and two groups are left. A category that does not occur here joins the heaviest group.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from treeforge.core.kernel cimport CONSTANT, INFORMATION, Counts, Node, Split, index_t, set_categories
from treeforge_c45._scan cimport xlogx

cdef struct Groups:
    int n                   # groups left
    double* table           # [n, n_classes]: class weights of each; room for a table to try as well
    double* trial
    double* weight          # [n]
    int32_t* number         # category -> group, -1: does not occur
    double known
    double before           # L(known) - sum over classes of L
    double inside           # sum over groups of (sum over classes of L) - L(group)
    double parts            # sum over groups of L


cdef inline int group_categories(
    const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    """The best groups as a split. -1: no memory."""
    cdef int n_codes = node.columns[input].n_codes, n_classes = node.n_classes, i, j, left, right
    cdef size_t cells = <size_t>n_codes * n_classes
    cdef double score, best, here
    cdef Groups groups
    groups.table = <double*>malloc((2 * cells + n_codes) * sizeof(double) + n_codes * sizeof(int32_t) + 8)
    if groups.table == NULL:
        return -1
    groups.trial, groups.weight = groups.table + cells, groups.table + 2 * cells
    groups.number = <int32_t*>(groups.weight + n_codes)
    set_categories(out, n_codes)
    node.tabulate(node, input, counts, out)
    collect(&groups, node, n_codes)
    out.n_branches = CONSTANT
    if groups.n > 1:
        best = merged_score(&groups, node, -1, -1)
        while groups.n > 2:
            left = -1
            here = best
            for i in range(groups.n):
                for j in range(i + 1, groups.n):
                    score = merged_score(&groups, node, i, j)
                    if score - here > 1e-6:
                        here, left, right = score, i, j
            if left < 0:
                break
            best = here
            merge(&groups, left, right, n_codes, n_classes)
        as_split(&groups, n_codes, out)
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    free(groups.table)
    return 0


cdef inline void collect(Groups* groups, const Node* node, int n_codes) noexcept nogil:
    """Every category that occurs becomes a group."""
    cdef int v, c, n_classes = node.n_classes
    cdef double weight
    cdef double* row
    groups.n, groups.known, groups.before, groups.inside, groups.parts = 0, 0.0, 0.0, 0.0, 0.0
    for c in range(n_classes):
        groups.trial[c] = 0.0
    for v in range(n_codes):
        weight = 0.0
        row = node.table + <size_t>v * n_classes
        for c in range(n_classes):
            weight += row[c]
            groups.trial[c] += row[c]
        groups.number[v] = groups.n if weight > 0.0 else -1
        if weight > 0.0:
            memcpy(groups.table + <size_t>groups.n * n_classes, row, n_classes * sizeof(double))
            groups.weight[groups.n] = weight
            groups.known += weight
            groups.parts += xlogx(weight)
            groups.inside += within(row, n_classes) - xlogx(weight)
            groups.n += 1
    groups.before = xlogx(groups.known) - within(groups.trial, n_classes)


cdef inline double within(const double* row, int n_classes) noexcept nogil:
    cdef double total = 0.0
    cdef int c
    for c in range(n_classes):
        total += xlogx(row[c])
    return total


cdef inline double merged_score(const Groups* groups, const Node* node, int i, int j) noexcept nogil:
    """What groups are compared by if i and j were one; -1 and -1: as they are.

    Information changes in the two groups only; under another criterion the whole table is scored again.
    """
    cdef int n_classes = node.n_classes, g, c, n = 0
    cdef double inside = groups.inside, parts = groups.parts, both, gain, information
    cdef double* trial = groups.trial
    if node.criterion.measure != INFORMATION:
        for g in range(groups.n):
            if g != j:
                memcpy(trial + <size_t>n * n_classes, groups.table + <size_t>g * n_classes, n_classes * sizeof(double))
                n += 1
        if i >= 0:
            for c in range(n_classes):
                trial[<size_t>i * n_classes + c] += groups.table[<size_t>j * n_classes + c]
        gain = node.criterion.gain(node.criterion_params, trial, n, n_classes, groups.known, node.weight)
        if node.criterion.score == NULL:
            return gain
        return node.criterion.score(node.criterion_params, trial, n, n_classes, groups.known, node.weight, gain)
    if i >= 0:
        for c in range(n_classes):
            trial[c] = groups.table[<size_t>i * n_classes + c] + groups.table[<size_t>j * n_classes + c]
        both = groups.weight[i] + groups.weight[j]
        inside += within(trial, n_classes) - xlogx(both)
        inside -= within(groups.table + <size_t>i * n_classes, n_classes) - xlogx(groups.weight[i])
        inside -= within(groups.table + <size_t>j * n_classes, n_classes) - xlogx(groups.weight[j])
        parts += xlogx(both) - xlogx(groups.weight[i]) - xlogx(groups.weight[j])
    gain = (groups.before + inside) / (node.weight * 0.6931471805599453)
    if node.criterion.score == NULL:
        return gain
    information = (xlogx(node.weight) - xlogx(node.weight - groups.known) - parts) / 0.6931471805599453
    return 0.0 if -1e-6 < information < 1e-6 else gain / (information / node.weight)


cdef inline void merge(Groups* groups, int i, int j, int n_codes, int n_classes) noexcept nogil:
    """j joins i, and the groups behind j move up: groups stay in the order of their first category."""
    cdef double* one = groups.table + <size_t>i * n_classes
    cdef double* other = groups.table + <size_t>j * n_classes
    cdef int v, c, g
    groups.inside -= within(one, n_classes) + within(other, n_classes)
    groups.inside += xlogx(groups.weight[i]) + xlogx(groups.weight[j])
    groups.parts -= xlogx(groups.weight[i]) + xlogx(groups.weight[j])
    for c in range(n_classes):
        one[c] += other[c]
    groups.weight[i] += groups.weight[j]
    groups.inside += within(one, n_classes) - xlogx(groups.weight[i])
    groups.parts += xlogx(groups.weight[i])
    for g in range(j, groups.n - 1):
        memcpy(other, other + n_classes, n_classes * sizeof(double))
        other += n_classes
        groups.weight[g] = groups.weight[g + 1]
    for v in range(n_codes):
        if groups.number[v] == j:
            groups.number[v] = i
        elif groups.number[v] > j:
            groups.number[v] -= 1
    groups.n -= 1


cdef inline void as_split(const Groups* groups, int n_codes, Split* out) noexcept nogil:
    cdef int v, g, heaviest = 0
    for g in range(1, groups.n):
        if groups.weight[g] > groups.weight[heaviest]:
            heaviest = g
    set_categories(out, groups.n)
    out.identity = 0
    for v in range(n_codes):
        out.branch_of[v] = groups.number[v] if groups.number[v] >= 0 else heaviest
