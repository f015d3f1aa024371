"""C4.5's tests of one attribute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from treeforge.plugin import Sample, Splitter, Table, Tree
from treeforge_c45 import _kernel, _order
from treeforge_c45.cases import cases_of


@dataclass(frozen=True)
class C45Splitter(Splitter):
    """One branch a category; the best midpoint of a number, two branches.

    Parameters
    ----------
    binary : bool
        Nominal attributes: one category against the rest, the one of best ratio (J48 -B).
    mdl_correction : bool
        Charge a threshold ``log2(candidates) / cases`` for having been searched for; False is J48 -J.
    actual_value : bool
        Move a threshold down to the greatest training value that is not above it; False keeps the midpoint.
    smallest_side : bool
        Thresholds leave on each side at least a tenth of the cases divided by the number of classes (at most
        25), as Release 8 does; False asks for ``min_branch`` alone.
    grouping : bool
        Nominal attributes: categories merged into groups, two at a time, as long as the gain ratio rises
        (C4.5 -s). A category without cases joins the heaviest group.

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning (1993), chapters 2 and 7.
    J. R. Quinlan, Improved use of continuous attributes in C4.5, JAIR 4 (1996) 77-90.
    """

    binary: bool = False
    mdl_correction: bool = True
    actual_value: bool = True
    smallest_side: bool = True
    grouping: bool = False

    releases_gil: ClassVar[bool] = True
    examples: ClassVar[tuple[Mapping[str, Any], ...]] = (
        {},
        {"binary": True},
        {"mdl_correction": False},
        {"grouping": True},
    )
    waived: ClassVar[Mapping[str, str]] = {
        "doubled_rows": "J48 compares the count of cases, not their weight, with twice the least weight",
        "weight_scale": "J48's least weight of a threshold's sides does not grow beyond 25",
    }

    def __post_init__(self) -> None:
        if self.binary and self.grouping:
            raise ValueError("binary and grouping are two ways to split a nominal attribute: choose one")

    def kernel(self, table: Table) -> object:
        return _kernel.kernel(
            self.binary, self.mdl_correction, self.actual_value, self.smallest_side, self.grouping
        )

    def wants_second_look(self, tree: Tree, table: Table, sample: Sample) -> bool:
        """Whether the last bit of some sum of fractions is seen (c45.md 12)."""
        return sample.copies is None and _order.decides(tree, table, len(sample.rows))

    def second_look(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        """Fractions added in J48's order where that bit is seen."""
        return _order.summed_again(tree, table, *cases_of(table, sample))

    def metadata(self) -> dict[str, Any]:
        return {"binary": True} if self.binary else {}
