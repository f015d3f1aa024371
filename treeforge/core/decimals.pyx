"""Ranking whole numbers, and decimals of few places, by counting: most columns of real tables are such.

A value x has the key k = x * scale rounded; keys are used only if k / scale is x again, bit for bit, for
every value of the column, so that the order of the keys is the order of the values.
"""

from libc.math cimport NAN
from libc.stdint cimport INT32_MAX, INT32_MIN, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from treeforge.core.encode cimport Encoded
from treeforge.core.kernel cimport BYTES, LISTED, Column

cdef extern from "treeforge_vector.h" nogil:
    int tf_whole(const double* a, int n, int32_t* whole, int32_t* low, int32_t* high)

cdef int MOST_BYTES = 255            # codes of a BYTES column; one more stands for "unknown"
cdef double LARGEST = 1073741824.0   # of a key, either side of 0: it is a 32-bit number


cdef inline int key_of(double x, double scale) noexcept nogil:
    """Of a value known to be in range."""
    return <int>x if scale == 1.0 else <int>(x * scale + (0.5 if x >= 0.0 else -0.5))


cdef void survey(const double* x, int n, Range* found) noexcept nogil:
    """How many values are known, and the scale and range of their keys if they have any. Fills ``keys``."""
    cdef int row, known = 0
    cdef double scale = 1.0
    if all_whole(x, n, found):
        return
    for row in range(n):
        known += x[row] == x[row]        # NaN is not
    found.known, found.scale = known, 0.0
    if known == 0:
        return
    for _places in range(4):
        if find_keys(x, n, scale, found):
            return
        scale *= 10.0


cdef bint all_whole(const double* x, int n, Range* found) noexcept nogil:
    """The most ordinary column, in the fewest steps: whole numbers, none unknown. False: it is another."""
    cdef int block
    cdef int32_t low = INT32_MAX, high = INT32_MIN
    for block in range(0, n, 256):
        if not tf_whole(x + block, min(256, n - block), found.keys + block, &low, &high):
            return False
    if n == 0:
        return False
    found.known, found.scale, found.low, found.high = n, 1.0, low, high
    return found.low > -LARGEST and found.high < LARGEST


cdef bint find_keys(const double* x, int n, double scale, Range* found) noexcept nogil:
    """False: some known value is not k / scale for a key k."""
    cdef int row, block, key, low = INT32_MAX, high = INT32_MIN
    cdef double value
    cdef bint other = False
    for block in range(0, n, 256):
        for row in range(block, min(block + 256, n)):
            value = x[row]
            if not -LARGEST < value * scale < LARGEST:
                if value == value:
                    return False
                found.keys[row] = UNKNOWN_KEY
                continue
            key = key_of(value, scale)
            found.keys[row] = key
            other |= <double>key / scale != value
            low = key if key < low else low
            high = key if key > high else high
        if other:
            return False
    found.scale, found.low, found.high = scale, low, high
    return True


cdef int code_decimals(Encoded self, Py_ssize_t i, const Range* found, const int32_t* labels) noexcept nogil:
    """Codes of a column with keys: each key is counted, the ones that occur are numbered. -1: no memory."""
    cdef Column* column = &self.columns[i]
    cdef const double* x = self.table.numbers[i]
    cdef int row, k, code = 0, n = self.table.n_rows, low = <int>found.low, width = <int>found.high - low + 1
    cdef double scale = found.scale
    cdef uint32_t at = 0, count
    cdef double* values
    cdef uint32_t* start = <uint32_t*>calloc(width + 1, sizeof(uint32_t))    # counts, then places in the list
    cdef uint32_t* code_of = <uint32_t*>malloc(<size_t>width * sizeof(uint32_t))
    if start == NULL or code_of == NULL:
        free(start)
        free(code_of)
        return -1
    for row in range(n):
        if found.keys[row] != UNKNOWN_KEY:
            start[found.keys[row] - low] += 1
    for k in range(width):
        count, start[k] = start[k], at
        at += count
        code_of[k] = code
        code += count > 0
    column.n_codes = code
    values = <double*>malloc(<size_t>code * sizeof(double) + 8)
    column.values = values
    if code <= MOST_BYTES:
        write_bytes(self, i, found, code_of)
    else:
        write_list(self, i, found, labels, start, code_of)
    if values != NULL:
        values[code] = NAN
        for k in range(width):
            if k + 1 == width or code_of[k + 1] > code_of[k]:
                values[code_of[k]] = (low + k) / scale
        for row in range(n):     # -0.0, if it came before 0.0, is what a threshold shows (c45.md 11)
            if x[row] == 0.0:
                values[code_of[-low]] = x[row]
                break
    free(start)
    free(code_of)
    return -1 if values == NULL or (self.bytes[i] == NULL and self.lists[i] == NULL) else 0


cdef void write_bytes(Encoded self, Py_ssize_t i, const Range* found, const uint32_t* code_of) noexcept nogil:
    """Without memory nothing is written."""
    cdef const int32_t* keys = found.keys
    cdef int row, n = self.table.n_rows, low = <int>found.low
    cdef uint8_t unknown = <uint8_t>self.columns[i].n_codes
    cdef uint8_t* codes = <uint8_t*>malloc(n + 64)
    self.columns[i].form, self.bytes[i] = BYTES, codes
    if codes == NULL:
        return
    if found.known == n:
        for row in range(n):
            codes[row] = <uint8_t>code_of[keys[row] - low]
        return
    for row in range(n):
        codes[row] = <uint8_t>code_of[keys[row] - low] if keys[row] != UNKNOWN_KEY else unknown


cdef void write_list(
    Encoded self, Py_ssize_t i, const Range* found, const int32_t* labels, uint32_t* start, const uint32_t* code_of
) noexcept nogil:
    """Without memory nothing is written. ``start``: where each key's entries begin."""
    cdef const int32_t* keys = found.keys
    cdef int row, k, low = <int>found.low, shift = self.row_bits + self.class_bits
    cdef uint64_t* list = <uint64_t*>malloc(<size_t>found.known * 8 + 64)
    self.columns[i].form, self.lists[i] = LISTED, list
    if list == NULL:
        return
    for row in range(self.table.n_rows):
        if keys[row] != UNKNOWN_KEY:
            k = keys[row] - low
            list[start[k]] = entry(code_of[k], labels[row], row, shift, self.row_bits)
            start[k] += 1
