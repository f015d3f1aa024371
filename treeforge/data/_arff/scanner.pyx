"""The rows of an ARFF file into columns: the door."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from treeforge.data._arff.arena cimport Arena
from treeforge.data._arff.lines cimport Block, Lines
from treeforge.data._arff.rows cimport (
    BLOCK_DONE, DATE, FAULT, FULL, NOMINAL, NUMBER, TEXT, Aside, Column, Scan, read_rows
)
from treeforge.data._arff.tokens cimport skip_line
from treeforge.data._arff.words cimport declare_words

import numpy as np

from treeforge.data._arff.faults import FAULTS


cdef class Scanner:
    """The rows of a file into columns.

    Parameters
    ----------
    lines : Lines
        Of the file. Those of the header have been taken from it when the first row is read.
    n_bytes : int
        How many bytes are expected, about; 0 if that is not known.
    """

    cdef Lines lines
    cdef Scan scan
    cdef Arena arena
    cdef list widths                    # bytes of a value, 0 of a text, one a column
    cdef list texts                     # list of str, or None, one a column
    cdef list words                     # the bytes that Word.text points to
    cdef Py_ssize_t n_bytes             # that are expected in the file, 0 if that is not known

    def __cinit__(self, Lines lines not None, Py_ssize_t n_bytes=0):
        self.lines = lines
        self.n_bytes = n_bytes
        self.arena = Arena()
        self.widths, self.texts, self.words = [], [], []

    def __dealloc__(self):
        cdef Py_ssize_t j
        for j in range(self.scan.n_columns):
            free(self.scan.columns[j].words.places)
        free(self.scan.columns)
        free(self.scan.aside)

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
            declare_words(&columns[n].words, categories or [], self.words)

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
            Values for the caller to finish; column -1 is the row's weight. Offsets are good for ``Lines.place``
            until the next call.
        fault : (str, int, int) or None
            One of FAULTS, offset and column (-1: of no column).
        """
        cdef int why = BLOCK_DONE
        cdef Py_ssize_t i
        cdef Aside* aside
        self.scan.n_aside = 0
        if self.scan.aside_capacity < self.scan.n_columns + 1:
            self.reserve_aside()
        try:
            if not self.lines.enter_rows():
                return True, [], None
        except ValueError:
            return True, [], ("endless", 0, -1)
        while True:
            with nogil:
                why = read_rows(&self.lines.block, &self.scan)
            if why != FULL or self.scan.n_rows >= limit:
                break
            self.reserve_rows(min(limit, max(self.expected_rows(), self.scan.capacity + self.scan.capacity // 2)))
        finished = []
        for i in range(self.scan.n_aside):
            aside = &self.scan.aside[i]
            token = aside.start[:aside.stop - aside.start]
            finished.append((aside.row, aside.column, token, aside.start - self.lines.buffer))
        for texts in self.texts:
            if texts is not None:
                texts.extend([None] * (self.scan.n_rows + (why == FAULT) - len(texts)))
        fault = None
        if why == FAULT:
            fault = FAULTS[self.scan.fault], self.scan.fault_at - self.lines.buffer, self.scan.fault_column
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
        cdef const Block* block = &self.lines.block
        cdef const char* p = block.position
        cdef Py_ssize_t n_lines = 0
        if self.scan.capacity:
            return 0
        while p < block.stop and p < block.position + (1 << 14):
            p = skip_line(p)
            n_lines += 1
        return 64 + <Py_ssize_t>(1.03 * n_lines * self.n_bytes / (p - block.position))

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
