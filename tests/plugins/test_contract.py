"""Every registered plugin meets the contract of its kind: the checks that third parties run on theirs."""

from __future__ import annotations

from treeforge.plugin.checks import contract


@contract()
def test_contract(plugin, check) -> None:
    check(plugin)
