"""x ln x for whole numbers, kept between fits: the same double that computing it on the spot gives.

A fit holds on to the table that it was given; a larger one takes its place for those that come later. The price:
8 bytes a case of the largest fit so far, as long as the process lives.
"""

from libc.math cimport log
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

import threading

_exchanging = threading.Lock()
cdef Logarithms _kept = None


cdef class Logarithms:
    """A table that nobody writes to once it is made."""

    def __dealloc__(self):
        free(self.value)


cdef Logarithms logarithms(int most):
    """A table of x ln x for x = 0 .. most + 1, at least; thread-safe."""
    global _kept
    cdef Logarithms table
    with _exchanging:
        table = _kept
    if table is None or table.size < most + 2:
        table = longer(table, most + 2)
        with _exchanging:
            if _kept is None or _kept.size < table.size:
                _kept = table
    return table


cdef Logarithms longer(Logarithms before, int size):
    cdef Logarithms table = Logarithms()
    cdef int x, known = 1 if before is None else before.size
    table.value = <double*>malloc(<size_t>size * sizeof(double))
    if table.value == NULL:
        raise MemoryError
    table.size, table.value[0] = size, 0.0
    if before is not None:
        memcpy(table.value, before.value, <size_t>known * sizeof(double))
    with nogil:
        for x in range(known, size):
            table.value[x] = x * log(<double>x)
    return table
