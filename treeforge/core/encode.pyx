"""Coding a table: each numeric value becomes its place among the column's distinct values.

At most 255 distinct values: one byte a row. More: a sorted list of 64-bit entries, from the high bits
``code | class | row``, so that a scan for the best cut reads one stream. Whole numbers and decimals of small
range are ranked by counting, other columns by a radix sort of the doubles' bits: both linear in the rows.
For kernels that need no order such a column stays as it is, and nothing is ranked.
Nominal columns keep their codes, as bytes where they fit. Values and their order are those of the table,
not of a fold: a fold only leaves rows out.
"""

from libc.math cimport NAN
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from treeforge.core.bundles cimport discard_bundles, make_bundles
from treeforge.core.kernel cimport BYTES, LISTED, NUMBERS, WIDE, Column
from treeforge.core.decimals cimport Range, code_decimals, entry, survey
from treeforge.core.radix cimport sorted_rows
from treeforge.core.table cimport Table

import threading
from concurrent.futures import ThreadPoolExecutor

cdef int MOST_BYTES = 255            # codes of a BYTES column; one more stands for "unknown"
MOST_LABELS = 65534                  # classes and branches are 16-bit numbers, one more branch is "unknown"
cdef double SMALLEST_GAP = 1e-5      # c45.md 3.4.4
_coding = threading.Lock()


cpdef Encoded encoded(Table table, int n_threads=1, bint plain=False):
    """The table's coded columns, made on first use, by several threads if asked; thread-safe."""
    if (table.plain if plain else table.encoded) is None:
        with _coding:
            if plain and table.plain is None:
                table.plain = Encoded(table, n_threads, plain)
            elif not plain and table.encoded is None:
                table.encoded = Encoded(table, n_threads)
    return table.plain if plain else table.encoded


cpdef Encoded any_encoded(Table table):
    """Those that are there, for whoever reads bytes and nothing else."""
    return encoded(table, 1, table.encoded is None and table.plain is not None)


cdef class Encoded:
    """The coded columns of one table. Read-only once made."""

    def __cinit__(self, Table table, int n_threads=1, bint plain=False):
        cdef Py_ssize_t i
        self.table, self.plain = table, plain
        self.columns = <Column*>calloc(table.n_inputs + 1, sizeof(Column))
        self.bytes = <uint8_t**>calloc(table.n_inputs + 1, sizeof(uint8_t*))
        self.lists = <uint64_t**>calloc(table.n_inputs + 1, sizeof(uint64_t*))
        self.list_size = <int*>calloc(table.n_inputs + 1, sizeof(int))
        if self.columns == NULL or self.bytes == NULL or self.lists == NULL or self.list_size == NULL:
            raise MemoryError
        if max(table.n_classes, max(table.n_categories, default=0)) > MOST_LABELS:
            raise ValueError(f"more than {MOST_LABELS} classes, or categories of one column")
        self.row_bits, self.class_bits = bits_for(table.n_rows), bits_for(table.n_classes)
        if 2 * self.row_bits + self.class_bits > 64:
            raise ValueError(f"{table.n_rows} rows and {table.n_classes} classes: too many for one table")
        if n_threads > 1 and table.n_inputs > 1:
            with ThreadPoolExecutor(n_threads) as pool:
                list(pool.map(self._code, range(table.n_inputs)))
        else:
            for i in range(table.n_inputs):
                self._code(i)
        for i in range(table.n_inputs):
            self.n_listed += self.columns[i].form == LISTED
        if make_bundles(&self.bundles, self.columns, self.bytes, table.n_inputs, table.n_rows) < 0:
            raise MemoryError

    def _code(self, Py_ssize_t i):
        """Code one column; not to be called again once that is done."""
        cdef const int32_t[::1] classes = self.table.classes
        cdef const int32_t* labels = &classes[0] if self.table.n_rows else NULL
        cdef int done
        if self.columns[i].form != 0:
            return
        with nogil:
            done = code_column(self, i, labels)
        if done < 0:
            raise MemoryError

    def has_unknown(self, int i):
        """Whether some value of input i is unknown."""
        return self.columns[i].has_unknown != 0

    def bundle_of(self, int i):
        """The number of the bundle that input i belongs to; -1: none."""
        return self.bundles.member[i].bundle

    def __dealloc__(self):
        cdef Py_ssize_t i
        for i in range(self.table.n_inputs if self.table is not None else 0):
            free(self.bytes[i])
            free(self.lists[i])
            free(<void*>self.columns[i].values)
        discard_bundles(&self.bundles)
        free(self.columns)
        free(self.bytes)
        free(self.lists)
        free(self.list_size)


