"""The best threshold of a column kept as a sorted list: one pass, every class change counted as it comes."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from treeforge.core.kernel cimport CONSTANT, Column, Node, Split, entry_class, entry_code, entry_row, index_t
from treeforge_c45._bounds cimport Bounds, best_of_bounded_list, has_bounds
from treeforge_c45._scan cimport (
    Cuts, Params, Scan, begin, finish, first_cut, gap, weigh_cut, weigh_cut_of_two, weigh_waiting, xlogx,
)
from treeforge_c45._stretches cimport best_cut_of_stretches, is_long


cdef enum:
    FEW = 4     # cases a value: with more, it pays to take sums at cuts only, not with every case


cdef inline void best_cut_of_list(
    const Params* params, Bounds* bounds, const Node* node, index_t input, Split* out
) noexcept nogil:
    cdef Scan scan
    cdef const double* f = node.xlogx
    cdef const uint64_t* list = node.list[input]
    cdef uint32_t* left = <uint32_t*>node.scratch
    cdef uint32_t* right = left + node.n_classes
    cdef int j, c, n = node.list_size[input]
    if n == 0 or entry_code(node, list[0]) == entry_code(node, list[n - 1]):
        out.n_branches = CONSTANT
        return
    if not begin(&scan, params, node, n, n):
        return
    for c in range(node.n_classes):
        left[c] = 0
        right[c] = <uint32_t>node.class_weight[c] if n == node.n_rows else 0
    if n < node.n_rows:
        for j in range(n):
            right[entry_class(node, list[j])] += 1
    scan.before = f[n]
    for c in range(node.n_classes):
        scan.before -= f[right[c]]
    scan.best = -scan.before
    if is_long(n, node.n_classes) and not node.columns[input].close:
        best_cut_of_stretches(&scan, params, node, list, n, right)
    elif has_bounds(bounds, &scan, node, &node.columns[input], n, n) and best_of_bounded_list(
        &scan, params, node, &bounds.cuts, list
    ):
        pass
    elif node.n_classes == 2:
        two_in_list(&scan, node, &node.columns[input], list, n, right[1])
    elif n > FEW * node.columns[input].n_codes:
        any_in_groups(&scan, node, &node.columns[input], list, n, left, right)
    else:
        any_in_list(&scan, node, &node.columns[input], list, n, left, right)
    finish(&scan, params, node, input, out)


cdef inline void two_in_list(
    Scan* scan, const Node* node, const Column* column, const uint64_t* list, int n, int total1
) noexcept nogil:
    cdef const double* f = node.xlogx
    cdef int low = first_cut(scan), high = n - low, total0 = n - total1
    cdef int j, left1 = 0, shift = node.row_bits, code_shift = node.row_bits + node.class_bits, n_cuts = 0
    cdef uint64_t code, last
    cdef double value, best = scan.best
    cdef bint close = column.close
    for j in range(low):
        left1 += <int>(list[j] >> shift & 1)
    last = list[low - 1] >> code_shift
    for j in range(low, high + 1):
        code = list[j] >> code_shift
        if code != last:
            if not close or gap(column, <int>last, <int>code):
                n_cuts += 1
                value = (f[j - left1] + f[left1] + f[total0 - j + left1] + f[total1 - left1]) - (f[j] + f[n - j])
                if value - best > scan.step:
                    best = value
                    scan.code, scan.next_code, scan.left = <int>last, <int>code, j
            last = code
        left1 += <int>(list[j] >> shift & 1)
    scan.best, scan.n_cuts = best, n_cuts


cdef inline void any_in_list(
    Scan* scan, const Node* node, const Column* column, const uint64_t* list, int n, uint32_t* left, uint32_t* right
) noexcept nogil:
    cdef const double* f = node.xlogx
    cdef const double* below
    cdef const double* above
    cdef int shift = node.row_bits, code_shift = node.row_bits + node.class_bits, n_cuts = 0
    cdef int64_t low = first_cut(scan), high = n - low, j
    cdef uint64_t mask = (<uint64_t>1 << node.class_bits) - 1, code, last = list[0] >> code_shift
    cdef size_t c
    cdef double inside = 0.0, value, best = scan.best, step = scan.step
    cdef bint close = column.close
    for c in range(<size_t>node.n_classes):
        inside += f[right[c]]
    for j in range(high + 1):
        code = list[j] >> code_shift
        if code != last:
            if j >= low and (not close or gap(column, <int>last, <int>code)):
                n_cuts += 1
                value = inside - f[j] - f[n - j]
                if value - best > step:
                    best = value
                    scan.code, scan.next_code, scan.left = <int>last, <int>code, <double>j
            last = code
        c = list[j] >> shift & mask
        below, above = f + left[c], f + right[c]
        inside += (below[1] - below[0]) + ((above - 1)[0] - above[0])
        left[c] += 1
        right[c] -= 1
    scan.best, scan.n_cuts = best, n_cuts


cdef inline void any_in_groups(
    Scan* scan, const Node* node, const Column* column, const uint64_t* list, int n, uint32_t* left, uint32_t* right
) noexcept nogil:
    """Cases are only counted, and the sum over the classes is taken where a cut may be."""
    cdef const double* f = node.xlogx
    cdef const int32_t* present = node.present
    cdef int low = first_cut(scan), high = n - low, j = 0, k, c, code, last = -1
    cdef int shift = node.row_bits, code_shift = node.row_bits + node.class_bits, mask = (1 << node.class_bits) - 1
    cdef double value
    while True:
        code = <int>(list[j] >> code_shift)
        if j >= low and gap(column, last, code):
            scan.n_cuts += 1
            value = -f[j] - f[n - j]
            for k in range(node.n_present):
                c = present[k]
                value += f[left[c]] + f[right[c] - left[c]]
            if value - scan.best > scan.step:
                scan.best, scan.code, scan.next_code, scan.left = value, last, code, j
        last = code
        while j < n and <int>(list[j] >> code_shift) == code:
            left[<int>(list[j] >> shift) & mask] += 1
            j += 1
        if j > high or j == n:
            return


cdef inline void best_cut_of_weighted_list(
    const Params* params, const Node* node, index_t input, Split* out
) noexcept nogil:
    cdef Scan scan
    cdef Cuts cuts
    cdef const Column* column = &node.columns[input]
    cdef const uint64_t* list = node.list[input]
    cdef double* left = node.scratch
    cdef double* right = left + node.n_classes
    cdef double known = 0.0
    cdef int c, n = node.list_size[input]
    if n == 0 or entry_code(node, list[0]) == entry_code(node, list[n - 1]):
        out.n_branches = CONSTANT
        return
    for c in range(node.n_classes):
        left[c] = right[c] = 0.0
    if node.n_classes == 2:
        sum_two(node, list, n, right)
    else:
        sum_any(node, list, n, right)
    for c in range(node.n_classes):
        known += right[c]
    if not begin(&scan, params, node, known, n):
        return
    scan.before = xlogx(known)
    for c in range(node.n_classes):
        scan.before -= xlogx(right[c])
    scan.best = -scan.before
    cuts.n = 0
    if node.n_classes == 2:
        weigh_two(&scan, &cuts, node, column, list, n, right)
    else:
        weigh_any(&scan, &cuts, node, column, list, n, left, right)
    weigh_waiting(&scan, &cuts, node.n_classes)
    finish(&scan, params, node, input, out)


cdef inline void sum_any(const Node* node, const uint64_t* list, int n, double* total) noexcept nogil:
    cdef int j
    for j in range(n):
        total[entry_class(node, list[j])] += node.row_weight[entry_row(node, list[j])]


cdef inline void sum_two(const Node* node, const uint64_t* list, int n, double* total) noexcept nogil:
    """Two sums in registers: in memory, each would wait for the one before to be stored. Nothing added is 0.0."""
    cdef double weight, second, total0 = 0.0, total1 = 0.0
    cdef int j
    for j in range(n):
        weight = node.row_weight[entry_row(node, list[j])]
        second = weight * <double>entry_class(node, list[j])
        total0 += weight - second
        total1 += second
    total[0], total[1] = total0, total1


cdef inline void weigh_any(
    Scan* scan, Cuts* cuts, const Node* node, const Column* column, const uint64_t* list, int n, double* left,
    double* right
) noexcept nogil:
    cdef double weight, below = 0.0
    cdef int j, c, code, last = entry_code(node, list[0])
    for j in range(n):
        code, c = entry_code(node, list[j]), entry_class(node, list[j])
        if code != last:
            if gap(column, last, code):
                weigh_cut(scan, cuts, left, right, node.n_classes, below, last, code)
            last = code
        weight = node.row_weight[entry_row(node, list[j])]
        left[c] += weight
        right[c] -= weight
        below += weight


cdef inline void weigh_two(
    Scan* scan, Cuts* cuts, const Node* node, const Column* column, const uint64_t* list, int n, const double* right
) noexcept nogil:
    """The same with the sums in registers."""
    cdef double weight, second, below = 0.0, left0 = 0.0, left1 = 0.0, right0 = right[0], right1 = right[1]
    cdef int j, code, last = entry_code(node, list[0])
    for j in range(n):
        code = entry_code(node, list[j])
        if code != last:
            if gap(column, last, code):
                weigh_cut_of_two(scan, cuts, left0, left1, right0, right1, below, last, code)
            last = code
        weight = node.row_weight[entry_row(node, list[j])]
        second = weight * <double>entry_class(node, list[j])
        left0 += weight - second
        left1 += second
        right0 -= weight - second
        right1 -= second
        below += weight
