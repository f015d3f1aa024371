"""Which training cases a class's rules match, alone and together."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from treeforge_rules.candidates import Candidate
from treeforge_rules.cases import Cases

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cover:
    """Which cases the rules of one class match: cases that the same rules match are one group.

    Parameters
    ----------
    by_group : csr_matrix, [n_groups, n_rules]
        1 where a rule matches a group.
    weights : ndarray, [n_groups, 2]
        Weight of a group's cases of the class, and of other classes.
    of_class : float
        Weight of all cases of the class.
    """

    by_group: csr_matrix
    weights: Array
    of_class: float

    @property
    def n_rules(self) -> int:
        return int(self.by_group.shape[1])

    @cached_property
    def matches(self) -> csr_matrix:
        """The other way round, [n_rules, n_groups]."""
        return csr_matrix(self.by_group.T)

    @property
    def right(self) -> Array:
        return self.weights[:, 0]

    @property
    def wrong(self) -> Array:
        return self.weights[:, 1]

    @staticmethod
    def of(rules: Sequence[Candidate], cases: Cases, said: int) -> Cover:
        """The cover of one class's rules."""
        rows = np.concatenate([rule.matched for rule in rules])
        owners = np.repeat(np.arange(len(rules)), [len(rule.matched) for rule in rules])
        touched, place = np.unique(rows, return_inverse=True)
        by_row = csr_matrix((np.ones(len(rows)), (place, owners)), shape=(len(touched), len(rules)))
        edges, owners = by_row.indptr.tolist(), by_row.indices
        numbers: dict[bytes, int] = {}  # the rules that match a group -> its number
        group = np.array(
            [numbers.setdefault(owners[a:b].tobytes(), len(numbers)) for a, b in itertools.pairwise(edges)],
            dtype=np.int64,
        )
        _, one_of = np.unique(group, return_index=True)
        own, weights = cases.classes[touched] == said, cases.weights[touched]
        return Cover(
            by_row[one_of],
            np.column_stack([np.bincount(group[o], weights[o], len(numbers)) for o in (own, ~own)]),
            float(cases.of_class[said]),
        )

    def matched_by(self, subsets: NDArray[np.bool_]) -> tuple[Array, Array]:
        """Weight of the cases that each subset matches: those of the class, and others; each [n_subsets]."""
        any_ = (subsets.astype(np.float64) @ self.matches) > 0
        return any_ @ self.right, any_ @ self.wrong


class Climb:
    """A subset on its way, with what each single flip would match.

    A flip concerns the other rules only in the groups that it leaves to no rule, or to a single one, or takes from
    there: what these add or lose is kept up, not counted anew.

    Parameters
    ----------
    cover : Cover
    taken : ndarray of bool, [n_rules]
        The subset to begin with.
    """

    def __init__(self, cover: Cover, taken: NDArray[np.bool_]) -> None:
        self.cover = cover
        self.taken = taken
        self.times = taken.astype(np.float64) @ cover.matches  # rules of the subset that match each group
        matched = self.times > 0
        self.right, self.wrong = float(cover.right[matched].sum()), float(cover.wrong[matched].sum())
        # for each rule the weight of its groups that no rule matches, and that one alone matches
        self.none = cover.matches @ (cover.weights * (self.times == 0)[:, None])
        self.one = cover.matches @ (cover.weights * (self.times == 1)[:, None])

    def after_flips(self) -> tuple[Array, Array]:
        """Weight of matched cases of the class, and of others, after each flip; each [n_rules]."""
        # a rule that comes in adds what nothing matches, one that goes takes what it alone matches
        change = np.where(self.taken[:, None], -self.one, self.none)
        return self.right + change[:, 0], self.wrong + change[:, 1]

    def flip(self, rule: int) -> None:
        """Take a rule in, or out."""
        right, wrong = (-self.one if self.taken[rule] else self.none)[rule].tolist()
        self.right, self.wrong = self.right + right, self.wrong + wrong
        self.taken[rule] = not self.taken[rule]
        matches = self.cover.matches
        groups = matches.indices[matches.indptr[rule] : matches.indptr[rule + 1]]
        before = self.times[groups]
        after = before + (1.0 if self.taken[rule] else -1.0)
        self.times[groups] = after
        few = np.minimum(before, after) <= 1
        before, after, groups = before[few], after[few], groups[few]
        weights, of_groups = self.cover.weights[groups], self.cover.by_group[groups].T
        self.none += of_groups @ (weights * ((after == 0).astype(float) - (before == 0))[:, None])
        self.one += of_groups @ (weights * ((after == 1).astype(float) - (before == 1))[:, None])
