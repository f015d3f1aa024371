"""Going through the candidate thresholds of one input: what is counted, and when a cut is better.

With L(x) = x ln x, a partition of the known cases into branches b and classes c has

    inside = sum_bc L(w_bc) - sum_b L(w_b)
    gain   = (before + inside) / (W ln 2),     before = L(K) - sum_c L(w_c)

where K is the weight of the known cases and W that of all (c45.md 3.1).
"""

from libc.math cimport floor, isinf, log
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from treeforge.core.kernel cimport Column, Node, Split, index_t, set_threshold

cdef extern from "rough_inside.h" nogil:
    enum:
        CUTS "C45_CUTS"                 # most cuts that wait
        CUT_CLASSES "C45_CUT_CLASSES"   # most classes of which any wait
    ctypedef struct Cuts "C45Cuts":
        int n
        double[8][24] left      # class weights below each cut ...
        double[8][24] right     # ... and above
        double[16] below        # weight below
        int[16] code            # each lies between this code ...
        int[16] next_code       # ... and this one
    float rough_inside "c45_rough_inside"(Cuts* cuts, int n_classes, double scale, float* inside)


cdef struct Params:
    int binary              # nominal inputs: one category against the rest
    int grouping            # nominal inputs: categories merged into groups
    int mdl_correction      # charge lg(candidates) / W for a threshold
    int settle              # thresholds are training values
    int smallest_side       # a side has at least a tenth of the cases over the classes, at most 25
    int later               # 1: `finish` leaves the codes about a cut in the place of the cut, for `place_cut`


cdef struct Scan:
    double known            # K
    double total            # W
    double smallest         # least weight of a side
    double before
    double step             # what a cut must be better by
    double best             # `inside` of the best cut
    double left             # weight below the best cut
    int n_cuts              # admissible ones
    int code                # the best cut lies between this code ...
    int next_code           # ... and this one


cdef inline bint begin(
    Scan* scan, const Params* params, const Node* node, double known, int n_known
) noexcept nogil:
    """False: the input cannot be split here (c45.md 3.4.2, 3.4.3)."""
    scan.known, scan.total = known, node.weight
    scan.smallest = 0.1 * known / node.n_classes if params.smallest_side else 0.0
    if scan.smallest - node.min_branch < 1e-6:
        scan.smallest = node.min_branch
    elif scan.smallest - 25.0 > 1e-6:
        scan.smallest = 25.0
    scan.n_cuts, scan.code, scan.next_code = 0, -1, -1
    scan.step = 1e-6 * 0.6931471805599453 * node.weight
    return 2 * scan.smallest - n_known <= 1e-6


cdef inline int first_cut(const Scan* scan) noexcept nogil:
    """Fewest cases below a cut, and above it, where each weighs 1."""
    return max(<int>floor(scan.smallest - 1e-6) + 1, 1)


cdef inline bint gap(const Column* column, int code, int next_code) noexcept nogil:
    """Whether two neighbours count as different (c45.md 3.4.4)."""
    return not column.close or column.values[code] + 1e-5 < column.values[next_code]


cdef inline double xlogx(double x) noexcept nogil:
    return 0.0 if x < 1e-6 else x * log(x)


cdef inline double rough_xlogx(double x) noexcept nogil:
    """x ln x with an error below 5e-9 x: ln of the mantissa by the series of artanh."""
    cdef uint64_t bits
    cdef double m, s, q
    cdef int e
    if x < 1e-6:
        return 0.0
    memcpy(&bits, &x, 8)
    e = <int>(<int64_t>(bits - <uint64_t>0x3FE8000000000000) >> 52)     # mantissa in [0.75, 1.5)
    bits -= <uint64_t>e << 52
    memcpy(&m, &bits, 8)
    s = (m - 1.0) / (m + 1.0)
    q = s * s
    q = 1.0 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9))))
    return x * (e * 0.6931471805599453 + 2.0 * s * q)


cdef inline void weigh_cut(
    Scan* scan, Cuts* cuts, const double* left, const double* right, int n, double below, int code, int next_code
) noexcept nogil:
    """Take the cut between two codes if its sides are heavy enough and it beats the best so far.

    Six logarithms a cut are what weighted nodes spend their time on: a rough value sorts out the cuts that
    cannot be better, and only the others are computed exactly. Of few classes, cuts wait until there are
    enough of them to be valued together; ``weigh_waiting`` is owed at the end.
    """
    cdef double value, above = scan.known - below
    cdef int k
    if scan.smallest - below >= 1e-6 or scan.smallest - above >= 1e-6:
        return
    scan.n_cuts += 1
    if n <= CUT_CLASSES:
        for k in range(n):
            cuts.left[k][cuts.n], cuts.right[k][cuts.n] = left[k], right[k]
        cuts.below[cuts.n], cuts.code[cuts.n], cuts.next_code[cuts.n] = below, code, next_code
        cuts.n += 1
        if cuts.n == CUTS:
            weigh_waiting(scan, cuts, n)
        return
    value = -rough_xlogx(below) - rough_xlogx(above)
    for k in range(n):
        value += rough_xlogx(left[k]) + rough_xlogx(right[k])
    if value + 2e-8 * scan.known - scan.best <= scan.step:
        return
    value = -xlogx(below) - xlogx(above)
    for k in range(n):
        value += xlogx(left[k]) + xlogx(right[k])
    if value - scan.best > scan.step:
        scan.best, scan.code, scan.next_code, scan.left = value, code, next_code, below


