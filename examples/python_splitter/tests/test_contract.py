"""equal_parts meets the contract of a splitter, and does what it is for."""

from treeforge.plugin.checks import contract

from treeforge_equal_parts import EqualPartsSplitter


@contract("equal_parts", kind="splitter")
def test_contract(plugin, check):
    check(plugin)


def test_parameters_have_defaults():
    assert EqualPartsSplitter() == EqualPartsSplitter(**EqualPartsSplitter().parameters())
