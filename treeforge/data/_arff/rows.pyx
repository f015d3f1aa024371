"""The rows of a block into columns: values, weights, dense and sparse rows."""

from libc.math cimport NAN
from libc.stdint cimport uint64_t
from libc.string cimport memcmp

from treeforge.data._arff.bytes cimport ALL, ends_in_64, likely, load, lowest
from treeforge.data._arff.decimals cimport read_number, read_short_number
from treeforge.data._arff.faults cimport (
    FAR_INDEX, INDEX_ORDER, NO_BRACE, NO_INDEX, NO_VALUE, NO_WEIGHT, OMITTED, SHORT, SURPLUS, UNDECLARED
)
from treeforge.data._arff.tokens cimport (
    DELIMITER, LINE_END, MARK, Token, kind_of, read_token, skip_delimiters, skip_line
)
from treeforge.data._arff.words cimport Word, find_word, look_up, mix


cdef const char* fail(Scan* scan, int fault, const char* at, Py_ssize_t column) noexcept nogil:
    scan.fault = fault
    scan.fault_at = at
    scan.fault_column = column
    return NULL


cdef inline void put_aside(Scan* scan, Py_ssize_t column, const Token* token) noexcept nogil:
    cdef Aside* aside = &scan.aside[scan.n_aside]
    aside.row = scan.n_rows
    aside.column = column
    aside.start = token.start
    aside.stop = token.stop
    scan.n_aside += 1


cdef const char* read_value(Scan* scan, Py_ssize_t j, const char* p) noexcept nogil:
    """A value of any form, for the row scan.n_rows; what follows it, or NULL after a fault."""
    cdef Column* column = &scan.columns[j]
    cdef const Word* word
    cdef Token token
    cdef Py_ssize_t length
    if kind_of(p) == LINE_END or p[0] == c"%":
        return fail(scan, SHORT, p, j)
    if kind_of(p) == MARK:
        return fail(scan, NO_VALUE, p, j)
    p = read_token(p, &token)
    if token.fault:
        return fail(scan, token.fault, token.start, j)
    length = token.stop - token.start
    if not token.quote and (length == 1 and token.start[0] == c"?" or is_null_word(scan, column, &token)):
        if column.kind == NOMINAL:
            column.codes[scan.n_rows] = -1
        elif column.kind != TEXT:
            column.numbers[scan.n_rows] = NAN
        return p
    if column.kind == NOMINAL and not token.escaped:
        if token.quote:
            word = find_word(&column.words, token.start + 1, length - 2)
        else:
            word = find_word(&column.words, token.start, length)
        if word == NULL:
            return fail(scan, UNDECLARED, token.start, j)
        column.codes[scan.n_rows] = word.code
        return p
    put_aside(scan, j, &token)
    return p


cdef bint is_null_word(Scan* scan, const Column* column, const Token* token) noexcept nogil:
    """Whether this is KEEL's word for unknown, and no declared category."""
    cdef Py_ssize_t length = token.stop - token.start
    return (scan.null_word != NULL and length == 6 and memcmp(token.start, scan.null_word, 6) == 0
            and not (column.kind == NOMINAL and find_word(&column.words, token.start, length) != NULL))


cdef inline bint read_plain_value(const Column* column, Py_ssize_t row, const char* p,
                                  Py_ssize_t length) noexcept nogil:
    """A value of the common form, up to the delimiter at p + length. False: read_value has to look at it."""
    cdef const Word* word
    cdef uint64_t head
    if column.kind == NUMBER:
        if likely(read_short_number(p, length, &column.numbers[row])):
            return True
        return read_number(p, &column.numbers[row]) == p + length
    if column.kind == NOMINAL:
        if likely(1 <= length <= 8):
            head = load(p) & ALL >> (64 - 8 * length)
            word = look_up(&column.words, mix(head, length), head, p, length)
        else:
            word = find_word(&column.words, p, length)
        if word != NULL and word.plain:
            column.codes[row] = word.code
            return True
    return False


cdef const char* read_weight(Scan* scan, const char* p) noexcept nogil:
    """The weight in braces behind a row, and the closing brace."""
    cdef Token token
    p = skip_delimiters(p + 1)
    if kind_of(p) & (LINE_END | MARK):
        return fail(scan, NO_WEIGHT, p, -1)
    p = read_token(p, &token)
    if token.fault:
        return fail(scan, token.fault, token.start, -1)
    put_aside(scan, -1, &token)
    p = skip_delimiters(p)
    if p[0] != c"}":
        return fail(scan, NO_BRACE, p, -1)
    return p + 1


