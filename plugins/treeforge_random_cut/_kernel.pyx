"""One random test an attribute, compiled. The reference in Python is ``splitter.py``.

The draws of a node come in the order of its candidates, whatever the form of their columns, and none is made
for an attribute that is constant: so the reference, which cannot say that one will stay constant, draws alike.
"""

from libc.stdint cimport int32_t

from treeforge.core.kernel cimport (
    BYTES, CONSTANT, COUNTS_SUFFICE, Counts, Node, Split, class_weight, entry_code, index_t, make_splitter, search_all,
    search_one, set_threshold, uniform,
)

cdef enum:
    RIGHT = 1                # of a category: on side 1
    PRESENT = 2              # some case has it


def kernel():
    return make_splitter(propose, propose_all, 1, COUNTS_SUFFICE, NULL, 0)


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    return search_one(params, node, input, search, out)


cdef int propose_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    """Runs of candidates of a kind, one after the other: ``search_all`` alone would let counted columns wait."""
    cdef Node run = node[0]
    cdef int start = 0, stop, status
    while start < node.n_candidates:
        stop = start + 1
        while stop < node.n_candidates and counted(node, stop) == counted(node, start):
            stop += 1
        run.candidates, run.n_candidates = node.candidates + start, stop - start
        status = search_all(params, &run, search, splits)
        if status < 0:
            return status
        start = stop
    return 0


cdef inline bint counted(const Node* node, int place) noexcept nogil:
    return node.columns[node.candidates[place]].form == BYTES


cdef int search(const void* params, const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    cdef bint varies
    if node.columns[input].nominal:
        varies = draw_sides(node, input, counts, out)
    else:
        varies = draw_cut(node, input, counts, out)
    if not varies:
        out.n_branches = CONSTANT
        return 0
    node.tabulate(node, input, counts, out)
    node.judge(node, out)
    return 0


cdef inline bint occurs(const Counts* counts, int code) noexcept nogil:
    """Whether some known case has the code."""
    cdef int k
    if counts.occupied == NULL or counts.occupied[code >> 6] >> (code & 63) & 1:
        for k in range(counts.n_present):
            if class_weight(counts, code, k) > 0.0:
                return True
    return False


# ------------------------------------------------------------------ numbers

cdef bint draw_cut(const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    """A cut between the least and the largest value; False: they are the same, or none is known."""
    cdef const double* values = node.columns[input].values
    cdef int first = 0, last = node.columns[input].n_codes - 1
    cdef double low, high, share, cut
    if node.columns[input].form == BYTES:
        while first < last and not occurs(counts, first):
            first += 1
        while first < last and not occurs(counts, last):
            last -= 1
    elif node.list_size[input]:
        first = entry_code(node, node.list[input][0])
        last = entry_code(node, node.list[input][node.list_size[input] - 1])
    else:
        return False
    if first >= last:
        return False
    low, high, share = values[first], values[last], uniform(node)
    cut = low + (high - low) * share
    if cut - cut != 0.0:         # the range is larger than any number
        cut = low * (1.0 - share) + high * share
    set_threshold(out, cut if cut < high else low)
    return True


# ------------------------------------------------------------------ categories

cdef bint draw_sides(const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    """A coin for each category until those present lie on both sides; False: fewer than two are present."""
    cdef int32_t* side = out.branch_of
    cdef int n_codes = node.columns[input].n_codes, code, n_present, n_right = 0
    cdef int32_t turned = 0
    n_present = mark_present(node, input, counts, side)
    if n_present < 2:
        return False
    while n_right == 0 or n_right == n_present:
        n_right = 0
        for code in range(n_codes):
            side[code] &= PRESENT
            if not uniform(node) < 0.5:
                n_right += side[code] == PRESENT
                side[code] |= RIGHT
    for code in range(n_codes):      # the first category present is on side 0
        if side[code] & PRESENT:
            turned = side[code] & RIGHT
            break
    for code in range(n_codes):
        side[code] = (side[code] & RIGHT) ^ turned
    out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = 2, 0, 0, 0, 0
    return True


cdef int mark_present(const Node* node, index_t input, const Counts* counts, int32_t* side) noexcept nogil:
    """Mark the categories that cases have; returns how many there are."""
    cdef int n_codes = node.columns[input].n_codes, code, j, n_present = 0
    for code in range(n_codes):
        side[code] = PRESENT if counts != NULL and occurs(counts, code) else 0
    if counts == NULL:
        for j in range(node.n_rows):
            if node.wide[input][j] >= 0:
                side[node.wide[input][j]] = PRESENT
    for code in range(n_codes):
        n_present += side[code] == PRESENT
    return n_present
