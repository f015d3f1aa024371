"""Moment and median cuts, compiled: one pass over the node's values, one that counts classes between the cuts.

Nothing is ranked. A column of many values is a stream of plain ones (``_plain``), its median is found by selection
(``_select``); a BYTES column is its codes that occur, ascending (``_values``), unless there are so few cases that
they are better gone through one by one, too. The arithmetic is that of ``formulas.py``, where it is explained. While
every case weighs 1 and the criterion counts information, a split is counted and judged in whole numbers (``_whole``),
else by the loop.
"""

from libc.math cimport fabs, log2
from libc.string cimport memcpy

from treeforge.core.kernel cimport (
    CONSTANT, NEEDS_NUMBERS, Counts, Node, Split, index_t, make_splitter, search_one, set_threshold,
)
from treeforge_moments._plain cimport (
    Plain, count_cases, fill_bins, goes_plain, open_plain, snap_and_count, snap_plain, some_value,
)
from treeforge_moments._powers cimport Moments, moments, same_cut
from treeforge_moments._search cimport every_category, search_mixed
from treeforge_moments._select cimport plain_median
from treeforge_moments._values cimport Values, first_above, median, middle, open_values, snap
from treeforge_moments._whole cimport (
    bin_counts, bins_of, count_codes, gain_of, heavy_branches, is_whole, judge_whole, score_whole, sides_of, two_sides,
)

cdef double LARGEST = 1.7976931348623157e308
cdef double TINY = 1e-6      # a weight that lacks less is enough
cdef double TIE = 1e-12      # gains that differ by less are the same


# ------------------------------------------------------------------ MSD and AMSD

cdef struct MomentParams:
    double alpha             # 0: MSD
    double gamma_max


def moment_kernel(double alpha, double gamma_max):
    """Three moment cuts; alpha 0 is MSD."""
    cdef MomentParams params = MomentParams(alpha, gamma_max)
    return make_splitter(
        propose_moments, propose_moments_of_all, 3, NEEDS_NUMBERS, &params, sizeof(MomentParams)
    )


