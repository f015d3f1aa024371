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
    """[3, n_classes]: counters of a list; then, of two branches."""
    return bins_of(node) + 5 * <size_t>node.n_classes


cdef inline void count_between(
    const Values* v, const Counts* counts, const int* ends, int n_bins, Counts* out
) noexcept nogil:
    """Class counts of the places up to ends[0], from there to ends[1], and so on; the last bin has the others."""
    cdef const Node* node = v.node
    cdef int b, first = 0, last
    out.number, out.weight, out.occupied, out.stride = bins_of(node), NULL, NULL, node.n_classes
    out.n_present, out.place, out.label = node.n_present, node.present, node.present
    memset(bins_of(node), 0, <size_t>n_bins * node.n_classes * sizeof(uint32_t))
    if v.list != NULL:
        count_list(v, ends, n_bins)
        return
    out.place = counts.place
    for b in range(n_bins):
        last = v.size if b + 1 == n_bins else ends[b]
        add_codes(v, counts, first, last, bins_of(node) + <size_t>b * node.n_classes)
        first = last


cdef inline void add_codes(const Values* v, const Counts* counts, int first, int last, uint32_t* bin) noexcept nogil:
    cdef const uint32_t* row
    cdef int j, k
    for j in range(first, last):
        row = counts.number + <size_t>v.code[j] * counts.stride
        for k in range(counts.n_present):
            bin[counts.place[k]] += row[counts.place[k]]


cdef inline void count_list(const Values* v, const int* ends, int n_bins) noexcept nogil:
    """If all values are known, the longest bin is what the others leave."""
    cdef const Node* node = v.node
    cdef uint32_t* bins = bins_of(node)
    cdef uint32_t* rest
    cdef int b, k, c, first = 0, last, longest = -1, length = -1
    if v.size == node.n_rows:
        for b in range(n_bins):
            last = v.size if b + 1 == n_bins else ends[b]
            if last - first > length:
                longest, length = b, last - first
            first = last
        first = 0
    for b in range(n_bins):
        last = v.size if b + 1 == n_bins else ends[b]
        if b != longest:
            add_entries(node, v.list + first, last - first, bins + <size_t>b * node.n_classes)
        first = last
    if longest >= 0:
        rest = bins + <size_t>longest * node.n_classes
        for k in range(node.n_present):
            c = node.present[k]
            rest[c] = <uint32_t>node.class_weight[c]
            for b in range(n_bins):
                if b != longest:
                    rest[c] -= bins[<size_t>b * node.n_classes + c]


cdef inline void add_entries(const Node* node, const uint64_t* list, int n, uint32_t* bin) noexcept nogil:
    if node.class_bits == 1:
        add_bits(node, list, n, bin)
    elif node.class_bits <= 3 and node.row_bits >= 3:
        add_packed(node, list, n, bin)
    else:
        add_one_by_one(node, list, n, bin)


cdef inline void add_bits(const Node* node, const uint64_t* list, int n, uint32_t* bin) noexcept nogil:
    """At most two classes: one sum."""
    cdef uint64_t ones = 0
    cdef int j
    for j in range(n):
        ones += list[j] >> node.row_bits & 1
    bin[0] += <uint32_t>(n - <int>ones)
    if node.n_classes > 1:
        bin[1] += <uint32_t>ones


cdef inline void add_packed(const Node* node, const uint64_t* list, int n, uint32_t* bin) noexcept nogil:
    """Up to eight classes: a byte each of one word, so that no counter waits for a store."""
    cdef int shift = node.row_bits - 3, j, c, first = 0, last
    cdef uint64_t packed, mask = ((1 << node.class_bits) - 1) << 3
    while first < n:
        last = min(first + 255, n)
        packed = 0
        for j in range(first, last):
            packed += <uint64_t>1 << (list[j] >> shift & mask)
        for c in range(node.n_classes):
            bin[c] += packed >> (8 * c) & 255
        first = last


cdef inline void add_one_by_one(const Node* node, const uint64_t* list, int n, uint32_t* bin) noexcept nogil:
    """Two counters a class, as neighbours often share one."""
    cdef uint32_t* other = sides_of(node)
    cdef uint64_t mask = (1 << node.class_bits) - 1
    cdef int j, c
    memset(other, 0, node.n_classes * sizeof(uint32_t))
    for j in range(0, n - 1, 2):
        bin[list[j] >> node.row_bits & mask] += 1
        other[list[j + 1] >> node.row_bits & mask] += 1
    if n & 1:
        bin[list[n - 1] >> node.row_bits & mask] += 1
    for c in range(node.n_classes):
        bin[c] += other[c]


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
    cdef double information
    if heavy_branches(node, table, split.n_branches, &n_taken) < 2:
        split.n_branches = CONSTANT if split.n_cuts == 0 and n_taken < 2 else 0
        return
    split.gain = gain_of(node, table, split.n_branches, n_known, &information)
    if split.charge > 0.0:
        split.gain -= split.charge
        if split.gain < 1e-6:
            split.n_branches = 0
            return
    split.score = split.gain
    if node.criterion.score != NULL:
        split.score = 0.0 if -1e-6 < information < 1e-6 else split.gain / (information / node.weight)
