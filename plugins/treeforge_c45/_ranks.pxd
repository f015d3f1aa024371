"""The best threshold of a column kept as byte codes, in a node of few cases: without a table of their codes."""

from libc.stdint cimport uint64_t

from treeforge.core.kernel cimport BYTES, Column, Node, Split, index_t
from treeforge_c45._bounds cimport Asked
from treeforge_c45._scan cimport Scan


cdef struct Ranking:    # of one node
    Scan scan           # where the search of every column begins
    uint64_t lanes[3]   # see rank_cases.h


cdef bint open_ranking(Ranking* ranking, const Asked* asked, const Node* node) noexcept nogil
cdef bint best_cut_of_ranked(
    const Ranking* ranking, const Asked* asked, const Node* node, index_t input, Split* out
) noexcept nogil


cdef inline bint is_ranked(const Column* column, int n) noexcept nogil:
    """Whether it pays for n cases: of few codes, the table is as fast."""
    return (
        column.form == BYTES and not column.nominal and not column.close and not column.has_unknown
        and n <= 2 * column.n_codes
    )
