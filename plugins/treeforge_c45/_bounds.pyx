"""The best threshold of an input without a look at each cut: cuts whose gain a bound keeps low are passed over.

Of n cases let t_c be of class c, and a lie below a cut, a_c of them of class c. With m_c = a t_c / n and
d_c = a_c - m_c, the cut's gain is, in nats,

    gain = sum_c d_c^2 r_c(d_c),
    r_c(d) = integral over s from 0 to 1 of (1 - s) (1 / (m_c + s d) + 1 / (t_c - m_c - s d)),

Taylor's formula for x ln x, whose second derivative is 1 / x; the first-order terms add up to nothing, for the
d_c do. r_c is convex, so on -m_c <= d <= t_c - m_c it is greatest at an end, where it is ln(n / (n - a)) t_c / m_c^2
or ln(n / a) t_c / (t_c - m_c)^2. The first is the greater one for a <= n / 2, and the same holds with a and n - a
exchanged. So

    gain <= omega(a) sum_c d_c^2 / t_c,    omega(a) = n^2 ln(n / (n - a)) / a^2 = omega(n - a)    for a <= n / 2.

That is 1.4 to 2 times the gain that it bounds, and costs a few products. Most inputs of most nodes have no cut
that pays the charge for its choice (c45.md 3.4.6), and of the others few cuts come near the best. Which of these
wins is a matter of order, each having to beat the best before it by a step (c45.md 3.4.5); but as soon as one lies a
step above all that was passed over, it is taken whatever came before.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from treeforge.core.kernel cimport Counts, Node, entry_code
from treeforge_c45._scan cimport Params, Scan, first_cut

cdef bint open_bounds(Bounds* bounds, const Scan* scan, const Node* node) noexcept nogil:
    """Prepare the bounds of a node for columns without an unknown value. False: they do not pay."""
    cdef int n = node.n_rows, k, c
    cdef CutBounds* cuts = &bounds.cuts
    cdef float* omega = <float*>node.room
    bounds.made = -1
    if (
        n >= MOST or node.n_classes > LABELS or not 2 <= node.n_present <= 3
    ):
        return False
    cuts.three = node.n_present == 3
    cuts.class_shift, cuts.code_shift = node.row_bits, node.row_bits + node.class_bits
    for c in range(LABELS):
        for k in range(2):
            cuts.pull[k][c] = -<int32_t>node.class_weight[node.present[k]]
    for k in range(2):
        cuts.pull[k][node.present[k]] += n
        cuts.pair[k] = cuts.pull[0][node.present[k]]
        cuts.minus_total[k] = -<int32_t>node.class_weight[node.present[k]]
    for k in range(3):
        cuts.scale[k] = 0.0
    for k in range(node.n_present):
        cuts.scale[k] = 1.0 / (<double>n * n * node.class_weight[node.present[k]])
    if not cuts.three:
        cuts.scale[0] += cuts.scale[1]
    fill_omega(omega, node.xlogx, n, first_cut(scan))
    cuts.omega = omega
    bounds.made = 1
    return True


cdef void fill_omega(float* omega, const double* f, int n, int low) noexcept nogil:
    """A little more, for the rounding of what is made of it; 0 where fewer than ``low`` cases lie at a side."""
    cdef double scale = (1.0 + 1e-5) * n * n, all_of_it = f[n] / n
    cdef double b
    cdef int a
    for a in range(min(low, n + 1)):
        omega[a] = omega[n - a] = 0.0
    for a in range(low, n // 2 + 1):
        b = a
        omega[a] = omega[n - a] = <float>((all_of_it - f[n - a] / (n - a)) * scale / (b * b))


cdef bint best_of_bounded_list(
    Scan* scan, const Params* params, const Node* node, CutBounds* cuts, const uint64_t* list
) noexcept nogil:
    """False: only a look at each cut can tell which is the best."""
    cdef int n = node.n_rows
    cdef float* omega = <float*>node.room
    cdef Doubt doubt
    # no cut lies below entry 0: of three more arrays the places 1 .. n - 1, in a room for 4 n
    cuts.bound = omega + n
    cuts.drift[0] = <int32_t*>(omega + 2 * n - 1)
    cuts.drift[1] = <int32_t*>(omega + 3 * n - 2)
    bound_list(cuts, list, n)
    scan.n_cuts = cuts.n_cuts
    if not take_best(scan, params, node, cuts, NULL, 1, n, &doubt):
        return False
    if doubt.place >= 0:
        scan.code, scan.next_code = entry_code(node, list[doubt.place - 1]), entry_code(node, list[doubt.place])
        scan.best, scan.left = doubt.best, doubt.place
    return True


cdef bint best_of_bounded_codes(
    Scan* scan, const Params* params, const Node* node, CutBounds* cuts, const Counts* counts, int n_codes
) noexcept nogil:
    """The same for the table of two classes; ``scan.next_code`` is some code above the cut, up to the next one."""
    cdef float[256] bound
    cdef int32_t[256] drift
    cdef int32_t[256] below
    cdef Doubt doubt
    cuts.bound, cuts.drift[0], cuts.below = bound, drift, below
    bound_codes(cuts, counts.number, n_codes)
    scan.n_cuts = cuts.n_cuts
    if not take_best(scan, params, node, cuts, below, 0, n_codes, &doubt):
        return False
    if doubt.place >= 0:
        scan.next_code, scan.best, scan.left = doubt.place, doubt.best, below[doubt.place]
    return True


cdef inline double inside(
    const Node* node, const CutBounds* cuts, int place, int a
) noexcept nogil:
    """Of a cut, exactly; a cases lie below it."""
    cdef const double* f = node.xlogx
    cdef int64_t n = node.n_rows
    cdef int k, here, rest_below = a, rest_above = <int>n - a, total
    cdef double value = -f[a] - f[n - a]
    for k in range(1 + cuts.three):
        total = <int>node.class_weight[node.present[k]]
        here = <int>((cuts.drift[k][place] + <int64_t>a * total) // n)
        value += f[here] + f[total - here]
        rest_below -= here
        rest_above -= total - here
    return value + (f[rest_below] + f[rest_above])


cdef bint take_best(
    const Scan* scan, const Params* params, const Node* node, const CutBounds* cuts, const int32_t* below, int first,
    int beyond, Doubt* doubt
) noexcept nogil:
    """The best cut at the places from first on. ``below``: cases below each place; NULL: as many as the place says.

    False: it depends on the cuts passed over.
    """
    cdef double charge = 0.0, floor, value
    cdef int j
    doubt.best, doubt.sure, doubt.place = scan.best, True, -1
    if cuts.n_cuts == 0:
        return True
    if params.mdl_correction:
        charge = node.xlogx[cuts.n_cuts] / cuts.n_cuts
    floor = max(charge - 8.0 * scan.step, 0.0)
    if cuts.greatest <= floor:
        return True
    j = next_above(cuts.bound, first, beyond, cuts.greatest * <float>0.999999)
    value = inside(node, cuts, j, j if below == NULL else below[j]) + scan.before
    floor = max(floor, value - 8.0 * scan.step)
    if floor > 0.0:
        doubt.best, doubt.sure = floor - scan.before, False
    j = first - 1
    while True:
        j = next_above(cuts.bound, j + 1, beyond, <float>floor)
        if j >= beyond:
            break
        value = inside(node, cuts, j, j if below == NULL else below[j])
        if value - doubt.best > scan.step:
            doubt.best, doubt.place, doubt.sure = value, j, True
        elif not doubt.sure:
            doubt.best = max(doubt.best, value)
    return doubt.sure or doubt.best + scan.before <= charge + 0.9 * scan.step
