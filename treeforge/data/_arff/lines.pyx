"""The lines of a stream, in blocks; those of the header one by one."""

from cpython.buffer cimport PyBUF_WRITE
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.stdlib cimport free, realloc
from libc.string cimport memmove

from treeforge.data._arff.bytes cimport PADDING
from treeforge.data._arff.tokens cimport DELIMITER, LINE_END, Token, kind_of, read_token, skip_line

cdef enum:
    BLOCK = 1 << 17                         # bytes read at a time: they stay in the second-level cache
    LONGEST_LINE = 1 << 30


cdef class Lines:
    """The lines of a stream: those of the header one by one, the others for a Scanner to read.

    Parameters
    ----------
    stream : object with ``readinto``
        Bytes, UTF-8.
    """

    def __cinit__(self, stream):
        self.stream = stream
        self.grow_buffer(BLOCK)
        self.block.position = self.block.stop = self.entry = self.line_start = self.filled = self.buffer

    def __dealloc__(self):
        free(self.buffer)

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
        cdef Py_ssize_t kept = self.filled - self.block.position
        cdef Py_ssize_t n
        cdef const char* end
        memmove(self.buffer, self.block.position, kept)
        self.filled = self.buffer + kept
        self.entry_line = self.block.n_lines
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
            self.block.position = self.entry = self.line_start = self.buffer
            if self.at_end:
                if self.filled > self.buffer and kind_of(self.filled - 1) != LINE_END:
                    self.filled += 1
                    self.filled[0] = c"\r"
                self.block.stop = self.filled
                return self.filled > self.buffer
            # A carriage return at the very end may be half of a line end.
            end = self.filled - ((self.filled - 1)[0] == c"\r")
            while end > self.buffer and kind_of(end - 1) != LINE_END:
                end -= 1
            if end > self.buffer:
                self.block.stop = end
                return True

    def line(self):
        """The next line of the header without its end, or None at the end of the file."""
        cdef const char* p
        if self.block.position == self.block.stop and not self.next_block():
            return None
        self.line_start = self.entry = p = self.block.position
        self.entry_line = self.block.n_lines
        while kind_of(p) != LINE_END:
            p += 1
        self.block.position = skip_line(p)
        self.block.n_lines += 1
        return self.line_start[:p - self.line_start]

    def back_to(self, Py_ssize_t offset):
        """Go back to a byte of the last line: rows start here."""
        self.block.position = self.line_start + offset
        self.block.n_lines -= 1
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

    cdef bint enter_rows(self) except -1:
        """Make sure that there is a line to read, from which places are counted then. False at the end."""
        if self.block.position == self.block.stop and not self.next_block():
            return False
        self.entry = self.line_start if self.within_line else self.block.position
        self.entry_line = self.block.n_lines
        self.within_line = False
        return True
