"""The lines of a stream, in blocks."""

cdef struct Block:
    const char* position        # start of the next line
    const char* stop            # behind the last line end of the block
    Py_ssize_t n_lines          # line ends passed, in all blocks


cdef class Lines:
    cdef object stream
    cdef char* buffer
    cdef Py_ssize_t size                # of the buffer, without its padding
    cdef char* filled                   # behind the last byte read
    cdef bint at_end                    # of the stream
    cdef Block block
    cdef const char* entry              # a line start in the buffer ...
    cdef Py_ssize_t entry_line          # ... and how many lines stand before it
    cdef const char* line_start         # of the last line of the header
    cdef bint within_line               # whether rows start on that line

    cdef bint enter_rows(self) except -1
    cdef int grow_buffer(self, Py_ssize_t size) except -1
    cdef bint next_block(self) except -1
