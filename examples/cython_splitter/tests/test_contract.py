"""random_cut_cython meets the contract of a splitter, and does what it is for."""

from treeforge.plugin.checks import contract

from treeforge_random_cut_cython import RandomCutCythonSplitter


@contract("random_cut_cython", kind="splitter")
def test_contract(plugin, check):
    check(plugin)


def test_parameters_have_defaults():
    assert RandomCutCythonSplitter() == RandomCutCythonSplitter(**RandomCutCythonSplitter().parameters())
