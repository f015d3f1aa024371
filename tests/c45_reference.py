"""C4.5 as J48 computes it, in plain Python: slow, simple, without any shortcut. The oracle for the compiled one.

Written from the specification section by section, with lists; recursion is fine for the small data it gets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np

from treeforge.data import Dataset
from treeforge.data.weka_folds import JavaRandom, stratify

DELTA = 1e-6


def eq(a: float, b: float) -> bool:
    return abs(a - b) < DELTA


def gt(a: float, b: float) -> bool:
    return a - b > DELTA


def lt(a: float, b: float) -> bool:
    return b - a > DELTA


def ge(a: float, b: float) -> bool:
    return b - a < DELTA or a >= b


def le(a: float, b: float) -> bool:
    return a - b < DELTA or a <= b


def xlogx(x: float) -> float:
    return 0.0 if x < DELTA else x * math.log(x)


def lg(x: float) -> float:
    return math.log(x) / math.log(2)


def majority(counts: list[float]) -> int:
    best, of = 0.0, 0
    for c, weight in enumerate(counts):
        if gt(weight, best):
            best, of = weight, c
    return of


def errors(counts: list[float]) -> float:
    return sum(counts) - counts[majority(counts)]


@dataclass(frozen=True)
class Options:
    """J48's, section 0.5."""

    confidence: float = 0.25
    min_branch: float = 2.0
    unpruned: bool = False
    raising: bool = True
    collapse: bool = True
    mdl: bool = True
    binary: bool = False
    grouping: bool = False
    midpoint: bool = False
    laplace: bool = False
    reduced_error: bool = False
    folds: int = 3
    seed: int = 1


Case = tuple[int, float]  # row, weight


@dataclass(frozen=True)
class Test:
    """A cut, one label against the rest (then ``label`` is set), labels in ``groups``, or a branch a label."""

    __test__ = False
    attribute: int
    n_branches: int
    cut: float | None = None
    label: int | None = None
    groups: tuple[int, ...] | None = None  # label -> branch

    def branch(self, value: float | None) -> int | None:
        if value is None:
            return None
        if self.cut is not None:
            return 0 if value <= self.cut else 1
        if self.label is not None:
            return 0 if value == self.label else 1
        return int(value) if self.groups is None else self.groups[int(value)]


@dataclass
class Node:
    cases: list[Case]
    counts: list[float]
    test: Test | None = None
    table: list[list[float]] = field(default_factory=list)  # D of section 5: [branch][class]
    children: list[Node] = field(default_factory=list)
    empty: bool = False

    def leaves(self) -> list[Node]:
        return [leaf for child in self.children for leaf in child.leaves()] if self.test else [self]

    def make_leaf(self) -> None:
        self.test, self.table, self.children = None, [], []


@dataclass
class Candidate:
    test: Test
    gain: float
    ratio: float


