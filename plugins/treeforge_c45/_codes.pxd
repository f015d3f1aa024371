"""The best threshold of a column kept as byte codes, from its table of class weights by code."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from treeforge.core.kernel cimport CONSTANT, Column, Counts, Node, Split, index_t
from treeforge_c45._bounds cimport MANY_CODES, Bounds, best_of_bounded_codes, has_bounds
from treeforge_c45._scan cimport Params, Scan, begin, finish, first_cut, gap

cdef extern from *:
    int count_zeros "__builtin_ctzll"(unsigned long long) nogil


cdef inline int next_code(const Counts* counts, int code, int n_codes) noexcept nogil:
    """The next code, from ``code`` on, that may occur; n_codes when there is none."""
    cdef int word
    cdef uint64_t bits
    if counts.occupied == NULL or code >= n_codes:
        return code
    word = code >> 6
    bits = counts.occupied[word] >> (code & 63) << (code & 63)
    while bits == 0 and word < 3:
        word += 1
        bits = counts.occupied[word]
    return n_codes if bits == 0 else min(64 * word + count_zeros(bits), n_codes)


cdef inline void best_cut_of_codes(
    const Params* params, Bounds* bounds, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef Scan scan
    cdef const Column* column = &node.columns[input]
    cdef const double* f = node.xlogx
    cdef const uint32_t* unknown = counts.number + <size_t>column.n_codes * counts.stride
    cdef uint32_t* left = <uint32_t*>node.scratch
    cdef uint32_t* right = left + node.n_classes
    cdef bint any_unknown = column.has_unknown
    cdef int k, n_known = 0
    cdef double before
    if counts.occupied != NULL and not counts.occupied[column.n_codes >> 6] >> (column.n_codes & 63) & 1:
        any_unknown = False
    for k in range(counts.n_present):
        left[k] = 0
        right[k] = <uint32_t>node.class_weight[counts.label[k]] - (unknown[counts.place[k]] if any_unknown else 0)
        n_known += right[k]
    if not begin(&scan, params, node, n_known, n_known):
        return
    before = f[n_known]
    for k in range(counts.n_present):
        before -= f[right[k]]
    scan.before, scan.best = before, -before
    if (
        counts.n_present == 2 and counts.stride == 2 and counts.occupied == NULL and column.n_codes >= MANY_CODES
        and has_bounds(bounds, &scan, node, column, n_known, column.n_codes)
        and best_of_bounded_codes(&scan, params, node, &bounds.cuts, counts, column.n_codes)
    ):
        if scan.next_code >= 0:
            between(&scan, counts, scan.next_code)
        elif bounds.cuts.n_values < 2:
            out.n_branches = CONSTANT
    elif counts.n_present == 2 and not column.close and counts.occupied == NULL:
        two_classes(&scan, column, counts, f, right[0], right[1], out)
    elif counts.n_present == 2 and not column.close:
        two_classes_of_few(&scan, column, counts, f, right[0], right[1], out)
    else:
        any_classes(&scan, column, counts, f, left, right, n_known, out)
    finish(&scan, params, node, input, out)


cdef inline void two_classes(
    Scan* scan, const Column* column, const Counts* counts, const double* f, int64_t right0, int64_t right1, Split* out
) noexcept nogil:
    """All codes in turn, none asked whether it occurs: one that does not only repeats the cut before it."""
    cdef const uint32_t* row0 = counts.number + counts.place[0]
    cdef const uint32_t* row1 = counts.number + counts.place[1]
    cdef int stride = counts.stride
    cdef const uint32_t* end = row0 + <size_t>column.n_codes * stride
    cdef const uint32_t* best_row = NULL
    cdef int64_t left0 = 0, left1 = 0, n = right0 + right1, n_left = 0, n_right = n, here0, here1, n_cuts = 0
    cdef int64_t low = first_cut(scan), high = n - low, best_left = 0
    cdef double value, best = scan.best, step = scan.step
    while row0 < end and n_left <= high:      # the cut below this code
        here0, here1 = row0[0], row1[0]
        if n_left >= low:
            value = f[left0] + f[left1] + f[right0] + f[right1] - f[n_left] - f[n_right]
            n_cuts += here0 + here1 > 0
            if value - best > step:
                best = value
                best_row = row0
                best_left = n_left
        elif here0 + here1 == n:
            out.n_branches = CONSTANT
            return
        left0 += here0
        left1 += here1
        right0 -= here0
        right1 -= here1
        n_left += here0 + here1
        n_right -= here0 + here1
        row0 += stride
        row1 += stride
    scan.n_cuts, scan.best, scan.left = <int>n_cuts, best, <double>best_left
    if best_row != NULL:
        between(scan, counts, <int>((best_row - counts.number) // stride))


cdef inline void between(Scan* scan, const Counts* counts, int code) noexcept nogil:
    """The codes around a cut that lies just below ``code``: the nearest that occur."""
    scan.code, scan.next_code = code - 1, code
    while n_here(counts, scan.code) == 0:
        scan.code -= 1
    while n_here(counts, scan.next_code) == 0:
        scan.next_code += 1


cdef inline uint32_t n_here(const Counts* counts, int code) noexcept nogil:
    """Cases of two classes with a code."""
    cdef const uint32_t* row = counts.number + <size_t>code * counts.stride
    return row[counts.place[0]] + row[counts.place[1]]


cdef inline void two_classes_of_few(
    Scan* scan, const Column* column, const Counts* counts, const double* f, int64_t right0, int64_t right1, Split* out
) noexcept nogil:
    """The same where few codes occur: only these, by their bits."""
    cdef const uint32_t* row0 = counts.number + counts.place[0]
    cdef const uint32_t* row1 = counts.number + counts.place[1]
    cdef int64_t stride = counts.stride, n_codes = column.n_codes, code, last = -1
    cdef int64_t left0 = 0, left1 = 0, n_left = 0, n = right0 + right1, here0, here1
    cdef int64_t low = first_cut(scan), high = n - low
    cdef int word, n_cuts = 0
    cdef double value, best = scan.best, step = scan.step
    cdef uint64_t bits
    for word in range(4):
        bits = counts.occupied[word]
        while bits:
            code = 64 * word + count_zeros(bits)
            bits &= bits - 1
            if code == n_codes or n_left > high:     # the code for "unknown", or nothing but thin sides from here on
                break
            here0, here1 = row0[code * stride], row1[code * stride]
            if n_left >= low:
                n_cuts += 1
                value = f[left0] + f[left1] + f[right0] + f[right1] - f[n_left] - f[n - n_left]
                if value - best > step:
                    best, scan.code, scan.next_code, scan.left = value, <int>last, <int>code, <double>n_left
            elif here0 + here1 == n:
                out.n_branches = CONSTANT
                break
            left0 += here0
            left1 += here1
            right0 -= here0
            right1 -= here1
            n_left += here0 + here1
            last = code
    scan.n_cuts, scan.best = n_cuts, best


cdef inline void any_classes(
    Scan* scan, const Column* column, const Counts* counts, const double* f, uint32_t* left, uint32_t* right, int n,
    Split* out
) noexcept nogil:
    """The sum over the classes is taken anew at each cut: half as many look-ups as for what changes, and no branch."""
    cdef const uint32_t* row
    cdef const int32_t* place = counts.place
    cdef int k, code = -1, last = -1, n_left = 0, n_present = counts.n_present
    cdef uint32_t here, c
    cdef int low = first_cut(scan), high = n - low
    cdef double value
    while n_left <= high:
        code = next_code(counts, code + 1, column.n_codes)
        if code >= column.n_codes:
            return
        row = counts.number + <size_t>code * counts.stride
        here, value = 0, -f[n_left] - f[n - n_left]
        for k in range(n_present):      # the cut below this code, and the counts below the next one
            c = row[place[k]]
            value += f[left[k]] + f[right[k]]
            left[k] += c
            right[k] -= c
            here += c
        if here == 0:
            continue
        if <int>here == n:
            out.n_branches = CONSTANT
            return
        if n_left >= low and gap(column, last, code):
            scan.n_cuts += 1
            if value - scan.best > scan.step:
                scan.best, scan.code, scan.next_code, scan.left = value, last, code, n_left
        n_left += here
        last = code
