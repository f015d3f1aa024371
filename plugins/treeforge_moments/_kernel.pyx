"""Moment and median cuts, compiled: one pass over the node's values, one that counts classes between the cuts.

The values of a node come in ascending order either way: as a histogram over the codes of a BYTES column, or
as the sorted entries of a LISTED one (``_values``). So the median is looked up, and the cases between two cuts
are a range. The arithmetic is that of ``formulas.py``, where it is explained. While every case weighs 1 and the
criterion counts information, a split is counted and judged in whole numbers (``_whole``), else by the loop.
"""

from libc.math cimport fabs, log2
from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from treeforge.core.kernel cimport (
    BYTES, CONSTANT, Counts, Node, Split, index_t, make_splitter, search_all, search_one, set_categories,
    set_threshold,
)
from treeforge_moments._powers cimport Moments, moments
from treeforge_moments._values cimport Values, first_above, median, open_values, same_cut, snap
from treeforge_moments._whole cimport (
    bins_of, branch_size, count_between, gain_of, heavy_branches, is_whole, judge_whole, occurs, sides_of,
)

ctypedef fused cell_t:
    uint32_t
    double

cdef double LARGEST = 1.7976931348623157e308
cdef double TINY = 1e-6      # a weight that lacks less is enough
cdef double TIE = 1e-12      # gains that differ by less are the same


