"""A sample becomes the root."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from treeforge.core.columns cimport Columns
from treeforge.core.crew cimport Crew, work_function
from treeforge.core.encode cimport Encoded

cdef enum:
    REFUSED = -2            # rows that the table has not, or a row twice


cdef struct Loading:        # a sample, whose columns are copied one by one
    Columns* work
    const uint8_t* const* bytes     # as in `Encoded`
    const uint64_t* const* lists
    const int* list_size
    const int32_t* rows     # [n]
    int n
    int32_t* cases          # [table rows]: how many cases a row makes
    uint32_t* row_of        # [cases]: the row of each, in the sample's order
    int failed              # 1: no memory


cdef int load(
    Columns* work, Encoded coded, const int32_t* rows, const double* weights, const int32_t* copies, int n,
    const int32_t* held, int n_held, const int32_t* labels, bint keep_rows, bint gathered, bint bundled, Crew* crew
) noexcept nogil
cdef int each_column(Loading* job, work_function load_one) noexcept nogil
