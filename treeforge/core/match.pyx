"""Which rules hold: row after row, the tests of a rule until one fails."""

from libc.stdint cimport int32_t, uint8_t

import numpy as np


cdef struct Flat:               # rules, and the rows that they are asked about
    int n_rules
    const int32_t* start        # [n_rules + 1]
    const int32_t* column       # [n_tests] column of the matrix
    const uint8_t* nominal      # [n_tests]
    const uint8_t* closed_left  # [n_tests]
    const int32_t* cut_start    # [n_tests + 1]
    const int32_t* cell_start   # [n_tests + 1]
    const double* cuts
    const uint8_t* admitted
    Py_ssize_t n_rows
    Py_ssize_t width            # numbers in a row
    const double* values        # [n_rows, width]


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


cdef inline int next_that_holds(const Flat* these, int rule, Py_ssize_t row) noexcept nogil:
    """The first rule from ``rule`` on of which all tests hold; ``n_rules`` if there is none."""
    cdef const double* values = these.values + row * these.width
    cdef Py_ssize_t test, stop
    while rule < these.n_rules:
        test, stop = these.start[rule], these.start[rule + 1]
        while test < stop and passes(these, test, values[these.column[test]]):
            test += 1
        if test == stop:
            return rule
        rule += 1
    return rule


cdef Flat flat(rules, column, const double[:, ::1] matrix, list kept):
    """The arrays as pointers; ``kept`` holds what they point to, apart from the matrix."""
    cdef Flat found
    cdef const int32_t[::1] whole
    cdef const uint8_t[::1] bits
    cdef const double[::1] numbers
    found.n_rules = rules.n_rules
    found.n_rows, found.width = matrix.shape[0], matrix.shape[1]
    found.values = &matrix[0, 0] if matrix.size else NULL
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
    kept = []
    cdef Flat these = flat(rules, column, matrix, kept)
    cdef Py_ssize_t row
    found = np.empty(these.n_rows, dtype=np.int32)
    cdef int32_t[::1] out = found
    with nogil:
        for row in range(these.n_rows):
            out[row] = next_that_holds(&these, 0, row)
    return found


def count_rules(
    rules, column, const double[:, ::1] matrix, const int32_t[::1] classes, const double[::1] weights, int n_classes
):
    kept = []
    cdef Flat these = flat(rules, column, matrix, kept)
    cdef Py_ssize_t row
    cdef int rule
    if classes.shape[0] != these.n_rows or weights.shape[0] != these.n_rows:
        raise ValueError(f"{these.n_rows} rows, but {classes.shape[0]} classes and {weights.shape[0]} weights")
    covered = np.zeros((these.n_rules, n_classes))
    decided = np.zeros((these.n_rules + 1, n_classes))
    cdef double[:, ::1] all_ = covered, first = decided
    with nogil:
        for row in range(these.n_rows):
            if classes[row] < 0:
                continue
            rule = next_that_holds(&these, 0, row)
            first[rule, classes[row]] += weights[row]
            while rule < these.n_rules:
                all_[rule, classes[row]] += weights[row]
                rule = next_that_holds(&these, rule + 1, row)
    return covered, decided
