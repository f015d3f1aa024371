"""From a code to its cell, and from the cell to the branch of a split.

A value has a code, the code lies in a cell, the cell belongs to a branch. ``bounds[j]`` is the first code
beyond cut j, so the cell of a numeric code is the number of bounds that are not above it.
"""

from libc.stdint cimport int32_t, uint64_t

from treeforge.core.kernel cimport Column, Node, Split, entry_code, index_t
from treeforge.core.loop cimport Loop

cdef enum:
    FEW = 8                   # cuts that are sooner counted than searched


cdef inline int n_cells(const Node* node, index_t input, const Split* split) noexcept nogil:
    return node.columns[input].n_codes if node.columns[input].nominal else split.n_cuts + 1


cdef inline int first_beyond(const Column* column, double cut, bint closed_left) noexcept nogil:
    """The first code whose value lies beyond a cut: by halves, without a branch that could be guessed wrong."""
    cdef const double* values = column.values
    cdef int at = 0, size = column.n_codes, half
    while size > 1:
        half = size >> 1
        at += half & -<int>is_before(values[at + half - 1], cut, closed_left)
        size -= half
    return at + (size == 1 and is_before(values[at], cut, closed_left))


cdef inline bint is_before(double value, double cut, bint closed_left) noexcept nogil:
    return (value < cut) | ((value == cut) & (not closed_left))


cdef inline void find_bounds(Loop* loop, index_t input, const Split* split) noexcept nogil:
    cdef int j
    for j in range(split.n_cuts):
        loop.bounds[j] = first_beyond(&loop.work.columns[input], split.cuts[j], split.closed_left)


cdef inline int first_entry(const Node* node, const uint64_t* list, int low, int high, int code) noexcept nogil:
    """The first entry in list[low:high] whose code is not below."""
    cdef int at
    while low < high:
        at = (low + high) >> 1
        if <int>entry_code(node, list[at]) < code:
            low = at + 1
        else:
            high = at
    return low


cdef inline void find_places(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """Where each cell begins in a list, and behind them its end; the bounds are known."""
    cdef const Node* node = &loop.node
    cdef int* places = loop.places
    cdef int cell, n_cells = split.n_cuts + 1
    places[0], places[n_cells] = 0, node.list_size[input]
    for cell in range(1, n_cells):
        places[cell] = first_entry(node, node.list[input], places[cell - 1], places[n_cells], loop.bounds[cell - 1])


cdef inline int cell_of_code(const Loop* loop, int n_cuts, int code) noexcept nogil:
    """How many bounds are not above a code."""
    cdef int cell = 0, j, high = n_cuts, middle
    if n_cuts <= FEW:
        for j in range(n_cuts):
            cell += code >= loop.bounds[j]
        return cell
    while cell < high:
        middle = (cell + high) >> 1
        if code >= loop.bounds[middle]:
            cell = middle + 1
        else:
            high = middle
    return cell


cdef inline int branch_of_code(const Loop* loop, const Split* split, bint nominal, int code) noexcept nogil:
    cdef int cell = code if nominal else cell_of_code(loop, split.n_cuts, code)
    return cell if split.identity else split.branch_of[cell]