cdef int code_column(Encoded self, Py_ssize_t i, const int32_t* labels) noexcept nogil:
    """0 or above: done; -1: no memory."""
    if self.table.numbers[i] == NULL:
        return code_nominal(self, i)
    return code_number(self, i, labels)


cdef int code_nominal(Encoded self, Py_ssize_t i) noexcept nogil:
    cdef Column* column = &self.columns[i]
    cdef const int32_t* codes = self.table.codes[i]
    cdef uint8_t* bytes
    cdef int row, any_below = 0, n = self.table.n_rows
    column.nominal, column.n_codes, column.codes = 1, self.table.arity[i], codes
    if column.n_codes > MOST_BYTES:
        column.form = WIDE
        for row in range(n):
            any_below |= codes[row]
        column.has_unknown = any_below < 0
        return 0
    column.form = BYTES
    bytes = self.bytes[i] = <uint8_t*>malloc(n + 64)
    if bytes == NULL:
        return -1
    for row in range(n):         # no branch: so the compiler takes several at once
        bytes[row] = <uint8_t>codes[row]
        any_below |= codes[row]
    column.has_unknown = any_below < 0
    for row in range(n if column.has_unknown else 0):
        if codes[row] < 0:
            bytes[row] = <uint8_t>column.n_codes
    return 0


cdef int code_number(Encoded self, Py_ssize_t i, const int32_t* labels) noexcept nogil:
    cdef Column* column = &self.columns[i]
    column.numbers = self.table.numbers[i]
    if self.plain:
        return code_plain(self, i)
    return rank(self, i, labels)


cdef int code_plain(Encoded self, Py_ssize_t i) noexcept nogil:
    cdef Column* column = &self.columns[i]
    cdef int row, unknown = 0, done = code_few(self, i)
    for row in range(self.table.n_rows):
        unknown |= column.numbers[row] != column.numbers[row]
    column.has_unknown = unknown
    if done == 0:
        column.form = NUMBERS
    return done


cdef int rank(Encoded self, Py_ssize_t i, const int32_t* labels) noexcept nogil:
    cdef Column* column = &self.columns[i]
    cdef Range found
    cdef int row, done = 0
    found.keys = <int32_t*>malloc(<size_t>self.table.n_rows * sizeof(int32_t) + 8)
    if found.keys == NULL:
        return -1
    survey(column.numbers, self.table.n_rows, &found)
    column.has_unknown = found.known < self.table.n_rows
    self.list_size[i] = found.known
    if found.scale > 0.0 and found.high - found.low < min(8.0 * self.table.n_rows, 4194304.0):
        done = code_decimals(self, i, &found, labels)
    else:
        done = code_few(self, i)
        if done == 0:
            done = code_list(self, i, labels)
    free(found.keys)
    if done < 0:
        return -1
    for row in range(1, column.n_codes):
        if not column.values[row - 1] + SMALLEST_GAP < column.values[row]:
            column.close = 1
            break
    return 0


