"""C4.5's tests of one input: every category its own branch, or the best midpoint.

The formulas are those of Quinlan 1993 and 1996 in the form that J48 gives them (docs/j48.md). With
L(x) = x ln x, a partition of the known cases into branches b and classes c has

    inside = sum_bc L(w_bc) - sum_b L(w_b)
    gain   = (before + inside) / (W ln 2),     before = L(K) - sum_c L(w_c)

where K is the weight of the known cases and W that of all. While all weights are 1, L comes from a table.
"""

from libc.math cimport floor, isinf, log
from libc.stdint cimport uint32_t, uint64_t

from treeforge.core.kernel cimport (
    BYTES, Column, Counts, Node, Split, entry_class, entry_code, entry_row, index_t, make_splitter, set_categories,
    set_threshold,
)

cdef double TINY = 1e-6            # J48's tolerance of every comparison
cdef double LN2 = 0.6931471805599453
cdef double SMALLEST_GAP = 1e-5    # values that lie closer are the same to J48


cdef struct Params:
    int binary              # nominal inputs: one category against the rest
    int mdl_correction      # charge lg(candidates) / W for a threshold
    int settle              # thresholds are training values


def kernel(bint binary, bint mdl_correction, bint actual_value):
    """The capsule of C4.5's splitter."""
    cdef Params params = Params(binary, mdl_correction, actual_value)
    return make_splitter(propose, propose_all, 1, False, &params, sizeof(Params))


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    cdef Counts counts
    if node.columns[input].form == BYTES:
        node.count(node, &input, 1, &counts)
    search(<const Params*>params, node, input, &counts, out)
    return 0


cdef int propose_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    """All candidates; BYTES columns are counted four at a time."""
    cdef index_t waiting[4]
    cdef Counts counts[4]
    cdef index_t input
    cdef int i, q, m = 0
    for i in range(node.n_candidates):
        input = node.candidates[i]
        if node.columns[input].form != BYTES:
            search(<const Params*>params, node, input, NULL, &splits[input])
            continue
        waiting[m] = input
        m += 1
        if m == 4 or i + 1 == node.n_candidates:
            node.count(node, waiting, m, counts)
            for q in range(m):
                search(<const Params*>params, node, waiting[q], &counts[q], &splits[waiting[q]])
            m = 0
    if m:
        node.count(node, waiting, m, counts)
        for q in range(m):
            search(<const Params*>params, node, waiting[q], &counts[q], &splits[waiting[q]])
    return 0


