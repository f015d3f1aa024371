"""The tokenizer: the bytes of an ARFF file into columns.

*Line*: ends at a line feed, a carriage return, or both. ARFF has no token that spans lines, so the scanner works on
*blocks* of whole lines, and every inner loop stops at a line end without counting bytes.
*Token*: a quoted text, a brace, or a *word*: a run of other bytes. Commas, blanks and control characters only
part tokens; ``%`` starts a remark; so Weka's ``StreamTokenizer`` sees it.
*Plain*: a word or number of the common form, which is read eight bytes at a time. Everything else is *put aside* as a
place in the block, and finished in Python when the block is done: escapes, dates, texts, ``1e400``, ``Infinity``.
"""

from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.buffer cimport PyBUF_WRITE, PyBuffer_FillInfo
from libc.math cimport NAN
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memmove, memset

import numpy as np

cdef extern from "_bytes.h" nogil:
    const int PADDING "TF_PADDING"
    const uint64_t ZEROS "(0x30 * TF_ONES)"
    uint64_t load "tf_load"(const char*)
    uint64_t ends_in_64 "tf_ends_in_64"(const char*)
    uint64_t no_digits "tf_no_digits"(uint64_t)
    int lowest "tf_lowest"(uint64_t)
    uint64_t eight_digits "tf_eight_digits"(uint64_t)
    int divide "tf_divide"(uint64_t, uint64_t, double*)
    bint likely "tf_likely"(bint)
    void* reserve "tf_reserve"(void*, size_t)

cdef enum:
    NUMBER, NOMINAL, TEXT, DATE             # kinds of column
    BLOCK_DONE = 0, FULL, CROWDED, FAULT   # why a scan stopped
    DELIMITER = 1, LINE_END = 2, QUOTE = 4, MARK = 8     # classes of bytes; a mark is % { or }
    BLOCK = 1 << 17                         # bytes read at a time: they stay in the second-level cache
    LONGEST_LINE = 1 << 30

# what a scan can find wrong; the words are in arff.py
cdef enum:
    UNCLOSED = 1, GLUED, SHORT, SURPLUS, UNDECLARED, NO_NUMBER, NO_WEIGHT, NO_INDEX, FAR_INDEX, INDEX_ORDER
    OMITTED, NO_BRACE, NO_VALUE
FAULTS = ("", "unclosed", "glued", "short", "surplus", "undeclared", "no number", "no weight", "no index", "far index",
          "index order", "omitted", "no brace", "no value")

cdef struct Word:
    uint64_t head               # the first eight bytes, zeros behind a shorter word
    const char* text
    Py_ssize_t length           # -1: an empty place in the table
    int32_t code
    bint plain                  # may stand without quotes

cdef struct Column:
    int kind
    bint obligatory             # a sparse row cannot omit it: no text means 0, no category is the first of none
    double* numbers             # [capacity], of numbers and dates
    int32_t* codes              # [capacity], of nominal columns
    Word* words                 # open addressing, [2 ^ (64 - shift)]
    int shift

cdef struct Token:
    const char* start           # quotes included
    const char* stop
    char quote                  # 0 for a word or a brace
    bint escaped                # holds a backslash inside its quotes
    int fault

cdef struct Aside:
    Py_ssize_t row
    Py_ssize_t column           # -1: the weight of the row
    const char* start
    const char* stop

cdef struct Scan:
    const char* position        # start of the next line
    const char* stop            # behind the last line end of the block
    Column* columns             # [n_columns]
    Py_ssize_t n_columns
    Py_ssize_t n_obligatory     # columns that a sparse row cannot omit
    Py_ssize_t n_rows
    Py_ssize_t capacity
    Py_ssize_t n_lines          # line ends passed, in all blocks
    const char* null_word       # KEEL's word for unknown, or NULL
    Aside* aside                # [n_aside]
    Py_ssize_t n_aside
    Py_ssize_t aside_capacity
    int fault
    const char* fault_at
    Py_ssize_t fault_column

