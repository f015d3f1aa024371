"""The best threshold of a long sorted list: most cuts are ruled out together, without a look at each.

With L(x) = x ln x, a cut with a_c of the t_c cases of class c below it, a of n in all, has

    inside = sum_c (L(a_c) + L(t_c - a_c)) - L(a) - L(n - a),

which is convex in (a_c). So no cut of a stretch, in which class c has m_c cases, exceeds the value at its
beginning by more than sum_c m_c max(G_c, 0), where G_c is a bound of the slope along a_c in the stretch:

    slope_c = L'(a_c) - L'(t_c - a_c) - L'(a) + L'(n - a),     L(x) - L(x - 1) < L'(x) < L(x + 1) - L(x).

Two kinds of cuts need no look. One that cannot pay the charge for its choice (c45.md 3.4.6) is not proposed.
And which cut wins is a matter of order, each having to beat the best before it by a step (c45.md 3.4.5); but
cuts well below the greatest value seen may be left out, for as soon as one lies a step above all that is in
doubt, it is taken whatever came before.
"""

from libc.math cimport INFINITY, log
from libc.stdint cimport uint32_t, uint64_t

from treeforge.core.kernel cimport Node, entry_class, entry_code
from treeforge_c45._scan cimport Params, Scan, first_cut

cdef extern from "treeforge_vector.h" nogil:
    int tf_tally(const uint64_t* list, int n, int class_shift, int code_shift, uint64_t* classes)

cdef enum:
    STRETCH = 64        # entries


cdef struct Stretches:
    const Node* node
    const uint64_t* list
    int n               # entries of the list
    int first           # a cut lies below one of the entries first ..
    int last            # .. last
    int count           # stretches
    const uint32_t* total    # [n_classes]: class counts of the list


cdef void best_cut_of_stretches(
    Scan* scan, const Params* params, const Node* node, const uint64_t* list, int n, const uint32_t* total
) noexcept nogil:
    """As if every cut were looked at; ``total``: class counts of the list."""
    cdef Stretches s
    cdef double lowest, useless = -INFINITY
    cdef int first = first_cut(scan)
    if first > n - first:
        return
    s = Stretches(node, list, n, first, n - first, (n - 2 * first) // STRETCH + 1, total)
    lowest = survey(scan, &s) - 8.0 * scan.step
    if params.mdl_correction:
        useless = log(<double>scan.n_cuts) - scan.before + 0.9 * scan.step
    if not take_best(scan, &s, max(lowest, useless), useless):
        take_best(scan, &s, -INFINITY, useless)


cdef inline int end_of(const Stretches* s, int j) noexcept nogil:
    return min(j + STRETCH, s.last + 1)


cdef inline bint is_cut(const Stretches* s, int j) noexcept nogil:
    """Whether the values of two neighbours differ."""
    return entry_code(s.node, s.list[j]) != entry_code(s.node, s.list[j - 1])


cdef inline void begin_counts(const Stretches* s, int* below) noexcept nogil:
    """Class counts below the first stretch."""
    cdef int j, c
    for c in range(s.node.n_classes):
        below[c] = 0
    for j in range(s.first):
        below[entry_class(s.node, s.list[j])] += 1


cdef inline int tally(const Stretches* s, int j, int* below) noexcept nogil:
    """Count the stretch that begins at j; returns its number of cuts."""
    cdef uint64_t packed
    cdef int c, n_cuts = tf_tally(
        s.list + j, end_of(s, j) - j, s.node.row_bits, s.node.row_bits + s.node.class_bits, &packed
    )
    for c in range(s.node.n_classes):
        below[c] += <int>(packed >> (8 * c) & 255)
    return n_cuts


cdef inline double value_of(const Stretches* s, int j, const int* below) noexcept nogil:
    """``inside`` of the cut below entry j."""
    cdef const double* f = s.node.xlogx
    cdef double value = -f[j] - f[s.n - j]
    cdef int c
    for c in range(s.node.n_classes):
        value += f[below[c]] + f[s.total[c] - below[c]]
    return value


cdef inline double survey(Scan* scan, const Stretches* s) noexcept nogil:
    """Count the cuts; returns the greatest value of those at the beginning of a stretch."""
    cdef int[MOST_CLASSES] below
    cdef double greatest = -INFINITY
    cdef int i, j
    begin_counts(s, below)
    for i in range(s.count):
        j = s.first + i * STRETCH
        if is_cut(s, j):
            greatest = max(greatest, value_of(s, j, below))
        scan.n_cuts += tally(s, j, below)
    return greatest


cdef inline double bound_of(const Stretches* s, int j, const int* low, const int* high) noexcept nogil:
    """What no cut of the stretch that begins at j exceeds; class counts below it and below its end."""
    cdef const double* f = s.node.xlogx
    cdef double bound = value_of(s, j, low), slope
    cdef double both = f[s.n - j + 1] - f[s.n - j] - (f[j] - f[j - 1])
    cdef int c, above
    for c in range(s.node.n_classes):
        above = s.total[c] - high[c]
        if above == 0 and high[c] > low[c]:
            return INFINITY
        slope = both + (f[high[c] + 1] - f[high[c]]) - (f[above] - f[above - 1] if above else 0.0)
        bound += (high[c] - low[c]) * max(slope, 0.0)
    return bound


cdef inline bint take_best(Scan* scan, const Stretches* s, double floor, double useless) noexcept nogil:
    """Take the best cut above ``floor``. False: which one that is depends on the cuts below."""
    cdef const double* f = s.node.xlogx
    cdef int[MOST_CLASSES] low
    cdef int[MOST_CLASSES] high
    cdef double best = scan.best, step = scan.step, inside, value
    cdef bint sure = floor < best + step
    cdef int i, j, k, c
    if not sure:
        best = floor
    begin_counts(s, high)
    for i in range(s.count):
        j = s.first + i * STRETCH
        for c in range(s.node.n_classes):
            low[c] = high[c]
        tally(s, j, high)
        if bound_of(s, j, low, high) + 0.01 * step <= (max(best + step, floor) if sure else floor):
            continue
        inside = value_of(s, j, low) + f[j] + f[s.n - j]
        for k in range(j, end_of(s, j)):
            if is_cut(s, k):
                value = inside - f[k] - f[s.n - k]
                if value - best > step:
                    best, sure = value, True
                    scan.code, scan.next_code = entry_code(s.node, s.list[k - 1]), entry_code(s.node, s.list[k])
                    scan.left = <double>k
                elif not sure:
                    best = max(best, value)
            c = entry_class(s.node, s.list[k])
            inside += (f[low[c] + 1] - f[low[c]]) + (f[s.total[c] - low[c] - 1] - f[s.total[c] - low[c]])
            low[c] += 1
    if sure:
        scan.best = best
    return sure or best <= useless
