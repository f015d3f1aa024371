"""Two-valued columns that share one byte a case."""

from libc.stdint cimport uint8_t

from treeforge.core.kernel cimport Column


cdef struct Member:         # an input
    int bundle              # which it belongs to; -1: none
    int rare                # the rarer of its two codes
    int byte                # what the bundle holds where the input has that code


cdef struct Bundles:        # of a table; all 0: there are none
    int n
    int n_inputs
    int* n_bytes            # [n]: members, and one for the byte 0: no member has its rarer code
    uint8_t** bytes         # [n][n_rows]
    Member* member          # [n_inputs]


cdef int make_bundles(
    Bundles* bundles, const Column* columns, const uint8_t* const* codes, int n_inputs, int n_rows
) noexcept nogil
cdef void discard_bundles(Bundles* bundles) noexcept nogil
cdef void spread_codes(const uint8_t* bytes, const Member* member, int n, uint8_t* codes) noexcept nogil


cdef inline bint in_bundle(const Bundles* bundles, int input) noexcept nogil:
    return bundles.n > 0 and bundles.member[input].bundle >= 0
