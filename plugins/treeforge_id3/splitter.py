"""ID3's tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from treeforge.plugin import InputError, NodeView, Splitter, Table

#: every check that grows a tree does so on a table with numbers
GROWING = (
    "row_order", "class_labels", "category_labels", "doubled_rows", "weight_scale", "zero_weight", "one_class",
    "useless_columns", "few_rows", "unknown_values", "ties", "no_memory", "threads", "specification_is_json",
    "something_is_found", "branches_are_not_empty_of_reason", "cuts_lie_between_values", "twins_agree",
    "it_keeps_to_its_rooms",
)  # fmt: skip
NOMINAL_ONLY = "ID3 takes nominal attributes alone; the table of this check has numbers"


@dataclass(frozen=True)
class Id3Splitter(Splitter):
    """One branch a category. A numeric attribute is an error: put a discretiser in front.

    An attribute that was tested is of no use below, so a path tests each at most once. Goes with information
    gain and no pruning; stop with ``min_branch: 1`` to have Quinlan's trees.

    References
    ----------
    J. R. Quinlan, Induction of decision trees, Machine Learning 1 (1986).
    """

    default_criterion: ClassVar[str] = "information_gain"
    default_pruner: ClassVar[str] = "none"
    waived: ClassVar[Mapping[str, str]] = dict.fromkeys(GROWING, NOMINAL_ONLY)

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        yield [[category] for category in range(node.n_categories(attribute))]

    def kernel(self, table: Table) -> None:
        numeric = np.flatnonzero(table.n_categories == 0)
        if numeric.size:
            raise InputError(
                int(numeric[0]),
                "is a number, and ID3 tests nominal attributes only: "
                "discretise first (discretizer: mdlp, for one)",
            )
