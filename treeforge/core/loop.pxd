"""The node evaluation loop: its state, and the little that its parts share."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from treeforge.core.columns cimport Columns
from treeforge.core.histogram cimport Histograms
from treeforge.core.kernel cimport CriterionKernel, Node, Split, SplitterKernel
from treeforge.core.nodes cimport Nodes


cdef struct Pending:        # a node that waits to be evaluated; the last one lies highest in the columns
    int node
    int start
    int n
    int depth
    int weighted            # 1: its cases do not all weigh 1
    int n_live              # inputs that still vary
    uint32_t* ready         # its whole tables, or NULL
    uint64_t random         # where its own random stream starts


cdef struct Loop            # a part has one of its own


cdef struct Part:           # a subtree that grows in a loop of its own (`parts`)
    int node                # whose branch of the tree it is
    Loop* loop


cdef struct Hands:          # threads that let the inputs of a large node propose (`hands`)
    Loop* each              # [n_threads]: what kernels may call of each; columns and node are those of the loop itself
    bint draws              # 1: its kernel draws random numbers, so it is asked in one thread
    int* status             # [n_threads]: below 0: its splitter failed
    int32_t* order          # [n_inputs]: the candidates, those that are not counted by fours first
    int n_single            # how many these are
    int n_candidates


cdef struct Loop:
    Columns work
    Histograms counts
    Nodes nodes
    Node node               # the one at hand
    const uint8_t* const* coded_bytes   # [n_inputs][table rows]: the table's BYTES columns
    const uint64_t* const* coded_lists  # [n_inputs][coded_list_size]: its LISTED ones
    const int* coded_list_size          # [n_inputs]
    const CriterionKernel* criterion
    const SplitterKernel* splitter
    double min_branch
    double min_split
    int max_depth           # -1: none
    int max_attributes      # inputs looked at in a node; 0: all
    bint none_competes      # every input has many values: then none is left out of the average
    uint64_t random         # state of the random stream of the node at hand
    int part_size           # nodes of at most so many cases leave the loop as parts; 0: none
    Hands* hands            # threads that ask the inputs of large nodes, or NULL
    Part* parts             # [parts_capacity]
    int n_parts
    int parts_capacity
    uint32_t* first_rows    # [n_first]: a part's rows that had not ended above, each once; only with `leaf_of`
    int n_first
    int32_t* leaf_of        # [table rows]: leaf of each row; -2 - node: the test it is unknown for; -1: none; or NULL
    int32_t* order          # [n_inputs]: live inputs, shuffled as they are drawn
    int32_t* live           # [n_inputs]: inputs that still vary in the node at hand, ascending
    uint8_t* dead           # [n_inputs]: marks for `bury`, 0 in between
    int32_t* present        # [n_classes]
    int* region_lists       # [2, n_listed]: list_start, list_size of the node at hand
    int* pair_lists         # [2, 2, n_listed]: the same of its two branches
    bint rows_weighed       # 1: `row_weight` speaks of the node at hand
    Split* splits           # [n_inputs]
    double* cut_room
    int32_t* cell_room
    int32_t* bounds         # [max_cuts]: first code beyond each cut
    int* places             # [max_cuts + 2]: where in a list each cell begins
    uint32_t* counters      # [2, n_classes]
    double* table           # [table_branches + 1, n_classes]; the row after the last branch is "unknown"
    int table_branches
    Pending* stack
    int32_t* stack_live     # [stack_capacity, n_inputs]
    int* stack_lists        # [stack_capacity, 2, n_listed]: list_start, list_size
    int stack_size
    int stack_capacity


cdef int push_root(Loop* loop) noexcept nogil
cdef int run(Loop* loop) noexcept nogil


cdef inline bint is_leaf(const Loop* loop, int node, int depth) noexcept nogil:
    """c45.md 2: too light, pure, or as deep as allowed."""
    cdef const double* weights = loop.nodes.distribution + <size_t>node * loop.nodes.n_classes
    cdef double most = 0.0, total = loop.nodes.weight[node]
    cdef int c
    for c in range(loop.nodes.n_classes):
        if weights[c] > most:
            most = weights[c]
    return loop.min_split - total > 1e-6 or total - most < 1e-6 or depth == loop.max_depth


cdef inline bint many_valued(const Loop* loop, int input) noexcept nogil:
    """c45.md 4.1: declared categories against the whole training set, at every node."""
    return loop.work.columns[input].nominal and loop.work.columns[input].n_codes - 0.3 * loop.work.n_training > -1e-6