cdef int code_few(Encoded self, Py_ssize_t i) noexcept nogil:
    """Bytes for a column of few distinct values. 1: done, 0: there are too many, -1: no memory.

    Values are numbered as they come, found by a hash; then the numbers become places in ascending order.
    """
    cdef Column* column = &self.columns[i]
    cdef int row, k, count, n = self.table.n_rows
    cdef double[255] found
    cdef uint8_t[256] code_of
    cdef uint8_t* codes = <uint8_t*>malloc(n + 64)
    cdef double* values
    if codes == NULL:
        return -1
    count = number_values(column.numbers, n, found, codes)
    if count > MOST_BYTES:
        free(codes)
        return 0
    values = <double*>malloc((count + 1) * sizeof(double))
    column.values, self.bytes[i] = values, codes
    if values == NULL:
        return -1
    for k in range(count):
        row = k
        while row > 0 and values[row - 1] > found[k]:
            values[row] = values[row - 1]
            row -= 1
        values[row] = found[k]
    values[count] = NAN
    for k in range(count):
        code_of[k] = <uint8_t>place(values, count, found[k])
    code_of[MOST_BYTES] = <uint8_t>count
    column.form, column.n_codes = BYTES, count
    for row in range(n):
        codes[row] = code_of[codes[row]]
    return 1


cdef int number_values(const double* x, int n, double* found, uint8_t* number) noexcept nogil:
    """Numbers in the order in which values first come, 255 for an unknown one; returns how many values there are.

    It stops at the 256th.
    """
    cdef int16_t[1024] slots           # which number a hash stands for, or -1
    cdef int row, at, count = 0
    cdef double v
    cdef uint64_t bits
    memset(slots, 0xFF, sizeof(slots))
    for row in range(n):
        v = x[row] + 0.0               # -0.0 is 0.0
        if v != v:
            number[row] = <uint8_t>MOST_BYTES
            continue
        memcpy(&bits, &v, 8)
        at = <int>((bits ^ bits >> 32) * <uint64_t>0x9E3779B97F4A7C15 >> 54)
        while slots[at] >= 0 and found[slots[at]] != v:
            at = (at + 1) & 1023
        if slots[at] < 0:
            if count == MOST_BYTES:
                return MOST_BYTES + 1
            found[count], slots[at] = x[row], <int16_t>count
            count += 1
        number[row] = <uint8_t>slots[at]
    return count


cdef int code_list(Encoded self, Py_ssize_t i, const int32_t* labels) noexcept nogil:
    cdef Column* column = &self.columns[i]
    cdef const double* x = self.table.numbers[i]
    cdef int n = self.table.n_rows, known = self.list_size[i], j, row, code = -1
    cdef int shift = self.row_bits + self.class_bits
    cdef double last = 0.0
    cdef uint64_t* list = <uint64_t*>malloc(<size_t>known * 8 + 64)
    cdef double* values = <double*>malloc(<size_t>known * sizeof(double))
    cdef uint32_t* order = <uint32_t*>malloc(<size_t>known * 4 + 64)
    column.values, self.lists[i], column.form = values, list, LISTED
    if list == NULL or values == NULL or order == NULL or sorted_rows(x, n, known, order) < 0:
        free(order)
        return -1
    for j in range(known):
        row = order[j]
        if code < 0 or x[row] != last:
            code += 1
            last = x[row]
            values[code] = last
        list[j] = entry(code, labels[row], row, shift, self.row_bits)
    free(order)
    column.n_codes = code + 1
    values = <double*>realloc(values, <size_t>(code + 1) * sizeof(double))
    if values != NULL:
        column.values = values
    return 1


cdef int bits_for(int count) noexcept nogil:
    """Bits that hold 0 .. count - 1."""
    cdef int bits = 1
    while (<int64_t>1 << bits) < count:
        bits += 1
    return bits


cdef inline int place(const double* ascending, int count, double value) noexcept nogil:
    """Of the first element that is not below the value."""
    cdef int low = 0, high = count, middle
    while low < high:
        middle = (low + high) >> 1
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
