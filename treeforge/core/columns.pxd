"""The coded columns of one growth, kept in node order: the cases of a node are contiguous in each of them."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from treeforge.core.bundles cimport Bundles, in_bundle
from treeforge.core.crew cimport Crew
from treeforge.core.kernel cimport LISTED, Column

cdef enum:
    LARGE = 32768           # from so many cases on a node's columns are shared among threads: it is worth waking them


cdef struct Cursor:         # where the next entry of a branch goes
    uint64_t* at
    size_t step             # 0: the branch is a leaf; its entries are written to a place that nobody reads


cdef struct Columns:
    int n_inputs
    int n_listed
    int n_cases             # of the root
    int n_weighted          # 1: the root's cases do not all weigh 1
    bint is_part            # 1: what `present` points to is another loop's; so are its cases if all values are known
    bint all_known          # 1: no value of the table is unknown: the cases of a node never leave their place
    int capacity            # cases that the arrays below have room for
    int table_rows
    int n_training          # |T|: rows of the sample, with a class or without, and those held back
    uint8_t* in_sample      # [table_rows]: 1: a row of T; NULL: all are, or `present` says what a part wants to know
    int row_bits
    const Column* columns   # [n_inputs]
    uint8_t** bytes         # [n_inputs][capacity]; NULL for members of a bundle
    Bundles bundles         # the table's, if the kernel can do without the members' own codes
    uint8_t** bundle        # [bundles.n][capacity]: their bytes
    const uint8_t** bundle_here     # [bundles.n]: those of the node at hand
    uint8_t* bundle_lives   # [bundles.n]: 1: some member still varies
    int32_t** wide          # [n_inputs][capacity]
    double** numbers        # [n_inputs][capacity]
    uint64_t** list         # [n_inputs][list_capacity]
    int* list_capacity      # [n_inputs]
    int* listed             # [n_listed]: which inputs
    int* list_place         # [n_inputs]: place in `listed`
    uint64_t** present      # [n_inputs]: bits, codes that occur in T; NULL: not asked yet, or all do
    uint16_t* classes       # [capacity]
    uint32_t* rows          # [capacity], or NULL
    double* weights         # [capacity], or NULL until a case is shared out
    double* row_weight      # [table_rows], or NULL likewise
    Crew* crew              # threads that share the columns of large nodes, or NULL
    uint8_t* spare          # 16 bytes a case of the largest node, for every thread; see `spare_of`
    int spare_cases
    uint64_t* mask          # a bit a case: 1 goes to the last branch
    uint64_t* side          # a bit a row: the same for lists
    uint16_t* side_branch   # [table_rows]: branch by row, for lists
    uint16_t* branch        # [spare_cases]: branch of each case; n_branches is "unknown"
    int32_t* origin         # [origin_capacity]: which case of the parent a case of a branch is
    int origin_capacity
    Cursor* cursors         # [cursor_capacity]: of the branches, while a list is divided
    int32_t* takers         # [cursor_capacity]: branches that take a share of every unknown case
    int n_takers
    int cursor_capacity
    const int32_t* live     # [n_live]: inputs that still vary; only these are kept in order
    int n_live
    bint copied             # 1: some row is several cases
    bint gathered           # 1: all columns but LISTED hold the node at hand alone, and only the inputs it has drawn


cdef struct Region:         # where a node's cases lie
    int start
    int n
    int* list_start         # [n_listed]
    int* list_size          # [n_listed]


cdef inline bint is_kept(const Columns* work, int input) noexcept nogil:
    """Whether an input has a column of its own in the order of the nodes."""
    return not (work.gathered and work.columns[input].form != LISTED) and not in_bundle(&work.bundles, input)


cdef void divide_in_two(Columns* work, const Region* node, int skip, int n_last, Region* children) noexcept nogil


cdef inline int n_threads(const Columns* work) noexcept nogil:
    return 1 if work.crew == NULL else work.crew.n_threads


cdef inline bint is_large(const Columns* work, int n) noexcept nogil:
    """Whether several threads share the columns of a node of n cases."""
    return work.crew != NULL and n >= LARGE


cdef inline size_t spare_size(const Columns* work) noexcept nogil:
    """Bytes of a thread's own; with room behind them for whole vectors."""
    return 16 * <size_t>work.spare_cases + 64


cdef inline uint8_t* spare_of(const Columns* work, int thread) noexcept nogil:
    return work.spare + thread * spare_size(work)
