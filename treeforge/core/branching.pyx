"""The branch of a split that every case of a node takes."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from treeforge.core.cells cimport branch_of_code, first_entry
from treeforge.core.kernel cimport BYTES, LISTED, NUMBERS, Column, Node, Split, entry_code, entry_row, index_t
from treeforge.core.loop cimport Loop
from treeforge.core.numbers cimport branch_numbers

cdef extern from "treeforge_vector.h" nogil:
    int tf_above8(const uint8_t* code, int cut, uint8_t* mask, int n)


# ------------------------------------------------------------------ two branches, every value known

cdef int mask_cases(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """Set ``mask`` (and ``side``) to the cases of branch 1; returns how many there are."""
    cdef const Node* node = &loop.node
    cdef const Column* column = &node.columns[input]
    cdef uint64_t* mask = loop.work.mask
    cdef int j, n = node.n_rows, n_last = 0
    cdef uint64_t bit
    if column.form == LISTED:
        return mask_list(loop, input, split)
    if column.form == BYTES and split.identity:
        n_last = tf_above8(node.bytes[input], (0 if column.nominal else loop.bounds[0] - 1), <uint8_t*>mask, n)
    else:
        branch_cases(loop, input, split)
        memset(mask, 0, (n // 64 + 1) * 8)
        for j in range(n):
            bit = loop.work.branch[j]
            mask[j >> 6] |= bit << (j & 63)
            n_last += <int>bit
    if loop.work.n_listed:
        for j in range(n):
            set_side(loop.work.side, node.rows[j], mask[j >> 6] >> (j & 63) & 1)
    return n_last


cdef inline void set_side(uint64_t* side, uint32_t row, uint64_t bit) noexcept nogil:
    side[row >> 6] = (side[row >> 6] & ~(<uint64_t>1 << (row & 63))) | bit << (row & 63)


cdef int mask_list(Loop* loop, index_t input, const Split* split) noexcept nogil:
    cdef const Node* node = &loop.node
    cdef const uint64_t* list = node.list[input]
    cdef uint64_t* mask = loop.work.mask
    cdef uint64_t* side = loop.work.side
    cdef uint64_t word
    cdef uint32_t row
    cdef int j, k, n = node.n_rows, n_last = 0, first
    cdef bint cleared = n > loop.work.table_rows // 64      # all at once is cheaper, if it is not for a few
    if cleared:
        memset(side, 0, (<size_t>loop.work.table_rows // 64 + 1) * 8)
    if split.identity:      # one cut: the list's end goes to branch 1
        first = first_entry(node, list, 0, n, loop.bounds[0])
        n_last = n - first
        for j in range(0 if cleared else first):
            row = entry_row(node, list[j])
            side[row >> 6] &= ~(<uint64_t>1 << (row & 63))
        for j in range(first, n):
            row = entry_row(node, list[j])
            side[row >> 6] |= <uint64_t>1 << (row & 63)
    else:
        for j in range(n):
            k = branch_of_code(loop, split, False, entry_code(node, list[j]))
            n_last += k
            set_side(side, entry_row(node, list[j]), k)
    for j in range(0, n, 64):
        word = 0
        for k in range(min(64, n - j)):
            word |= (side[node.rows[j + k] >> 6] >> (node.rows[j + k] & 63) & 1) << k
        mask[j >> 6] = word
    return n_last


# ------------------------------------------------------------------ any branches, unknown values

cdef void branch_cases(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """Set ``branch`` (and ``side_branch``): the branch of each case, ``n_branches`` where the value is unknown."""
    cdef const Node* node = &loop.node
    cdef const Column* column = &node.columns[input]
    cdef uint16_t* branch = loop.work.branch
    cdef uint16_t* side = loop.work.side_branch
    cdef uint16_t lookup[256]
    cdef int j, code, n = node.n_rows
    if column.form == LISTED:
        branch_list(loop, input, split)
        return
    if column.form == NUMBERS:
        branch_numbers(loop, input, split)
    elif column.form == BYTES:
        for j in range(column.n_codes):
            lookup[j] = <uint16_t>branch_of_code(loop, split, column.nominal, j)
        lookup[column.n_codes] = <uint16_t>split.n_branches
        for j in range(n):
            branch[j] = lookup[node.bytes[input][j]]
    else:
        for j in range(n):
            code = node.wide[input][j]
            branch[j] = <uint16_t>(split.n_branches if code < 0 else branch_of_code(loop, split, True, code))
    if loop.work.n_listed:
        for j in range(n):
            side[node.rows[j]] = branch[j]


cdef void branch_list(Loop* loop, index_t input, const Split* split) noexcept nogil:
    cdef const Node* node = &loop.node
    cdef const uint64_t* list = node.list[input]
    cdef uint16_t* side = loop.work.side_branch
    cdef int j, n = node.n_rows
    if node.list_size[input] < n:
        for j in range(n):
            side[node.rows[j]] = <uint16_t>split.n_branches
    for j in range(node.list_size[input]):
        side[entry_row(node, list[j])] = <uint16_t>branch_of_code(loop, split, False, entry_code(node, list[j]))
    for j in range(n):
        loop.work.branch[j] = side[node.rows[j]]