cdef int propose_moments(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    if goes_plain(node, input, is_whole(node)):
        return cut_plain_by_moments(params, node, input, out)
    return search_one(params, node, input, cut_by_moments, out)


cdef int propose_moments_of_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    search_mixed(params, node, cut_plain_by_moments, cut_by_moments, splits)
    return 0


cdef inline bint set_moment_cuts(const MomentParams* p, const Moments* m, Split* out) noexcept nogil:
    """False: there is nothing to cut."""
    cdef double a = p.alpha * min(fabs(m.g), p.gamma_max)
    if m.constant:
        out.n_branches = CONSTANT
    if m.constant or m.sd == 0.0:
        return False
    if not m.g > 0.0:
        a = -a
    out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = 4, 3, 1, 1, 0
    out.cuts[0] = max(m.mean - (1.0 - a) * m.sd, -LARGEST)
    out.cuts[1] = m.mean
    out.cuts[2] = min(m.mean + (1.0 + a) * m.sd, LARGEST)
    return True


cdef int cut_by_moments(
    const void* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Values v
    cdef Moments m
    cdef Counts bins
    cdef int[3] ends
    cdef int j
    if node.columns[input].nominal:
        every_category(node, input, counts, out)
        return 0
    if not open_values(&v, node, input, counts):
        out.n_branches = CONSTANT
        return 0
    moments(v.value, v.weight, v.size, False, v.value[middle(&v)], &m)
    if not set_moment_cuts(<const MomentParams*>params, &m, out):
        return 0
    for j in range(3):
        ends[j] = snap(&v, &out.cuts[j], m.sd)
    if is_whole(node):
        bins = count_codes(node, &v, counts, ends, 4)
        judge_whole(node, &bins, v.n_known, out)
    else:
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    return 0


cdef int cut_plain_by_moments(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    cdef Plain v
    cdef Moments m
    cdef Counts bins
    cdef int j
    open_plain(&v, node, input, is_whole(node))
    moments(v.values, node.weights, node.n_rows, v.unknown, some_value(&v), &m)
    if not set_moment_cuts(<const MomentParams*>params, &m, out):
        return 0
    if count_cases(&v, out.cuts, 3, True, same_cut(m.sd)):
        for j in range(3):
            snap_plain(&v, &out.cuts[j], m.sd)
        count_cases(&v, out.cuts, 3, True, 0.0)
    if v.planes != NULL:
        fill_bins(&v, 3, bins_of(node))
        bins = bin_counts(node)
        judge_whole(node, &bins, <int>m.known, out)
    else:
        node.tabulate(node, input, NULL, out)
        node.judge(node, out)
    return 0


# ------------------------------------------------------------------ VFC4.5

cdef struct MedianParams:
    int mean
    int median
    int mdl_correction


cdef struct Candidates:      # one or two cuts, in the order in which they win a tie
    int n
    double[2] cuts
    double[2] ascending


def median_kernel(bint with_mean, bint with_median, bint mdl_correction):
    """The better of mean and median."""
    cdef MedianParams params = MedianParams(with_mean, with_median, mdl_correction)
    return make_splitter(propose_median, propose_median_of_all, 2, NEEDS_NUMBERS, &params, sizeof(MedianParams))


cdef int propose_median(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    if goes_plain(node, input, is_whole(node)):
        return cut_plain_at_mean_or_median(params, node, input, out)
    return search_one(params, node, input, cut_at_mean_or_median, out)


cdef int propose_median_of_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    search_mixed(params, node, cut_plain_at_mean_or_median, cut_at_mean_or_median, splits)
    return 0


cdef inline Candidates candidates_of(const MedianParams* p, double mean, double middle_value, double sd) noexcept nogil:
    cdef Candidates found
    found.n = p.mean
    found.cuts[0] = mean
    if p.median:
        found.cuts[found.n] = middle_value
        found.n += found.n == 0 or fabs(found.cuts[1] - found.cuts[0]) > same_cut(sd)
    found.ascending[0] = min(found.cuts[0], found.cuts[found.n - 1])
    found.ascending[1] = max(found.cuts[0], found.cuts[found.n - 1])
    return found


cdef int cut_at_mean_or_median(
    const void* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef const MedianParams* p = <const MedianParams*>params
    cdef Values v
    cdef Moments m
    cdef Candidates found
    cdef Counts ranges
    cdef int[2] ends
    cdef int k
    if node.columns[input].nominal:
        every_category(node, input, counts, out)
        return 0
    if not open_values(&v, node, input, counts):
        out.n_branches = CONSTANT
        return 0
    moments(v.value, v.weight, v.size, False, v.value[middle(&v)], &m)
    snap(&v, &m.mean, m.sd)
    found = candidates_of(p, m.mean, median(&v), m.sd)
    if is_whole(node):
        for k in range(found.n):
            ends[k] = first_above(&v, found.ascending[k])
        ranges = count_codes(node, &v, counts, ends, found.n + 1)
        better_in_whole_numbers(p, node, &ranges, v.n_known, &found, out)
    else:
        better_by_weight(p, node, input, counts, v.known, &found, out)
    return 0


cdef int cut_plain_at_mean_or_median(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    cdef const MedianParams* p = <const MedianParams*>params
    cdef Plain v
    cdef Moments m
    cdef Candidates found
    cdef Counts ranges
    cdef int n_to_mean
    open_plain(&v, node, input, is_whole(node))
    moments(v.values, node.weights, node.n_rows, v.unknown, some_value(&v), &m)
    if m.constant:
        out.n_branches = CONSTANT
        return 0
    n_to_mean = snap_and_count(&v, &m.mean, m.sd)
    found = candidates_of(p, m.mean, plain_median(&v, &m, n_to_mean) if p.median else 0.0, m.sd)
    if v.planes != NULL:
        count_cases(&v, found.ascending, found.n, False, 0.0)
        fill_bins(&v, found.n, bins_of(node))
        ranges = bin_counts(node)
        better_in_whole_numbers(p, node, &ranges, <int>m.known, &found, out)
    else:
        better_by_weight(p, node, input, NULL, m.known, &found, out)
    return 0


cdef void better_in_whole_numbers(
    const MedianParams* p, const Node* node, const Counts* ranges, int n_known, const Candidates* found, Split* out
) noexcept nogil:
    """``ranges``: the bins between the cuts."""
    cdef Counts sides = ranges[0]
    cdef double best = 0.0, best_information = 0.0, gain, information
    cdef int k, n_taken, n_candidates = 0, chosen = -1
    sides.number = sides_of(node)
    for k in range(found.n):
        two_sides(ranges, found.n, found.cuts[k] != found.ascending[0], sides_of(node))
        if heavy_branches(node, &sides, 2, &n_taken) == 2:
            gain = max(gain_of(node, &sides, 2, n_known, &information), 0.0)
            n_candidates += 1
            if gain > best + TIE or chosen < 0:
                best, best_information, chosen = gain, information, k
    if chosen >= 0:
        set_threshold(out, found.cuts[chosen])
        out.charge = log2(<double>n_candidates) / n_known if p.mdl_correction else 0.0
        score_whole(node, best, best_information, out)


cdef void better_by_weight(
    const MedianParams* p, const Node* node, index_t input, const Counts* counts, double known,
    const Candidates* found, Split* out
) noexcept nogil:
    cdef double best = 0.0, gain
    cdef int k, n = found.n, n_candidates = 0, chosen = -1
    out.n_branches, out.n_cuts, out.closed_left, out.identity = n + 1, n, 0, 1
    out.cuts[0], out.cuts[n - 1] = found.ascending[0], found.ascending[1]
    node.tabulate(node, input, counts, out)
    out.n_branches = 0
    for k in range(n):
        two_heavy_sides(node, n, found.cuts[k] != found.ascending[0])
        gain = gain_of_two(node, known)
        if gain >= 0.0:
            n_candidates += 1
            if gain > best + TIE or chosen < 0:
                best, chosen = gain, k
    if chosen >= 0:
        two_heavy_sides(node, n, found.cuts[chosen] != found.ascending[0])
        memcpy(node.table, node.scratch, 2 * <size_t>node.n_classes * sizeof(double))
        set_threshold(out, found.cuts[chosen])
        out.charge = log2(<double>n_candidates) / known if p.mdl_correction else 0.0
        node.judge(node, out)


cdef inline void two_heavy_sides(const Node* node, int n_cuts, bint upper) noexcept nogil:
    """Into ``scratch``: class weights of two branches, from those of the ranges between one or two cuts."""
    cdef int c, n_classes = node.n_classes
    for c in range(n_classes):
        node.scratch[c], node.scratch[n_classes + c] = node.table[c], node.table[n_cuts * n_classes + c]
        if n_cuts == 2:
            node.scratch[(0 if upper else n_classes) + c] += node.table[n_classes + c]


cdef inline double gain_of_two(const Node* node, double known) noexcept nogil:
    """-1 when a side is too light."""
    cdef double left = 0.0
    cdef int c
    for c in range(node.n_classes):
        left += node.scratch[c]
    if node.min_branch - left >= TINY or node.min_branch - (known - left) >= TINY:
        return -1.0
    return max(
        node.criterion.gain(node.criterion_params, node.scratch, 2, node.n_classes, known, node.weight), 0.0
    )
