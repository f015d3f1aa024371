"""A tree in PMML 4.4.

PMML has a word for shares, ``missingValueStrategy="weightedConfidence"``, but its evaluators do not know it:
JPMML refuses it, PMML4S answers NaN. So there are two forms:

``exact``
    The share of a case that reaches each node is a derived field, and the probability of a class is the sum of
    the leaves' proportions by those shares, written as a regression without normalization. Every evaluator
    computes it, unknown and unseen values included.
``tree``
    A TreeModel to look at and to score complete cases with: one that meets an unknown value gets no
    prediction (``nullPrediction``), never a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal
from xml.sax.saxutils import quoteattr

from treeforge.data import Attribute
from treeforge.errors import ModelError
from treeforge.export.conditions import Condition, conditions
from treeforge.export.flat import proportions, single_tree
from treeforge.export.numbers import shortest
from treeforge.export.subject import Subject

#: Evaluators walk nested elements, and fields that are derived from one another, by recursion.
DEEPEST = 500

Form = Literal["exact", "tree"]


def to_pmml(model: Any, schema: Any = None, *, form: Form = "exact") -> str:
    """The PMML document; ModelError where PMML has no words for what the tree does."""
    found = single_tree(model, schema, "PMML")
    forms: dict[str, Callable[[Subject], list[str]]] = {"exact": _exact, "tree": _tree}
    if form not in forms:
        raise ModelError(f"there is no PMML form '{form}' (forms: {', '.join(forms)})")
    tree, target = found.tree, found.schema.class_attribute
    if tree.depth > DEEPEST:
        raise ModelError(f"the tree is {tree.depth} levels deep; evaluators of PMML take some {DEEPEST}")
    if ((tree.attribute < 0) & (tree.weight < 1e-6) & (tree.empty == 0)).any():
        raise ModelError(
            "PMML has no words for a leaf that cannot say: one of this tree has no training cases"
        )
    if len(found.classes) < 2 and form == "exact":
        raise ModelError("PMML has no words for a regression into one class: use the form 'tree'")
    tested = _tested(found)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">',
        '<Header><Application name="TreeForge"/></Header>',
        f'<DataDictionary numberOfFields="{len(tested) + 1}">',
        *(_data_field(attribute) for attribute in [*tested, target]),
        "</DataDictionary>",
        *forms[form](found),
        "</PMML>",
    ]
    return "\n".join(lines) + "\n"


def _tested(found: Subject) -> list[Attribute]:
    return [a for i, a in enumerate(found.inputs) if (found.tree.attribute == i).any()]


def _data_field(attribute: Attribute) -> str:
    if not attribute.is_nominal:
        return f'<DataField name={_quoted(attribute.name)} optype="continuous" dataType="double"/>'
    values = "".join(f"<Value value={_quoted(category)}/>" for category in attribute.categories)
    return f'<DataField name={_quoted(attribute.name)} optype="categorical" dataType="string">{values}</DataField>'


def _mining_schema(found: Subject) -> list[str]:
    """Inputs and class; a category that was not seen in training is invalid, which is to say missing."""
    fields = [
        f'<MiningField name={_quoted(a.name)} usageType="active" missingValueTreatment="asIs"'
        + (' invalidValueTreatment="asMissing"/>' if a.is_nominal else "/>")
        for a in _tested(found)
    ]
    target = f'<MiningField name={_quoted(found.schema.class_attribute.name)} usageType="target"/>'
    return ["<MiningSchema>", *fields, target, "</MiningSchema>"]


def _output(found: Subject) -> list[str]:
    fields = [
        '<OutputField name="prediction" optype="categorical" dataType="string" feature="predictedValue"/>'
    ]
    fields += [
        f'<OutputField name={_quoted("probability of " + c)} optype="continuous" dataType="double" '
        f'feature="probability" value={_quoted(c)}/>'
        for c in found.classes
    ]
    return ["<Output>", *fields, "</Output>"]


# shares as derived fields


def _exact(found: Subject) -> list[str]:
    tree, answers = found.tree, proportions(found.tree, found.laplace)
    prefix = "share"
    while any(a.name.startswith(prefix) for a in found.schema.attributes):
        prefix += "_"
    derived: list[str] = []
    leaves: list[tuple[str, list[float]]] = []  # field of the share that ends there, its proportions
    constant = [0.0] * len(found.classes)
    if tree.n_nodes == 1:
        constant = answers[0].tolist()
    for node in range(tree.n_nodes):
        if tree.attribute[node] < 0:
            continue
        attribute = found.inputs[int(tree.attribute[node])]
        for child, condition in enumerate(conditions(tree, node, attribute), int(tree.first_child[node])):
            share = 0.0 if tree.empty[child] else float(tree.share[child])
            part = _part(condition, attribute, share)
            if node:
                part = f'<Apply function="*"><FieldRef field="{prefix}{node}"/>{part}</Apply>'
            derived.append(
                f'<DerivedField name="{prefix}{child}" optype="continuous" dataType="double">{part}</DerivedField>'
            )
            if tree.attribute[child] < 0:
                leaves.append((f"{prefix}{child}", answers[node if tree.empty[child] else child].tolist()))
    tables = []
    for code, name in enumerate(found.classes):
        terms = "".join(
            f'<NumericPredictor name="{field}" coefficient="{_number(row[code])}"/>'
            for field, row in leaves
            if row[code]
        )
        head = f'<RegressionTable intercept="{_number(constant[code])}" targetCategory={_quoted(name)}>'
        tables.append(f"{head}{terms}</RegressionTable>")
    local = ["<LocalTransformations>", *derived, "</LocalTransformations>"] if derived else []
    head = '<RegressionModel functionName="classification" algorithmName="decisionTree" normalizationMethod="none">'
    return [head, *_mining_schema(found), *_output(found), *local, *tables, "</RegressionModel>"]


def _part(condition: Condition, attribute: Attribute, share: float) -> str:
    """Which part of a case takes a branch: 1, 0, or the share where the value is unknown."""
    field = f"<FieldRef field={_quoted(attribute.name)}/>"
    if condition.categories is not None:
        # categories stand in attributes: PMML4S loses parts of a text that has &lt; in it
        labels = (_quoted(attribute.categories[code]) for code in condition.categories)
        terms = [f"<NormDiscrete field={_quoted(attribute.name)} value={label}/>" for label in labels]
        while len(terms) > 1:  # sums of pairs, so that they nest no deeper than need be
            terms = [
                _apply("+", "".join(terms[i : i + 2])) if i + 1 < len(terms) else terms[i]
                for i in range(0, len(terms), 2)
            ]
        return _apply("if", _apply("isMissing", field) + _constant(share) + terms[0])
    below, above = ("lessThan", "greaterOrEqual") if condition.closed_left else ("lessOrEqual", "greaterThan")
    tests = []
    for low, high in condition.intervals:
        ends = [_apply(above, field + _constant(low))] if low > float("-inf") else []
        ends += [_apply(below, field + _constant(high))] if high < float("inf") else []
        tests.append(_all("and", ends or [_apply("isNotMissing", field)]))
    inside = _apply("if", _all("or", tests) + _constant(1.0) + _constant(0.0))
    return _apply("if", _apply("isMissing", field) + _constant(share) + inside)


def _apply(function: str, arguments: str) -> str:
    return f'<Apply function="{function}">{arguments}</Apply>'


def _all(function: str, tests: list[str]) -> str:
    return tests[0] if len(tests) == 1 else _apply(function, "".join(tests))


def _constant(value: float) -> str:
    return f'<Constant dataType="double">{_number(value)}</Constant>'


# a TreeModel


def _tree(found: Subject) -> list[str]:
    head = (
        '<TreeModel functionName="classification" algorithmName="decisionTree" splitCharacteristic="multiSplit" '
        'missingValueStrategy="nullPrediction" noTrueChildStrategy="returnNullPrediction">'
    )
    return [head, *_mining_schema(found), *_output(found), *_node_lines(found), "</TreeModel>"]


def _node_lines(found: Subject) -> list[str]:
    """The nodes, nested; a stack instead of recursion."""
    tree, classes = found.tree, found.classes
    answers, weight = proportions(tree, found.laplace), tree.weight.tolist()
    lines: list[str] = []
    waiting: list[str | tuple[int, str]] = [
        (0, "<True/>")
    ]  # (node, its condition); a text is a line that waits
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        node, predicate = item
        # a known value that leads to an empty leaf is answered with the distribution of the node above
        row = answers[int(tree.parent[node]) if tree.empty[node] and node else node].tolist()
        score, count = classes[row.index(max(row))], weight[node]
        lines.append(f'<Node id="{node}" score={_quoted(score)} recordCount="{_number(count)}">{predicate}')
        if tree.attribute[node] < 0:
            lines += [
                f'<ScoreDistribution value={_quoted(c)} recordCount="{_number(p * count)}" probability="{_number(p)}"/>'
                for c, p in zip(classes, row, strict=True)
            ]
            lines.append("</Node>")
            continue
        waiting.append("</Node>")
        attribute = found.inputs[int(tree.attribute[node])]
        below = list(enumerate(conditions(tree, node, attribute), int(tree.first_child[node])))
        waiting += [(child, _predicate(condition, attribute)) for child, condition in reversed(below)]
    return lines


def _predicate(condition: Condition, attribute: Attribute) -> str:
    field = f"field={_quoted(attribute.name)}"
    if condition.categories is not None:
        # not SimpleSetPredicate: readers differ on how its array quotes a quotation mark
        labels = [_quoted(attribute.categories[code]) for code in condition.categories]
        return _joined(
            "or", [f'<SimplePredicate {field} operator="equal" value={label}/>' for label in labels]
        )
    below, above = ("lessThan", "greaterOrEqual") if condition.closed_left else ("lessOrEqual", "greaterThan")
    parts = []
    for low, high in condition.intervals:
        ends = [(above, low)] if low > float("-inf") else []
        ends += [(below, high)] if high < float("inf") else []
        tests = [f'<SimplePredicate {field} operator="{how}" value="{_number(cut)}"/>' for how, cut in ends]
        parts.append(_joined("and", tests or [f'<SimplePredicate {field} operator="isNotMissing"/>']))
    return _joined("or", parts)


def _joined(word: str, tests: list[str]) -> str:
    if len(tests) == 1:
        return tests[0]
    return f'<CompoundPredicate booleanOperator="{word}">{"".join(tests)}</CompoundPredicate>'


# words of XML

_number = shortest


def _quoted(text: str) -> str:
    """An attribute's value; line ends as references, since a reader turns bare ones into blanks."""
    _check(text)
    return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _check(text: str) -> None:
    if any((c < " " and c not in "\n\r\t") or c in "\ufffe\uffff" for c in text):
        raise ModelError(f"the name {text!r} holds a character that XML cannot write")
