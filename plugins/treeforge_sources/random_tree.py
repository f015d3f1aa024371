"""A random tree that rows are drawn from and classified by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data import Attribute
from treeforge_sources.generator import BLOCK, Generator, check_share, codes, integers, numbered


@dataclass(frozen=True)
class _Node:
    """A test, or a leaf when there are no branches."""

    attribute: int  # numeric ones first
    cut: float  # of a numeric one: up to it goes to the first branch
    branches: tuple[int, ...]
    leaf_class: int


@dataclass(frozen=True)
class RandomTree(Generator):
    """Uniform rows with the class that a random decision tree gives them: what a tree can learn without a fault.

    Parameters
    ----------
    rows : int
    classes, numeric, nominal, categories : int
        How many classes, attributes of each kind, and categories of a nominal one.
    max_depth : int
        Deepest level of a leaf; the root is level 0.
    first_leaf_level : int
        First level with leaves.
    leaf_share : float
        Share of leaves among the nodes from that level on.
    seed_of_tree : int, optional
        Draw the tree from this seed, so that several seeds give rows of one tree.

    References
    ----------
    P. Domingos, G. Hulten: Mining High-Speed Data Streams. KDD 2000, 71-80.
    """

    classes: int = 2
    numeric: int = 5
    nominal: int = 5
    categories: int = 5
    max_depth: int = 5
    first_leaf_level: int = 3
    leaf_share: float = 0.15
    seed_of_tree: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in {
            "classes": 1,
            "numeric": 0,
            "nominal": 0,
            "categories": 2,
            "max_depth": 0,
        }.items():
            if getattr(self, name) < least:
                raise ValueError(f"{name} is a number not below {least}, not {getattr(self, name)}")
        check_share("leaf_share", self.leaf_share)

    def attributes(self) -> list[Attribute]:
        numbers = [Attribute(f"number{i}") for i in range(1, self.numeric + 1)]
        words = [
            Attribute(f"word{i}", "nominal", numbered(self.categories)) for i in range(1, self.nominal + 1)
        ]
        return [*numbers, *words, Attribute("class", "nominal", numbered(self.classes))]

    def prepare(self, random: np.random.Generator) -> list[_Node]:
        """The tree, from the root on: children come after their parent."""
        if self.seed_of_tree is not None:
            random = np.random.default_rng(self.seed_of_tree)
        nodes: list[_Node] = []
        # level, bounds of the numeric attributes, nominal ones tested above; a place in the list is a place in nodes
        waiting = [(0, ((0.0, 1.0),) * self.numeric, frozenset[int]())]
        while len(nodes) < len(waiting):
            level, bounds, tested = waiting[len(nodes)]
            n_open = self.numeric + self.nominal - len(tested)
            is_leaf = level >= self.max_depth or n_open == 0
            is_leaf = is_leaf or (level >= self.first_leaf_level and random.random() < self.leaf_share)
            if is_leaf:
                nodes.append(_Node(-1, 0.0, (), int(random.random() * self.classes)))
                continue
            open_ones = [i for i in range(self.numeric + self.nominal) if i not in tested]
            attribute = open_ones[int(random.random() * n_open)]
            cut = 0.0
            if attribute < self.numeric:
                low, high = bounds[attribute]
                cut = low + (high - low) * random.random()
                halves = [
                    (*bounds[:attribute], half, *bounds[attribute + 1 :])
                    for half in ((low, cut), (cut, high))
                ]
                children = [(level + 1, half, tested) for half in halves]
            else:
                children = [(level + 1, bounds, tested | {attribute})] * self.categories
            branches = tuple(range(len(waiting), len(waiting) + len(children)))
            waiting.extend(children)
            nodes.append(_Node(attribute, cut, branches, -1))
        return nodes

    def draw(self, random: np.random.Generator, prepared: list[_Node]) -> list[NDArray[Any]]:
        numbers = [random.random(BLOCK) for _ in range(self.numeric)]
        words = [codes(integers(random, 0, self.categories - 1)) for _ in range(self.nominal)]
        classes = np.zeros(BLOCK, dtype=np.int32)
        rows_of = {0: np.arange(BLOCK)}
        for place, node in enumerate(prepared):
            rows = rows_of.pop(place)
            if not node.branches:
                classes[rows] = node.leaf_class
                continue
            if node.attribute < self.numeric:
                branch = (numbers[node.attribute][rows] > node.cut).astype(np.int32)
            else:
                branch = words[node.attribute - self.numeric][rows]
            for i, child in enumerate(node.branches):
                rows_of[child] = rows[branch == i]
        return [*numbers, *words, classes]
