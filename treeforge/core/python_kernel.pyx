"""Lets a splitter or a criterion written in Python stand where a compiled one would.

The loop runs without the GIL; these kernels take it for each call. What Python raises is kept until the
loop has ended, and raised then. A Python splitter costs some tens of microseconds an attribute and node.
"""

from cpython.ref cimport PyObject
from libc.stdint cimport uint16_t, uint32_t

from treeforge.core.kernel cimport NEEDS_ROWS, OTHER, Node, Split, index_t, make_criterion, make_splitter, uniform
from treeforge.core.table cimport Table

import numpy as np

from treeforge.core.grow import store_raised
from treeforge.errors import PluginError

cdef int RAISED = -2
cdef enum:
    MOST_CUTS = 65533        # a test has at most 65,534 branches
    SPARE_CUTS = 1023        # on few rows, so that a fixed number of intervals, many of them empty, can be proposed
cdef double TIE = 1e-12      # gains that differ by less are the same: sums in another order


cdef struct SplitterParams:  # the learner keeps both alive as long as the capsule
    PyObject* splitter
    PyObject* table
    int most_cuts            # of a proposal: room for them is kept for each input


cdef struct CriterionParams:
    PyObject* criterion


def splitter_kernel(splitter, Table table):
    cdef int most_cuts = min(max(table.n_rows - 1, SPARE_CUTS), MOST_CUTS)
    cdef SplitterParams params = SplitterParams(<PyObject*>splitter, <PyObject*>table, most_cuts)
    return make_splitter(propose, NULL, most_cuts, NEEDS_ROWS, &params, sizeof(SplitterParams))


def criterion_kernel(criterion):
    cdef CriterionParams params = CriterionParams(<PyObject*>criterion)
    return make_criterion(gain, NULL, OTHER, False, &params, sizeof(CriterionParams))


cdef class NodeView:
    """The cases of a node. See the stub for the meaning of each attribute."""

    cdef const Node* node
    cdef Table table
    cdef object _rows
    cdef readonly int n_rows
    cdef readonly int n_classes
    cdef readonly int depth
    cdef readonly double weight
    cdef readonly double min_branch

    cdef const Node* alive(self) except NULL:
        if self.node == NULL:
            raise RuntimeError("a NodeView is good only while its node is being asked about")
        return self.node

    @property
    def rows(self):
        if self._rows is None and self.n_rows == 0:
            self._rows = np.zeros(0, np.uint32)
        elif self._rows is None:
            self._rows = np.array(<const uint32_t[:self.n_rows]>self.alive().rows)
        return self._rows

    @property
    def classes(self):
        if self.n_rows == 0:
            return np.zeros(0, dtype=np.int32)
        return np.array(<const uint16_t[:self.n_rows]>self.alive().classes, dtype=np.int32)

    @property
    def weights(self):
        cdef const Node* node = self.alive()
        if node.weights == NULL or self.n_rows == 0:
            return np.ones(self.n_rows)
        return np.array(<const double[:self.n_rows]>node.weights)

    @property
    def class_weights(self):
        return np.array(<const double[:self.n_classes]>self.alive().class_weight)

    def is_numeric(self, attribute):
        return int(self.table.n_categories[attribute]) == 0

    def n_categories(self, attribute):
        return int(self.table.n_categories[attribute])

    def column(self, attribute):
        return self.table.columns[attribute][self.rows]

    def known(self, attribute):
        column = self.column(attribute)
        return ~np.isnan(column) if column.dtype == np.float64 else column >= 0

    def values(self, attribute):
        column = self.column(attribute)
        return column[~np.isnan(column)]

    def codes(self, attribute):
        column = self.column(attribute)
        return column[column >= 0]

    def gain(self, counts):
        cdef const double[:, ::1] table = np.ascontiguousarray(counts, dtype=np.float64)
        cdef const Node* node = self.alive()
        if table.shape[1] != self.n_classes:
            raise ValueError(f"{table.shape[1]} columns of class weights where there are {self.n_classes} classes")
        return node.criterion.gain(
            node.criterion_params, &table[0, 0], table.shape[0], self.n_classes, float(np.sum(counts)), node.weight
        )

    def uniform(self):
        return uniform(self.alive())


