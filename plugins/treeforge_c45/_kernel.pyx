"""C4.5's tests of one input: every category its own branch, or the best midpoint.

The formulas are those of Quinlan 1993 and 1996 in the form that J48 gives them (docs/j48.md). Columns of few
values are searched through their table of class weights (``_codes``), others through their sorted list
(``_lists``). While all weights are 1 the tables hold whole numbers, and x ln x is looked up.
"""

from libc.stdint cimport uint32_t

from treeforge.core.kernel cimport (
    BYTES, CONSTANT, COUNTS_SUFFICE, INFORMATION, Column, Counts, Node, Split, index_t, make_splitter, search_all,
    search_one, search_some, set_categories,
)
from treeforge_c45._bounds cimport Asked, Bounds
from treeforge_c45._codes cimport best_cut_of_codes, next_code
from treeforge_c45._grouping cimport group_categories
from treeforge_c45._lists cimport best_cut_of_list, best_cut_of_weighted_list
from treeforge_c45._ranks cimport Ranking, best_cut_of_ranked, is_ranked, open_ranking
from treeforge_c45._scan cimport Params, place_cut, xlogx
from treeforge_c45._weighted_codes cimport best_cut_of_weighted_codes

cdef enum:
    OTHERS = 64                    # inputs that are searched together

cdef double TINY = 1e-6            # J48's tolerance of every comparison
cdef double LN2 = 0.6931471805599453
cdef double SMALLEST_GAP = 1e-5    # values that lie closer are the same to J48


def kernel(bint binary, bint mdl_correction, bint actual_value, bint smallest_side, bint grouping=False):
    """The capsule of C4.5's splitter."""
    cdef Params params = Params(binary, grouping, mdl_correction, actual_value, smallest_side, False)
    return make_splitter(propose, propose_all, 1, COUNTS_SUFFICE, &params, sizeof(Params))


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    cdef Asked asked = Asked(<const Params*>params, NULL)
    return search_one(&asked, node, input, search, out)


cdef int propose_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    cdef Params own = (<const Params*>params)[0]
    cdef Bounds bounds
    cdef Asked asked = Asked(&own, &bounds)
    cdef Ranking ranking
    cdef int status
    own.later = node.criterion.measure == INFORMATION
    bounds.made = 0
    if open_ranking(&ranking, &asked, node):
        status = search_few_cases(&ranking, &asked, node, splits)
    else:
        status = search_all(&asked, node, search, splits)
    if own.later and status == 0:
        place_cuts(node, splits)
    return status


cdef inline void place_cuts(const Node* node, Split* splits) noexcept nogil:
    cdef index_t input
    cdef int i
    for i in range(node.n_candidates):
        input = node.candidates[i]
        if splits[input].n_branches == 2 and not node.columns[input].nominal:
            place_cut(&node.columns[input], &splits[input])


cdef int search_few_cases(
    const Ranking* ranking, const Asked* asked, const Node* node, Split* splits
) noexcept nogil:
    """Rank the cases by the columns that allow it, and search the others as usual."""
    cdef index_t[OTHERS] others
    cdef index_t input
    cdef int i, n = 0, status
    for i in range(node.n_candidates):
        input = node.candidates[i]
        if not (
            is_ranked(&node.columns[input], node.n_rows) and node.bytes[input] != NULL
            and best_cut_of_ranked(ranking, asked, node, input, &splits[input])
        ):
            others[n] = input
            n += 1
        if n == OTHERS or (n and i + 1 == node.n_candidates):
            status = search_some(asked, node, others, n, search, splits)
            if status < 0:
                return status
            n = 0
    return 0


cdef int search(
    const void* asked, const Node* node, index_t input, const Counts* counts, Split* out
) noexcept nogil:
    cdef const Params* p = (<const Asked*>asked).params
    cdef Bounds* bounds = (<const Asked*>asked).bounds
    cdef const Column* column = &node.columns[input]
    cdef bint informative = node.criterion.measure == INFORMATION
    if column.nominal and p.binary:
        best_category(node, input, out)
    elif column.nominal and p.grouping:
        return group_categories(node, input, counts, out)
    elif column.nominal and column.form == BYTES and counts.number != NULL and informative:
        every_category(node, input, counts, out)
    elif column.nominal and column.form == BYTES and informative:
        every_weighted_category(node, input, counts, out)
    elif column.nominal:
        set_categories(out, column.n_codes)
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    elif not informative:
        node.best_cut(node, input, counts, node.min_branch, SMALLEST_GAP, out)
        out.settle = p.settle
    elif column.form == BYTES and node.weights == NULL:
        best_cut_of_codes(p, bounds, node, input, counts, out)
    elif column.form == BYTES:
        best_cut_of_weighted_codes(p, node, input, counts, out)
    elif node.weights == NULL:
        best_cut_of_list(p, bounds, node, input, out)
    else:
        best_cut_of_weighted_list(p, node, input, out)
    return 0


