"""A model in ONNX, for onnxruntime and whatever else reads it.

ONNX has operators for trees (``TreeEnsembleClassifier``), but they send an unknown value down one branch, and answer
in single precision. So the trees are written in ordinary operators on doubles, a tree at a time:

1. of every node, which part of a row its branch takes: 1 or 0 for a known value, its share for an unknown one;
2. the product of these on the way from the root, by doubling: the parts of a node and of the node 1, 2, 4 ... levels
   above it are multiplied, so that 10,000 levels take 14 steps;
3. the sum of the leaves' proportions by these parts.

A row without unknown values has one part of 1, and gets the same bits as from ``predict_proba``; sums of several parts
are added in another order, and agree to about 15 digits.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.core.model import VoteModel
from treeforge.core.tree import Tree
from treeforge.data import Attribute
from treeforge.errors import ModelError
from treeforge.export.conditions import Condition, conditions
from treeforge.export.flat import no_soft_thresholds, proportions
from treeforge.export.subject import Subject, subject

_OPSET = 18  # the first in which reductions take their axes as an input; onnxruntime reads it since 1.14
_LARGEST = 2**31 - 1  # bytes that a file may have


def to_onnx(model: Any, schema: Any = None) -> bytes:
    """The bytes of an ONNX file; the package ``onnx`` is needed (``pip install 'treeforge[export]'``).

    The inputs are the attributes that are tested, by name, [n_rows, 1]: doubles, NaN being unknown, or texts, where a
    text that is no category of the attribute is unknown. Dates are milliseconds since 1970. The outputs are
    ``prediction``, texts [n_rows], empty where the model cannot say, and ``probabilities``, doubles
    [n_rows, n_classes]; the names of the classes are kept with the model as ``classes``, a JSON array.

    Raises
    ------
    ModelError
        Without the package; for soft thresholds; for an attribute without a name; for files above 2 GB.
    """
    found = subject(model, schema)
    no_soft_thresholds(found, "ONNX")
    graph = _Graph(found)
    total = _sum_of_trees(graph, found)
    probabilities = total
    if isinstance(found.fitted, VoteModel):
        whole = graph.op("ReduceSum", total, graph.whole([1]), keepdims=1)
        divisor = graph.op("Where", graph.above_zero(whole), whole, graph.double(np.array([[1.0]])))
        probabilities = graph.op("Div", total, divisor)
    return graph.file(_labels(graph, found, total, probabilities), probabilities)


def _sum_of_trees(graph: _Graph, found: Subject) -> str:
    """Probabilities of the one tree; of several the weighted sum of their probabilities or votes."""
    fitted = found.fitted
    answers = [_tree(graph, found, tree) for tree in found.trees]
    if not isinstance(fitted, VoteModel):
        return answers[0]
    weights = np.ones(len(answers)) if fitted.weights is None else fitted.weights
    if fitted.votes:
        unit = graph.double(np.eye(len(found.classes)))
        for number, name in enumerate(answers):
            best = graph.op("ArgMax", name, axis=1, keepdims=0)
            said = graph.op("Cast", graph.says_something(name), to=graph.DOUBLE)
            answers[number] = graph.op("Mul", graph.op("Gather", unit, best, axis=0), said)
    weighted = [
        graph.op("Mul", name, graph.double(np.array([[weight]])))
        for name, weight in zip(answers, weights.tolist(), strict=True)
    ]
    return graph.op("Sum", *weighted)


def _labels(graph: _Graph, found: Subject, total: str, probabilities: str) -> str:
    """The class said, as text: the first of the most probable ones, or of least expected cost; else empty."""
    costs = found.algorithm.get("cost_matrix")
    if costs is None:
        best = graph.op("ArgMax", total, axis=1, keepdims=0)
    else:
        expected = graph.op("MatMul", probabilities, graph.double(np.array(costs, dtype=np.float64)))
        best = graph.op("ArgMin", expected, axis=1, keepdims=0)
    says = graph.op("Squeeze", graph.says_something(total), graph.whole([1]))
    nothing = graph.whole([len(found.classes)])
    return graph.op(
        "Gather", graph.texts([*found.classes, ""]), graph.op("Where", says, best, nothing), axis=0
    )


# one tree


def _tree(graph: _Graph, found: Subject, tree: Tree) -> str:
    """Class probabilities of a tree, [n_rows, n_classes]."""
    answers = proportions(tree, found.laplace)
    leaves = np.flatnonzero(tree.attribute < 0)
    parent = np.maximum(tree.parent, 0)
    # an empty leaf is answered by the node above it
    rows = answers[np.where(tree.empty[leaves] > 0, parent[leaves], leaves)]
    if tree.n_nodes == 1:
        return graph.op("MatMul", graph.ones, graph.double(rows))
    part = graph.op("Concat", graph.ones, _parts(graph, found, tree), axis=1)  # the root is the first column
    above = parent
    while above.any():
        part = graph.op("Mul", part, graph.op("Gather", part, graph.whole(above), axis=1))
        above = above[above]
    return graph.op("MatMul", graph.op("Gather", part, graph.whole(leaves), axis=1), graph.double(rows))


def _parts(graph: _Graph, found: Subject, tree: Tree) -> str:
    """Which part of the case at its parent each node but the root takes, [n_rows, n_nodes - 1]."""
    tested = tree.attribute[tree.parent[1:]]
    n_cells = np.diff(tree.cell_start)[tree.parent[1:]]
    nominal = np.array([a.is_nominal for a in found.inputs])[tested]
    share = np.where(tree.empty[1:] > 0, 0.0, tree.share[1:])
    values = graph.op("Gather", graph.matrix, graph.whole([graph.column[int(a)] for a in tested]), axis=1)
    # a category that the test does not know is unknown to it
    beyond = graph.op("Greater", values, graph.double(np.where(nominal, n_cells - 0.5, np.inf)))
    unknown = graph.op("Or", graph.op("IsNaN", values), beyond)
    inside = ""
    for low, high in _intervals(found, tree):
        above = graph.op("Not", graph.op("LessOrEqual", values, graph.double(low)))
        here = graph.op("And", above, graph.op("LessOrEqual", values, graph.double(high)))
        inside = graph.op("Or", inside, here) if inside else here
    taken = graph.op("Cast", inside, to=graph.DOUBLE)
    return graph.op("Where", unknown, graph.double(share), taken)


def _intervals(found: Subject, tree: Tree) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The values that lead to each node but the root: the first interval ``low < value <= high`` of all, the second ...

    ``not value <= NaN`` is true of all numbers, minus infinity too; where there is no such interval, low is infinite.
    """
    lists: list[list[tuple[float, float]]] = [[] for _ in range(tree.n_nodes)]
    for node in np.flatnonzero(tree.attribute >= 0).tolist():
        attribute = found.inputs[int(tree.attribute[node])]
        for child, condition in enumerate(conditions(tree, node, attribute), int(tree.first_child[node])):
            lists[child] = _half_open(condition)
    rounds = []
    for number in range(max(map(len, lists))):
        ends = [parts[number] if number < len(parts) else (np.inf, np.inf) for parts in lists[1:]]
        low, high = np.array(ends).T
        rounds.append((np.where(np.isneginf(low), np.nan, low), high))
    return rounds