cdef uint8_t[256] CLASS
cdef double[23] POWER
cdef uint64_t[20] WHOLE_POWER
cdef uint64_t ALL = ~<uint64_t>0


cdef void fill_tables():
    cdef int i
    for i in range(256):
        CLASS[i] = DELIMITER if i <= 32 or i == c"," else 0
    CLASS[c"\n"] = CLASS[c"\r"] = LINE_END
    CLASS[c"'"] = CLASS[c'"'] = QUOTE
    CLASS[c"%"] = CLASS[c"{"] = CLASS[c"}"] = MARK
    WHOLE_POWER[0] = 1
    for i in range(1, 20):
        WHOLE_POWER[i] = 10 * WHOLE_POWER[i - 1]
    for i in range(23):
        POWER[i] = float(f"1e{i}")          # exact up to 10^22


fill_tables()


cdef inline int kind_of(const char* p) noexcept nogil:
    return CLASS[<uint8_t>p[0]]


# ---------------------------------------------------------------------------------------------------- tokens

cdef const char* read_token(const char* p, Token* token) noexcept nogil:
    """The token that starts at p, which is neither a delimiter nor a line end nor a remark. Returns what follows it."""
    token.start = p
    token.quote = 0
    token.escaped = False
    token.fault = 0
    if kind_of(p) == QUOTE:
        token.quote = p[0]
        p += 1
        while p[0] != token.quote:
            if p[0] == c"\\":
                token.escaped = True
                p += 1
            if kind_of(p) == LINE_END:
                token.fault = UNCLOSED
                token.stop = p
                return p
            p += 1
        p += 1
        if kind_of(p) == 0 or kind_of(p) == QUOTE:
            token.fault = GLUED
    elif kind_of(p) == MARK:
        p += 1
    else:
        while kind_of(p) == 0:
            p += 1
        if kind_of(p) == QUOTE:
            token.fault = GLUED
    token.stop = p
    return p


cdef inline const char* skip_delimiters(const char* p) noexcept nogil:
    while kind_of(p) == DELIMITER:
        p += 1
    return p


cdef const char* skip_line(const char* p) noexcept nogil:
    """Behind the next line end."""
    while kind_of(p) != LINE_END:
        p += 1
    return p + 2 if p[0] == c"\r" and p[1] == c"\n" else p + 1


def tokens(bytes line):
    """Split a line of the header.

    Returns
    -------
    list of (bytes, bool, int)
        Each token as it stands in the file, whether it is quoted, and at which byte it starts. A remark is left out.

    Raises
    ------
    ValueError
        With a word of FAULTS and the byte at which it was found.
    """
    cdef bytes padded = line + b"\n"
    cdef const char* start = padded
    cdef const char* p = start
    cdef Token token
    found = []
    while True:
        p = skip_delimiters(p)
        if kind_of(p) == LINE_END or p[0] == c"%":
            return found
        p = read_token(p, &token)
        if token.fault:
            raise ValueError(FAULTS[token.fault], token.start - start)
        found.append((token.start[:token.stop - token.start], token.quote != 0, token.start - start))


# ---------------------------------------------------------------------------------------------------- numbers

cdef inline bint read_short_number(const char* p, Py_ssize_t length, double* out) noexcept nogil:
    """A number of one to eight digits, with a sign and a point or without, of this length. False: of another form."""
    cdef uint64_t digits, others, before_point
    cdef int point
    cdef bint negative
    if not 1 <= length <= 8:
        return False
    digits = load(p) ^ ZEROS
    others = no_digits(digits) & ALL >> (64 - 8 * length)
    if likely(others == 0):
        out[0] = <double>eight_digits(digits << (64 - 8 * length))
        return True
    negative = p[0] == c"-"
    if negative:
        digits >>= 8
        others >>= 8
        length -= 1
        if length == 0:
            return False
    if others:
        point = lowest(others) - 7
        if others & (others - 1) or length == 1 or digits >> point & 0xFF != (c"." ^ c"0"):
            return False
        before_point = (<uint64_t>1 << point) - 1
        digits = digits & before_point | digits >> 8 & ~before_point
        length -= 1
        out[0] = <double>eight_digits(digits << (64 - 8 * length)) / POWER[length - (point >> 3)]
    else:
        out[0] = <double>eight_digits(digits << (64 - 8 * length))
    if negative:
        out[0] = -out[0]
    return True


