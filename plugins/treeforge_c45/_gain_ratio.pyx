"""Gain and gain ratio of a table of class weights (Quinlan 1993, chapter 2; c45.md 3.1)."""

from libc.math cimport log

from treeforge.core.kernel cimport INFORMATION, make_criterion

cdef double TINY = 1e-6
cdef double LN2 = 0.6931471805599453


def kernel(bint average_rule):
    """The capsule of the gain ratio criterion."""
    return make_criterion(gain, ratio, INFORMATION, average_rule, NULL, 0)


cdef inline double xlogx(double x) noexcept nogil:
    return 0.0 if x < TINY else x * log(x)


cdef double gain(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total
) noexcept nogil:
    """Information gained, in bits a case, times the known share."""
    cdef double before = xlogx(known), after = 0.0, branch, of_class, value
    cdef int b, c
    for c in range(n_classes):
        of_class = 0.0
        for b in range(n_branches):
            of_class += table[b * n_classes + c]
        before -= xlogx(of_class)
    for b in range(n_branches):
        branch = 0.0
        for c in range(n_classes):
            branch += table[b * n_classes + c]
            after -= xlogx(table[b * n_classes + c])
        after += xlogx(branch)
    value = known / total * (before - after) / LN2
    return 0.0 if -TINY < value < TINY else value / known


cdef double ratio(
    const void* params, const double* table, int n_branches, int n_classes, double known, double total, double gain
) noexcept nogil:
    """The gain as a share of the split's own information, unknown cases counting as one more branch."""
    cdef double information = xlogx(total) - xlogx(total - known), branch
    cdef int b, c
    for b in range(n_branches):
        branch = 0.0
        for c in range(n_classes):
            branch += table[b * n_classes + c]
        information -= xlogx(branch)
    information /= LN2
    return 0.0 if -TINY < information < TINY else gain / (information / total)


def _py_gain_and_ratio(const double[:, ::1] table, double total):
    """Both of a table [n_branches, n_classes]; for tests."""
    cdef double known = 0.0, found
    cdef int b, c
    for b in range(table.shape[0]):
        for c in range(table.shape[1]):
            known += table[b, c]
    found = gain(NULL, &table[0, 0], table.shape[0], table.shape[1], known, total)
    return found, ratio(NULL, &table[0, 0], table.shape[0], table.shape[1], known, total, found)
