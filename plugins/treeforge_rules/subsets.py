"""The subset of a class's rules that codes the training cases in the fewest bits (c45.md 9.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge_rules.candidates import Candidate
from treeforge_rules.cases import Cases
from treeforge_rules.cover import Climb, Cover
from treeforge_rules.lengths import Lengths, lg_factorial

Array = NDArray[np.float64]

#: Of at most so many rules all subsets are tried.
FEW = 10
#: Bits of a code that cannot tell what happened.
IMPOSSIBLE = 1e6


@dataclass(frozen=True)
class Chooser:
    """Chooses among the rules of one class after the other.

    Parameters
    ----------
    cases : Cases
    lengths : Lengths
    stream : iterator of float
        Random numbers in [0, 1); one stream for all classes.
    """

    cases: Cases
    lengths: Lengths
    stream: Iterator[float]

    def choose(self, rules: Sequence[Candidate], said: int) -> list[Candidate]:
        """The cheapest subset of the rules, which all say the same class."""
        if not rules:
            return []
        bits = np.array([self.lengths.rule(rule.tests) for rule in rules])
        cover = Cover.of(rules, self.cases, said)
        taken = self._of_all(cover, bits) if len(rules) <= FEW else self._by_climbing(cover, bits)
        return [rule for rule, inside in zip(rules, taken.tolist(), strict=True) if inside]

    def _of_all(self, cover: Cover, bits: Array) -> NDArray[np.bool_]:
        """Every subset; the first rule is the lowest bit of its number."""
        n = len(bits)
        subsets = (np.arange(2**n)[:, None] >> np.arange(n)) & 1 == 1
        right, wrong = cover.matched_by(subsets)
        costs = self._cost(subsets @ bits, subsets.sum(axis=1), right, wrong, cover)
        best: NDArray[np.bool_] = subsets[int(costs.argmin())]  # the first of the cheapest
        return best

    def _by_climbing(self, cover: Cover, bits: Array) -> NDArray[np.bool_]:
        """From eleven random subsets, one rule in or out as long as that saves bits."""
        best, least = np.zeros(len(bits), dtype=bool), np.inf
        for start in range(11):
            share = float(np.float32(start) / np.float32(10))
            climb = Climb(cover, np.array([next(self.stream) < share for _ in bits]))
            taken = climb.taken
            now = float(self._cost(bits[taken].sum(), taken.sum(), climb.right, climb.wrong, cover))
            while True:
                if now < least:
                    best, least = taken.copy(), now
                sign = np.where(taken, -1, 1)
                length, size = bits[taken].sum() + sign * bits, taken.sum() + sign
                flipped = self._cost(length, size, *climb.after_flips(), cover)
                flip = int((now - flipped).argmax())
                if not now - flipped[flip] > 0:
                    break
                climb.flip(flip)
                now = float(flipped[flip])
        return best

    def _cost(self, length: Any, size: Any, right: Any, wrong: Any, cover: Cover) -> Array:
        """Bits of subsets: of their rules, whose order says nothing, and of the cases that they get wrong.

        Parameters
        ----------
        length, size : array-like
            Bits and number of the rules of each subset.
        right, wrong : array-like
            Weight of the cases of the class, and of others, that each matches.
        """
        theory = 0.5 * (length - _lg_factorials(cover.n_rules)[size])
        right, wrong = np.asarray(right), np.asarray(wrong)
        found: Array = theory + exceptions(self.cases.total, right + wrong, wrong, cover.of_class - right)
        return found


@lru_cache(maxsize=8)
def _lg_factorials(most: int) -> Array:
    """lg k! of 0 to ``most``."""
    return np.array([lg_factorial(k) for k in range(most + 1)])


def exceptions(total: float, matched: Array, false_positives: Array, missed: Array) -> Array:
    """Bits that tell which of the matched cases are of another class, and which of the others of this one."""
    most = matched > total / 2
    half = 0.5 * (false_positives + missed)
    bits: Array = (
        np.log2(total)
        + code(matched, false_positives, np.where(most, half, false_positives))
        + code(total - matched, missed, np.where(most, missed, half))
    )
    return bits


def code(n: Array, events: Array, expected: Array) -> Array:
    """Bits that tell which of n cases the events are, where so many are expected."""
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = expected / n
        bits = -events * np.log2(rate) - (n - events) * np.log2(1.0 - rate)
    bits = np.where(expected >= n - 1e-6, np.where(events == n, 0.0, IMPOSSIBLE), bits)
    found: Array = np.where(expected <= 1e-6, np.where(events == 0, 0.0, IMPOSSIBLE), bits)
    return found
