"""Discretisers that do not look at the class, compiled; the reference in Python is ``unsupervised.py``."""

from libc.math cimport fabs

from treeforge.core.kernel cimport Split
from treeforge_discretize._values cimport Values, sum_of


cdef inline void cut_by_width(double low, double high, int bins, Split* out) noexcept nogil:
    """Cuts of equal distance; where rounding makes two of them one, or one the upper end, it is left out."""
    cdef int i, j
    cdef double cut, share
    out.n_branches, out.n_cuts, out.closed_left, out.identity, out.settle = 0, 0, 0, 1, 0
    for i in range(1, bins):
        share = <double>i / bins
        cut = low * (1.0 - share) + high * share
        j = out.n_cuts
        while j > 0 and out.cuts[j - 1] > cut:      # rounding can turn neighbours round
            j -= 1
        if low <= cut < high and not (j > 0 and out.cuts[j - 1] == cut):
            insert(out, j, cut)
    out.n_branches = out.n_cuts + 1 if out.n_cuts else 0


cdef inline void insert(Split* out, int place, double cut) noexcept nogil:
    cdef int j = out.n_cuts
    while j > place:
        out.cuts[j] = out.cuts[j - 1]
        j -= 1
    out.cuts[place] = cut
    out.n_cuts += 1


cdef inline void cut_by_frequency(Values* v, int bins) noexcept nogil:
    """A cut behind the value whose cumulative weight is nearest to each k/bins of the whole; the lower on a tie."""
    cdef int n = v.n_classes, i = 0, k
    cdef double total = sum_of(v.whole, n), reached = sum_of(v.counts, n), further
    for k in range(1, bins):
        while i + 2 < v.m:
            further = reached + sum_of(v.counts + <size_t>(i + 1) * n, n)
            if not fabs(further - total * k / bins) < fabs(reached - total * k / bins) - 1e-12 * total:
                break
            i, reached = i + 1, further
        v.cut[i] = 1
