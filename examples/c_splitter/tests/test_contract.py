"""random_cut_c meets the contract of a splitter, and does what it is for."""

from treeforge.plugin.checks import contract

from treeforge_random_cut_c import RandomCutCSplitter


@contract("random_cut_c", kind="splitter")
def test_contract(plugin, check):
    check(plugin)


def test_parameters_have_defaults():
    assert RandomCutCSplitter() == RandomCutCSplitter(**RandomCutCSplitter().parameters())
