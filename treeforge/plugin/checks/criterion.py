"""What a criterion must satisfy."""

from __future__ import annotations

import numpy as np

from treeforge.plugin.checks import tables
from treeforge.plugin.checks.fitting import tree
from treeforge.plugin.interfaces import Criterion


def the_better_attribute_wins(plugin: Criterion) -> None:
    """An attribute that is the class itself is tested first, and only it."""
    data = tables.mixed(n_classes=2)
    codes = data.class_codes
    answer = tables.with_column(data, 2, codes.astype(np.float64))
    grown = tree(plugin, answer)
    assert grown.n_nodes == 3, f"the tree has {grown.n_nodes} nodes, not 3"
    assert grown.attribute[0] == 2, f"attribute {grown.attribute[0]} was tested, not the one that tells all"


def score_is_a_number(plugin: Criterion) -> None:
    """If it scores in Python: a finite number, above 0 for a perfect partition, the same for branches in any order."""
    if type(plugin).score is Criterion.score:
        return
    perfect = np.array([[6.0, 0.0], [0.0, 4.0]])
    uneven = np.array([[5.0, 1.0, 0.0], [2.0, 2.0, 4.0], [0.0, 0.0, 3.0]])
    for counts in (perfect, uneven):
        found = plugin.score(counts, counts.sum())
        assert np.isfinite(found), f"the score is {found}"
        turned = plugin.score(counts[::-1].copy(), counts.sum())
        assert np.isclose(found, turned), f"branches in another order score {turned}, not {found}"
    assert plugin.score(perfect, 10.0) > 0, "a perfect partition scores nothing"