cdef inline const char* read_digits(const char* p, uint64_t* mantissa, int* n) noexcept nogil:
    """Digits behind those in mantissa. Stops after 24: more than 19 do not fit, and the caller gives up."""
    cdef uint64_t value, others
    cdef int run
    while True:
        value = load(p) ^ ZEROS
        others = no_digits(value)
        if others:
            run = lowest(others) >> 3
            if run:
                mantissa[0] = mantissa[0] * WHOLE_POWER[run] + eight_digits(value << (64 - 8 * run))
            n[0] += run
            return p + run
        mantissa[0] = mantissa[0] * 100000000 + eight_digits(value)
        n[0] += 8
        p += 8
        if n[0] >= 24:
            return p


cdef const char* read_number(const char* p, double* out) noexcept nogil:
    """A decimal number of at most 19 digits, read exactly; NULL for any other. Returns what follows it."""
    cdef bint negative = p[0] == c"-"
    cdef bint negative_exponent
    cdef uint64_t mantissa = 0
    cdef int n = 0, n_whole, exponent = 0, written = 0
    cdef double value
    p = read_digits(p + negative, &mantissa, &n)
    if p[0] == c".":
        n_whole = n
        p = read_digits(p + 1, &mantissa, &n)
        exponent = n_whole - n
    if n == 0 or n > 19:
        return NULL
    if p[0] == c"e" or p[0] == c"E":
        p += 1
        negative_exponent = p[0] == c"-"
        p += negative_exponent or p[0] == c"+"
        if not c"0" <= p[0] <= c"9":
            return NULL
        while c"0" <= p[0] <= c"9" and written < 1000:
            written = 10 * written + p[0] - c"0"
            p += 1
        exponent += -written if negative_exponent else written
    # One rounding, of two exact numbers: the nearest double (Clinger 1990, "How to read floating point numbers
    # accurately").
    if mantissa <= <uint64_t>1 << 53:
        value = <double>mantissa
        if exponent < 0:
            if exponent < -22:
                return NULL
            value /= POWER[-exponent]
        elif exponent > 0:
            if exponent > 22:
                return NULL
            value *= POWER[exponent]
    elif exponent == 0:
        value = <double>mantissa
    elif exponent > 0 or exponent < -19 or not divide(mantissa, WHOLE_POWER[-exponent], &value):
        return NULL
    out[0] = -value if negative else value
    return p


# ---------------------------------------------------------------------------------------------------- nominal words

cdef inline uint64_t mix(uint64_t head, Py_ssize_t length) noexcept nogil:
    return (head ^ <uint64_t>length << 56) * <uint64_t>0x9E3779B97F4A7C15


cdef uint64_t hash_word(const char* text, Py_ssize_t length, uint64_t* head) noexcept nogil:
    """Hash of a word of any length, behind which eight bytes can be read; its head is its first eight bytes."""
    cdef uint64_t hashed
    cdef Py_ssize_t i = 8
    head[0] = load(text) & ALL >> (64 - 8 * min(length, 8)) if length else 0
    hashed = mix(head[0], length)
    while i < length:                       # the last eight bytes may overlap those before
        hashed = mix(hashed ^ hashed >> 32 ^ load(text + min(i, length - 8)), length)
        i += 8
    return hashed


