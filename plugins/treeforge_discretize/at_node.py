"""The discretisers as splitters: a number is cut anew at every node, one branch an interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from treeforge.plugin import Discretizer, NodeView, Splitter, Table
from treeforge_discretize import _kernel
from treeforge_discretize.caim import CaimDiscretizer
from treeforge_discretize.mdlp import MdlpDiscretizer
from treeforge_discretize.merging import Chi2Discretizer, ChiMergeDiscretizer, thresholds
from treeforge_discretize.unsupervised import EqualFrequencyDiscretizer, EqualWidthDiscretizer

#: parameters of a discretiser, and the number of classes -> what its kernel is told
Words = Callable[[Any, int], dict[str, Any]]


class AtNode(Splitter):
    """Proposes the cuts that a discretiser finds among the node's cases; one branch a category."""

    method: ClassVar[str]
    words: ClassVar[Words]

    releases_gil: ClassVar[bool] = True

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        """The reference of the compiled kernel."""
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

    def kernel(self, table: Table) -> object:
        return _kernel.kernel(self.method, table.n_rows, **type(self).words(self, table.n_classes))


#: where the number of cases is part of the stop
COUNTS_CASES = {"weight_scale": "four times the cases make smaller differences certain"}


def nothing(_: Any, n_classes: int) -> dict[str, Any]:
    return {}


def bins(chosen: EqualWidthDiscretizer | EqualFrequencyDiscretizer, n_classes: int) -> dict[str, Any]:
    return {"bins": chosen.bins}


def chi_merge(chosen: ChiMergeDiscretizer, n_classes: int) -> dict[str, Any]:
    return {
        "at_most": chosen.max_intervals or 0,
        "at_least": chosen.min_intervals,
        "least_expected": chosen.least_expected,
        "thresholds": thresholds([chosen.significance], n_classes),
    }


def chi2(chosen: Chi2Discretizer, n_classes: int) -> dict[str, Any]:
    return {
        "inconsistency": chosen.inconsistency,
        "least_expected": chosen.least_expected,
        "thresholds": thresholds([1.0 - level for level in chosen.levels], n_classes),
    }


def at_node(
    discretizer: type[Discretizer],
    method: str,
    words: Words,
    waived: Mapping[str, str] | None = None,
    examples: tuple[Mapping[str, Any], ...] = ({},),
) -> type[Splitter]:
    """The splitter of a discretiser, with its parameters and its documentation."""
    name = discretizer.__name__.replace("Discretizer", "Splitter")
    first, _, rest = (discretizer.__doc__ or "").partition("\n")
    body = {
        "__doc__": f"{first}\n\n    At every node anew, one branch an interval; one branch a category.\n{rest}",
        "__module__": __name__,
        "method": method,
        "words": staticmethod(words),
        "waived": waived or {},
        "examples": examples,
    }
    made: type[Splitter] = dataclass(frozen=True)(type(name, (AtNode, discretizer), body))
    return made


CaimSplitter = at_node(CaimDiscretizer, "caim", nothing)
# the default leaves noise in very many intervals
Chi2Splitter = at_node(Chi2Discretizer, "chi2", chi2, COUNTS_CASES, ({}, {"inconsistency": 0.3}))
ChiMergeSplitter = at_node(ChiMergeDiscretizer, "chimerge", chi_merge, COUNTS_CASES)
EqualFrequencySplitter = at_node(EqualFrequencyDiscretizer, "equal_frequency", bins)
EqualWidthSplitter = at_node(EqualWidthDiscretizer, "equal_width", bins)
MdlpSplitter = at_node(MdlpDiscretizer, "mdlp", nothing, COUNTS_CASES)
