"""What a split would do to a node: the class weights of its branches."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memset

from treeforge.core.cells cimport branch_of_code, find_bounds, find_places, first_entry
from treeforge.core.count cimport count
from treeforge.core.kernel cimport (
    BYTES, LISTED, NUMBERS, Column, Counts, Node, Split, class_weight, entry_class, entry_row, index_t,
)
from treeforge.core.loop cimport Loop
from treeforge.core.numbers cimport tabulate_numbers

cdef extern from *:
    int count_zeros "__builtin_ctzll"(unsigned long long) nogil


cdef int room_for_table(Loop* loop, int n_branches) noexcept nogil:
    """-1: no memory."""
    cdef double* table
    if n_branches > loop.table_branches:
        table = <double*>realloc(loop.table, <size_t>(2 * n_branches + 1) * loop.node.n_classes * sizeof(double))
        if table == NULL:
            return -1
        loop.table, loop.table_branches = table, 2 * n_branches
        loop.node.table = table
    return 0


cdef void tabulate(Loop* loop, index_t input, const Counts* counts, const Split* split) noexcept nogil:
    """Fill ``table`` with the class weights of the branches and, in one more row, of the unknown cases.

    ``counts`` are those of a BYTES column, or NULL.
    """
    cdef const Node* node = &loop.node
    cdef const Column* column = &node.columns[input]
    cdef int c, n_classes = node.n_classes
    cdef double* unknown = loop.table + <size_t>split.n_branches * n_classes
    memset(loop.table, 0, <size_t>(split.n_branches + 1) * n_classes * sizeof(double))
    if column.form == NUMBERS:
        tabulate_numbers(loop, input, split)
        return
    find_bounds(loop, input, split)
    if column.form == BYTES:
        tabulate_bytes(loop, input, counts, split)
    elif column.form == LISTED:
        if node.weights == NULL:
            tabulate_ranges(loop, input, split)
        else:
            tabulate_list(loop, input, split)
        if node.list_size[input] < node.n_rows:
            for c in range(n_classes):
                unknown[c] = node.class_weight[c] - unknown[c]
        else:
            memset(unknown, 0, n_classes * sizeof(double))
    else:
        tabulate_wide(loop, input, split)


cdef void tabulate_bytes(Loop* loop, index_t input, const Counts* counts, const Split* split) noexcept nogil:
    cdef const Column* column = &loop.node.columns[input]
    cdef Counts own
    cdef int code, word
    cdef uint64_t bits
    if counts == NULL:
        count(&loop.counts, &loop.node, &input, 1, &own)
        counts = &own
    if counts.occupied == NULL:
        for code in range(column.n_codes + 1):
            tabulate_code(loop, counts, split, column, code)
        return
    for word in range((column.n_codes >> 6) + 1):
        bits = counts.occupied[word]
        while bits:
            tabulate_code(loop, counts, split, column, 64 * word + count_zeros(bits))
            bits &= bits - 1


cdef inline void tabulate_code(
    Loop* loop, const Counts* counts, const Split* split, const Column* column, int code
) noexcept nogil:
    cdef int k, b = split.n_branches if code == column.n_codes else branch_of_code(loop, split, column.nominal, code)
    cdef double* row = loop.table + <size_t>b * loop.node.n_classes
    for k in range(counts.n_present):
        row[counts.label[k]] += class_weight(counts, code, k)


cdef void tabulate_list(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """The row after the last branch becomes the sum of all known cases. A cell is a range of the list."""
    cdef const Node* node = &loop.node
    cdef const uint64_t* list = node.list[input]
    cdef double* known = loop.table + <size_t>split.n_branches * node.n_classes
    cdef double* row
    cdef double weight
    cdef int j, cell, label, start = 0, stop, n = node.list_size[input]
    for cell in range(split.n_cuts + 1):
        stop = first_entry(node, list, start, n, loop.bounds[cell]) if cell < split.n_cuts else n
        row = loop.table + <size_t>(cell if split.identity else split.branch_of[cell]) * node.n_classes
        for j in range(start, stop):
            label, weight = entry_class(node, list[j]), node.row_weight[entry_row(node, list[j])]
            row[label] += weight
            known[label] += weight
        start = stop


cdef void tabulate_ranges(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """The same where all weights are 1: a cell is a range of the list, and the longest is what the others leave."""
    cdef const Node* node = &loop.node
    cdef const uint64_t* list = node.list[input]
    cdef double* known = loop.table + <size_t>split.n_branches * node.n_classes
    cdef int* places = loop.places
    cdef int c, cell, longest = -1, n_cells = split.n_cuts + 1
    find_places(loop, input, split)
    if places[n_cells] == node.n_rows:
        longest = 0
        for cell in range(1, n_cells):
            if places[cell + 1] - places[cell] > places[longest + 1] - places[longest]:
                longest = cell
    for cell in range(n_cells):
        if cell != longest:
            count_range(loop, list + places[cell], places[cell + 1] - places[cell],
                        loop.table + <size_t>(cell if split.identity else split.branch_of[cell]) * node.n_classes)
    for c in range(node.n_classes):
        for cell in range(split.n_branches):
            known[c] += loop.table[<size_t>cell * node.n_classes + c]
    if longest >= 0:
        cell = longest if split.identity else split.branch_of[longest]
        for c in range(node.n_classes):
            loop.table[<size_t>cell * node.n_classes + c] += node.class_weight[c] - known[c]


cdef void count_range(Loop* loop, const uint64_t* list, int n, double* row) noexcept nogil:
    """Add the classes of n entries, in whole numbers; two counters a class, as neighbours often share one."""
    cdef const Node* node = &loop.node
    cdef uint32_t* even = loop.counters
    cdef uint32_t* odd = loop.counters + node.n_classes
    cdef uint64_t ones = 0
    cdef int j, c
    if node.class_bits == 1:
        for j in range(n):
            ones += list[j] >> node.row_bits & 1
        row[0] += <double>(n - <int>ones)
        if node.n_classes > 1:
            row[1] += <double>ones
        return
    memset(even, 0, 2 * <size_t>node.n_classes * sizeof(uint32_t))
    for j in range(0, n - 1, 2):
        even[entry_class(node, list[j])] += 1
        odd[entry_class(node, list[j + 1])] += 1
    if n & 1:
        even[entry_class(node, list[n - 1])] += 1
    for c in range(node.n_classes):
        row[c] += <double>even[c] + <double>odd[c]


cdef void tabulate_wide(Loop* loop, index_t input, const Split* split) noexcept nogil:
    cdef const Node* node = &loop.node
    cdef const int32_t* codes = node.wide[input]
    cdef int j, branch
    cdef size_t at
    for j in range(node.n_rows):
        branch = split.n_branches if codes[j] < 0 else branch_of_code(loop, split, True, codes[j])
        at = <size_t>branch * node.n_classes + node.classes[j]
        loop.table[at] += node.weights[j] if node.weights != NULL else 1.0
