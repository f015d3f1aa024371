"""Columns in node order, and how a node's cases are divided between two branches (others: ``divide``).

The cases of a node are ``[start, start + n)`` of every column, the known ones of a LISTED column
``[list_start, list_start + list_size)`` of its list. Dividing replaces a node by its branches, the last
branch lowest: the loop works from the top of a stack, so the first branch comes first and there is always
room above it. Without unknown values the branches fill exactly their parent's place. A case whose value is
unknown is put into every branch, with part of its weight; then the top of the stack moves up.

A loop that draws inputs at random (``gathered``) divides rows, classes, weights and lists only: a node looks
at a few columns, and to gather these from the table by row costs less than to keep all of them in order.
Two-valued columns may share a byte (``bundles``): then that is divided in place of theirs.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from treeforge.core.crew cimport share

cdef extern from "treeforge_vector.h" nogil:
    void tf_divide8(uint8_t* a, uint8_t* spare, const uint8_t* mask, int n, int yes)
    void tf_divide16(uint16_t* a, uint16_t* spare, const uint8_t* mask, int n, int yes)
    void tf_divide32(uint32_t* a, uint32_t* spare, const uint8_t* mask, int n, int yes)
    void tf_divide64(uint64_t* a, uint64_t* spare, const uint8_t* mask, int n, int yes)
    void tf_divide_list(
        uint64_t* a, uint64_t* spare, const uint64_t* side, uint64_t row_mask, int n, int yes
    )


cdef struct Job:            # a large node, whose columns several threads divide
    Columns* work
    const Region* node
    int skip
    Region* children


cdef void divide_in_two(Columns* work, const Region* node, int skip, int n_last, Region* children) noexcept nogil:
    """Divide by ``mask`` (and ``side``, for lists); branch 1 is put lowest. ``skip``: the list tested, in order."""
    cdef Job job
    cdef int q
    children[1].start, children[1].n = node.start, n_last
    children[0].start, children[0].n = node.start + n_last, node.n - n_last
    if is_large(work, node.n):
        job = Job(work=work, node=node, skip=skip, children=children)
        share(work.crew, do_item, &job, work.n_live + work.bundles.n + 1)
        return
    divide_cases(work, node, n_last, work.spare)
    for q in range(work.n_live):
        divide_column(work, node, work.live[q], skip, n_last, children, work.spare)
    for q in range(work.bundles.n):
        divide_bundle(work, node, q, n_last, work.spare)


cdef void do_item(void* shared, int thread, int item) noexcept nogil:
    """The live inputs, the bundles, then what does not belong to one input."""
    cdef const Job* job = <const Job*>shared
    cdef Columns* work = job.work
    cdef int n_last = job.children[1].n, b = item - work.n_live
    if item < work.n_live:
        divide_column(work, job.node, work.live[item], job.skip, n_last, job.children, spare_of(work, thread))
    elif b < work.bundles.n:
        divide_bundle(work, job.node, b, n_last, spare_of(work, thread))
    else:
        divide_cases(work, job.node, n_last, spare_of(work, thread))


cdef inline void divide_cases(Columns* work, const Region* node, int n_last, uint8_t* spare) noexcept nogil:
    cdef const uint8_t* mask = <const uint8_t*>work.mask
    tf_divide16(work.classes + node.start, <uint16_t*>spare, mask, node.n, n_last)
    if work.rows != NULL:
        tf_divide32(work.rows + node.start, <uint32_t*>spare, mask, node.n, n_last)
    if work.weights != NULL:
        tf_divide64(<uint64_t*>work.weights + node.start, <uint64_t*>spare, mask, node.n, n_last)


cdef inline void divide_bundle(Columns* work, const Region* node, int b, int n_last, uint8_t* spare) noexcept nogil:
    if work.bundle_lives[b]:
        tf_divide8(work.bundle[b] + node.start, spare, <const uint8_t*>work.mask, node.n, n_last)


cdef inline void divide_column(
    Columns* work, const Region* node, int i, int skip, int n_last, Region* children, uint8_t* spare
) noexcept nogil:
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1
    cdef const uint8_t* mask = <const uint8_t*>work.mask
    cdef uint64_t* list
    cdef int l, n
    if not is_kept(work, i):
        return
    if work.bytes[i] != NULL:
        tf_divide8(work.bytes[i] + node.start, spare, mask, node.n, n_last)
        return
    if work.wide[i] != NULL:
        tf_divide32(<uint32_t*>work.wide[i] + node.start, <uint32_t*>spare, mask, node.n, n_last)
        return
    if work.numbers[i] != NULL:
        tf_divide64(<uint64_t*>work.numbers[i] + node.start, <uint64_t*>spare, mask, node.n, n_last)
        return
    l = work.list_place[i]
    list, n = work.list[i] + node.list_start[l], node.list_size[l]
    if n < node.n:
        n_last = in_last(work, list, n)
    if i == skip:
        turn(list, <uint64_t*>spare, n - n_last, n_last)
    else:
        tf_divide_list(list, <uint64_t*>spare, work.side, row_mask, n, n_last)
    children[1].list_start[l], children[1].list_size[l] = node.list_start[l], n_last
    children[0].list_start[l], children[0].list_size[l] = node.list_start[l] + n_last, n - n_last


cdef int in_last(const Columns* work, const uint64_t* list, int n) noexcept nogil:
    """How many of a list's cases go to the last branch."""
    cdef uint64_t row_mask = (<uint64_t>1 << work.row_bits) - 1, row
    cdef int j, count = 0
    for j in range(n):
        row = list[j] & row_mask
        count += <int>(work.side[row >> 6] >> (row & 63) & 1)
    return count


cdef inline void turn(uint64_t* list, uint64_t* spare, int n_first, int n_last) noexcept nogil:
    """The last part to the front, order kept."""
    cdef int j
    if n_first <= n_last:
        memcpy(spare, list, <size_t>n_first * 8)
        for j in range(n_last):
            list[j] = list[j + n_first]
        memcpy(list + n_last, spare, <size_t>n_first * 8)
    else:
        memcpy(spare, list + n_first, <size_t>n_last * 8)
        for j in range(n_first - 1, -1, -1):
            list[j + n_last] = list[j]
        memcpy(list, spare, <size_t>n_last * 8)