cdef int propose(const void* params, const Node* node, index_t input, Split* out) noexcept with gil:
    cdef NodeView view = NodeView.__new__(NodeView)
    cdef const SplitterParams* given = <const SplitterParams*>params
    splitter = <object>given.splitter
    try:
        view.node, view.table = node, <Table>(<object>given.table)
        view.n_rows, view.n_classes, view.depth = node.n_rows, node.n_classes, node.depth
        view.weight, view.min_branch = node.weight, node.min_branch
        best_proposal(splitter, view, node, input, given.most_cuts, out)
        return 0
    except BaseException as error:
        store_raised(error)
        return RAISED
    finally:
        view.node = NULL


cdef int best_proposal(
    splitter, NodeView view, const Node* node, index_t input, int most_cuts, Split* out
) except -1:
    """Score what ``propose`` yields, and keep the best; the first among equals."""
    cdef double best = 0.0
    found = None
    for proposal in splitter.propose(view, int(input)):
        write(splitter, proposal, node, input, most_cuts, out)
        node.score(node, input, out)
        if out.n_branches > 0 and (found is None or out.gain > best + TIE):
            found, best = proposal, out.gain
    out.n_branches = 0
    if found is not None:
        write(splitter, found, node, input, most_cuts, out)
        node.score(node, input, out)
    return 0


cdef int write(splitter, proposal, const Node* node, index_t input, int most_cuts, Split* out) except -1:
    """Put a proposal into the struct, or say what is wrong with it."""
    cdef int i
    name, groups = type(splitter).__name__, None
    out.settle, out.closed_left, out.charge = 0, bool(getattr(splitter, "closed_left", False)), 0.0
    if hasattr(proposal, "charge"):
        cuts, groups, out.charge = list(proposal.cuts), proposal.groups, proposal.charge
    elif node.columns[input].nominal:
        cuts, groups = [], proposal
    else:
        cuts = list(proposal)
    if node.columns[input].nominal:
        out.n_cuts = out.closed_left = 0
        return write_groups(name, groups, node.columns[input].n_codes, "category", out)
    if not cuts:
        raise PluginError(f"splitter {name} proposed no cuts: where it has none to propose it must yield nothing")
    if len(cuts) > most_cuts:
        raise PluginError(
            f"splitter {name} proposed {len(cuts)} cuts: on these rows a proposal has at most {most_cuts} "
            f"(one less than rows, at least {SPARE_CUTS}, at most {MOST_CUTS}); merge intervals until it has"
        )
    for i in range(len(cuts)):
        out.cuts[i] = cuts[i]
        if not out.cuts[i] - out.cuts[i] == 0.0 or (i and out.cuts[i] <= out.cuts[i - 1]):
            raise PluginError(f"splitter {name} proposed cuts that are not finite and ascending: {cuts}")
    out.n_cuts = len(cuts)
    if groups is not None:
        return write_groups(name, groups, len(cuts) + 1, "interval", out)
    out.n_branches, out.identity = len(cuts) + 1, 1
    return 0


cdef int write_groups(name, proposed, int n_cells, what, Split* out) except -1:
    """One branch a group; every cell stands in exactly one."""
    cdef int b, i
    groups = list(proposed)
    for i in range(n_cells):
        out.branch_of[i] = -1
    for b in range(len(groups)):
        for cell in groups[b]:
            if not 0 <= cell < n_cells or out.branch_of[cell] >= 0:
                raise PluginError(f"splitter {name} put {what} {cell} into two groups, or there is none such")
            out.branch_of[cell] = b
    for i in range(n_cells):
        if out.branch_of[i] < 0:
            raise PluginError(f"splitter {name} left {what} {i} out of its groups")
    out.n_branches, out.identity = len(groups), 0
    return 0


cdef double gain(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total
) noexcept with gil:
    criterion = <object>(<const CriterionParams*>params).criterion
    try:
        counts = np.array(<const double[:n_branches, :n_classes]>table)
        value = float(criterion.score(counts, total))
        if value != value:
            raise PluginError(f"criterion {type(criterion).__name__} answered NaN to {counts.tolist()}")
        return value
    except BaseException as error:
        store_raised(error)
        return 0.0