cdef void every_category(const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    """One branch a category."""
    cdef int n_codes = node.columns[input].n_codes, n_known = node.n_rows
    set_categories(out, n_codes)
    if node.columns[input].form == BYTES and is_whole(node):
        if occurs(counts, n_codes):
            n_known -= branch_size(counts, n_codes)
        judge_whole(node, counts, n_known, out)
    else:
        node.tabulate(node, input, counts, out)
        node.judge(node, out)


# ------------------------------------------------------------------ MSD and AMSD

cdef struct MomentParams:
    double alpha             # 0: MSD
    double gamma_max


def moment_kernel(double alpha, double gamma_max):
    """Three moment cuts; alpha 0 is MSD."""
    cdef MomentParams params = MomentParams(alpha, gamma_max)
    return make_splitter(propose_moments, propose_moments_of_all, 3, False, &params, sizeof(MomentParams))


cdef int propose_moments(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    return search_one(params, node, input, cut_by_moments, out)


cdef int propose_moments_of_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    return search_all(params, node, cut_by_moments, splits)


cdef int cut_by_moments(
    const void* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef const MomentParams* p = <const MomentParams*>params
    cdef Values v
    cdef Moments m
    cdef Counts bins
    cdef double a
    cdef int[3] ends
    cdef int j
    if node.columns[input].nominal:
        every_category(node, input, counts, out)
        return 0
    if not open_values(&v, node, input, counts):
        out.n_branches = CONSTANT
        return 0
    moments(&v, &m)
    if m.sd == 0.0:
        return 0
    a = p.alpha * min(fabs(m.g), p.gamma_max)
    if not m.g > 0.0:
        a = -a
    out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = 4, 3, 1, 1, 0
    out.cuts[0] = max(m.mean - (1.0 - a) * m.sd, -LARGEST)
    out.cuts[1] = m.mean
    out.cuts[2] = min(m.mean + (1.0 + a) * m.sd, LARGEST)
    for j in range(3):
        ends[j] = snap(&v, &out.cuts[j], m.sd)
    if is_whole(node):
        count_between(&v, counts, ends, 4, &bins)
        judge_whole(node, &bins, v.n_known, out)
    else:
        node.tabulate(node, input, counts, out)
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
    double lower


def median_kernel(bint with_mean, bint with_median, bint mdl_correction):
    """The better of mean and median."""
    cdef MedianParams params = MedianParams(with_mean, with_median, mdl_correction)
    return make_splitter(propose_median, propose_median_of_all, 2, False, &params, sizeof(MedianParams))


cdef int propose_median(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    return search_one(params, node, input, cut_at_mean_or_median, out)


cdef int propose_median_of_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    return search_all(params, node, cut_at_mean_or_median, splits)


cdef int cut_at_mean_or_median(
    const void* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef const MedianParams* p = <const MedianParams*>params
    cdef Values v
    cdef Moments m
    cdef Candidates found
    if node.columns[input].nominal:
        every_category(node, input, counts, out)
        return 0
    if not open_values(&v, node, input, counts):
        out.n_branches = CONSTANT
        return 0
    found.n = 0
    if p.mean:
        moments(&v, &m)
        found.cuts[0], found.n = m.mean, 1
        snap(&v, found.cuts, m.sd)
    if p.median:
        found.cuts[found.n] = median(&v)
        found.n += found.n == 0 or fabs(found.cuts[1] - found.cuts[0]) > same_cut(m.sd)
    found.lower = min(found.cuts[0], found.cuts[found.n - 1])
    if is_whole(node):
        better_in_whole_numbers(p, &v, counts, &found, out)
    else:
        better_by_weight(p, &v, input, counts, &found, out)
    return 0


cdef void better_in_whole_numbers(
    const MedianParams* p, const Values* v, const Counts* counts, const Candidates* found, Split* out
) noexcept nogil:
    cdef const Node* node = v.node
    cdef Counts ranges, sides
    cdef double best = 0.0, gain, information
    cdef int[2] ends
    cdef int k, n_taken, n_candidates = 0, chosen = -1
    ends[0] = first_above(v, found.lower)
    if found.n == 2:
        ends[1] = first_above(v, max(found.cuts[0], found.cuts[1]))
    count_between(v, counts, ends, found.n + 1, &ranges)
    sides = ranges
    sides.number = sides_of(node)
    for k in range(found.n):
        two_sides[uint32_t](bins_of(node), sides_of(node), node.n_classes, found.n, found.cuts[k] != found.lower)
        if heavy_branches(node, &sides, 2, &n_taken) == 2:
            gain = max(gain_of(node, &sides, 2, v.n_known, &information), 0.0)
            n_candidates += 1
            if gain > best + TIE or chosen < 0:
                best, chosen = gain, k
    if chosen >= 0:
        two_sides[uint32_t](bins_of(node), sides_of(node), node.n_classes, found.n, found.cuts[chosen] != found.lower)
        set_threshold(out, found.cuts[chosen])
        out.charge = log2(<double>n_candidates) / v.known if p.mdl_correction else 0.0
        judge_whole(node, &sides, v.n_known, out)


cdef void better_by_weight(
    const MedianParams* p, const Values* v, index_t input, const Counts* counts, const Candidates* found, Split* out
) noexcept nogil:
    cdef const Node* node = v.node
    cdef double best = 0.0, gain
    cdef int k, n = found.n, n_candidates = 0, chosen = -1
    out.n_branches, out.n_cuts, out.closed_left, out.identity = n + 1, n, 0, 1
    out.cuts[0], out.cuts[n - 1] = found.lower, max(found.cuts[0], found.cuts[n - 1])
    node.tabulate(node, input, counts, out)
    out.n_branches = 0
    for k in range(n):
        two_sides[double](node.table, node.scratch, node.n_classes, n, found.cuts[k] != found.lower)
        gain = gain_of_two(node, v.known)
        if gain >= 0.0:
            n_candidates += 1
            if gain > best + TIE or chosen < 0:
                best, chosen = gain, k
    if chosen >= 0:
        two_sides[double](node.table, node.scratch, node.n_classes, n, found.cuts[chosen] != found.lower)
        memcpy(node.table, node.scratch, 2 * <size_t>node.n_classes * sizeof(double))
        set_threshold(out, found.cuts[chosen])
        out.charge = log2(<double>n_candidates) / v.known if p.mdl_correction else 0.0
        node.judge(node, out)


cdef inline void two_sides(
    const cell_t* ranges, cell_t* sides, int n_classes, int n_cuts, bint upper
) noexcept nogil:
    """The table of two branches, from that of the ranges between one or two cuts."""
    cdef int c
    for c in range(n_classes):
        sides[c], sides[n_classes + c] = ranges[c], ranges[n_cuts * n_classes + c]
        if n_cuts == 2:
            sides[(0 if upper else n_classes) + c] += ranges[n_classes + c]


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
