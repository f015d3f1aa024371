"""The loop that counts (code, class) pairs, of up to four columns at once.

Neighbouring cases that meet the same counter wait for each other's store: interleaved, the columns hide that. Where
weights differ, sums of weights are taken in the order of the cases.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

ctypedef fused cell_t:
    uint32_t
    double


cdef inline void add_cases(
    const uint8_t** codes, const uint16_t* classes, const double* weights, int n, int stride, cell_t** table, int m
) noexcept nogil:
    """Add the cases to the tables of m columns, by weight if the tables hold sums."""
    if m == 4:
        add_to(codes, classes, weights, n, stride, table, 4)
    elif m == 3:
        add_to(codes, classes, weights, n, stride, table, 3)
    elif m == 2:
        add_to(codes, classes, weights, n, stride, table, 2)
    elif m == 1:
        add_to(codes, classes, weights, n, stride, table, 1)


cdef inline void add_to(
    const uint8_t** codes, const uint16_t* classes, const double* weights, int n, int stride, cell_t** table, int m
) noexcept nogil:
    """``m`` is a constant wherever this is inlined, and the pointers stay in registers."""
    cdef const uint8_t* code[4]
    cdef cell_t* to[4]
    cdef int j, k, q
    cdef cell_t weight = 1
    for q in range(m):
        code[q], to[q] = codes[q], table[q]
    for j in range(n):
        k = classes[j]
        if cell_t is double:
            weight = weights[j]
        for q in range(m):
            to[q][code[q][j] * stride + k] += weight
