"""Thresholds that are training values (c45.md 4.4).

Which values occur in T is found out for an input when the first cut asks: a forest's never do, and a fold's trees test
few inputs.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memset

from treeforge.core.cells cimport first_beyond
from treeforge.core.kernel cimport BYTES, NUMBERS, Column, Split, index_t
from treeforge.core.loop cimport Loop


cdef int settle_cuts(Loop* loop, index_t input, Split* split) noexcept nogil:
    """Each cut moves down to the greatest value of T that is not above it, where values are in order. -1: no memory."""
    cdef const Column* column = &loop.work.columns[input]
    cdef const uint64_t* present
    cdef int j, code
    if column.form == NUMBERS or column.nominal:
        return 0
    if mark(loop, input) < 0:
        return -1
    present = loop.work.present[input]
    for j in range(split.n_cuts):
        code = first_beyond(column, split.cuts[j], False) - 1
        while present != NULL and code >= 0 and not present[code >> 6] >> (code & 63) & 1:
            code -= 1
        if code >= 0:
            split.cuts[j] = column.values[code]
    return 0


cdef int mark_all(Loop* loop) noexcept nogil:
    """Mark the values of every numeric input, for loops that cannot do it themselves. -1: no memory."""
    cdef int i
    for i in range(loop.work.n_inputs):
        if not loop.work.columns[i].nominal and mark(loop, i) < 0:
            return -1
    return 0


cdef int mark(Loop* loop, int input) noexcept nogil:
    """Set the bits of the codes that occur in T, unless all do or it is done. -1: no memory."""
    cdef int form = loop.work.columns[input].form
    if loop.work.in_sample == NULL or loop.work.present[input] != NULL or form == NUMBERS:
        return 0
    loop.work.present[input] = <uint64_t*>calloc(loop.work.columns[input].n_codes // 64 + 1, 8)
    if loop.work.present[input] == NULL:
        return -1
    if form == BYTES:
        mark_bytes(loop, input)
    else:
        mark_list(loop, input)
    return 0


cdef void mark_bytes(Loop* loop, int input) noexcept nogil:
    cdef const uint8_t* codes = loop.coded_bytes[input]
    cdef const uint8_t* in_sample = loop.work.in_sample
    cdef uint64_t* present = loop.work.present[input]
    cdef uint8_t[512] occurs
    cdef int j, code
    memset(occurs, 0, sizeof(occurs))
    for j in range(loop.work.table_rows):     # rows outside T mark the other half: cheaper than a branch guessed wrong
        occurs[codes[j] + 256 * (1 - in_sample[j])] = 1
    for code in range(loop.work.columns[input].n_codes):
        present[code >> 6] |= <uint64_t>occurs[code] << (code & 63)


cdef void mark_list(Loop* loop, int input) noexcept nogil:
    cdef const uint64_t* list = loop.coded_lists[input]
    cdef const uint8_t* in_sample = loop.work.in_sample
    cdef uint64_t* present = loop.work.present[input]
    cdef uint64_t row_mask = (<uint64_t>1 << loop.node.row_bits) - 1, code
    cdef int j, shift = loop.node.row_bits + loop.node.class_bits
    for j in range(loop.coded_list_size[input]):
        code = list[j] >> shift
        present[code >> 6] |= <uint64_t>in_sample[<int>(list[j] & row_mask)] << (code & 63)
