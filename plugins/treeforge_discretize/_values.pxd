"""What the compiled discretisers work on: an attribute's distinct values at a node, and the classes of each.

The reference in Python is ``table.py``. Classes are those present at the node, numbered as ``node.present``.
A method marks the values behind which it cuts; ``write_cuts`` makes a test of them.
"""

from libc.math cimport log
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from treeforge.core.kernel cimport (
    BYTES, Counts, Node, Split, class_weight, entry_class, entry_code, entry_weight, index_t, midpoint,
)

cdef enum:
    NO_MEMORY = -1
    MOST_CUTS = 65533        # a test has at most 65,534 branches


cdef struct Values:
    int m                    # distinct values with cases
    int n_classes            # present at the node
    const double* xlogx      # of the node, while all weights are 1; NULL
    const double* value_of   # by code
    double* counts           # class weights of each value, [m, n_classes]
    double* whole            # of all, [n_classes]
    int* code                # [m]
    uint8_t* cut             # answer: 1 where a cut lies between a value and the next, [m]


cdef inline int open_values(Values* v, const Node* node, index_t input, const Counts* counts) noexcept nogil:
    """Collect the known values; no cut yet. -1: no memory."""
    cdef int n = node.n_present, k, i
    cdef size_t most = n_values(node, input), doubles = (most + 1) * n
    cdef double* room = <double*>malloc(doubles * sizeof(double) + most * (sizeof(int) + 1) + 8)
    if room == NULL:
        return NO_MEMORY
    memset(room, 0, doubles * sizeof(double) + most * (sizeof(int) + 1))
    v.m, v.n_classes, v.value_of = 0, n, node.columns[input].values
    v.xlogx = node.xlogx if node.weights == NULL else NULL
    v.counts, v.whole = room, room + most * n
    v.code = <int*>(room + doubles)
    v.cut = <uint8_t*>(v.code + most)
    if node.columns[input].form == BYTES:
        collect_codes(v, node.columns[input].n_codes, counts)
    else:
        collect_list(v, node, input)
    for i in range(v.m):
        for k in range(n):
            v.whole[k] += v.counts[<size_t>i * n + k]
    return 0


cdef inline void close_values(Values* v) noexcept nogil:
    free(v.counts)


cdef inline size_t n_values(const Node* node, index_t input) noexcept nogil:
    """How many values there are, or may be."""
    cdef int j, found = 0, last = -1
    if node.columns[input].form == BYTES:
        return node.columns[input].n_codes
    for j in range(node.list_size[input]):
        found += <int>entry_code(node, node.list[input][j]) != last
        last = entry_code(node, node.list[input][j])
    return found


cdef inline void collect_codes(Values* v, int n_codes, const Counts* counts) noexcept nogil:
    cdef int code, k
    cdef double weight, here
    for code in range(n_codes):
        if counts.occupied != NULL and not counts.occupied[code >> 6] >> (code & 63) & 1:
            continue
        here = 0.0
        for k in range(v.n_classes):
            weight = class_weight(counts, code, k)
            v.counts[<size_t>v.m * v.n_classes + k] = weight
            here += weight
        if here > 0.0:
            v.code[v.m] = code
            v.m += 1


cdef inline void collect_list(Values* v, const Node* node, index_t input) noexcept nogil:
    cdef int* place = <int*>node.scratch     # of a class among those present
    cdef int j, k, code
    for k in range(node.n_present):
        place[node.present[k]] = k
    for j in range(node.list_size[input]):
        code = entry_code(node, node.list[input][j])
        if v.m == 0 or code != v.code[v.m - 1]:
            v.code[v.m] = code
            v.m += 1
        k = place[entry_class(node, node.list[input][j])]
        v.counts[<size_t>(v.m - 1) * v.n_classes + k] += entry_weight(node, node.list[input][j])


cdef inline double sum_of(const double* weights, int n) noexcept nogil:
    cdef double total = 0.0
    cdef int k
    for k in range(n):
        total += weights[k]
    return total


cdef inline int n_above_zero(const double* weights, int n) noexcept nogil:
    """Classes that are present."""
    cdef int k, found = 0
    for k in range(n):
        found += weights[k] > 0.0
    return found


cdef inline double xlogx(const Values* v, double x) noexcept nogil:
    if v.xlogx != NULL:
        return v.xlogx[<int>x]
    return x * log(x) if x > 0.0 else 0.0


cdef inline void write_cuts(const Values* v, Split* out) noexcept nogil:
    """One branch an interval; nothing is proposed where there is no cut, or more than a test can have."""
    cdef int i, n_cuts = 0
    for i in range(v.m - 1):
        n_cuts += v.cut[i]
    out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = 0, 0, 0, 1, 0
    if n_cuts > MOST_CUTS:
        return
    for i in range(v.m - 1):
        if v.cut[i]:
            out.cuts[out.n_cuts] = midpoint(v.value_of[v.code[i]], v.value_of[v.code[i + 1]])
            out.n_cuts += 1
    out.n_branches = out.n_cuts + 1 if out.n_cuts else 0
