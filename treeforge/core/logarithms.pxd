"""x ln x for whole numbers."""


cdef class Logarithms:
    cdef double* value      # [size]
    cdef int size


cdef Logarithms logarithms(int most)
