"""Which rules hold: row after row, the tests of a rule until one fails."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np


cdef struct Flat:
    int n_rules
    const int32_t* start        # [n_rules + 1]
    const int32_t* column       # [n_tests] column of the matrix
    const uint8_t* nominal      # [n_tests]
    const uint8_t* closed_left  # [n_tests]
    const int32_t* cut_start    # [n_tests + 1]
    const int32_t* cell_start   # [n_tests + 1]
    const double* cuts
    const uint8_t* admitted


cdef inline bint passes(const Flat* rules, Py_ssize_t test, double value) noexcept nogil:
    cdef Py_ssize_t cell = 0, i
    cdef Py_ssize_t n_cells = rules.cell_start[test + 1] - rules.cell_start[test]
    if value != value:
        return False
    if rules.nominal[test]:
        if value < 0 or value >= n_cells:
            return False
        cell = <Py_ssize_t>value
    elif rules.closed_left[test]:
        for i in range(rules.cut_start[test], rules.cut_start[test + 1]):
            if value < rules.cuts[i]:
                break
            cell += 1
    else:
        for i in range(rules.cut_start[test], rules.cut_start[test + 1]):
            if value <= rules.cuts[i]:
                break
            cell += 1
    return rules.admitted[rules.cell_start[test] + cell]


cdef inline bint holds(const Flat* rules, Py_ssize_t rule, const double* row) noexcept nogil:
    cdef Py_ssize_t test
    for test in range(rules.start[rule], rules.start[rule + 1]):
        if not passes(rules, test, row[rules.column[test]]):
            return False
    return True


cdef Flat flat(rules, column, list kept):
    """The arrays as pointers; ``kept`` holds what they point to."""
    cdef Flat found
    cdef const int32_t[::1] whole
    cdef const uint8_t[::1] bits
    cdef const double[::1] numbers
    found.n_rules = rules.n_rules
    # one item more than there are, so that the address of the first can be taken
    pad = {name: np.append(array, array.dtype.type(0)) for name, array in rules.arrays().items()}
    pad["column"] = np.append(column, np.int32(0))
    kept.append(pad)
    whole = pad["start"]
    found.start = &whole[0]
    whole = pad["column"]
    found.column = &whole[0]
    whole = pad["cut_start"]
    found.cut_start = &whole[0]
    whole = pad["cell_start"]
    found.cell_start = &whole[0]
    bits = pad["nominal"]
    found.nominal = &bits[0]
    bits = pad["closed_left"]
    found.closed_left = &bits[0]
    bits = pad["admitted"]
    found.admitted = &bits[0]
    numbers = pad["cuts"]
    found.cuts = &numbers[0]
    return found


def first_rule(rules, column, const double[:, ::1] matrix):
    """The first rule that holds, [n]; ``n_rules`` where none does."""
    kept = []
    cdef Flat these = flat(rules, column, kept)
    cdef Py_ssize_t n_rows = matrix.shape[0], row
    cdef int rule
    found = np.empty(n_rows, dtype=np.int32)
    cdef int32_t[::1] out = found
    cdef const double* values = &matrix[0, 0] if matrix.size else NULL
    cdef Py_ssize_t width = matrix.shape[1]
    with nogil:
        for row in range(n_rows):
            rule = 0
            while rule < these.n_rules and not holds(&these, rule, values + row * width):
                rule += 1
            out[row] = rule
    return found


def count_rules(
    rules, column, const double[:, ::1] matrix, const int32_t[::1] classes, const double[::1] weights, int n_classes
):
    """Class weights of covered cases, [n_rules, n_classes], and of first-covered ones, [n_rules + 1, n_classes]."""
    kept = []
    cdef Flat these = flat(rules, column, kept)
    cdef Py_ssize_t n_rows = matrix.shape[0], row
    cdef int rule
    cdef bint open_
    if classes.shape[0] != n_rows or weights.shape[0] != n_rows:
        raise ValueError(f"{n_rows} rows, but {classes.shape[0]} classes and {weights.shape[0]} weights")
    covered = np.zeros((these.n_rules, n_classes))
    decided = np.zeros((these.n_rules + 1, n_classes))
    cdef double[:, ::1] all_ = covered, first = decided
    cdef const double* values = &matrix[0, 0] if matrix.size else NULL
    cdef Py_ssize_t width = matrix.shape[1]
    with nogil:
        for row in range(n_rows):
            if classes[row] < 0:
                continue
            open_ = True
            for rule in range(these.n_rules):
                if holds(&these, rule, values + row * width):
                    all_[rule, classes[row]] += weights[row]
                    if open_:
                        first[rule, classes[row]] += weights[row]
                        open_ = False
            if open_:
                first[these.n_rules, classes[row]] += weights[row]
    return covered, decided
