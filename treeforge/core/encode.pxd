"""A table's columns, coded once and shared by folds, algorithms and forest members."""

from libc.stdint cimport uint8_t, uint64_t

from treeforge.core.bundles cimport Bundles
from treeforge.core.kernel cimport Column
from treeforge.core.table cimport Table


cdef class Encoded:
    cdef Table table
    cdef Column* columns         # [n_inputs]
    cdef uint8_t** bytes         # [n_inputs][n_rows] of BYTES columns
    cdef uint64_t** lists        # [n_inputs][list_size] of LISTED columns, by code, then by row
    cdef int* list_size          # [n_inputs]: rows whose value is known
    cdef Bundles bundles         # of two-valued columns, for kernels that count them
    cdef int row_bits
    cdef int class_bits
    cdef readonly int n_listed
    cdef readonly bint plain     # whether columns of many values are NUMBERS, in no order, and not LISTED


cpdef Encoded encoded(Table table, int n_threads=*, bint plain=*)
cpdef Encoded any_encoded(Table table)
