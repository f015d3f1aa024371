"""The memory of a growth's columns."""

from treeforge.core.columns cimport Columns


cdef int list_inputs(Columns* work) noexcept nogil
cdef void* copied(const void* source, size_t size) noexcept nogil
cdef int allocate_scratch(Columns* work, bint keep_rows) noexcept nogil
cdef void release_cases(Columns* work) noexcept nogil
cdef void release(Columns* work) noexcept nogil
cdef int start_weights(Columns* work) noexcept nogil
cdef int allocate(Columns* work, bint keep_rows) noexcept nogil
