"""The best threshold of a column kept as byte codes, in a node of few cases.

To clear a table, count and go through it costs more than to compare every case with all others at once. The
cuts are numbered by the cases below them, and passed over as elsewhere (``_bounds``).
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from treeforge.core.kernel cimport CONSTANT, INFORMATION, Node, Split, index_t
from treeforge_c45._bounds cimport Asked, CutBounds, Doubt, open_bounds, take_best
from treeforge_c45._scan cimport Scan, begin, finish

cdef extern from "rank_cases.h" nogil:
    ctypedef struct Ranks "C45Ranks":
        uint64_t occupied
        uint8_t[64] above
    enum:
        LEAST_RANKED "C45_LEAST_RANKED"
        RANKED "C45_RANKED"
    bint can_rank "c45_can_rank"()
    uint64_t lanes_of "c45_lanes"(uint64_t cases, int n)
    void bound_cases "c45_bound_cases"(CutBounds* b, Ranks* ranks, const uint8_t* codes, int n, const uint64_t* lanes)


cdef bint open_ranking(Ranking* ranking, const Asked* asked, const Node* node) noexcept nogil:
    """Prepare it for a node. False: it has too many cases, or a column cannot be split here, or not in this way."""
    cdef int n = node.n_rows, k
    cdef Scan* scan = &ranking.scan
    cdef const uint64_t* planes
    if (
        not can_rank() or not LEAST_RANKED <= n <= RANKED or node.weights != NULL
        or node.criterion.measure != INFORMATION or not begin(scan, asked.params, node, n, n)
        or not open_bounds(asked.bounds, scan, node)
    ):
        return False
    scan.before = node.xlogx[n]
    for k in range(node.n_present):
        scan.before -= node.xlogx[<int>node.class_weight[node.present[k]]]
    scan.best = -scan.before
    planes = node.planes(node)
    if planes == NULL:
        return False
    for k in range(2):
        ranking.lanes[k] = lanes_of(planes[k], n)
    ranking.lanes[2] = lanes_of(~<uint64_t>0 >> (64 - n), n)
    return True


cdef bint best_cut_of_ranked(
    const Ranking* ranking, const Asked* asked, const Node* node, index_t input, Split* out
) noexcept nogil:
    """False: only a look at each cut can tell which is the best."""
    cdef CutBounds* cuts = &asked.bounds.cuts
    cdef float[64] bound
    cdef int32_t[2][64] drift
    cdef const uint8_t* codes = node.bytes[input]
    cdef Scan scan = ranking.scan
    cdef Ranks ranks
    cdef Doubt doubt
    cdef int j
    cuts.bound, cuts.drift[0], cuts.drift[1] = bound, drift[0], drift[1]
    bound_cases(cuts, &ranks, codes, node.n_rows, ranking.lanes)
    if ranks.occupied == 1:         # no case lies above another
        out.n_branches = CONSTANT
        return True
    scan.n_cuts = cuts.n_cuts
    if not take_best(&scan, asked.params, node, cuts, NULL, 1, node.n_rows, &doubt):
        return False
    if doubt.place >= 0:
        scan.best, scan.left = doubt.best, doubt.place
        scan.next_code = codes[ranks.above[doubt.place]]
        for j in range(node.n_rows):
            if codes[j] < scan.next_code:
                scan.code = max(scan.code, <int>codes[j])
        finish(&scan, asked.params, node, input, out)
    return True