class Reference:
    """A tree grown and pruned on all rows of a data set."""

    def __init__(self, data: Dataset, options: Options) -> None:
        self.options = options
        self.n_classes = len(data.schema.classes)
        self.labels = data.class_codes.tolist()
        self.weights = [1.0] * data.n_rows if data.weights is None else data.weights.tolist()
        self.columns: list[list[Any]] = []
        self.arity: list[int] = []  # 0 for a numeric attribute
        for i in data.schema.input_indices:
            column, nominal = data.columns[i], data.schema.attributes[i].is_nominal
            unknown = column < 0 if nominal else np.isnan(column)
            self.columns.append([None if u else v for v, u in zip(column.tolist(), unknown, strict=True)])
            self.arity.append(len(data.schema.attributes[i].categories) if nominal else 0)
            assert self.arity[-1] > 0 or not nominal
        # rows of weight 0 change nothing here; in Weka they count in |T|
        self.training = [row for row in range(data.n_rows) if self.weights[row] > 0]
        self.cases = [(row, self.weights[row]) for row in self.training if self.labels[row] >= 0]
        held: list[Case] = []
        if options.reduced_error:
            self.cases, held = self.hold_back()
        self.root = self.grow(self.cases)
        if options.reduced_error:
            self.prune_by_held(self.root, held)
            return
        if options.collapse:
            self.collapse(self.root)
        if not options.unpruned:
            self.prune(self.root)

    # ------------------------------------------------------------------ 0.4, 5: distributions

    def counted(self, cases: list[Case]) -> list[float]:
        counts = [0.0] * self.n_classes
        for row, weight in cases:
            counts[self.labels[row]] += weight
        return counts

    def known_table(self, test: Test, cases: list[Case]) -> list[list[float]]:
        table = [[0.0] * self.n_classes for _ in range(test.n_branches)]
        for row, weight in cases:
            branch = test.branch(self.columns[test.attribute][row])
            if branch is not None:
                table[branch][self.labels[row]] += weight
        return table

    def completed(self, test: Test, cases: list[Case]) -> list[list[float]]:
        table = self.known_table(test, cases)
        known = sum(map(sum, table))
        shares = [1 / len(table) if eq(known, 0) else sum(row) / known for row in table]
        for row, weight in cases:
            if self.columns[test.attribute][row] is None:
                for branch, share in enumerate(shares):
                    table[branch][self.labels[row]] += share * weight
        return table

    def divided(self, test: Test, cases: list[Case], table: list[list[float]]) -> list[list[Case]]:
        total = sum(map(sum, table))
        parts: list[list[Case]] = [[] for _ in table]
        for row, weight in cases:
            branch = test.branch(self.columns[test.attribute][row])
            if branch is not None:
                parts[branch].append((row, weight))
                continue
            for b, part in enumerate(parts):
                if total > 0 and gt(sum(table[b]) / total, 0):
                    part.append((row, weight * sum(table[b]) / total))
        return parts

    # ------------------------------------------------------------------ 2 to 4: growing

    def grow(self, cases: list[Case]) -> Node:
        node = Node(cases, self.counted(cases))
        total = sum(node.counts)
        node.empty = eq(total, 0)
        if lt(total, 2 * self.options.min_branch) or eq(total, node.counts[majority(node.counts)]):
            return node
        chosen = self.choose(cases, total)
        if chosen is None:
            return node
        node.test = chosen
        node.table = self.completed(chosen, cases)
        node.children = [self.grow(part) for part in self.divided(chosen, cases, node.table)]
        return node

    def choose(self, cases: list[Case], total: float) -> Test | None:
        many = [n > 0 and not lt(n, 0.3 * len(self.training)) for n in self.arity]
        if all(many):
            many = [False] * len(many)
        candidates = [self.candidate(a, cases, total) for a in range(len(self.columns))]
        usable = [c for c in candidates if c is not None]
        averaged = [c.gain for c in usable if not many[c.test.attribute]]
        if not averaged:
            return None
        average = sum(averaged) / len(averaged)
        best, ratio = None, 0.0
        for c in usable:
            if c.gain >= average - 0.001 and gt(c.ratio, ratio):
                best, ratio = c.test, c.ratio
        if best is not None and best.cut is not None and not self.options.midpoint:
            values = [self.columns[best.attribute][row] for row in self.training]
            settled = max(v for v in values if v is not None and v <= best.cut)
            return Test(best.attribute, 2, cut=settled)
        return best

    def candidate(self, a: int, cases: list[Case], total: float) -> Candidate | None:
        if self.arity[a] == 0:
            return self.best_cut(a, cases, total)
        if self.options.binary:
            return self.best_label(a, cases, total)
        if self.options.grouping:
            return self.best_groups(a, cases, total)
        test = Test(a, self.arity[a])
        table = self.known_table(test, cases)
        if sum(ge(sum(row), self.options.min_branch) for row in table) < 2:
            return None
        gain = self.gain(table, total)
        return Candidate(test, gain, self.ratio(table, total, gain))

    def best_label(self, a: int, cases: list[Case], total: float) -> Candidate | None:
        best = None
        for v in range(self.arity[a]):
            test = Test(a, 2, label=v)
            table = self.known_table(test, cases)
            if not all(ge(sum(row), self.options.min_branch) for row in table):
                continue
            gain = self.gain(table, total)
            ratio = self.ratio(table, total, gain)
            if best is None:
                best = Candidate(test, 0.0, 0.0)
            if v == 0 or gt(ratio, best.ratio):
                best = Candidate(test, gain, ratio)
        return best

    def best_groups(self, a: int, cases: list[Case], total: float) -> Candidate | None:
        """Quinlan 1993, chapter 7: merge the two groups whose merger has the best ratio, while it rises."""
        table = self.known_table(Test(a, self.arity[a]), cases)
        groups = [[v] for v in range(self.arity[a]) if sum(table[v]) > 0]
        if len(groups) < 2:
            return None

        def rows(groups: list[list[int]]) -> list[list[float]]:
            return [[sum(table[v][c] for v in group) for c in range(self.n_classes)] for group in groups]

        def score(groups: list[list[int]]) -> float:
            return self.ratio(rows(groups), total, self.gain(rows(groups), total))

        best = score(groups)
        while len(groups) > 2:
            merged, here = None, best
            for i, one in enumerate(groups):
                for j in range(i + 1, len(groups)):
                    trial = [*groups[:i], one + groups[j], *groups[i + 1 : j], *groups[j + 1 :]]
                    if gt(score(trial), here):
                        merged, here = trial, score(trial)
            if merged is None:
                break
            groups, best = merged, here
        weights = [sum(row) for row in rows(groups)]
        if sum(ge(weight, self.options.min_branch) for weight in weights) < 2:
            return None
        number = [weights.index(max(weights))] * self.arity[a]
        for g, group in enumerate(groups):
            for v in group:
                number[v] = g
        gain = self.gain(rows(groups), total)
        return Candidate(
            Test(a, len(groups), groups=tuple(number)), gain, self.ratio(rows(groups), total, gain)
        )

    def best_cut(self, a: int, cases: list[Case], total: float) -> Candidate | None:
        column = self.columns[a]
        ordered = sorted((c for c in cases if column[c[0]] is not None), key=lambda c: column[c[0]])
        known = sum(weight for _, weight in ordered)
        least = 0.1 * known / self.n_classes
        if le(least, self.options.min_branch):
            least = self.options.min_branch
        elif gt(least, 25):
            least = 25
        if lt(len(ordered), 2 * least):
            return None
        best, gain, n_candidates = None, 0.0, 0
        for i in range(len(ordered) - 1):
            low, high = column[ordered[i][0]], column[ordered[i + 1][0]]
            if not low + 1e-5 < high:
                continue
            table = [self.counted(ordered[: i + 1]), self.counted(ordered[i + 1 :])]
            if not all(ge(sum(row), least) for row in table):
                continue
            n_candidates += 1
            here = self.gain(table, total)
            if gt(here, gain):
                best, gain = (low, high, table), here
        if best is None:
            return None
        low, high, table = best
        if self.options.mdl:
            gain -= lg(n_candidates) / total
        if le(gain, 0):
            return None
        middle = (low + high) / 2
        if math.isinf(middle):
            middle = low / 2 + high / 2
        test = Test(a, 2, cut=low if middle == high else middle)
        return Candidate(test, gain, self.ratio(table, total, gain))

    @staticmethod
    def gain(table: list[list[float]], total: float) -> float:
        known = sum(map(sum, table))
        before = xlogx(known) - sum(xlogx(sum(column)) for column in zip(*table, strict=True))
        after = sum(xlogx(sum(row)) for row in table) - sum(xlogx(x) for row in table for x in row)
        g = (1 - (total - known) / total) * (before - after) / math.log(2)
        return 0.0 if eq(g, 0) else g / known

    @staticmethod
    def ratio(table: list[list[float]], total: float, gain: float) -> float:
        known = sum(map(sum, table))
        si = (xlogx(total) - xlogx(total - known) - sum(xlogx(sum(row)) for row in table)) / math.log(2)
        return 0.0 if eq(si, 0) else gain / (si / total)

    # ------------------------------------------------------------------ 6: simplifying

    def collapse(self, node: Node) -> None:
        if node.test is None:
            return
        if sum(errors(leaf.counts) for leaf in node.leaves()) >= errors(node.counts) - 0.001:
            node.make_leaf()
            return
        for child in node.children:
            self.collapse(child)

    def extra(self, n: float, e: float) -> float:
        single = np.float32(self.options.confidence)
        c1, c2 = float(single), float(np.float32(1) - single)
        if c1 > 0.5:
            return 0.0
        if e < 1:
            h = n * (1 - c1 ** (1 / n))
            return h if e == 0 else h + e * (self.extra(n, 1.0) - h)
        if e + 0.5 >= n:
            return max(n - e, 0.0)
        z, f = NormalDist().inv_cdf(c2), (e + 0.5) / n
        r = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
        return float(n * r - e)

    def expected(self, counts: list[float]) -> float:
        return 0.0 if eq(sum(counts), 0) else errors(counts) + self.extra(sum(counts), errors(counts))

    def prune(self, node: Node) -> None:
        if node.test is None:
            return
        for child in node.children:
            self.prune(child)
        as_leaf = self.expected(node.counts)
        below = sum(self.expected(leaf.counts) for leaf in node.leaves())
        best, most = 0, 0.0
        for b, row in enumerate(node.table):
            if ge(sum(row), most):
                best, most = b, sum(row)
        raised = self.sent(node.children[best], node.cases) if self.options.raising else math.inf
        if le(as_leaf, below + 0.1) and le(as_leaf, raised + 0.1):
            node.make_leaf()
        elif le(raised, below + 0.1):
            child = node.children[best]
            node.test, node.children = child.test, child.children
            self.resend(node, node.cases)
            self.prune(node)

    def sent(self, node: Node, cases: list[Case]) -> float:
        """Expected errors of a subtree if it received these cases."""
        if node.test is None:
            return self.expected(self.counted(cases))
        parts = self.divided(node.test, cases, self.completed(node.test, cases))
        return sum(self.sent(child, part) for child, part in zip(node.children, parts, strict=True))

    def resend(self, node: Node, cases: list[Case]) -> None:
        node.cases, node.counts = cases, self.counted(cases)
        if node.test is None:
            node.empty = node.empty and eq(sum(node.counts), 0)
            return
        node.table = self.completed(node.test, cases)
        for child, part in zip(node.children, self.divided(node.test, cases, node.table), strict=True):
            self.resend(child, part)

    def hold_back(self) -> tuple[list[Case], list[Case]]:
        generator = JavaRandom(self.options.seed)
        places = generator.shuffle(np.arange(len(self.cases), dtype=np.int32))
        labels = np.array([self.labels[row] for row, _ in self.cases], dtype=np.int32)
        dealt = stratify(places, labels, self.options.folds)
        n_growing = len(dealt) - len(dealt) // self.options.folds
        growing = generator.shuffle(dealt[:n_growing])
        return [self.cases[i] for i in growing], [self.cases[i] for i in dealt[n_growing:]]

    def prune_by_held(self, node: Node, held: list[Case]) -> float:
        counts = self.counted(held)
        as_leaf = sum(counts) - counts[majority(node.counts)]
        if node.test is None:
            return as_leaf
        parts = self.divided(node.test, held, node.table)
        below = 0.0
        for branch, (child, part) in enumerate(zip(node.children, parts, strict=True)):
            arrived = self.counted(part)
            found = self.prune_by_held(child, part)
            empty = eq(sum(node.table[branch]), 0)
            below += sum(arrived) - arrived[majority(node.counts)] if empty else found
        if not le(as_leaf, below):
            return below
        node.make_leaf()
        return as_leaf

    # ------------------------------------------------------------------ 7: prediction

    def probabilities(self, row: int) -> list[float]:
        answer = [0.0] * self.n_classes
        self.descend(self.root, row, 1.0, answer)
        return answer

    def descend(self, node: Node, row: int, part: float, answer: list[float]) -> None:
        if node.test is None:
            self.add(node.counts, part, answer)
            return
        branch = node.test.branch(self.columns[node.test.attribute][row])
        if branch is None:
            total = sum(map(sum, node.table))
            for child, counts in zip(node.children, node.table, strict=True):
                if not child.empty:
                    self.descend(child, row, part * sum(counts) / total, answer)
        elif node.children[branch].empty:
            self.add(node.table[branch] if gt(sum(node.table[branch]), 0) else node.counts, part, answer)
        else:
            self.descend(node.children[branch], row, part, answer)

    def add(self, counts: list[float], part: float, answer: list[float]) -> None:
        total = sum(counts)
        for c in range(self.n_classes):
            if self.options.laplace:
                answer[c] += part * (counts[c] + 1) / (total + self.n_classes)
            elif not eq(total, 0):
                answer[c] += part * counts[c] / total
