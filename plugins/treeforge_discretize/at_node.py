"""The discretisers as splitters: a number is cut anew at every node, one branch an interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from treeforge.plugin import Discretizer, NodeView, Splitter
from treeforge_discretize.caim import CaimDiscretizer
from treeforge_discretize.mdlp import MdlpDiscretizer
from treeforge_discretize.merging import Chi2Discretizer, ChiMergeDiscretizer
from treeforge_discretize.unsupervised import EqualFrequencyDiscretizer, EqualWidthDiscretizer


class AtNode(Splitter):
    """Proposes the cuts that a discretiser finds among the node's cases; one branch a category."""

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        if not node.is_numeric(attribute):
            yield [[category] for category in range(node.n_categories(attribute))]
            return
        known = node.known(attribute)
        assert isinstance(self, Discretizer)
        cuts = self.cuts(
            node.column(attribute)[known], node.classes[known], node.weights[known], node.n_classes
        )
        if cuts:
            yield cuts


#: where the number of cases is part of the stop
COUNTS_CASES = {"weight_scale": "four times the cases make smaller differences certain"}


def at_node(discretizer: type[Discretizer], waived: Mapping[str, str] | None = None) -> type[Splitter]:
    """The splitter of a discretiser, with its parameters and its documentation."""
    name = discretizer.__name__.replace("Discretizer", "Splitter")
    first, _, rest = (discretizer.__doc__ or "").partition("\n")
    body = {
        "__doc__": f"{first}\n\n    At every node anew, one branch an interval; one branch a category.\n{rest}",
        "__module__": __name__,
        "waived": waived or {},
    }
    made: type[Splitter] = dataclass(frozen=True)(type(name, (AtNode, discretizer), body))
    return made


CaimSplitter = at_node(CaimDiscretizer)
Chi2Splitter = at_node(Chi2Discretizer, COUNTS_CASES)
ChiMergeSplitter = at_node(ChiMergeDiscretizer, COUNTS_CASES)
EqualFrequencySplitter = at_node(EqualFrequencyDiscretizer)
EqualWidthSplitter = at_node(EqualWidthDiscretizer)
MdlpSplitter = at_node(MdlpDiscretizer, COUNTS_CASES)
