"""Class weights by code of the BYTES columns of a node."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from treeforge.core.bundles cimport Bundles
from treeforge.core.columns cimport Columns
from treeforge.core.kernel cimport Counts, index_t


cdef struct Histograms:
    Bundles bundles          # as in `Columns`, with the next two
    const uint8_t** bundle_here
    const uint8_t* bundle_lives
    int stride               # of a whole table: classes, rounded up to a power of two
    size_t cells             # of all whole tables: of BYTES columns, but of a bundle in place of its members
    int live_coded           # of those that still vary in the node at hand
    size_t live_cells        # of their whole tables
    size_t* at               # [n_inputs + bundles.n]: where the whole table of a column, a bundle starts
    uint32_t** pool          # whole tables that nobody uses
    int pool_size
    int pool_capacity
    uint32_t* ready          # whole tables of the node at hand, or NULL
    # tables of the node's own classes, for nodes too small for whole ones
    int local_stride
    int local_made           # 1: `local` is filled for this node
    int32_t* label_of        # [n_classes]: identity
    uint16_t* lookup         # [n_classes]: class -> its place among those present
    uint16_t* local          # [spare_cases]: the same for each case
    uint32_t* number         # [4][256 * stride]
    double* weight           # the same as sums of weights, or NULL until needed
    int bundles_made         # 1: `bundle_number` is filled for this node
    uint32_t** bundle_number  # [bundles.n][n_bytes * stride]
    uint64_t[16] occupied    # [4][4]
    int planes_made          # 1: `plane` is filled for this node
    uint64_t* plane          # [plane_capacity]: bits, the cases of each class present; NULL until needed
    size_t plane_capacity
    int n_last               # what was counted last for this node
    index_t[4] last_input
    Counts[4] last


cdef int prepare(Histograms* h, const Columns* work, int n_classes) noexcept nogil
cdef int start_sums(Histograms* h) noexcept nogil
cdef void discard(Histograms* h) noexcept nogil
cdef uint32_t* take(Histograms* h) noexcept nogil
cdef void give(Histograms* h, uint32_t* tables) noexcept nogil
cdef bint worth_whole(const Histograms* h, int n) noexcept nogil
cdef void fill_whole(const Histograms* h, const Columns* work, int start, int n, uint32_t* tables) noexcept nogil
cdef void look_at(Histograms* h, Columns* work) noexcept nogil
cdef void subtract(const Histograms* h, const Columns* work, uint32_t* whole, const uint32_t* part) noexcept nogil
