"""The door to growing: checks what comes in, and makes the tree that comes out."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from treeforge.core.columns cimport LARGE
from treeforge.core.crew cimport Crew, Helpers
from treeforge.core.encode cimport Encoded, encoded
from treeforge.core.kernel cimport INTERFACE, NEEDS_NUMBERS, CriterionKernel, Node, Split, SplitterKernel
from treeforge.core.load cimport REFUSED
from treeforge.core.logarithms cimport Logarithms, logarithms
from treeforge.core.loop cimport Loop, push_root, run
from treeforge.core.nodes cimport Nodes, discard_nodes, finish
from treeforge.core.parts cimport discard_parts, grow_part, join
from treeforge.core.setup cimport set_up, tear_down
from treeforge.core.storage cimport release_cases
from treeforge.core.table cimport Table

import threading

import numpy as np

from treeforge.errors import DataError, PluginError

cdef int NO_MEMORY = -1
cdef int PARTS = 2               # the largest part is this fraction of a thread's share
cdef int SMALLEST_PART = 4096    # cases; a thread is not worth its trouble for fewer
cdef long MOST_CASES = 2**31 - 65      # counted in 32 bits; vector loops look some cases ahead
cdef int MOST_CUTS = 65533       # branches are 16-bit numbers, one more branch is "unknown"
_none = np.empty(0, dtype=np.int32)


def grow(
    Table table, splitter, criterion, rows, weights=None, copies=None, held=None, *,
    double min_branch=2.0, min_split=None, max_depth=None, max_attributes=None, uint64_t seed=1, metadata=None,
    bint leaves=False, int n_threads=1,
):
    """Grow one tree.

    Parameters
    ----------
    table : Table
    splitter, criterion : capsule
        From ``make_splitter`` and ``make_criterion`` of ``kernel.pxd``.
    rows : ndarray of int32, [n]
        The training cases T; those without a class only count in |T|. DataError unless each is a row of the table and
        there at most once.
    weights : ndarray of float64, [n], or None
        None takes all as 1. Rows of weight 0 stay away.
    copies : ndarray of int32, [n], or None
        How many cases of weight 1 each row stands for (a bootstrap); not together with ``weights``.
    held : ndarray of int32, or None
        More rows of T, held back: they count in |T| and thresholds may take their values.
    min_branch : float
        Least weight of a branch.
    min_split : float, optional
        Least weight of a node that is split; 2 * min_branch unless given.
    max_depth : int, optional
        Most tests on a path.
    max_attributes : int, optional
        Inputs looked at in a node, drawn anew in each; more are drawn while none of them can be split.
    seed : int
        Of the tree's random stream.
    leaves : bool
        Whether the tree is to say where its training rows ended (``training_leaves``).
    n_threads : int
        Threads for a large tree; it is the same tree for any number of them.
    """
    cdef const int32_t[::1] row_view = np.ascontiguousarray(rows, dtype=np.int32)
    cdef const int32_t[::1] labels = table.classes
    cdef const double[::1] weight_view
    cdef const int32_t[::1] copy_view
    cdef const int32_t[::1] held_view = _none if held is None else np.ascontiguousarray(held, dtype=np.int32)
    cdef const double* weight_of = NULL
    cdef const int32_t* copies_of = NULL
    cdef int32_t[::1] leaf_view = None
    cdef Encoded coded = columns_for(table, splitter_of(splitter), n_threads)
    cdef Logarithms xlogx
    cdef Loop loop
    cdef int status, loaded, n = row_view.shape[0]
    cdef const int32_t* first_row = &row_view[0] if n else NULL
    cdef const int32_t* label_of = &labels[0] if table.n_rows else NULL
    cdef const int32_t* first_held = &held_view[0] if held_view.shape[0] else NULL
    if weights is not None:
        weight_view = np.ascontiguousarray(weights, dtype=np.float64)
        if weight_view.shape[0] != n:
            raise ValueError(f"{n} rows, but {weight_view.shape[0]} weights")
        if not np.isfinite(weights).all():
            raise ValueError("a weight must be a finite number")
        weight_of = &weight_view[0] if n else NULL
    if copies is not None:
        copies = copy_view = np.ascontiguousarray(copies, dtype=np.int32)
        if copy_view.shape[0] != n or (n and copies.min() < 0):
            raise ValueError(f"copies must be {n} counts, one a row, none below 0")
        if copies.sum() > MOST_CASES:
            raise ValueError(f"copies make {copies.sum()} cases, {MOST_CASES} are the most")
        copies_of = &copy_view[0] if n else NULL
    if n_threads < 1:
        raise ValueError(f"n_threads must be at least 1, not {n_threads}")
    xlogx = logarithms(n if copies is None else int(copies.sum()))
    memset(&loop, 0, sizeof(Loop))
    loop.node.xlogx = xlogx.value
    loop.splitter, loop.criterion = splitter_of(splitter), criterion_of(criterion)
    loop.min_branch, loop.min_split = min_branch, 2 * min_branch if min_split is None else min_split
    loop.max_depth = -1 if max_depth is None else max_depth
    loop.max_attributes = 0 if max_attributes is None or max_attributes >= table.n_inputs else max_attributes
    loop.random = seed
    training_leaves = None
    if leaves and table.n_rows:
        training_leaves = np.full(table.n_rows, -1, dtype=np.int32)
        leaf_view = training_leaves
        loop.leaf_of = &leaf_view[0]
    cdef Helpers helpers = Helpers(n_threads if n >= 2 * SMALLEST_PART else 1)
    cdef Crew* crew = &helpers.crew if helpers.crew.n_threads > 1 and n >= LARGE else NULL
    try:
        with helpers:
            with nogil:
                status = loaded = set_up(
                    &loop, coded, first_row, weight_of, copies_of, n, first_held, held_view.shape[0], label_of, crew
                )
                if status == 0:
                    status = push_root(&loop)
                if status == 0:
                    if helpers.crew.n_threads > 1:
                        loop.part_size = max(loop.work.n_cases // (PARTS * n_threads), SMALLEST_PART)
                    status = run(&loop)
            if loaded == REFUSED:
                refuse(np.asarray(row_view), np.asarray(held_view), table.n_rows)
            raise_failed(status)
            if loop.n_parts:
                grow_parts(&loop, coded, helpers)
        release_cases(&loop.work)      # the tree is made without them
        tree = finish(&loop.nodes, metadata)
        if leaf_view is not None:
            name_tests(leaf_view)
        tree.training_leaves = training_leaves
        return tree
    finally:
        discard_parts(&loop)
        tear_down(&loop)


def refuse(rows, held, n_rows):
    """Say which rows make no sample."""
    numbers, counts = np.unique(rows, return_counts=True)
    for row in np.concatenate([numbers, held]):
        if not 0 <= row < n_rows:
            raise DataError(f"row {row} is in the sample, the table has rows 0 to {n_rows - 1}")
    row = numbers[counts.argmax()]
    raise DataError(f"row {row} is {counts.max()} times in the sample; for several cases of one row there are `copies`")


def prepare(Table table, splitter):
    """Code the columns as a splitter's kernel wants them, which else happens when the first tree is grown."""
    columns_for(table, splitter_of(splitter), 1)


