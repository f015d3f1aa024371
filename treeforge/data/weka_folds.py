"""Java's random generator, and the shuffling and stratifying that Weka does with it (c45.md section 10).

Pruners that hold cases back share it with Weka-like cross-validation: both draw the numbers that Weka draws.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

_A = 0x5DEECE66D
_C = 0xB
_MASK = (1 << 48) - 1
_BLOCK = 1 << 14


class JavaRandom:
    """``java.util.Random``, as its documentation defines it.

    Examples
    --------
    >>> generator = JavaRandom(1)
    >>> [generator.next_int(10) for _ in range(5)]
    [5, 8, 7, 3, 4]
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _A) & _MASK

    def next_int(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return int(self.next_ints(np.array([n]))[0])

    def next_ints(self, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """One ``next_int`` for each bound, in order.

        Drawn in blocks (the k-th state after s is a_k s + c_k): shuffling a large file takes millions of them.
        """
        bounds = np.asarray(bounds, dtype=np.int64)
        out = np.empty(len(bounds), dtype=np.int64)
        multipliers, increments = _jumps()
        start = 0
        while start < len(bounds):
            n = bounds[start : start + _BLOCK]
            states = (multipliers[: len(n)] * np.uint64(self._state) + increments[: len(n)]) & np.uint64(
                _MASK
            )
            u = (states >> np.uint64(17)).astype(np.int64)
            r = u % n
            power = (n & (n - 1)) == 0
            refused = ~power & (u - r + (n - 1) >= 1 << 31)
            # a refused number is drawn and thrown away, so everything behind it has to be drawn anew
            taken = int(refused.argmax()) if refused.any() else len(n)
            out[start : start + taken] = np.where(power, (n * u) >> 31, r)[:taken]
            start += taken
            self._state = int(states[min(taken, len(n) - 1)])
        return out

    def shuffle(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """A shuffled copy (10.2): for j from the last place down to 1, swap j with one at or below it."""
        n = len(rows)
        order = rows.tolist()
        draws = self.next_ints(np.arange(n, 1, -1, dtype=np.int64)).tolist()
        for j, other in zip(range(n - 1, 0, -1), draws, strict=True):
            order[j], order[other] = order[other], order[j]
        return np.array(order, dtype=np.int32)


@cache
def _jumps() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """a_k and c_k for k = 1 ... _BLOCK; arithmetic mod 2^64 is right mod 2^48."""
    powers = np.full(_BLOCK, _A, dtype=np.uint64)
    powers[0] = 1
    powers = np.multiply.accumulate(powers)
    return powers * np.uint64(_A), np.add.accumulate(powers) * np.uint64(_C)


def stratify(rows: NDArray[np.int32], classes: NDArray[np.int32], k: int) -> NDArray[np.int32]:
    """Bring classes together, then deal them into k hands (10.3).

    Parameters
    ----------
    rows : ndarray of int32, [n]
    classes : ndarray of int32, [n_rows of the dataset]
        Class of each row of the dataset; -1, an unknown class, is a class of its own here.
    k : int
    """
    order = rows.copy()
    labels = classes[order]
    i = 1
    while i < len(order):
        alike = i + np.flatnonzero(labels[i:] == labels[i - 1])
        # row by row, because the swaps decide in which order the other classes are left behind
        for j in alike.tolist():
            order[i], order[j] = order[j], order[i]
            labels[i], labels[j] = labels[j], labels[i]
            i += 1
        i += 1
    return np.concatenate([order[start::k] for start in range(k)]) if len(order) else order


def test_block(n: int, k: int, fold: int) -> slice:
    """The places that fold ``fold`` of k tests (10.4): n // k, and one more in the first n % k folds."""
    size, extra = divmod(n, k)
    start = fold * size + min(fold, extra)
    return slice(start, start + size + (fold < extra))


test_block.__test__ = False  # type: ignore[attr-defined]  # not pytest's
