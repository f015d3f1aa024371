"""What a kernel sees and answers: the one file that a plugin cimports.

A *splitter kernel* proposes the best split of one input at one node, or of all inputs at once. A
*criterion kernel* scores a table of class weights. Both are C functions with their parameters behind a
pointer, called without the GIL; they travel in a capsule together with the number of this interface and
the sizes of the structs they were compiled with, so that a stale build is refused and never believed.

Terms. *input*: an attribute other than the class. *code*: the place of a value among the ascending distinct
values of a numeric column, or its category. *known*: the cases of the node whose value is known.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

ctypedef int32_t index_t

cdef enum:
    INTERFACE = 2          # raised when a struct below changes its meaning; sizes are compared as well

cdef enum Form:            # how the loop keeps a column, always in the order of the node's cases
    BYTES = 1              # at most 255 codes: one byte a case; the code n_codes is "unknown"
    WIDE = 2               # a nominal column with more categories: a double word a case, -1 is unknown
    LISTED = 3             # other numeric columns: known cases only, sorted by code; see `entry_code`
    NUMBERS = 4            # the same for a kernel that needs no order: a double a case, NaN is unknown

cdef enum Needs:           # what a splitter asks for beyond the coded columns, or does without; added up
    NEEDS_ROWS = 1         # it reads `rows`, and plain values through them
    NEEDS_NUMBERS = 2      # NUMBERS in place of LISTED: nothing is sorted, and a node's values are a stream
    COUNTS_SUFFICE = 4     # it reads BYTES columns through `count` alone: two-valued ones may share a byte a case

cdef enum Measure:         # what a criterion's gain is, so that a splitter may count it in its own way
    OTHER = 0
    INFORMATION = 1        # gain of c45.md 3.1, in bits a case; the score, if there is one, is the ratio of 3.1
    GINI = 2               # decrease of the Gini index, times the known share


cdef struct Column:
    int nominal
    int form               # a Form
    int n_codes            # distinct values in the table, or declared categories; 0 for NUMBERS
    const double* numbers  # by row, NULL for a nominal column; NaN is unknown
    const int32_t* codes   # by row, NULL for a numeric column; -1 is unknown
    const double* values   # ascending distinct values, [n_codes], behind those of BYTES a NaN; else NULL
    int close              # 1: some neighbouring values lie within 1e-5 of each other; not known of NUMBERS
    int has_unknown        # 1: some value of the table is unknown


cdef enum:
    CONSTANT = -1          # in place of n_branches: all known values are the same, here and in all branches below


cdef struct Split:
    int n_branches         # 0: nothing is proposed; CONSTANT: and there never will be
    int n_cuts             # of a numeric input; n_cuts + 1 cells
    int closed_left        # 1: a value equal to a cut belongs to the cell at its right
    int identity           # 1: cell = branch; `branch_of` need not be filled
    int settle             # 1: a cut moves to the training value below it (c45.md 4.4), but not for NUMBERS
    double charge          # taken off the gain before it is scored (for a search, say); 0 unless a kernel sets it
    double gain            # the criterion's gain, less the charge
    double score           # what inputs are compared by
    double* cuts           # ascending, room for max_cuts
    int32_t* branch_of     # cell -> branch, room for max(max_cuts + 1, n_codes of a nominal input)


cdef struct Counts:        # class weights by code of a BYTES column; whole numbers while all weights are 1
    const uint32_t* number  # [n_codes + 1, stride]; row n_codes is "unknown"; NULL when weights are not all 1
    const double* weight   # the same as sums of weights; NULL when they are all 1
    int stride
    int n_present          # classes present in the node
    const int32_t* place   # [n_present]: where in a row of the table each of them stands
    const int32_t* label   # [n_present]: which class it is
    const uint64_t* occupied  # [4] bits: codes that may occur; NULL: any may


cdef struct Node

# (params, table [n_branches, n_classes] of the known cases, n_branches, n_classes, known, total)
ctypedef double (*gain_function)(const void*, const double*, int, int, double, double) noexcept nogil
# the same, and the gain that was found
ctypedef double (*score_function)(const void*, const double*, int, int, double, double, double) noexcept nogil
ctypedef int (*propose_function)(const void*, const Node*, index_t, Split*) noexcept nogil
ctypedef int (*propose_all_function)(const void*, const Node*, Split*) noexcept nogil
# the best split of one input; the counts are those of a BYTES column. Below 0: an error that ends growing
ctypedef int (*search_function)(const void*, const Node*, index_t, const Counts*, Split*) noexcept nogil


# ------------------------------------------------------------------ kernels and their capsules

cdef struct CriterionKernel:
    int interface
    int size
    int measure            # a Measure
    int average_rule       # 1: only inputs of at least average gain compete (C4.5)
    gain_function gain
    score_function score   # what inputs are compared by; NULL: the gain itself


cdef struct SplitterKernel:
    int interface
    int size
    int node_size
    int split_size
    int max_cuts           # most cuts that a numeric split has
    int needs              # some of Needs, or 0
    propose_function propose
    propose_all_function propose_all   # all candidates in one call, or some in each of several threads; NULL: `propose`


# ------------------------------------------------------------------ a node, as kernels see it

cdef struct Node:
    int n_rows             # cases, each counting one whatever its weight
    int n_classes
    int n_inputs
    int depth              # tests above it
    double weight          # of all cases
    double min_branch      # least weight of a branch
    const double* class_weight   # [n_classes]
    int n_present                # classes with cases here
    const int32_t* present       # [n_present], ascending
    const uint32_t* rows         # [n_rows]; NULL unless the splitter, a LISTED column or random inputs need them
    const uint16_t* classes      # [n_rows]
    const double* weights        # [n_rows]; NULL while all are 1
    const double* row_weight     # by row: the same; only where `weights` is not NULL
    const Column* columns        # [n_inputs]
    # [n_inputs][n_rows] of BYTES columns; of candidates only, as the next two. With COUNTS_SUFFICE some are NULL
    const uint8_t* const* bytes
    const int32_t* const* wide   # [n_inputs][n_rows] of WIDE columns
    const double* const* numbers  # [n_inputs][n_rows] of NUMBERS columns
    const uint64_t* const* list  # [n_inputs][list_size] of LISTED columns
    const int32_t* list_size     # [n_inputs]: known cases
    int row_bits                 # layout of a list's entries
    int class_bits
    const index_t* candidates    # [n_candidates]: inputs to look at, ascending unless drawn at random
    int n_candidates
    const double* xlogx          # x ln x for x = 0 .. cases of the root
    const CriterionKernel* criterion
    const void* criterion_params
    double* table                # what `tabulate` fills: [n_branches + 1, n_classes], the last row "unknown"
    double* scratch              # the kernel's own: [4, n_classes]
    double* room                 # the kernel's own: [2, n_rows]
    uint64_t* random             # state of the tree's random stream
    # counts of up to 4 BYTES columns; good until the next call
    void (*count)(const Node*, const index_t*, int, Counts*) noexcept nogil
    # class weights of a split's branches into `table`; counts of a BYTES column that are at hand, or NULL
    void (*tabulate)(const Node*, index_t, const Counts*, Split*) noexcept nogil
    void (*judge)(const Node*, Split*) noexcept nogil   # by `table`: min_branch, gain and score, or n_branches 0
    void (*score)(const Node*, index_t, Split*) noexcept nogil   # tabulate and judge
    # the cases of each class present: bits, a word for 64 cases, [n_present, n_rows / 64 rounded up]
    const uint64_t* (*planes)(const Node*) noexcept nogil
    # the best midpoint whose sides weigh `smallest` and whose neighbours lie further apart than `gap`, judged;
    # returns the number of admissible ones. Uses `scratch`. Finds nothing in NUMBERS, which are in no order
    int (*best_cut)(const Node*, index_t, const Counts*, double, double, Split*) noexcept nogil
    void* loop                   # the loop's own


cdef inline uint32_t entry_code(const Node* node, uint64_t entry) noexcept nogil:
    return <uint32_t>(entry >> (node.row_bits + node.class_bits))


cdef inline int entry_class(const Node* node, uint64_t entry) noexcept nogil:
    return <int>(entry >> node.row_bits) & ((1 << node.class_bits) - 1)


cdef inline uint32_t entry_row(const Node* node, uint64_t entry) noexcept nogil:
    return <uint32_t>(entry & ((<uint64_t>1 << node.row_bits) - 1))


cdef inline double entry_weight(const Node* node, uint64_t entry) noexcept nogil:
    return 1.0 if node.weights == NULL else node.row_weight[entry_row(node, entry)]


cdef inline double class_weight(const Counts* counts, int code, int k) noexcept nogil:
    """Weight of the k-th class present among the cases with a code."""
    cdef size_t at = <size_t>code * counts.stride + counts.place[k]
    return counts.weight[at] if counts.number == NULL else <double>counts.number[at]


cdef inline double midpoint(double low, double high) noexcept nogil:
    """Half way; finite where the sum is not, and below the upper value even if it has to round down."""
    cdef double middle = (low + high) / 2.0
    if middle - middle != 0.0:
        middle = low / 2.0 + high / 2.0
    return middle if middle < high else low


cdef inline double uniform(const Node* node) noexcept nogil:
    """A number in [0, 1) from the tree's stream (SplitMix64, Steele et al. 2014)."""
    node.random[0] += <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t z = node.random[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return <double>((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0)


cdef inline void set_threshold(Split* split, double cut) noexcept nogil:
    """Two branches: value <= cut, value > cut."""
    split.n_branches = 2
    split.n_cuts = 1
    split.closed_left = 0
    split.identity = 1
    split.settle = 0
    split.cuts[0] = cut


cdef inline void set_categories(Split* split, int n_categories) noexcept nogil:
    """One branch a category."""
    split.n_branches = n_categories
    split.n_cuts = 0
    split.closed_left = 0
    split.identity = 1
    split.settle = 0


cdef inline int search_one(
    const void* params, const Node* node, index_t input, search_function search, Split* out
) noexcept nogil:
    """The body of a ``propose``: count a BYTES column, then search."""
    cdef Counts counts
    if node.columns[input].form == BYTES:
        node.count(node, &input, 1, &counts)
        return search(params, node, input, &counts, out)
    return search(params, node, input, NULL, out)


cdef inline int search_all(
    const void* params, const Node* node, search_function search, Split* splits
) noexcept nogil:
    """The body of a ``propose_all``."""
    return search_some(params, node, node.candidates, node.n_candidates, search, splits)


cdef inline int search_some(
    const void* params, const Node* node, const index_t* inputs, int n_inputs, search_function search, Split* splits
) noexcept nogil:
    """Some of the candidates: BYTES columns are counted four at a time."""
    cdef index_t waiting[4]
    cdef Counts counts[4]
    cdef index_t input
    cdef int i, q, m = 0, status = 0
    for i in range(n_inputs):
        input = inputs[i]
        if node.columns[input].form == BYTES:
            waiting[m] = input
            m += 1
        else:
            status = search(params, node, input, NULL, &splits[input])
            if status < 0:
                return status
        if m and (m == 4 or i + 1 == n_inputs):
            node.count(node, waiting, m, counts)
            for q in range(m):
                status = search(params, node, waiting[q], &counts[q], &splits[waiting[q]])
                if status < 0:
                    return status
            m = 0
    return 0


cdef inline void free_splitter(object capsule) noexcept:
    PyMem_Free(PyCapsule_GetPointer(capsule, b"treeforge.splitter"))


cdef inline void free_criterion(object capsule) noexcept:
    PyMem_Free(PyCapsule_GetPointer(capsule, b"treeforge.criterion"))


cdef inline object make_splitter(
    propose_function propose, propose_all_function propose_all, int max_cuts, int needs,
    const void* params, size_t params_size
):
    """A splitter kernel in its capsule; the parameters are copied, so they are plain C values.

    ``needs``: some of Needs, added up.
    """
    cdef SplitterKernel* kernel = <SplitterKernel*>PyMem_Malloc(sizeof(SplitterKernel) + params_size)
    if kernel == NULL:
        raise MemoryError
    kernel.interface, kernel.size = INTERFACE, sizeof(SplitterKernel)
    kernel.node_size, kernel.split_size = sizeof(Node), sizeof(Split)
    kernel.max_cuts, kernel.needs = max_cuts, needs
    kernel.propose, kernel.propose_all = propose, propose_all
    if params_size:
        memcpy(kernel + 1, params, params_size)
    return PyCapsule_New(kernel, b"treeforge.splitter", free_splitter)


cdef inline object make_criterion(
    gain_function gain, score_function score, int measure, bint average_rule, const void* params, size_t params_size
):
    """A criterion kernel in its capsule."""
    cdef CriterionKernel* kernel = <CriterionKernel*>PyMem_Malloc(sizeof(CriterionKernel) + params_size)
    if kernel == NULL:
        raise MemoryError
    kernel.interface, kernel.size = INTERFACE, sizeof(CriterionKernel)
    kernel.measure, kernel.average_rule = measure, average_rule
    kernel.gain, kernel.score = gain, score
    if params_size:
        memcpy(kernel + 1, params, params_size)
    return PyCapsule_New(kernel, b"treeforge.criterion", free_criterion)