cdef inline void weigh_cut_of_two(
    Scan* scan, Cuts* cuts, double left0, double left1, double right0, double right1, double below, int code,
    int next_code
) noexcept nogil:
    """``weigh_cut`` of two classes. What is written for a cut with too light a side, the next cut writes over."""
    cdef int at = cuts.n
    cdef bint admissible = (scan.smallest - below < 1e-6) & (scan.smallest - (scan.known - below) < 1e-6)
    cuts.left[0][at], cuts.left[1][at], cuts.right[0][at], cuts.right[1][at] = left0, left1, right0, right1
    cuts.below[at], cuts.code[at], cuts.next_code[at] = below, code, next_code
    scan.n_cuts += admissible
    cuts.n = at + admissible
    if cuts.n == CUTS:
        weigh_waiting(scan, cuts, 2)


cdef inline void weigh_waiting(Scan* scan, Cuts* cuts, int n) noexcept nogil:
    """Value the cuts that wait, in their order; none are left.

    The best of them is taken, or none; whichever was taken before it, so cuts far below it are not looked at.
    "Far": by more than a ladder of all that wait could lead up to, each a step above the one before.
    """
    cdef float[16] inside
    # what single precision may be off by, and weights below 1e-6, which count as none
    cdef double value, slack = (n + 2) * (1e-6 * scan.known + 3e-5), least
    cdef int i, k
    if cuts.n == 0 or n > CUT_CLASSES:
        return
    least = scan.known * rough_inside(cuts, n, 1.0 / scan.known, inside) - (2 * slack + (CUTS + 2) * scan.step)
    for i in range(cuts.n):
        value = scan.known * inside[i]
        if value < least or value + slack - scan.best <= scan.step:
            continue
        value = -xlogx(cuts.below[i]) - xlogx(scan.known - cuts.below[i])
        for k in range(n):
            value += xlogx(cuts.left[k][i]) + xlogx(cuts.right[k][i])
        if value - scan.best > scan.step:
            scan.best, scan.left = value, cuts.below[i]
            scan.code, scan.next_code = cuts.code[i], cuts.next_code[i]
    cuts.n = 0


cdef inline double middle(const double* values, int code, int next_code) noexcept nogil:
    """The midpoint of two values; never the upper one, and never out of range."""
    cdef double cut = (values[code] + values[next_code]) / 2
    if isinf(cut):
        cut = values[code] / 2 + values[next_code] / 2
    return values[code] if cut == values[next_code] else cut


cdef inline void place_cut(const Column* column, Split* out) noexcept nogil:
    """Put the midpoint into the place of the codes about it.

    The values of a column are far away in memory, each column's in another place: the inputs of a node wait for
    theirs together, when all have been searched.
    """
    cdef int code, next_code
    memcpy(&code, out.cuts, sizeof(int))
    memcpy(&next_code, <char*>out.cuts + sizeof(int), sizeof(int))
    out.cuts[0] = middle(column.values, code, next_code)


cdef inline void finish(
    const Scan* scan, const Params* params, const Node* node, index_t input, Split* out
) noexcept nogil:
    """The best cut as a split, after the MDL charge (c45.md 3.4.6 to 3.4.8)."""
    cdef double gain, information
    if scan.code < 0:
        return
    gain = (scan.before + scan.best) / (scan.total * 0.6931471805599453)
    if params.mdl_correction:
        gain -= log(<double>scan.n_cuts) / 0.6931471805599453 / scan.total
    if gain < 1e-6:
        return
    set_threshold(out, 0.0)
    memcpy(out.cuts, &scan.code, sizeof(int))
    memcpy(<char*>out.cuts + sizeof(int), &scan.next_code, sizeof(int))
    if not params.later:
        place_cut(&node.columns[input], out)
    out.settle, out.gain, out.score = params.settle, gain, gain
    if node.criterion.score != NULL:
        information = (
            xlogx(scan.total) - xlogx(scan.total - scan.known) - xlogx(scan.left) - xlogx(scan.known - scan.left)
        ) / 0.6931471805599453
        out.score = 0.0 if -1e-6 < information < 1e-6 else gain / (information / scan.total)
