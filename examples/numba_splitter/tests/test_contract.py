"""random_cut_numba meets the contract of a splitter, and does what it is for."""

from treeforge.plugin.checks import contract

from treeforge_random_cut_numba import RandomCutNumbaSplitter


@contract("random_cut_numba", kind="splitter")
def test_contract(plugin, check):
    check(plugin)


def test_parameters_have_defaults():
    assert RandomCutNumbaSplitter() == RandomCutNumbaSplitter(**RandomCutNumbaSplitter().parameters())
