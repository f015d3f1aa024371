"""The columns as pointers."""

from libc.stdint cimport int32_t


cdef class Table:
    cdef readonly int n_rows
    cdef readonly int n_inputs
    cdef readonly int n_classes
    cdef readonly list columns          # the arrays behind the pointers, float64 or int32, each [n_rows]
    cdef readonly object n_categories   # int32 [n_inputs]; 0 for a numeric column
    cdef readonly object classes        # int32 [n_rows]; -1 where unknown
    cdef readonly object weights        # float64 [n_rows], or None when all are 1
    cdef const double** numbers         # [n_inputs]; NULL for a nominal column
    cdef const int32_t** codes          # [n_inputs]; NULL for a numeric column
    cdef const int32_t* arity           # [n_inputs]; number of categories, 0 for a numeric column
    cdef public object encoded          # the coded columns once somebody has asked for them (encode.pyx)
    cdef public object plain            # the same with columns of many values as they are


cdef const int32_t[::1] chosen_rows(Table table, rows)
