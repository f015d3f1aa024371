"""The best midpoint between neighbouring values of a numeric input: one scan, whatever the criterion.

A candidate is a table of two rows, below and above the cut, kept up to date case by case. Two criteria are
kept up to date as well, instead of being asked at every cut. With w the weight of a side:

    Gini         sum_c w_c^2 of both sides; S_below / w_below + S_above / w_above is to be large
    information  sum_c L(w_c) of both sides, L(x) = x ln x from a table, while all weights are 1; less L(w) of each
"""

from libc.math cimport INFINITY
from libc.stdint cimport uint64_t
from libc.string cimport memset

from treeforge.core.kernel cimport (
    BYTES, CONSTANT, GINI, INFORMATION, NUMBERS, Counts, Node, Split, class_weight, entry_class, entry_code,
    entry_weight, index_t, midpoint, set_threshold,
)

cdef double TINY = 1e-6      # weights that differ by less are the same (c45.md 0.2)
cdef double TIE = 1e-12      # gains that do are, and the lower cut stays


cdef struct Scan:
    const Node* node
    const double* values
    int measure
    double smallest          # least weight of a side
    double gap               # neighbours that lie no further apart are the same value
    double* sides            # class weights below and above the cut, [2, n_classes]
    double known
    double below             # weight
    double squares_below
    double squares_above
    double inside            # sum of L over classes and sides
    double best
    int n_gaps               # between neighbouring values
    int n_cuts               # admissible ones
    int code                 # the best cut lies between this code ...
    int next_code            # ... and this one


cdef int best_cut(
    const Node* node, index_t input, const Counts* counts, double smallest, double gap, Split* out
) noexcept nogil:
    """Propose the best midpoint, tabulated and judged; returns how many were admissible."""
    cdef Scan scan
    out.n_branches = 0
    if node.columns[input].form == NUMBERS:
        return 0
    memset(&scan, 0, sizeof(Scan))
    scan.node, scan.values, scan.measure = node, node.columns[input].values, node.criterion.measure
    if scan.measure == INFORMATION and node.weights != NULL:
        scan.measure = 0
    scan.smallest, scan.gap = smallest, gap if node.columns[input].close else 0.0
    scan.sides, scan.code, scan.best = node.scratch, -1, -INFINITY
    memset(scan.sides, 0, 2 * <size_t>node.n_classes * sizeof(double))
    if node.columns[input].form == BYTES:
        scan_codes(&scan, node.columns[input].n_codes, counts)
    else:
        scan_list(&scan, node.list[input], node.list_size[input])
    out.n_branches = CONSTANT if scan.n_gaps == 0 else 0
    if scan.code >= 0:
        set_threshold(out, midpoint(scan.values[scan.code], scan.values[scan.next_code]))
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    return scan.n_cuts


cdef void scan_codes(Scan* scan, int n_codes, const Counts* counts) noexcept nogil:
    cdef int code, k, last = -1
    cdef double here
    cdef double* above = scan.sides + scan.node.n_classes
    for code in range(n_codes):
        if counts.occupied == NULL or counts.occupied[code >> 6] >> (code & 63) & 1:
            for k in range(counts.n_present):
                above[counts.label[k]] += class_weight(counts, code, k)
    open_scan(scan)
    for code in range(n_codes):
        if counts.occupied != NULL and not counts.occupied[code >> 6] >> (code & 63) & 1:
            continue
        here = 0.0
        for k in range(counts.n_present):
            here += class_weight(counts, code, k)
        if here == 0.0:
            continue
        if last >= 0:
            weigh(scan, last, code)
        for k in range(counts.n_present):
            move(scan, counts.label[k], class_weight(counts, code, k))
        last = code


cdef void scan_list(Scan* scan, const uint64_t* list, int size) noexcept nogil:
    cdef const Node* node = scan.node
    cdef double* above = scan.sides + node.n_classes
    cdef int j, code, last
    if size == 0 or entry_code(node, list[0]) == entry_code(node, list[size - 1]):
        return
    for j in range(size):
        above[entry_class(node, list[j])] += entry_weight(node, list[j])
    open_scan(scan)
    last = entry_code(node, list[0])
    for j in range(size):
        code = entry_code(node, list[j])
        if code != last:
            weigh(scan, last, code)
            last = code
        move(scan, entry_class(node, list[j]), entry_weight(node, list[j]))


cdef inline void open_scan(Scan* scan) noexcept nogil:
    """All known cases are above the cut."""
    cdef int c
    cdef const double* above = scan.sides + scan.node.n_classes
    for c in range(scan.node.n_classes):
        scan.known += above[c]
        scan.squares_above += above[c] * above[c]
        if scan.measure == INFORMATION:
            scan.inside += scan.node.xlogx[<int>above[c]]


cdef inline void move(Scan* scan, int label, double weight) noexcept nogil:
    cdef double* below = scan.sides + label
    cdef double* above = below + scan.node.n_classes
    cdef const double* f = scan.node.xlogx
    if weight == 0.0:
        return
    if scan.measure == GINI:
        scan.squares_below += weight * (2.0 * below[0] + weight)
        scan.squares_above += weight * (weight - 2.0 * above[0])
    elif scan.measure == INFORMATION:
        scan.inside += (
            f[<int>(below[0] + weight)] - f[<int>below[0]] + f[<int>(above[0] - weight)] - f[<int>above[0]]
        )
    below[0] += weight
    above[0] -= weight
    scan.below += weight


cdef inline void weigh(Scan* scan, int code, int next_code) noexcept nogil:
    """Take the cut between two codes if both sides are heavy enough and it beats the best so far."""
    cdef const Node* node = scan.node
    cdef double above = scan.known - scan.below, value
    scan.n_gaps += 1
    if scan.smallest - scan.below >= TINY or scan.smallest - above >= TINY:
        return
    if scan.gap > 0.0 and not scan.values[code] + scan.gap < scan.values[next_code]:
        return
    scan.n_cuts += 1
    if scan.measure == GINI:
        value = (scan.squares_below / scan.below + scan.squares_above / above) / scan.known
    elif scan.measure == INFORMATION:
        value = (scan.inside - node.xlogx[<int>scan.below] - node.xlogx[<int>above]) / scan.known
    else:
        value = node.criterion.gain(node.criterion_params, scan.sides, 2, node.n_classes, scan.known, node.weight)
    if value > scan.best + TIE:
        scan.best, scan.code, scan.next_code = value, code, next_code
