"""The memory of all columns."""


cdef class Arena:
    cdef char* data
    cdef Py_ssize_t size
    cdef list offsets                   # of each column, in bytes

    cdef int resize(self, list widths, Py_ssize_t n_kept, Py_ssize_t capacity) except -1
    cdef int move(self, list widths, list offsets, Py_ssize_t n_kept, order) except -1