cdef inline const Word* look_up(const Column* column, uint64_t hashed, uint64_t head, const char* text,
                                Py_ssize_t length) noexcept nogil:
    """The declared word of these bytes, or NULL."""
    cdef uint64_t last = ((<uint64_t>1) << (64 - column.shift)) - 1
    cdef uint64_t i = hashed >> column.shift
    cdef const Word* word
    while True:
        word = &column.words[i]
        if word.head == head and word.length == length and (length <= 8 or memcmp(word.text, text, length) == 0):
            return word
        if word.length < 0:
            return NULL
        i = (i + 1) & last


cdef const Word* find_word(const Column* column, const char* text, Py_ssize_t length) noexcept nogil:
    cdef uint64_t head
    cdef uint64_t hashed = hash_word(text, length, &head)
    return look_up(column, hashed, head, text, length)


# ---------------------------------------------------------------------------------------------------- rows

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
            word = find_word(column, token.start + 1, length - 2)
        else:
            word = find_word(column, token.start, length)
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
            and not (column.kind == NOMINAL and find_word(column, token.start, length) != NULL))


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
            word = look_up(column, mix(head, length), head, p, length)
        else:
            word = find_word(column, p, length)
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


cdef int read_rows(Scan* scan) noexcept nogil:
    """The rows of a block, until something has to be done in Python."""
    cdef const char* p
    while scan.position < scan.stop:
        p = scan.position
        while kind_of(p) == DELIMITER and p[0] != c",":
            p += 1
        if kind_of(p) == LINE_END or p[0] == c"%":
            scan.position = skip_line(p)
            scan.n_lines += 1
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
        scan.n_lines += 1
        scan.position = p + 2 if p[0] == c"\r" and p[1] == c"\n" else p + 1
    return BLOCK_DONE


# ---------------------------------------------------------------------------------------------------- the door

cdef class Arena:
    """The memory of all columns in one piece, which grows without a copy where the system can do that.

    A column starts one cache line further than the size of those before it needs: columns a power of two apart would
    all compete for the same few lines of the cache, since a row writes to each of them.
    """

    cdef char* data
    cdef Py_ssize_t size
    cdef list offsets                   # of each column, in bytes

    cdef int resize(self, list widths, Py_ssize_t n_kept, Py_ssize_t capacity) except -1:
        """Room for ``capacity`` values of these widths in bytes; the first n_kept of each column stay."""
        cdef list offsets = []
        cdef Py_ssize_t size = 0, width
        cdef bint smaller
        cdef char* data
        for width in widths:
            offsets.append(size)
            size += (capacity * width + 63) // 64 * 64 + (64 if width else 0)
        smaller = size < self.size
        if smaller:
            self.move(widths, offsets, n_kept, range(len(widths)))
        data = <char*>reserve(self.data, max(size, 64))
        if data == NULL:
            raise MemoryError
        self.data = data
        if not smaller and self.offsets is not None:
            self.move(widths, offsets, n_kept, range(len(widths) - 1, -1, -1))
        self.offsets = offsets
        self.size = size
        return 0

    cdef int move(self, list widths, list offsets, Py_ssize_t n_kept, order) except -1:
        cdef Py_ssize_t j, before, after, width
        for j in order:
            before, after, width = self.offsets[j], offsets[j], widths[j]
            memmove(self.data + after, self.data + before, n_kept * width)
        return 0

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.data, max(self.size, 64), 0, flags)

    def __dealloc__(self):
        free(self.data)


