"""The random numbers of Release 8: the C library's additive-feedback generator, as it starts without a seed."""

from __future__ import annotations

from collections.abc import Iterator


def additive_feedback() -> Iterator[float]:
    """Numbers in [0, 1), always the same (c45.md 9.6).

    Examples
    --------
    >>> stream = additive_feedback()
    >>> [int(next(stream) * 2**31) for _ in range(3)]
    [1804289383, 846930886, 1681692777]
    """
    state = [1]
    for _ in range(30):
        state.append(16807 * state[-1] % (2**31 - 1))
    state += state[:3]
    place = 34
    while True:
        state.append((state[-3] + state[-31]) % 2**32)
        del state[0]
        if place >= 344:
            yield (state[-1] // 2) / 2**31
        place += 1
