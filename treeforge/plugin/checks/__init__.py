"""What every plugin must satisfy: a contract that its author runs, as we run it on ours.

In a test file of a plugin's package, all there is to write is::

    from treeforge.plugin.checks import contract

    @contract("equal_width")
    def test_contract(plugin, check):
        check(plugin)

and on the command line ``treeforge plugins check equal_width``.
"""

from treeforge.plugin.checks.contract import Check, Outcome, check, checks, contract, instances

__all__ = ["Check", "Outcome", "check", "checks", "contract", "instances"]
