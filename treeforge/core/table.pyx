"""The columns of a dataset as kernels see them: pointers, no names.

A numeric column is float64 with NaN for unknown, a nominal one int32 codes with -1 for unknown.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free

import numpy as np


cdef class Table:
    """Input columns, classes and weights.

    Parameters
    ----------
    columns : sequence of ndarray, each [n_rows]
        float64 for a numeric input, int32 codes for a nominal one.
    n_categories : sequence of int
        Declared categories of each input; 0 for a numeric one.
    classes : ndarray of int32, [n_rows], or None
        Class codes, -1 where unknown. None (a table to predict) makes all unknown.
    n_classes : int
        Declared classes.
    weights : ndarray of float64, [n_rows], or None
        None when all are 1.
    """

    def __cinit__(self, columns, n_categories, classes, int n_classes, weights=None):
        cdef Py_ssize_t i
        cdef const double[::1] numbers
        cdef const int32_t[::1] codes, arity
        self.n_categories = np.ascontiguousarray(n_categories, dtype=np.int32)
        self.n_inputs = len(columns)
        if len(self.n_categories) != self.n_inputs:
            raise ValueError(f"{self.n_inputs} columns, but {len(self.n_categories)} numbers of categories")
        self.n_rows = len(classes) if classes is not None else (len(columns[0]) if self.n_inputs else 0)
        self.n_classes = n_classes
        if classes is None:
            self.classes = np.full(self.n_rows, -1, dtype=np.int32)
        else:
            self.classes = np.ascontiguousarray(classes, dtype=np.int32)
            if self.n_rows and self.classes.max() >= n_classes:
                raise ValueError(f"a class code of {self.classes.max()} where {n_classes} classes are declared")
        self.weights = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        if self.weights is not None and len(self.weights) != self.n_rows:
            raise ValueError(f"{self.n_rows} rows, but {len(self.weights)} weights")
        self.columns = []
        self.numbers = <const double**>calloc(self.n_inputs + 1, sizeof(double*))
        self.codes = <const int32_t**>calloc(self.n_inputs + 1, sizeof(int32_t*))
        if self.numbers == NULL or self.codes == NULL:
            raise MemoryError
        if self.n_inputs:
            arity = self.n_categories
            self.arity = &arity[0]
        for i in range(self.n_inputs):
            nominal = self.n_categories[i] > 0 or columns[i].dtype == np.int32
            column = np.ascontiguousarray(columns[i], dtype=np.int32 if nominal else np.float64)
            if len(column) != self.n_rows:
                raise ValueError(f"column {i} has {len(column)} rows, not {self.n_rows}")
            self.columns.append(column)
            if self.n_rows == 0:
                continue
            if nominal:
                if column.max() >= self.n_categories[i]:
                    raise ValueError(f"column {i} has a code of {column.max()}, declared are {self.n_categories[i]}")
                codes = column
                self.codes[i] = &codes[0]
            else:
                numbers = column
                self.numbers[i] = &numbers[0]

    def weights_of(self, sample):
        if sample.weights is not None:
            return sample.weights
        if sample.copies is not None:
            return sample.copies.astype(np.float64)
        return np.ones(len(sample.rows)) if self.weights is None else self.weights[sample.rows]

    def __dealloc__(self):
        free(self.numbers)
        free(self.codes)


cdef const int32_t[::1] chosen_rows(Table table, rows):
    """All rows, or the given ones, checked."""
    if rows is None:
        return np.arange(table.n_rows, dtype=np.int32)
    rows = np.ascontiguousarray(rows, dtype=np.int32)
    if len(rows) and (rows.min() < 0 or rows.max() >= table.n_rows):
        raise IndexError(f"a row outside 0..{table.n_rows - 1}")
    return rows
