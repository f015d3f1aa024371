"""The best threshold of an input without a look at each cut: cuts whose gain a bound keeps low are passed over."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from treeforge.core.kernel cimport Column, Counts, Node
from treeforge_c45._scan cimport Params, Scan

cdef extern from "bound_cuts.h" nogil:
    ctypedef struct CutBounds "C45Bounds":
        int three
        int class_shift
        int code_shift
        int32_t[2][8] pull
        int32_t[2] pair
        int32_t[2] minus_total
        float[3] scale
        const float* omega
        float* bound
        int32_t* drift[2]
        int32_t* below
        float greatest
        int n_cuts
        int n_values
    enum:
        LABELS "C45_LABELS"
    void bound_list "c45_bound_list"(CutBounds* b, const uint64_t* list, int n)
    void bound_codes "c45_bound_codes"(CutBounds* b, const uint32_t* rows, int n_codes)
    int next_above "c45_next_above"(const float* bound, int j, int n, float floor)


cdef enum:
    MANY_CODES = 32     # of a column: of fewer, a look at each is as fast
    FEWEST = 16         # cases: of fewer, a look at each cut is as fast
    MOST = 32768        # cases: products of two counts are 32-bit numbers


cdef struct Bounds:     # of one node; the columns without an unknown value share it
    int made            # 0: not yet, 1: it is, -1: there are none here
    CutBounds cuts


cdef struct Doubt:      # about the best cut
    double best         # `inside` of it; while not sure, no cut so far has more
    bint sure           # it is the one that a look at each cut would have found
    int place           # of the best cut, -1 for none


cdef struct Asked:      # what a search is given
    const Params* params
    Bounds* bounds      # NULL: a single input is asked about


cdef bint open_bounds(Bounds* bounds, const Scan* scan, const Node* node) noexcept nogil


cdef inline bint has_bounds(
    Bounds* bounds, const Scan* scan, const Node* node, const Column* column, int n_known, int n_cuts
) noexcept nogil:
    """Whether the cuts of a column are to be bounded; about as many as there are."""
    if bounds == NULL or column.close or n_known < node.n_rows or n_known < FEWEST or bounds.made < 0:
        return False
    if bounds.made == 0 and <size_t>n_cuts * node.n_candidates < <size_t>node.n_rows:
        return False        # to prepare them would cost more than they spare
    return bounds.made > 0 or open_bounds(bounds, scan, node)


cdef bint best_of_bounded_list(
    Scan* scan, const Params* params, const Node* node, CutBounds* cuts, const uint64_t* list
) noexcept nogil
cdef bint best_of_bounded_codes(
    Scan* scan, const Params* params, const Node* node, CutBounds* cuts, const Counts* counts, int n_codes
) noexcept nogil
cdef bint take_best(
    const Scan* scan, const Params* params, const Node* node, const CutBounds* cuts, const int32_t* below, int first,
    int beyond, Doubt* doubt
) noexcept nogil
