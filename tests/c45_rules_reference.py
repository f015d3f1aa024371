"""C4.5rules once more, with lists, loops and recounting only, written from c45.md section 9: slow, to judge by.

Cases of weight 1, trees of C4.5's own kind: a condition is (attribute, "=", code), (attribute, "<=", cut) or
(attribute, ">", cut).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial, log2, sqrt
from typing import Any

import numpy as np

Condition = tuple[int, str, float]


@dataclass
class Rule:
    number: int
    conditions: list[Condition]
    said: int
    p: float

    def holds(self, row: list[float]) -> bool:
        return all(holds(c, row) for c in self.conditions)

    def matches(self, row: list[float]) -> bool:
        return self.p <= 0.7 and self.holds(row)


def holds(condition: Condition, row: list[float]) -> bool:
    attribute, kind, operand = condition
    value = row[attribute]
    if value != value:
        return False
    return {"=": value == operand, "<=": value <= operand, ">": value > operand}[kind]


def c45_rules(tree: Any, data: Any, confidence: float = 0.25) -> tuple[list[Rule], int, int]:
    """The rules in order, the default class, and how many there were before any was chosen."""
    inputs = [data.columns[i] for i in data.schema.input_indices]
    nominal = [column.dtype == np.int32 for column in inputs]
    everything = [
        [float("nan") if n and v < 0 else float(v) for v, n in zip(values, nominal, strict=True)]
        for values in zip(*(column.tolist() for column in inputs), strict=True)
    ]
    known = [i for i, code in enumerate(data.class_codes.tolist()) if code >= 0]
    rows = [everything[i] for i in known]
    classes = [int(data.class_codes[i]) for i in known]
    n_classes = len(data.schema.classes)
    rules = generalised(tree, nominal, rows, classes, confidence)
    bits = code_lengths(rows, nominal)
    stream = iter(random_numbers(50_000))
    chosen = [
        subset([r for r in rules if r.said == c], c, rows, classes, bits, stream) for c in range(n_classes)
    ]
    placed, default = ordered(chosen, rows, classes, n_classes)
    return without_harmful(placed, default, rows, classes), default, len(rules)


# 9.2 to 9.4


def generalised(
    tree: Any, nominal: list[bool], rows: list[list[float]], classes: list[int], confidence: float
) -> list[Rule]:
    found: list[Rule] = []

    def descend(node: int, path: list[Condition]) -> None:
        attribute = int(tree.attribute[node])
        if attribute >= 0:
            for branch in range(int(tree.n_branches[node])):
                if nominal[attribute]:
                    step = (attribute, "=", float(branch))
                else:
                    step = (attribute, "<=" if branch == 0 else ">", float(tree.cuts[tree.cut_start[node]]))
                descend(int(tree.first_child[node]) + branch, [*path, step])
        elif path and tree.weight[node] >= 1:
            add(path, int(tree.majority[node]))

    def add(path: list[Condition], said: int) -> None:
        made = trimmed(path, said)
        if made is None:
            return
        conditions, p = made
        for earlier in found:
            alike = [(a, k == "=", x) for a, k, x in earlier.conditions] == [
                (a, k == "=", x) for a, k, x in conditions
            ]
            if alike and earlier.said == said:
                earlier.p = max(earlier.p, p)
                return
        found.append(Rule(len(found) + 1, conditions, said, p))

    def trimmed(path: list[Condition], said: int) -> tuple[list[Condition], float] | None:
        default = 1 - (classes.count(said) + 1) / (len(rows) + 2)

        def errors(conditions: list[Condition | None]) -> tuple[float, float, int]:
            covered = [
                c for row, c in zip(rows, classes, strict=True) if all(holds(t, row) for t in conditions if t)
            ]
            n, e = len(covered), sum(c != said for c in covered)
            return ((e + extra(n, e, confidence)) / n, e / n, n) if n else (default, 0.0, 0)

        slots: list[Condition | None] = list(path)
        while any(slots):
            p, a, _ = errors(slots)
            without = {}
            for d, condition in enumerate(slots):
                if condition:
                    without[d] = errors([None if i == d else t for i, t in enumerate(slots)])
            if not any(pd <= p or ad <= a for pd, ad, _ in without.values()):
                break
            least = min(pd for pd, _, _ in without.values())
            slots[max(d for d, (pd, _, _) in without.items() if pd == least)] = None
        p, _, n = errors(slots)
        return None if not any(slots) or n == 0 or p >= default else (listed(slots), p)

    descend(0, [])
    return found


def listed(slots: list[Condition | None]) -> list[Condition]:
    slots = list(slots)
    left = sum(s is not None for s in slots)
    for position in range(left):
        kept = None
        for s in range(position, len(slots)):
            if slots[s] is None:
                continue
            if kept is None or precedes(slots[s], slots[kept]):
                kept = s
        slots[position], slots[kept] = slots[kept], slots[position]
    return slots[:left]


def precedes(u: Condition, v: Condition) -> bool:
    return (
        u[0] < v[0]
        or (u[1] == "=" and v[1] != "=")
        or (u[1] != "=" and v[1] != "=" and u[0] == v[0] and u[2] < v[2])
    )


def extra(n: float, e: float, confidence: float) -> float:
    table = [(0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65)]
    table += [(0.10, 1.28), (0.20, 0.84), (0.40, 0.25), (1, 0)]
    i = next(i for i in range(1, 9) if confidence <= table[i][0])
    (c0, z0), (c1, z1) = table[i - 1], table[i]
    k = (z0 + (z1 - z0) * (confidence - c0) / (c1 - c0)) ** 2
    h = n * (1 - confidence ** (1 / n))
    if e < 1e-6:
        return h
    if e < 0.9999:
        return h + e * (extra(n, 1, confidence) - h)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    q = (e + 0.5 + k / 2 + sqrt(k * ((e + 0.5) * (1 - (e + 0.5) / n) + k / 4))) / (n + k)
    return n * q - e


# 9.5 and 9.6


def code_lengths(rows: list[list[float]], nominal: list[bool]) -> tuple[float, list[float]]:
    """What tells an attribute, and what tells a value of each."""
    n = len(rows)
    beta = []
    for attribute, is_nominal in enumerate(nominal):
        known = [row[attribute] for row in rows if row[attribute] == row[attribute]]
        if is_nominal:
            beta.append(sum(known.count(v) / n * (log2(n) - log2(known.count(v))) for v in set(known)))
        else:
            t = len(set(known)) + (len(known) < n)
            beta.append(1 + log2(t) / 2 if t > 1 else 0.0)
    total = sum(beta)
    return -sum(b / total * log2(b / total) for b in beta if b), beta


def subset(
    rules: list[Rule], said: int, rows: list[list[float]], classes: list[int], bits: Any, stream: Any
) -> list[Rule]:
    n = len(rows)
    alpha, beta = bits
    matching = [[rule.matches(row) for row in rows] for rule in rules]

    def cost(inside: tuple[bool, ...]) -> float:
        taken = [i for i, yes in enumerate(inside) if yes]
        f = fp = fn = 0
        for row in range(n):
            if any(matching[i][row] for i in taken):
                f += 1
                fp += classes[row] != said
            else:
                fn += classes[row] == said
        told = 0.0
        for i in taken:
            k = len(rules[i].conditions)
            told += sum(alpha + beta[a] for a, _, _ in rules[i].conditions) + log2(k) - log2(factorial(k))
        if f > n / 2:
            wrong = code(f, fp, (fp + fn) / 2) + code(n - f, fn, fn)
        else:
            wrong = code(f, fp, fp) + code(n - f, fn, (fp + fn) / 2)
        # differences below a billionth of a bit are noise of the order in which bits are added
        return round(0.5 * (told - log2(factorial(len(taken)))) + log2(n) + wrong, 8)

    if not rules:
        return []
    best, least = (False,) * len(rules), float("inf")
    if len(rules) <= 10:
        for number in range(2 ** len(rules)):
            inside = tuple(bool(number >> i & 1) for i in range(len(rules)))
            if cost(inside) < least:
                best, least = inside, cost(inside)
    else:
        for start in range(11):
            inside = tuple(next(stream) < float(np.float32(start) / np.float32(10)) for _ in rules)
            while True:
                now = cost(inside)
                if now < least:
                    best, least = inside, now
                flips = [tuple(x != (i == j) for j, x in enumerate(inside)) for i in range(len(rules))]
                saved = [now - cost(flip) for flip in flips]
                if max(saved) <= 0:
                    break
                inside = flips[saved.index(max(saved))]
    return [rule for rule, yes in zip(rules, best, strict=True) if yes]


def code(n: float, e: float, x: float) -> float:
    if x <= 1e-6:
        return 0.0 if e == 0 else 1e6
    if x >= n - 1e-6:
        return 0.0 if e == n else 1e6
    return -e * log2(x / n) - (n - e) * log2(1 - x / n)


def random_numbers(n: int) -> list[float]:
    s = [1]
    for i in range(1, 31):
        s.append(16807 * s[i - 1] % (2**31 - 1))
    for i in range(31, 34):
        s.append(s[i - 31])
    for i in range(34, 344 + n):
        s.append((s[i - 3] + s[i - 31]) % 2**32)
    return [(x // 2) / 2**31 for x in s[344:]]


# 9.7 and 9.8


def ordered(
    chosen: list[list[Rule]], rows: list[list[float]], classes: list[int], n_classes: int
) -> tuple[list[Rule], int]:
    placed: list[Rule] = []
    left = list(range(n_classes))
    while left:
        counts = []
        for c in left:
            false = 0
            for row, truth in zip(rows, classes, strict=True):
                if truth != c and not any(r.matches(row) for r in placed):
                    false += any(r.matches(row) for r in chosen[c])
            counts.append(false)
        c = left.pop(counts.index(min(counts)))
        placed += sorted(chosen[c], key=lambda r: (r.p, r.number))
    open_ = [c for row, c in zip(rows, classes, strict=True) if not any(r.matches(row) for r in placed)]
    default = max(range(n_classes), key=lambda c: (open_.count(c), classes.count(c), -c))
    return placed, default


def without_harmful(
    rules: list[Rule], default: int, rows: list[list[float]], classes: list[int]
) -> list[Rule]:
    rules = list(rules)
    while True:
        better, worse = [0] * len(rules), [0] * len(rules)
        for row, truth in zip(rows, classes, strict=True):
            matching = [i for i, rule in enumerate(rules) if rule.matches(row)]
            if not matching:
                continue
            instead = rules[matching[1]].said if len(matching) > 1 else default
            decides = rules[matching[0]].said
            if decides != instead:
                better[matching[0]] += decides == truth
                worse[matching[0]] += instead == truth
        harmful = next((i for i in range(len(rules)) if worse[i] > better[i]), None)
        if harmful is None:
            return rules
        del rules[harmful]


def predicted(rules: list[Rule], default: int, row: list[float]) -> int:
    return next((rule.said for rule in rules if rule.holds(row)), default)