cdef class Scanner:
    """The lines of a stream: those of the header one by one, the rows behind it into columns.

    Parameters
    ----------
    stream : object with ``readinto``
        Bytes, UTF-8.
    n_bytes : int
        How many of them are expected, about; 0 if that is not known.
    """

    cdef object stream
    cdef char* buffer
    cdef Py_ssize_t size                # of the buffer, without its padding
    cdef char* filled                   # behind the last byte read
    cdef bint at_end                    # of the stream
    cdef Scan scan
    cdef const char* entry              # a line start in the buffer ...
    cdef Py_ssize_t entry_line          # ... and how many lines stand before it
    cdef const char* line_start         # of the last line of the header
    cdef bint within_line               # whether rows start on that line
    cdef Arena arena
    cdef list widths                    # bytes of a value, 0 of a text, one a column
    cdef list texts                     # list of str, or None, one a column
    cdef list words                     # the bytes that Word.text points to
    cdef Py_ssize_t n_bytes             # that are expected in the stream, 0 if that is not known

    def __cinit__(self, stream, Py_ssize_t n_bytes=0):
        self.stream = stream
        self.n_bytes = n_bytes
        self.arena = Arena()
        self.widths, self.texts, self.words = [], [], []
        self.grow_buffer(BLOCK)
        self.scan.position = self.scan.stop = self.entry = self.line_start = self.filled = self.buffer

    def __dealloc__(self):
        cdef Py_ssize_t j
        for j in range(self.scan.n_columns):
            free(self.scan.columns[j].words)
        free(self.scan.columns)
        free(self.scan.aside)
        free(self.buffer)

    # ------------------------------------------------------------------------------------------------ blocks

    cdef int grow_buffer(self, Py_ssize_t size) except -1:
        cdef char* buffer = <char*>realloc(self.buffer, size + PADDING)
        cdef Py_ssize_t filled = self.filled - self.buffer if self.buffer != NULL else 0
        if buffer == NULL:
            raise MemoryError
        self.buffer = buffer
        self.size = size
        self.filled = buffer + filled
        return 0

    cdef bint next_block(self) except -1:
        """Read on, until the buffer holds whole lines from scan.position to scan.stop. False at the end."""
        cdef Py_ssize_t kept = self.filled - self.scan.position
        cdef Py_ssize_t n
        cdef const char* end
        memmove(self.buffer, self.scan.position, kept)
        self.filled = self.buffer + kept
        self.entry_line = self.scan.n_lines
        while True:
            if self.filled == self.buffer + self.size:
                if self.size >= LONGEST_LINE:
                    raise ValueError("endless", 0)
                self.grow_buffer(2 * self.size)
            n = 0
            if not self.at_end:
                n = self.stream.readinto(PyMemoryView_FromMemory(
                    self.filled, self.buffer + self.size - self.filled, PyBUF_WRITE))
                self.at_end = n == 0
            self.filled += n
            self.filled[0] = c"\r"              # a search for the end of a word stops here; no half of a line end
            self.scan.position = self.entry = self.line_start = self.buffer
            if self.at_end:
                if self.filled > self.buffer and kind_of(self.filled - 1) != LINE_END:
                    self.filled += 1
                    self.filled[0] = c"\r"
                self.scan.stop = self.filled
                return self.filled > self.buffer
            # A carriage return at the very end may be half of a line end.
            end = self.filled - ((self.filled - 1)[0] == c"\r")
            while end > self.buffer and kind_of(end - 1) != LINE_END:
                end -= 1
            if end > self.buffer:
                self.scan.stop = end
                return True

    def line(self):
        """The next line of the header without its end, or None at the end of the file."""
        cdef const char* p
        if self.scan.position == self.scan.stop and not self.next_block():
            return None
        self.line_start = self.entry = p = self.scan.position
        self.entry_line = self.scan.n_lines
        while kind_of(p) != LINE_END:
            p += 1
        self.scan.position = skip_line(p)
        self.scan.n_lines += 1
        return self.line_start[:p - self.line_start]

    def back_to(self, Py_ssize_t offset):
        """Go back to a byte of the last line: rows start here."""
        self.scan.position = self.line_start + offset
        self.scan.n_lines -= 1
        self.within_line = True

    def place(self, Py_ssize_t offset):
        """Line and column, both from 1, of a byte of the current block. A column is a character."""
        cdef const char* p = self.entry
        cdef const char* start = p
        cdef const char* at = self.buffer + offset
        cdef Py_ssize_t line = self.entry_line + 1
        while p < at:
            p = skip_line(p)
            if p <= at:
                line += 1
                start = p
        return line, len(start[:at - start].decode("utf-8", "replace")) + 1

    def place_in_line(self, Py_ssize_t offset):
        """The same for a byte of the last line of the header."""
        return self.place(self.line_start - self.buffer + offset)

    def token_at(self, Py_ssize_t offset):
        """The token at a byte of the current block; empty at a line end."""
        cdef Token token
        if kind_of(self.buffer + offset) & (DELIMITER | LINE_END):
            return b""
        read_token(self.buffer + offset, &token)
        return token.start[:token.stop - token.start]

    # ------------------------------------------------------------------------------------------------ columns

    def declare(self, str kind, list categories=None):
        """Add a column: ``numeric``, ``nominal`` with its categories as bytes, ``date`` or ``string``."""
        cdef Py_ssize_t n = self.scan.n_columns
        cdef Column* columns = <Column*>realloc(self.scan.columns, (n + 1) * sizeof(Column))
        if columns == NULL:
            raise MemoryError
        self.scan.columns = columns
        memset(&columns[n], 0, sizeof(Column))
        columns[n].kind = {"numeric": NUMBER, "nominal": NOMINAL, "string": TEXT, "date": DATE}[kind]
        columns[n].obligatory = kind == "string" or kind == "nominal" and not categories
        self.scan.n_obligatory += columns[n].obligatory
        self.scan.n_columns += 1
        self.widths.append({"string": 0, "nominal": sizeof(int32_t)}.get(kind, sizeof(double)))
        self.texts.append([] if kind == "string" else None)
        if kind == "nominal":
            self.declare_words(&columns[n], categories or [])

    cdef int declare_words(self, Column* column, list categories) except -1:
        cdef Py_ssize_t i, n_places = 8
        cdef int bits = 3
        cdef bytes category, padded
        cdef Word word
        cdef uint64_t place
        while n_places < 4 * len(categories):
            n_places *= 2
            bits += 1
        column.shift = 64 - bits
        column.words = <Word*>calloc(n_places, sizeof(Word))
        if column.words == NULL:
            raise MemoryError
        for i in range(n_places):
            column.words[i].length = -1
        for i, category in enumerate(categories):
            padded = category + b"\0\0\0\0\0\0\0\0"
            self.words.append(padded)
            word.text = padded
            word.length = len(category)
            word.code = <int32_t>i
            word.plain = is_plain(word.text, word.length)
            place = hash_word(word.text, word.length, &word.head) >> column.shift
            while column.words[place].length >= 0:
                place = (place + 1) % <uint64_t>n_places
            column.words[place] = word
        return 0

    def treat_as_unknown(self, bytes word):
        """KEEL's word for an unknown value, of six bytes."""
        assert len(word) == 6
        self.words.append(word)
        self.scan.null_word = word

    # ------------------------------------------------------------------------------------------------ rows

    def read(self, Py_ssize_t limit):
        """Read rows until there are ``limit`` of them, or something has to be finished by the caller.

        Returns
        -------
        done : bool
            The limit or the end of the file is reached.
        aside : list of (row, column, token, offset)
            Values for the caller to finish; column -1 is the row's weight. Offsets are good for ``place`` until
            the next call.
        fault : (str, int, int) or None
            One of FAULTS, offset and column (-1: of no column).
        """
        cdef int why = BLOCK_DONE
        cdef Py_ssize_t i
        cdef Aside* aside
        self.scan.n_aside = 0
        if self.scan.aside_capacity < self.scan.n_columns + 1:
            self.reserve_aside()
        if self.scan.position == self.scan.stop:
            try:
                if not self.next_block():
                    return True, [], None
            except ValueError:
                return True, [], ("endless", 0, -1)
        self.entry = self.line_start if self.within_line else self.scan.position
        self.entry_line = self.scan.n_lines
        self.within_line = False
        while True:
            with nogil:
                why = read_rows(&self.scan)
            if why != FULL or self.scan.n_rows >= limit:
                break
            self.reserve_rows(min(limit, max(self.expected_rows(), self.scan.capacity + self.scan.capacity // 2)))
        finished = []
        for i in range(self.scan.n_aside):
            aside = &self.scan.aside[i]
            token = aside.start[:aside.stop - aside.start]
            finished.append((aside.row, aside.column, token, aside.start - self.buffer))
        for texts in self.texts:
            if texts is not None:
                texts.extend([None] * (self.scan.n_rows + (why == FAULT) - len(texts)))
        fault = None
        if why == FAULT:
            fault = FAULTS[self.scan.fault], self.scan.fault_at - self.buffer, self.scan.fault_column
        return why == FULL, finished, fault

    cdef int reserve_aside(self) except -1:
        cdef Py_ssize_t n = max(4096, 2 * self.scan.n_columns + 2)
        free(self.scan.aside)
        self.scan.aside = <Aside*>malloc(n * sizeof(Aside))
        self.scan.aside_capacity = n if self.scan.aside != NULL else 0
        if self.scan.aside == NULL:
            raise MemoryError
        return 0

    cdef Py_ssize_t expected_rows(self):
        """How many rows there are when all lines are as long as the first ones; a little more."""
        cdef const char* p = self.scan.position
        cdef Py_ssize_t n_lines = 0
        if self.scan.capacity:
            return 0
        while p < self.scan.stop and p < self.scan.position + (1 << 14):
            p = skip_line(p)
            n_lines += 1
        return 64 + <Py_ssize_t>(1.03 * n_lines * self.n_bytes / (p - self.scan.position))

    cdef int reserve_rows(self, Py_ssize_t capacity) except -1:
        cdef Py_ssize_t j
        cdef char* start
        self.arena.resize(self.widths, self.scan.n_rows, capacity)
        for j in range(self.scan.n_columns):
            start = self.arena.data + <Py_ssize_t>self.arena.offsets[j]
            if self.scan.columns[j].kind == NOMINAL:
                self.scan.columns[j].codes = <int32_t*>start
            elif self.scan.columns[j].kind != TEXT:
                self.scan.columns[j].numbers = <double*>start
        self.scan.capacity = capacity
        return 0

    def put(self, Py_ssize_t row, Py_ssize_t column, value):
        """Store what was put aside: a number, a code, or a text."""
        if not (0 <= column < self.scan.n_columns and 0 <= row <= self.scan.n_rows and row < self.scan.capacity):
            raise IndexError
        if self.scan.columns[column].kind == TEXT:
            self.texts[column][row] = value
        elif self.scan.columns[column].kind == NOMINAL:
            self.scan.columns[column].codes[row] = value
        else:
            self.scan.columns[column].numbers[row] = value

    @property
    def n_rows(self):
        """Rows read since the last ``take``."""
        return self.scan.n_rows

    def take(self):
        """Hand over the columns; the next rows start new ones."""
        cdef Py_ssize_t j, n = self.scan.n_rows
        if self.scan.capacity > n + n // 8 + 1024 or self.scan.capacity == 0:
            self.reserve_rows(n)
        columns = []
        for j in range(self.scan.n_columns):
            if self.scan.columns[j].kind == TEXT:
                column = np.empty(n, dtype=object)
                column[:] = self.texts[j]
                self.texts[j] = []
            else:
                kind = np.int32 if self.scan.columns[j].kind == NOMINAL else np.float64
                column = np.frombuffer(self.arena, kind, n, self.arena.offsets[j])
            columns.append(column)
        self.arena = Arena()
        self.scan.n_rows = self.scan.capacity = 0
        return columns


cdef bint is_plain(const char* text, Py_ssize_t length) noexcept:
    """Whether a word means itself without quotes."""
    cdef Py_ssize_t i
    for i in range(length):
        if kind_of(text + i):
            return False
    return length > 0 and not (length == 1 and text[0] == c"?")


def needs_quotes(bytes text):
    """Whether a text must stand in quotes."""
    return not is_plain(text, len(text)) or text[0] == c"@"
