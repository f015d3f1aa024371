"""The rows of a block into columns."""

from libc.stdint cimport int32_t

from treeforge.data._arff.lines cimport Block
from treeforge.data._arff.words cimport Words

cdef enum:
    NUMBER, NOMINAL, TEXT, DATE             # kinds of column
    BLOCK_DONE = 0, FULL, CROWDED, FAULT    # why read_rows stopped

cdef struct Column:
    int kind
    bint obligatory             # a sparse row cannot omit it: no text means 0, no category is the first of none
    double* numbers             # [capacity], of numbers and dates
    int32_t* codes              # [capacity], of nominal columns
    Words words                 # of nominal columns

cdef struct Aside:
    Py_ssize_t row
    Py_ssize_t column           # -1: the weight of the row
    const char* start
    const char* stop

cdef struct Scan:
    Column* columns             # [n_columns]
    Py_ssize_t n_columns
    Py_ssize_t n_obligatory     # columns that a sparse row cannot omit
    Py_ssize_t n_rows
    Py_ssize_t capacity
    const char* null_word       # KEEL's word for unknown, or NULL
    Aside* aside                # [n_aside]
    Py_ssize_t n_aside
    Py_ssize_t aside_capacity
    int fault
    const char* fault_at
    Py_ssize_t fault_column


cdef int read_rows(Block* block, Scan* scan) noexcept nogil
