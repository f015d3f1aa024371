"""Where the elements of a NumPy array lie, which must be contiguous and of the right kind; NULL if it has none."""

from libc.stdint cimport int32_t, uint8_t


cdef inline const int32_t* ints(array) except? NULL:
    cdef inline const int32_t[::1] view = array
    return &view[0] if view.shape[0] else NULL


cdef inline const uint8_t* bytes_of(array) except? NULL:
    cdef inline const uint8_t[::1] view = array
    return &view[0] if view.shape[0] else NULL


cdef inline const double* doubles(array) except? NULL:
    cdef inline const double[::1] view = array
    return &view[0] if view.shape[0] else NULL