cdef Encoded columns_for(Table table, const SplitterKernel* splitter, int n_threads):
    return encoded(table, n_threads, splitter.needs & NEEDS_NUMBERS)


cdef void name_tests(int32_t[::1] leaf_of) noexcept nogil:
    """Rows that ended at a test need no mark of their own any more."""
    cdef Py_ssize_t j
    for j in range(leaf_of.shape[0]):
        if leaf_of[j] < -1:
            leaf_of[j] = -2 - leaf_of[j]


cdef class PartGrower:
    """The parts of one tree, for the threads that grow them."""

    cdef Loop* loop
    cdef Encoded coded

    def grow(self, int p):
        cdef int status
        with nogil:
            status = grow_part(&self.loop.parts[p], self.coded)
        raise_failed(status)


cdef int grow_parts(Loop* loop, Encoded coded, Helpers helpers) except -1:
    """Grow the parts that have left the loop, the largest first, and join them to it."""
    cdef PartGrower grower = PartGrower()
    cdef Nodes whole
    cdef int p, status
    grower.loop, grower.coded = loop, coded
    if not loop.work.all_known:      # all parts have copies of theirs
        release_cases(&loop.work)
    helpers.dismiss()
    order = sorted(range(loop.n_parts), key=lambda p: -grower.loop.parts[p].loop.work.n_cases)
    for done in [helpers.pool.submit(grower.grow, p) for p in order]:
        done.result()
    memset(&whole, 0, sizeof(Nodes))
    status = join(loop, &whole, coded.table.n_rows)
    discard_nodes(&loop.nodes)
    loop.nodes = whole
    if status == NO_MEMORY:
        raise MemoryError
    return 0


cdef const SplitterKernel* splitter_of(capsule) except NULL:
    """The kernel in a capsule, if it was compiled against these very structs and asks for no more than there is."""
    if not PyCapsule_IsValid(capsule, b"treeforge.splitter"):
        raise PluginError("a splitter's kernel() must return what make_splitter gives")
    cdef const SplitterKernel* kernel = <const SplitterKernel*>PyCapsule_GetPointer(capsule, b"treeforge.splitter")
    if (kernel.interface != INTERFACE or kernel.size != sizeof(SplitterKernel)
            or kernel.node_size != sizeof(Node) or kernel.split_size != sizeof(Split)):
        raise PluginError(
            f"the splitter was built against interface {kernel.interface} of TreeForge's kernels, this is "
            f"interface {INTERFACE}: rebuild it"
        )
    if not 0 <= kernel.max_cuts <= MOST_CUTS:
        raise PluginError(
            f"the splitter's kernel asks for room for {kernel.max_cuts} cuts: max_cuts is 0 to {MOST_CUTS}, because "
            f"a test has at most {MOST_CUTS + 1} branches"
        )
    return kernel


cdef const CriterionKernel* criterion_of(capsule) except NULL:
    if not PyCapsule_IsValid(capsule, b"treeforge.criterion"):
        raise PluginError("a criterion's kernel() must return what make_criterion gives")
    cdef const CriterionKernel* kernel = <const CriterionKernel*>PyCapsule_GetPointer(capsule, b"treeforge.criterion")
    if kernel.interface != INTERFACE or kernel.size != sizeof(CriterionKernel):
        raise PluginError(
            f"the criterion was built against interface {kernel.interface} of TreeForge's kernels, this is "
            f"interface {INTERFACE}: rebuild it"
        )
    return kernel


_raised = threading.local()   # what a Python plugin raised inside the loop, until the loop has ended


def store_raised(error):
    """Keep an exception until the loop has ended."""
    _raised.error = error


cdef int raise_failed(int status) except -1:
    """What ended growing before its end, if anything did."""
    error, _raised.error = getattr(_raised, "error", None), None
    if status == NO_MEMORY:
        raise MemoryError
    if error is not None:
        raise error
    if status < 0:
        raise PluginError(f"the splitter's kernel gave up with status {status}")
    return 0