cdef const char* read_end_of_row(Scan* scan, const char* p) noexcept nogil:
    """Whatever may stand behind the last value. Returns the line end."""
    p = skip_delimiters(p)
    if p[0] == c"{":
        p = read_weight(scan, p)
        if p == NULL:
            return NULL
        p = skip_delimiters(p)
    if p[0] == c"%":
        while kind_of(p) != LINE_END:
            p += 1
    if kind_of(p) != LINE_END:
        return fail(scan, SURPLUS, p, -1)
    return p


cdef const char* read_dense_row(Scan* scan, const char* p) noexcept nogil:
    """The delimiters of 64 bytes are found at once: then no value waits for the end of the one before it."""
    cdef const char* window = p
    cdef uint64_t ends = ends_in_64(p)          # of the window, those not passed yet
    cdef const char* end
    cdef const Column* column = scan.columns
    cdef Py_ssize_t j
    for j in range(scan.n_columns):
        while True:
            while ends == 0:
                window += 64
                ends = ends_in_64(window)
            end = window + lowest(ends)
            ends &= ends - 1
            if likely(end > p) or kind_of(p) == LINE_END:
                break
            p = end + 1                         # one of several delimiters
        if likely(read_plain_value(column, scan.n_rows, p, end - p)):
            p = end + (end[0] == c"," or kind_of(end) == DELIMITER)
        else:
            p = read_value(scan, j, p)
            if p == NULL:
                return NULL
            window = p
            ends = ends_in_64(p)
        column += 1
    return p if kind_of(p) == LINE_END else read_end_of_row(scan, p)


cdef const char* read_sparse_row(Scan* scan, const char* p) noexcept nogil:
    """{index value, index value}: what is not named is 0, or the first declared category."""
    cdef const char* index_at
    cdef const char* end
    cdef Py_ssize_t j, index, last = -1
    cdef Column* column
    for j in range(scan.n_columns):
        column = &scan.columns[j]
        if column.kind == NOMINAL:
            column.codes[scan.n_rows] = 0
        elif column.kind != TEXT:
            column.numbers[scan.n_rows] = 0.0
    p = skip_delimiters(p + 1)
    while p[0] != c"}":
        index_at = p
        if kind_of(p) == LINE_END or p[0] == c"%":
            return fail(scan, NO_BRACE, p, -1)
        index = 0
        while c"0" <= p[0] <= c"9" and index < 1000000000:
            index = 10 * index + p[0] - c"0"
            p += 1
        if p == index_at or kind_of(p) != DELIMITER:
            return fail(scan, NO_INDEX, index_at, -1)
        if index >= scan.n_columns:
            return fail(scan, FAR_INDEX, index_at, -1)
        if index <= last:
            return fail(scan, INDEX_ORDER, index_at, -1)
        if omits_obligatory(scan, last + 1, index, index_at):
            return NULL
        p = skip_delimiters(p)
        end = p
        while kind_of(end) == 0:
            end += 1
        if kind_of(end) & (DELIMITER | MARK) and read_plain_value(&scan.columns[index], scan.n_rows, p, end - p):
            p = end
        else:
            p = read_value(scan, index, p)
            if p == NULL:
                return NULL
        p = skip_delimiters(p)
        last = index
    if omits_obligatory(scan, last + 1, scan.n_columns, p):
        return NULL
    return read_end_of_row(scan, p + 1)


cdef bint omits_obligatory(Scan* scan, Py_ssize_t start, Py_ssize_t stop, const char* at) noexcept nogil:
    """Whether one of the columns start to stop cannot be left out."""
    cdef Py_ssize_t j
    if scan.n_obligatory:
        for j in range(start, stop):
            if scan.columns[j].obligatory:
                fail(scan, OMITTED, at, j)
                return True
    return False


cdef int read_rows(Block* block, Scan* scan) noexcept nogil:
    """The rows of a block, until something has to be done in Python."""
    cdef const char* p
    while block.position < block.stop:
        p = block.position
        while kind_of(p) == DELIMITER and p[0] != c",":
            p += 1
        if kind_of(p) == LINE_END or p[0] == c"%":
            block.position = skip_line(p)
            block.n_lines += 1
            continue
        if scan.n_rows == scan.capacity:
            return FULL
        if scan.n_aside + scan.n_columns + 1 > scan.aside_capacity:
            return CROWDED
        p = skip_delimiters(p)
        p = read_sparse_row(scan, p) if p[0] == c"{" else read_dense_row(scan, p)
        if p == NULL:
            return FAULT
        scan.n_rows += 1
        block.n_lines += 1
        block.position = p + 2 if p[0] == c"\r" and p[1] == c"\n" else p + 1
    return BLOCK_DONE
