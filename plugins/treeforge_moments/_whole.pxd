"""Splits counted and judged in whole numbers, while every case weighs 1.

Class counts stand in a table of rows, one a branch, like those of ``Counts``; x ln x is looked up. The sums are
taken in the order in which the two criteria of information take theirs, so that the gain is the same double.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from treeforge.core.kernel cimport CONSTANT, INFORMATION, Counts, Node, Split
from treeforge_moments._values cimport Values


cdef inline bint is_whole(const Node* node) noexcept nogil:
    """Whether this file may be used."""
    return node.weights == NULL and node.criterion.measure == INFORMATION


# ------------------------------------------------------------------ counting between cuts

cdef inline uint32_t* bins_of(const Node* node) noexcept nogil:
    """[4, n_classes]."""
    return <uint32_t*>node.scratch


cdef inline uint32_t* sums_of(const Node* node) noexcept nogil:
    """[n_classes]: cases of a class whose value is known."""
    return bins_of(node) + 4 * <size_t>node.n_classes


cdef inline uint32_t* sides_of(const Node* node) noexcept nogil:
    """[3, n_classes]: of two branches."""
    return bins_of(node) + 5 * <size_t>node.n_classes


cdef inline Counts bin_counts(const Node* node) noexcept nogil:
    """The bins as a table; what they hold is filled in by ``count_codes``, or case by case."""
    cdef Counts bins
    bins.number, bins.weight, bins.occupied, bins.stride = bins_of(node), NULL, NULL, node.n_classes
    bins.n_present, bins.place, bins.label = node.n_present, node.present, node.present
    return bins


cdef inline Counts count_codes(
    const Node* node, const Values* v, const Counts* counts, const int* ends, int n_bins
) noexcept nogil:
    """Class counts of the places up to ends[0], from there to ends[1], and so on; the last bin has the others."""
    cdef Counts bins = bin_counts(node)
    cdef uint32_t* bin
    cdef const uint32_t* row
    cdef int b, j, k, first = 0, last
    bins.place = counts.place
    memset(bins_of(node), 0, <size_t>n_bins * node.n_classes * sizeof(uint32_t))
    for b in range(n_bins):
        last = v.size if b + 1 == n_bins else ends[b]
        bin = bins_of(node) + <size_t>b * node.n_classes
        for j in range(first, last):
            row = counts.number + <size_t>v.code[j] * counts.stride
            for k in range(counts.n_present):
                bin[counts.place[k]] += row[counts.place[k]]
        first = last
    return bins


cdef inline void two_sides(const Counts* ranges, int n_cuts, bint upper, uint32_t* sides) noexcept nogil:
    """The table of two branches, from that of the ranges between one or two cuts."""
    cdef int c, k, stride = ranges.stride
    for k in range(ranges.n_present):
        c = ranges.place[k]
        sides[c], sides[stride + c] = ranges.number[c], ranges.number[n_cuts * stride + c]
        if n_cuts == 2:
            sides[(0 if upper else stride) + c] += ranges.number[stride + c]


# ------------------------------------------------------------------ judging

cdef inline bint occurs(const Counts* table, int b) noexcept nogil:
    return table.occupied == NULL or table.occupied[b >> 6] >> (b & 63) & 1


cdef inline uint32_t branch_size(const Counts* table, int b) noexcept nogil:
    cdef const uint32_t* row = table.number + <size_t>b * table.stride
    cdef uint32_t size = 0
    cdef int k
    for k in range(table.n_present):
        size += row[table.place[k]]
    return size


cdef inline int heavy_branches(const Node* node, const Counts* table, int n_branches, int* n_taken) noexcept nogil:
    """How many branches have the least weight; and how many have a case."""
    cdef uint32_t size
    cdef int b, heavy = 0
    n_taken[0] = 0
    for b in range(n_branches):
        if occurs(table, b):
            size = branch_size(table, b)
            n_taken[0] += size > 0
            heavy += <double>size - node.min_branch > -1e-6
    return heavy


cdef inline double gain_of(
    const Node* node, const Counts* table, int n_branches, int known, double* information
) noexcept nogil:
    """The gain of c45.md 3.1; and the split's own information, unknown cases counting as a branch."""
    cdef const double* f = node.xlogx
    cdef const uint32_t* row
    cdef uint32_t* sums = sums_of(node)
    cdef double value = f[known], after = 0.0, ln2 = 0.6931471805599453
    cdef uint32_t size
    cdef int b, k
    if known == node.n_rows:
        for k in range(table.n_present):
            value -= f[<int>node.class_weight[table.label[k]]]
    else:
        sum_classes(table, n_branches, sums)
        for k in range(table.n_present):
            value -= f[sums[k]]
    information[0] = f[node.n_rows] - f[node.n_rows - known]
    for b in range(n_branches):
        if not occurs(table, b):
            continue
        row = table.number + <size_t>b * table.stride
        size = 0
        for k in range(table.n_present):
            size += row[table.place[k]]
        information[0] -= f[size]
        if node.criterion.score == NULL:
            value -= f[size]
            for k in range(table.n_present):
                value += f[row[table.place[k]]]
        else:
            for k in range(table.n_present):
                after -= f[row[table.place[k]]]
            after += f[size]
    information[0] /= ln2
    if node.criterion.score == NULL:
        return value / (node.weight * ln2)
    value = known / node.weight * (value - after) / ln2
    return 0.0 if -1e-6 < value < 1e-6 else value / known


cdef inline void sum_classes(const Counts* table, int n_branches, uint32_t* sums) noexcept nogil:
    cdef int b, k
    memset(sums, 0, table.n_present * sizeof(uint32_t))
    for b in range(n_branches):
        if occurs(table, b):
            for k in range(table.n_present):
                sums[k] += table.number[<size_t>b * table.stride + table.place[k]]


cdef inline void judge_whole(const Node* node, const Counts* table, int n_known, Split* split) noexcept nogil:
    """What ``node.judge`` does."""
    cdef int n_taken
    cdef double gain, information
    if heavy_branches(node, table, split.n_branches, &n_taken) < 2:
        split.n_branches = CONSTANT if split.n_cuts == 0 and n_taken < 2 else 0
        return
    gain = gain_of(node, table, split.n_branches, n_known, &information)
    score_whole(node, gain, information, split)


cdef inline void score_whole(const Node* node, double gain, double information, Split* split) noexcept nogil:
    """Take the charge off, and let the split's information be what the gain is divided by."""
    split.gain = gain
    if split.charge > 0.0:
        split.gain -= split.charge
        if split.gain < 1e-6:
            split.n_branches = 0
            return
    split.score = split.gain
    if node.criterion.score != NULL:
        split.score = 0.0 if -1e-6 < information < 1e-6 else split.gain / (information / node.weight)
