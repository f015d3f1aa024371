"""Two-valued columns that share one byte a case.

The columns of an attribute with many categories are often given one by one, 0 or 1 each, and 1 in a single one of
them: 44 of covertype's 54 are two such attributes. Columns of which every row has the rarer value of one at most
are a *bundle*: its byte tells which one, 0 for none (Ke et al. 2017, LightGBM, section 4: exclusive features,
here without a conflict). One byte is kept in the order of the nodes and counted, where else each column has its
own, and what a column counts is a row of the bundle's table and what that leaves of the node's classes.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from treeforge.core.kernel cimport BYTES, Column

cdef enum:
    BLOCK = 2048            # rows between two looks at whether columns have met: mostly they do so soon
    MOST_TRIED = 8          # bundles that a column is tried with, the youngest: their columns often stand together
    MOST_BYTES = 256


cdef struct Draft:          # a bundle that may yet stay with one member
    int first               # that member
    int number              # the bundle's, if it becomes one
    int n_bytes
    int n_rare              # rows that have the rarer code of some member
    uint8_t* bytes          # NULL while there is one member: its own codes tell


cdef int make_bundles(
    Bundles* bundles, const Column* columns, const uint8_t* const* codes, int n_inputs, int n_rows
) noexcept nogil:
    """Bundle what can be; ``codes``: of BYTES columns, [n_inputs][n_rows]. -1: no memory.

    A column goes to the youngest bundle that has room for it: no search for the fewest.
    """
    cdef Draft* drafts = <Draft*>malloc((<size_t>n_inputs + 1) * sizeof(Draft))
    cdef int i, n_drafts = 0, status = 0
    bundles.n_inputs = n_inputs
    bundles.member = <Member*>malloc((<size_t>n_inputs + 1) * sizeof(Member))
    if drafts == NULL or bundles.member == NULL:
        free(drafts)
        return -1
    for i in range(n_inputs):
        bundles.member[i].bundle = -1
        if status == 0 and columns[i].form == BYTES and columns[i].n_codes == 2 and not columns[i].has_unknown:
            status = place_column(bundles.member, codes, i, drafts, &n_drafts, n_rows)
    if status == 0:
        status = keep_bundles(bundles, drafts, n_drafts)
    for i in range(n_drafts):
        free(drafts[i].bytes)
    free(drafts)
    return status


cdef int place_column(
    Member* member, const uint8_t* const* codes, int i, Draft* drafts, int* n_drafts, int n_rows
) noexcept nogil:
    """Into a draft, or a new one. -1: no memory."""
    cdef uint32_t n_rare = 0
    cdef int j, d
    for j in range(n_rows):
        n_rare += codes[i][j]
    member[i].rare = n_rare <= <uint32_t>n_rows // 2
    if not member[i].rare:
        n_rare = n_rows - n_rare
    for d in range(n_drafts[0] - 1, max(n_drafts[0] - MOST_TRIED, 0) - 1, -1):
        if drafts[d].n_bytes < MOST_BYTES and drafts[d].n_rare + <int>n_rare <= n_rows:
            if not meets(member, codes, i, &drafts[d], n_rows):
                return add_to(member, codes, i, d, &drafts[d], <int>n_rare, n_rows)
    member[i].bundle, member[i].byte = n_drafts[0], 1
    drafts[n_drafts[0]] = Draft(first=i, number=0, n_bytes=2, n_rare=<int>n_rare, bytes=NULL)
    n_drafts[0] += 1
    return 0


cdef bint meets(
    const Member* member, const uint8_t* const* codes, int i, const Draft* draft, int n_rows
) noexcept nogil:
    """Whether some row has the rarer code both of a column and of a member of the draft."""
    cdef const uint8_t* own = codes[i]
    cdef const uint8_t* taken = draft.bytes
    cdef uint8_t own_common = <uint8_t>(1 - member[i].rare), common = 0, both = 0
    cdef int j, start
    if taken == NULL:
        taken, common = codes[draft.first], <uint8_t>(1 - member[draft.first].rare)
    for start in range(0, n_rows, 2048):     # BLOCK
        for j in range(start, min(start + BLOCK, n_rows)):
            both |= <uint8_t>(0 - (own[j] ^ own_common)) & (taken[j] ^ common)
        if both:
            return True
    return False


cdef int add_to(
    Member* member, const uint8_t* const* codes, int i, int d, Draft* draft, int n_rare, int n_rows
) noexcept nogil:
    """-1: no memory."""
    if draft.bytes == NULL:
        draft.bytes = <uint8_t*>calloc(<size_t>n_rows + 64, 1)
        if draft.bytes == NULL:
            return -1
        write_byte(&member[draft.first], codes[draft.first], n_rows, draft.bytes)
    member[i].bundle, member[i].byte = d, draft.n_bytes
    write_byte(&member[i], codes[i], n_rows, draft.bytes)
    draft.n_bytes += 1
    draft.n_rare += n_rare
    return 0


cdef void write_byte(const Member* member, const uint8_t* codes, int n_rows, uint8_t* bytes) noexcept nogil:
    cdef uint8_t common = <uint8_t>(1 - member.rare), byte = <uint8_t>member.byte
    cdef int j
    for j in range(n_rows):
        bytes[j] |= <uint8_t>(0 - (codes[j] ^ common)) & byte


cdef int keep_bundles(Bundles* bundles, Draft* drafts, int n_drafts) noexcept nogil:
    """Drafts of several members become bundles, the others' members stay by themselves. -1: no memory."""
    cdef Member* member
    cdef int i, d
    bundles.n_bytes = <int*>malloc((<size_t>n_drafts + 1) * sizeof(int))
    bundles.bytes = <uint8_t**>calloc(<size_t>n_drafts + 1, sizeof(uint8_t*))
    if bundles.n_bytes == NULL or bundles.bytes == NULL:
        return -1
    for d in range(n_drafts):
        if drafts[d].bytes == NULL:
            bundles.member[drafts[d].first].bundle = -1
            continue
        bundles.bytes[bundles.n], bundles.n_bytes[bundles.n] = drafts[d].bytes, drafts[d].n_bytes
        drafts[d].bytes, drafts[d].number = NULL, bundles.n
        bundles.n += 1
    for i in range(bundles.n_inputs):
        member = &bundles.member[i]
        if member.bundle >= 0:
            member.bundle = drafts[member.bundle].number
    return 0


cdef void discard_bundles(Bundles* bundles) noexcept nogil:
    cdef int b
    for b in range(bundles.n):
        free(bundles.bytes[b])
    free(bundles.bytes)
    free(bundles.n_bytes)
    free(bundles.member)
    memset(bundles, 0, sizeof(Bundles))


cdef void spread_codes(const uint8_t* bytes, const Member* member, int n, uint8_t* codes) noexcept nogil:
    """A member's own codes of n cases, from its bundle's bytes."""
    cdef uint8_t byte = <uint8_t>member.byte, common = <uint8_t>(1 - member.rare)
    cdef int j
    for j in range(n):
        codes[j] = (bytes[j] == byte) ^ common