cdef void search(const Params* params, const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    cdef const Column* column = &node.columns[input]
    if column.nominal and params.binary:
        best_category(node, input, out)
    elif column.nominal:
        set_categories(out, column.n_codes)
        node.score(node, input, out)
    elif column.form == BYTES:
        best_cut_of_codes(params, node, input, counts, out)
    else:
        best_cut_of_list(params, node, input, out)


cdef void best_category(const Node* node, index_t input, Split* out) noexcept nogil:
    """One category against the rest, by ratio; a usable input may have gain and ratio 0 (c45.md 3.3)."""
    cdef int v, best = -1, usable = 0
    cdef double best_score = 0.0, best_gain = 0.0
    for v in range(node.columns[input].n_codes):
        one_against_rest(node, input, v, out)
        if out.n_branches == 0:
            continue
        usable = 1
        if v == 0 or out.score - best_score > TINY:
            best, best_score, best_gain = v, out.score, out.gain
    out.n_branches = 0
    if usable:
        one_against_rest(node, input, max(best, 0), out)
        out.n_branches, out.score, out.gain = 2, best_score, best_gain


cdef inline void one_against_rest(const Node* node, index_t input, int category, Split* out) noexcept nogil:
    cdef int c
    set_categories(out, 2)
    out.identity = 0
    for c in range(node.columns[input].n_codes):
        out.branch_of[c] = c != category
    node.score(node, input, out)


# ------------------------------------------------------------------ thresholds

cdef struct Scan:           # going through the ascending distinct values of the node
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


cdef inline bint begin(Scan* scan, const Node* node, double known, int n_known) noexcept nogil:
    """False: the input cannot be split here (c45.md 3.4.2, 3.4.3)."""
    scan.known, scan.total = known, node.weight
    scan.smallest = 0.1 * known / node.n_classes
    if scan.smallest - node.min_branch < TINY:
        scan.smallest = node.min_branch
    elif scan.smallest - 25.0 > TINY:
        scan.smallest = 25.0
    scan.n_cuts, scan.code = 0, -1
    scan.step = TINY * LN2 * node.weight
    return 2 * scan.smallest - n_known <= TINY


cdef inline bint gap(const Column* column, int code, int next_code) noexcept nogil:
    """Whether two neighbours count as different (c45.md 3.4.4)."""
    return not column.close or column.values[code] + SMALLEST_GAP < column.values[next_code]


cdef void finish(const Scan* scan, const Params* params, const Node* node, index_t input, Split* out) noexcept nogil:
    """The best cut as a split, after the MDL charge (c45.md 3.4.6 to 3.4.8)."""
    cdef const double* values = node.columns[input].values
    cdef double gain, cut, split_information
    if scan.code < 0:
        return
    gain = (scan.before + scan.best) / (scan.total * LN2)
    if params.mdl_correction:
        gain -= log(<double>scan.n_cuts) / LN2 / scan.total
    if gain < TINY:
        return
    cut = (values[scan.code] + values[scan.next_code]) / 2
    if isinf(cut):
        cut = values[scan.code] / 2 + values[scan.next_code] / 2
    if cut == values[scan.next_code]:
        cut = values[scan.code]
    set_threshold(out, cut)
    out.settle = params.settle
    out.gain = gain
    split_information = (
        xlogx(scan.total) - xlogx(scan.total - scan.known) - xlogx(scan.left) - xlogx(scan.known - scan.left)
    ) / LN2
    out.score = 0.0 if -TINY < split_information < TINY else gain / (split_information / scan.total)


cdef inline double xlogx(double x) noexcept nogil:
    return 0.0 if x < TINY else x * log(x)


cdef void best_cut_of_codes(
    const Params* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Scan scan
    if counts.number == NULL:
        weighted_codes(params, node, input, counts, out)
        return
    cdef const Column* column = &node.columns[input]
    cdef const double* f = node.xlogx
    cdef const uint32_t* unknown = counts.number + <size_t>column.n_codes * counts.stride
    cdef const uint32_t* row
    cdef uint32_t* left = <uint32_t*>node.scratch
    cdef uint32_t* right = left + node.n_classes
    cdef int k, c, code, last = -1, n_known = 0, n_left = 0, here, low, high
    cdef double inside = 0.0, value
    cdef bint sparse = counts.occupied != NULL
    for k in range(counts.n_present):
        left[k] = 0
        right[k] = <uint32_t>node.class_weight[counts.label[k]]
        if column.has_unknown and (not sparse or counts.occupied[column.n_codes >> 6] >> (column.n_codes & 63) & 1):
            right[k] -= unknown[counts.place[k]]
        n_known += right[k]
    if not begin(&scan, node, n_known, n_known):
        return
    scan.before = f[n_known]
    for k in range(counts.n_present):
        scan.before -= f[right[k]]
        inside += f[right[k]]
    scan.best = -scan.before
    low = <int>floor(scan.smallest - TINY) + 1
    high = n_known - low
    for code in range(column.n_codes):
        if sparse and not counts.occupied[code >> 6] >> (code & 63) & 1:
            continue
        row = counts.number + <size_t>code * counts.stride
        here = 0
        for k in range(counts.n_present):
            here += row[counts.place[k]]
        if here == 0:
            continue
        if low <= n_left <= high and gap(column, last, code):
            scan.n_cuts += 1
            value = inside - f[n_left] - f[n_known - n_left]
            if value - scan.best > scan.step:
                scan.best, scan.code, scan.next_code, scan.left = value, last, code, n_left
        for k in range(counts.n_present):
            c = row[counts.place[k]]
            if c:
                inside += f[left[k] + c] - f[left[k]] + f[right[k] - c] - f[right[k]]
                left[k] += c
                right[k] -= c
        n_left += here
        last = code
        if n_left > high:
            break
    finish(&scan, params, node, input, out)


cdef void weighted_codes(
    const Params* params, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Scan scan
    cdef const Column* column = &node.columns[input]
    cdef const double* row
    cdef double* left = node.scratch
    cdef double* right = left + node.n_classes
    cdef double known = 0.0, below = 0.0, here
    cdef int k, code, last = -1, n_known = node.n_rows, j
    for k in range(counts.n_present):
        left[k] = right[k] = 0.0
    for code in range(column.n_codes):
        for k in range(counts.n_present):
            right[k] += counts.weight[<size_t>code * counts.stride + counts.place[k]]
    for k in range(counts.n_present):
        known += right[k]
    if column.has_unknown:
        for j in range(node.n_rows):
            n_known -= node.bytes[input][j] == column.n_codes
    if not begin(&scan, node, known, n_known):
        return
    scan.before = xlogx(known)
    for k in range(counts.n_present):
        scan.before -= xlogx(right[k])
    scan.best = -scan.before
    for code in range(column.n_codes):
        row = counts.weight + <size_t>code * counts.stride
        here = 0.0
        for k in range(counts.n_present):
            here += row[counts.place[k]]
        if here == 0.0:
            continue
        if last >= 0 and gap(column, last, code):
            weigh_cut(&scan, left, right, counts.n_present, below, last, code)
        for k in range(counts.n_present):
            left[k] += row[counts.place[k]]
            right[k] -= row[counts.place[k]]
        below += here
        last = code
    finish(&scan, params, node, input, out)


cdef inline void weigh_cut(
    Scan* scan, const double* left, const double* right, int n, double below, int code, int next_code
) noexcept nogil:
    """Take the cut between two codes if its sides are heavy enough and it beats the best so far."""
    cdef double value
    cdef int k
    if scan.smallest - below >= TINY or scan.smallest - (scan.known - below) >= TINY:
        return
    scan.n_cuts += 1
    value = -xlogx(below) - xlogx(scan.known - below)
    for k in range(n):
        value += xlogx(left[k]) + xlogx(right[k])
    if value - scan.best > scan.step:
        scan.best, scan.code, scan.next_code, scan.left = value, code, next_code, below


cdef void best_cut_of_list(const Params* params, const Node* node, index_t input, Split* out) noexcept nogil:
    cdef Scan scan
    if node.weights != NULL:
        weighted_list(params, node, input, out)
        return
    cdef const Column* column = &node.columns[input]
    cdef const uint64_t* list = node.list[input]
    cdef const double* f = node.xlogx
    cdef uint32_t* left = <uint32_t*>node.scratch
    cdef uint32_t* right = left + node.n_classes
    cdef int j, c, n_known = node.list_size[input], low, high, code, last
    cdef double inside = 0.0, value
    if not begin(&scan, node, n_known, n_known):
        return
    for c in range(node.n_classes):
        left[c] = 0
        right[c] = <uint32_t>node.class_weight[c] if n_known == node.n_rows else 0
    if n_known < node.n_rows:
        for j in range(n_known):
            right[entry_class(node, list[j])] += 1
    scan.before = f[n_known]
    for c in range(node.n_classes):
        scan.before -= f[right[c]]
        inside += f[right[c]]
    scan.best = -scan.before
    low = <int>floor(scan.smallest - TINY) + 1
    high = n_known - low
    last = entry_code(node, list[0])
    for j in range(high + 1):
        code = entry_code(node, list[j])
        if code != last:
            if j >= low and gap(column, last, code):
                scan.n_cuts += 1
                value = inside - f[j] - f[n_known - j]
                if value - scan.best > scan.step:
                    scan.best, scan.code, scan.next_code, scan.left = value, last, code, j
            last = code
        c = entry_class(node, list[j])
        inside += f[left[c] + 1] - f[left[c]] + f[right[c] - 1] - f[right[c]]
        left[c] += 1
        right[c] -= 1
    finish(&scan, params, node, input, out)


cdef void weighted_list(const Params* params, const Node* node, index_t input, Split* out) noexcept nogil:
    cdef Scan scan
    cdef const Column* column = &node.columns[input]
    cdef const uint64_t* list = node.list[input]
    cdef double* left = node.scratch
    cdef double* right = left + node.n_classes
    cdef double known = 0.0, below = 0.0, weight
    cdef int j, c, n_known = node.list_size[input], code, last
    for c in range(node.n_classes):
        left[c] = right[c] = 0.0
    for j in range(n_known):
        right[entry_class(node, list[j])] += node.row_weight[entry_row(node, list[j])]
    for c in range(node.n_classes):
        known += right[c]
    if not begin(&scan, node, known, n_known):
        return
    scan.before = xlogx(known)
    for c in range(node.n_classes):
        scan.before -= xlogx(right[c])
    scan.best = -scan.before
    last = entry_code(node, list[0])
    for j in range(n_known):
        code, c = entry_code(node, list[j]), entry_class(node, list[j])
        if code != last:
            if gap(column, last, code):
                weigh_cut(&scan, left, right, node.n_classes, below, last, code)
            last = code
        weight = node.row_weight[entry_row(node, list[j])]
        left[c] += weight
        right[c] -= weight
        below += weight
    finish(&scan, params, node, input, out)
