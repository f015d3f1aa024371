"""The order of a column of doubles: a radix sort of their bits."""

from libc.math cimport isnan
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy


cdef inline uint64_t sortable(double value) noexcept nogil:
    """Bits whose unsigned order is the order of the doubles; -0.0 and 0.0 are the same."""
    cdef uint64_t bits
    value += 0.0
    memcpy(&bits, &value, 8)
    return bits ^ (<uint64_t>(<int64_t>bits >> 63) | (<uint64_t>1 << 63))


cdef int sorted_rows(const double* x, int n, int known, uint32_t* order) noexcept nogil:
    """Rows of the known values in ascending order, equal ones in order of row. -1: no memory.

    Least significant digit first, 11 bits at a time; digits that are the same everywhere are skipped.
    """
    cdef uint64_t* keys = <uint64_t*>malloc(<size_t>known * 8 + 8)
    cdef uint64_t* keys_spare = <uint64_t*>malloc(<size_t>known * 8 + 8)
    cdef uint32_t* spare = <uint32_t*>malloc(<size_t>known * 4 + 8)
    cdef uint32_t* digits = <uint32_t*>calloc(6 * 2048, sizeof(uint32_t))
    cdef uint32_t* rows = order
    cdef uint64_t key
    cdef int row, j = 0, p, k, shift, constant
    cdef uint32_t at, count
    cdef uint32_t* start
    if keys == NULL or keys_spare == NULL or spare == NULL or digits == NULL:
        free(keys)
        free(keys_spare)
        free(spare)
        free(digits)
        return -1
    for row in range(n):
        if isnan(x[row]):
            continue
        key = sortable(x[row])
        keys[j] = key
        rows[j] = row
        j += 1
        for p in range(6):
            digits[2048 * p + (key >> (11 * p) & 2047)] += 1
    for p in range(6):
        start, shift, at, constant = &digits[2048 * p], 11 * p, 0, 0
        for k in range(2048):
            count = start[k]
            constant |= count == <uint32_t>known
            start[k] = at
            at += count
        if constant:
            continue
        for j in range(known):
            k = <int>(keys[j] >> shift & 2047)
            keys_spare[start[k]] = keys[j]
            spare[start[k]] = rows[j]
            start[k] += 1
        keys, keys_spare = keys_spare, keys
        rows, spare = spare, rows
    if rows != order:
        memcpy(order, rows, <size_t>known * 4)
        spare = rows
    free(keys)
    free(keys_spare)
    free(spare)
    free(digits)
    return 0