def _half_open(condition: Condition) -> list[tuple[float, float]]:
    """A condition as intervals that are open on the left; categories as their codes."""
    if condition.categories is not None:
        runs: list[tuple[float, float]] = []
        for code in condition.categories:
            if runs and runs[-1][1] == code - 0.5:
                runs[-1] = (runs[-1][0], code + 0.5)
            else:
                runs.append((code - 0.5, code + 0.5))
        return runs
    if not condition.closed_left:
        return list(condition.intervals)
    ends = np.array(condition.intervals).reshape(-1, 2)  # x < cut: the same as x <= the double before it
    ends = np.where(np.isinf(ends), ends, np.nextafter(ends, -np.inf))
    return [(float(low), float(high)) for low, high in ends]


# the graph


class _Graph:
    """Nodes and constants of a graph, whose inputs are the attributes that the trees test."""

    def __init__(self, found: Subject) -> None:
        try:
            import onnx
        except ImportError:
            raise ModelError(
                "ONNX files are written by the package 'onnx', which is not installed: pip install 'treeforge[export]'"
            ) from None
        self.onnx = onnx
        self.DOUBLE = onnx.TensorProto.DOUBLE
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.size = 0
        self.found = found
        tested = sorted({int(a) for tree in found.trees for a in np.unique(tree.attribute) if a >= 0}) or [0]
        if not found.inputs:
            raise ModelError("a model without attributes has no input, so ONNX could not count the rows")
        self.names = {found.inputs[place].name for place in tested}
        self.column = {place: column for column, place in enumerate(tested)}
        columns = [self._input(found.inputs[place]) for place in tested]
        self.matrix = self.op("Concat", *columns, axis=1)
        n_rows = self.op("Shape", self.matrix, start=0, end=1)
        one = onnx.numpy_helper.from_array(np.ones(1))
        self.ones = self.op(
            "ConstantOfShape", self.op("Concat", n_rows, self.whole([1]), axis=0), value=one
        )  # [n_rows, 1]

    def _input(self, attribute: Attribute) -> str:
        """Declare an input; its values as doubles, NaN where unknown, [n_rows, 1]."""
        if not attribute.name:
            raise ModelError("an attribute without a name cannot be an input in ONNX")
        kind = self.onnx.TensorProto.STRING if attribute.is_nominal else self.DOUBLE
        self.inputs.append(self.onnx.helper.make_tensor_value_info(attribute.name, kind, ["rows", 1]))
        if not attribute.is_nominal:
            return attribute.name
        if not attribute.categories:  # no text is a category
            unknown = self.op("Shape", attribute.name)
            return self.op(
                "ConstantOfShape", unknown, value=self.onnx.numpy_helper.from_array(np.full(1, np.nan))
            )
        codes = self.op(
            "LabelEncoder",
            attribute.name,
            domain="ai.onnx.ml",
            keys_strings=list(attribute.categories),
            values_int64s=list(range(len(attribute.categories))),
            default_int64=-1,
        )
        numbers = self.op("Cast", codes, to=self.DOUBLE)
        zero = self.double(np.array([[0.0]]))
        return self.op("Where", self.op("Less", numbers, zero), self.double(np.array([[np.nan]])), numbers)

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add an operator; the name of what it gives."""
        name = self._name()
        self.nodes.append(
            self.onnx.helper.make_node(kind, list(inputs), [name], name=name, domain=domain, **attributes)
        )
        return name

    def says_something(self, probabilities: str) -> str:
        """Whether any class of a row has a probability, [n_rows, 1]."""
        return self.above_zero(self.op("ReduceMax", probabilities, self.whole([1]), keepdims=1))

    def above_zero(self, numbers: str) -> str:
        return self.op("Greater", numbers, self.double(np.array([[0.0]])))

    def double(self, values: NDArray[np.float64]) -> str:
        return self._constant(np.ascontiguousarray(values, dtype=np.float64))

    def whole(self, values: Any) -> str:
        return self._constant(np.asarray(values, dtype=np.int64))

    def texts(self, values: list[str]) -> str:
        name = self._name()
        array = np.array([value.encode() for value in values], dtype=object)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def _constant(self, array: NDArray[Any]) -> str:
        name = self._name()
        self.size += array.nbytes
        if self.size > _LARGEST:
            raise ModelError("the model is too large for an ONNX file, which may have 2 GB")
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def _name(self) -> str:
        return self._free(f"{len(self.nodes)}.{len(self.constants)}")

    def _free(self, name: str) -> str:
        """The name, or one like it that no attribute has."""
        while name in self.names:
            name += "_"
        return name

    def file(self, labels: str, probabilities: str) -> bytes:
        """The model that gives these two, checked, as bytes."""
        helper, proto = self.onnx.helper, self.onnx.TensorProto
        outputs = []
        shapes = (
            ("prediction", labels, proto.STRING, ["rows"]),
            ("probabilities", probabilities, proto.DOUBLE, ["rows", len(self.found.classes)]),
        )
        for name, inner, kind, shape in shapes:
            free = self._free(name)
            self.nodes.append(helper.make_node("Identity", [inner], [free], name=free))
            outputs.append(helper.make_tensor_value_info(free, kind, shape))
        graph = helper.make_graph(self.nodes, "TreeForge", self.inputs, outputs, self.constants)
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", 3)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="TreeForge", ir_version=8)
        helper.set_model_props(model, {"classes": json.dumps(list(self.found.classes))})
        self.onnx.checker.check_model(model)
        found: bytes = model.SerializeToString()
        return found
