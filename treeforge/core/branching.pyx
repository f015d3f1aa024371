"""The branch of a split that every case of a node takes."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from treeforge.core.bundles cimport in_bundle, spread_codes
from treeforge.core.cells cimport branch_of_code, find_places
from treeforge.core.columns cimport Columns
from treeforge.core.kernel cimport BYTES, LISTED, NUMBERS, Column, Node, Split, entry_code, entry_row, index_t
from treeforge.core.loop cimport Loop
from treeforge.core.numbers cimport branch_numbers

cdef extern from "treeforge_vector.h" nogil:
    int tf_above8(const uint8_t* code, int cut, uint8_t* mask, int n)

cdef extern from *:
    int count_zeros "__builtin_ctzll"(unsigned long long) nogil


cdef const uint8_t* codes_of(Loop* loop, index_t input) noexcept nogil:
    """Of a BYTES column; those of a bundle's member are written to ``spare``."""
    cdef const Columns* work = &loop.work
    if not in_bundle(&work.bundles, input):
        return loop.node.bytes[input]
    spread_codes(work.bundle_here[work.bundles.member[input].bundle], &work.bundles.member[input], loop.node.n_rows,
                 work.spare)
    return work.spare


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
        n_last = tf_above8(codes_of(loop, input), (0 if column.nominal else loop.bounds[0] - 1), <uint8_t*>mask, n)
    else:
        branch_cases(loop, input, split)
        memset(mask, 0, (n // 64 + 1) * 8)
        for j in range(n):
            bit = loop.work.branch[j]
            mask[j >> 6] |= bit << (j & 63)
            n_last += <int>bit
    if loop.work.n_listed:
        mask_rows(loop, n_last)
    return n_last


cdef inline uint64_t begin_side(Loop* loop, int n_last) noexcept nogil:
    """Give all rows of the node the bit of the branch that has more; returns these bits, for a word.

    Rows of other nodes get it, too: nobody reads theirs before they are set anew.
    """
    cdef const Node* node = &loop.node
    cdef uint64_t* side = loop.work.side
    cdef int j, n = node.n_rows
    cdef uint64_t word = ~<uint64_t>0 if n_last > n - n_last else 0
    if n > loop.work.table_rows // 64:
        memset(side, <int>(word & 255), (<size_t>loop.work.table_rows // 64 + 1) * 8)
    else:
        for j in range(n):
            side[node.rows[j] >> 6] = word
    return word


cdef inline void turn_side(uint64_t* side, uint32_t row, uint64_t word) noexcept nogil:
    """Give a row the other bit; copies of a row do it again."""
    cdef uint64_t bit = <uint64_t>1 << (row & 63)
    side[row >> 6] = (side[row >> 6] | bit) ^ (bit & word)


cdef void mask_rows(Loop* loop, int n_last) noexcept nogil:
    """Set ``side`` as ``mask`` is, bit by bit of the branch that has fewer."""
    cdef const Node* node = &loop.node
    cdef uint64_t word = begin_side(loop, n_last), bits
    cdef int j, n = node.n_rows
    for j in range(0, n, 64):
        bits = loop.work.mask[j >> 6] ^ word
        if n - j < 64:
            bits &= (<uint64_t>1 << (n - j)) - 1
        while bits:
            turn_side(loop.work.side, node.rows[j + count_zeros(bits)], word)
            bits &= bits - 1


cdef int mask_list(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """A cell is a range of the list: the rows of the branch that has fewer are set apart."""
    cdef const Node* node = &loop.node
    cdef const uint64_t* list = node.list[input]
    cdef uint64_t* side = loop.work.side
    cdef uint64_t word
    cdef int cell, branch, fewer, j, k, n = node.n_rows, n_last = 0
    find_places(loop, input, split)
    for cell in range(split.n_cuts + 1):
        branch = cell if split.identity else split.branch_of[cell]
        n_last += branch * (loop.places[cell + 1] - loop.places[cell])
    word = begin_side(loop, n_last)
    fewer = word == 0
    for cell in range(split.n_cuts + 1):
        if (cell if split.identity else split.branch_of[cell]) == fewer:
            for j in range(loop.places[cell], loop.places[cell + 1]):
                turn_side(side, entry_row(node, list[j]), word)
    for j in range(0, n, 64):
        word = 0
        for k in range(min(64, n - j)):
            word |= (side[node.rows[j + k] >> 6] >> (node.rows[j + k] & 63) & 1) << k
        loop.work.mask[j >> 6] = word
    return n_last


# ------------------------------------------------------------------ any branches, unknown values

cdef void branch_cases(Loop* loop, index_t input, const Split* split) noexcept nogil:
    """Set ``branch`` (and ``side_branch``): the branch of each case, ``n_branches`` where the value is unknown."""
    cdef const Node* node = &loop.node
    cdef const Column* column = &node.columns[input]
    cdef uint16_t* branch = loop.work.branch
    cdef uint16_t* side = loop.work.side_branch
    cdef uint16_t lookup[256]
    cdef const uint8_t* codes
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
        codes = codes_of(loop, input)
        for j in range(n):
            branch[j] = lookup[codes[j]]
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
