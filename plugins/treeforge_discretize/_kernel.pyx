"""The discretisers at a node, compiled: the cuts that the methods in Python find, without Python.

A category is a branch. An attribute of which a method makes more intervals than a test can have branches is
not proposed. The parameters are followed by the thresholds of chi-squared.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from treeforge.core.kernel cimport (
    CONSTANT, COUNTS_SUFFICE, LISTED, Counts, Node, Split, entry_code, index_t, make_splitter, search_all, search_one,
    set_categories,
)
from treeforge_discretize._caim cimport cut_by_caim
from treeforge_discretize._mdlp cimport cut_by_mdlp
from treeforge_discretize._merging cimport cut_by_chi2, cut_by_chi_merge
from treeforge_discretize._unsupervised cimport cut_by_frequency, cut_by_width
from treeforge_discretize._values cimport MOST_CUTS, NO_MEMORY, Values, close_values, open_values, write_cuts

METHODS = ("equal_width", "equal_frequency", "mdlp", "caim", "chimerge", "chi2")

cdef enum Method:
    WIDTH
    FREQUENCY
    MDLP
    CAIM
    CHIMERGE
    CHI2


cdef struct Params:
    int method               # a Method
    int bins
    int at_most              # intervals; 0: any number
    int at_least
    double least_expected
    double inconsistency
    int n_levels
    int n_freedoms           # thresholds [n_levels, n_freedoms] stand behind this struct


def kernel(
    str method, int n_rows, *, int bins=0, int at_most=0, int at_least=1, double least_expected=0.0,
    double inconsistency=0.0, thresholds=None,
):
    cdef Params params = Params(
        METHODS.index(method), bins, at_most, at_least, least_expected, inconsistency, 0, 0
    )
    cdef const double[:, ::1] view
    cdef size_t size = 0
    cdef int max_cuts = min(bins - 1 if bins else n_rows - 1, MOST_CUTS)
    if thresholds is not None:
        view = thresholds
        params.n_levels, params.n_freedoms = view.shape[0], view.shape[1]
        size = view.shape[0] * view.shape[1] * sizeof(double)
    cdef Params* both = <Params*>malloc(sizeof(Params) + size)
    if both == NULL:
        raise MemoryError
    both[0] = params
    if size:
        memcpy(both + 1, &view[0, 0], size)
    try:
        return make_splitter(propose, propose_all, max(max_cuts, 1), COUNTS_SUFFICE, both, sizeof(Params) + size)
    finally:
        free(both)


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept nogil:
    return search_one(params, node, input, search, out)


cdef int propose_all(const void* params, const Node* node, Split* splits) noexcept nogil:
    return search_all(params, node, search, splits)


cdef int search(const void* params, const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    cdef const Params* p = <const Params*>params
    if node.columns[input].nominal:
        set_categories(out, node.columns[input].n_codes)
    elif p.method == WIDTH and node.columns[input].form == LISTED:
        cut_range(p, node, input, out)
    elif cut_values(p, node, input, counts, out) < 0:
        return NO_MEMORY
    if out.n_branches > 0:
        node.tabulate(node, input, counts, out)
        node.judge(node, out)
    return 0


cdef void cut_range(const Params* p, const Node* node, index_t input, Split* out) noexcept nogil:
    """Equal widths between the ends of a sorted list."""
    cdef int last = node.list_size[input] - 1
    cdef const double* values = node.columns[input].values
    cdef double low, high
    out.n_branches = CONSTANT
    if last > 0:
        low, high = values[entry_code(node, node.list[input][0])], values[entry_code(node, node.list[input][last])]
        if low < high:
            cut_by_width(low, high, p.bins, out)


cdef int cut_values(const Params* p, const Node* node, index_t input, const Counts* counts, Split* out) noexcept nogil:
    """Let the method cut between the distinct values. -1: no memory."""
    cdef Values v
    cdef const double* thresholds = <const double*>(p + 1)
    cdef int status = 0
    if open_values(&v, node, input, counts) < 0:
        return NO_MEMORY
    out.n_branches = CONSTANT
    if v.m > 1:
        if p.method == MDLP:
            status = cut_by_mdlp(&v)
        elif p.method == CAIM:
            status = cut_by_caim(&v)
        elif p.method == CHIMERGE:
            status = cut_by_chi_merge(&v, p.least_expected, thresholds, p.at_most, p.at_least)
        elif p.method == CHI2:
            status = cut_by_chi2(&v, p.least_expected, thresholds, p.n_levels, p.n_freedoms, p.inconsistency)
        elif p.method == FREQUENCY:
            cut_by_frequency(&v, p.bins)
        if p.method == WIDTH:
            cut_by_width(v.value_of[v.code[0]], v.value_of[v.code[v.m - 1]], p.bins, out)
        else:
            write_cuts(&v, out)
    close_values(&v)
    return status