cdef void every_category(const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    """One branch a category, from whole numbers (c45.md 3.1, 3.2)."""
    cdef const double* f = node.xlogx
    cdef const uint32_t* row
    cdef int code, k, here, n_codes = node.columns[input].n_codes, n_known = 0, heavy = 0, n_values = 0
    cdef double inside = 0.0, branches = 0.0, before, gain, information
    cdef uint32_t* of_class = <uint32_t*>node.scratch
    for k in range(counts.n_present):
        of_class[k] = 0
    code = -1
    while True:
        code = next_code(counts, code + 1, n_codes)
        if code >= n_codes:
            break
        row = counts.number + <size_t>code * counts.stride
        here = 0
        for k in range(counts.n_present):
            here += row[counts.place[k]]
            of_class[k] += row[counts.place[k]]
            inside += f[row[counts.place[k]]]
        branches += f[here]
        n_known += here
        n_values += here > 0
        heavy += node.min_branch - here < TINY
    if n_values < 2:
        out.n_branches = CONSTANT
        return
    if heavy < 2:
        return
    before = f[n_known]
    for k in range(counts.n_present):
        before -= f[of_class[k]]
    set_categories(out, n_codes)
    gain = (before + inside - branches) / LN2 * (n_known / node.weight)
    out.gain = 0.0 if -TINY < gain < TINY else gain / n_known
    out.score = out.gain
    if node.criterion.score != NULL:
        information = (f[node.n_rows] - f[node.n_rows - n_known] - branches) / LN2
        out.score = 0.0 if -TINY < information < TINY else out.gain / (information / node.weight)


cdef void every_weighted_category(const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    """The same from sums of weights."""
    cdef const double* row
    cdef int code, k, n_codes = node.columns[input].n_codes, heavy = 0, n_values = 0
    cdef double inside = 0.0, branches = 0.0, known = 0.0, here, of_here, before, gain, information
    cdef double* of_class = node.scratch
    for k in range(counts.n_present):
        of_class[k] = 0.0
    code = -1
    while True:
        code = next_code(counts, code + 1, n_codes)
        if code >= n_codes:
            break
        row = counts.weight + <size_t>code * counts.stride
        here = 0.0
        for k in range(counts.n_present):
            here += row[counts.place[k]]
            of_class[k] += row[counts.place[k]]
        of_here = xlogx(here)
        for k in range(counts.n_present):       # in small nodes most categories are of one class: one logarithm
            inside += of_here if row[counts.place[k]] == here else xlogx(row[counts.place[k]])
        branches += of_here
        known += here
        n_values += here > 0.0
        heavy += node.min_branch - here < TINY
    if n_values < 2:
        out.n_branches = CONSTANT
        return
    if heavy < 2:
        return
    before = xlogx(known)
    for k in range(counts.n_present):
        before -= xlogx(of_class[k])
    set_categories(out, n_codes)
    gain = (before + inside - branches) / LN2 * (known / node.weight)
    out.gain = 0.0 if -TINY < gain < TINY else gain / known
    out.score = out.gain
    if node.criterion.score != NULL:
        information = (xlogx(node.weight) - xlogx(node.weight - known) - branches) / LN2
        out.score = 0.0 if -TINY < information < TINY else out.gain / (information / node.weight)


cdef void best_category(const Node* node, index_t input, Split* out) noexcept nogil:
    """One category against the rest, by ratio; a usable input may have gain and ratio 0 (c45.md 3.3)."""
    cdef int v, best = -1, usable = 0
    cdef double best_score = 0.0, best_gain = 0.0
    if node.columns[input].n_codes < 2:     # there is no rest
        return
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
