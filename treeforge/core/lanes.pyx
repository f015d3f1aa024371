"""Eight rows walk a tree together: eight independent chains of loads hide each other's latency.

No branch depends on a row, but for the last step of eight. What did not pay: sixteen rows, two steps at once, a new row
for each that has arrived, order-keeping whole numbers in the place of doubles (they compare faster, but must be made).
"""

from libc.stdint cimport int32_t

from treeforge.core.block cimport LANES, Block
from treeforge.core.steps cimport Step, Walker, step_at


cdef void walk_block(Walker walker, int t, const Block* block, int32_t* ends) noexcept nogil:
    """Where each row of a block comes to in a tree. What is behind the last row walks too, and is not looked at.

    Eight variables, not an array of eight: the compiler keeps an array in memory, which halves the speed.
    """
    cdef const Step* steps = walker.steps
    cdef const double* row = block.first
    cdef Py_ssize_t a, b, c, d, e, f, g, h, moved, root = 2 * <Py_ssize_t>walker.roots[t], i = 0, m = block.step
    while i < block.n:
        a = b = c = d = e = f = g = h = root
        moved = 1
        while moved:
            moved = step_on(steps, &a, row)
            moved |= step_on(steps, &b, row + m)
            moved |= step_on(steps, &c, row + 2 * m)
            moved |= step_on(steps, &d, row + 3 * m)
            moved |= step_on(steps, &e, row + 4 * m)
            moved |= step_on(steps, &f, row + 5 * m)
            moved |= step_on(steps, &g, row + 6 * m)
            moved |= step_on(steps, &h, row + 7 * m)
        ends[i], ends[i + 1], ends[i + 2], ends[i + 3] = (
            <int32_t>(a >> 1), <int32_t>(b >> 1), <int32_t>(c >> 1), <int32_t>(d >> 1)
        )
        ends[i + 4], ends[i + 5], ends[i + 6], ends[i + 7] = (
            <int32_t>(e >> 1), <int32_t>(f >> 1), <int32_t>(g >> 1), <int32_t>(h >> 1)
        )
        row += LANES * m
        i += LANES


cdef inline Py_ssize_t step_on(const Step* steps, Py_ssize_t* here, const double* row) noexcept nogil:
    """Take a step; 0 if it led nowhere else."""
    cdef const Step* step = step_at(steps, here[0])
    cdef Py_ssize_t after = step.first + 2 * <Py_ssize_t>(row[step.input] > step.cut), moved = after ^ here[0]
    here[0] = after
    return moved
