"""The memory of all columns."""

from cpython.buffer cimport PyBuffer_FillInfo
from libc.stdlib cimport free
from libc.string cimport memmove

cdef extern from "pages.h" nogil:
    void* reserve "tf_reserve"(void*, size_t)


cdef class Arena:
    """The memory of all columns in one piece, which grows without a copy where the system can do that.

    A column starts one cache line further than the size of those before it needs: columns a power of two apart would
    all compete for the same few lines of the cache, since a row writes to each of them.
    """

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
