"""Names -> classes: ambiguity, pins, and plugins that are broken."""

from __future__ import annotations

import sys

import pytest
from plugin_packages import SPLITTER, Install

from treeforge.errors import PluginError
from treeforge.plugin import registry

ONE = SPLITTER.format(name="One")


def names(kind: str = "splitter") -> list[str]:
    return [entry.name for entry in registry.entries(kind)]


def test_installed_plugin_is_found_by_name_and_nothing_is_imported(install: Install) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One"])
    entry = registry.find("splitter", "one")
    assert (entry.package, entry.version) == ("pack_a", "1.2")
    assert "pack_a" not in sys.modules
    assert registry.create("splitter", "one", {"parts": 3}).parts == 3


def test_name_that_two_packages_claim_names_both_and_can_be_written_out(install: Install) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One"])
    install("pack_b", ONE, splitters=["one = pack_b:One"])
    with pytest.raises(PluginError) as caught:
        registry.find("splitter", "one")
    assert str(caught.value) == (
        "splitter 'one' is claimed by the packages pack_a and pack_b: write pack_a:one or pack_b:one"
    )
    assert registry.find("splitter", "pack_b:one").package == "pack_b"
    assert registry.find("splitter", "pack-b:one@1").package == "pack_b"


def test_package_that_claims_a_name_twice_is_named(install: Install) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One", "one = pack_a:Other"])
    with pytest.raises(PluginError, match="'one' is claimed twice by package pack_a"):
        registry.find("splitter", "one")


def test_pin_is_the_version_of_the_meaning(install: Install) -> None:
    install("pack_a", ONE + "    meaning = 2\n", splitters=["one = pack_a:One"])
    assert registry.find("splitter", "one@2").name == "one"
    with pytest.raises(PluginError, match="splitter 'one' is installed with meaning 2, not 1"):
        registry.find("splitter", "one@1")


def test_unknown_name_lists_what_there_is_and_the_nearest(install: Install) -> None:
    install("pack_a", ONE, splitters=["one_of_them = pack_a:One"])
    with pytest.raises(PluginError) as caught:
        registry.find("splitter", "one_off_them")
    assert "no splitter is called 'one_off_them'; did you mean 'one_of_them'? (installed: " in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def broken(:", "SyntaxError: invalid syntax (pack_b.py, line 1)"),
        ("Other = 3", "AttributeError: module 'pack_b' has no attribute 'Two'"),
        ("class Two: pass", "is no Splitter: pack_b:Two"),
        (
            "from treeforge.plugin import Splitter\nclass Two(Splitter):\n    parts = 2",
            "is no frozen dataclass: pack_b:Two",
        ),
        (
            SPLITTER.format(name="Two").replace("int = 2", "int = None"),
            "the default does not fit its own type: parts: a whole number is expected, not nothing",
        ),
        (
            SPLITTER.format(name="One").replace("int = 2", "int = 'many'")
            + "\n@dataclass(frozen=True)\nclass Two(One):\n    more: int = 3\n",
            "the default does not fit its own type: parts: a whole number is expected, not the text 'many'",
        ),
        (
            "from dataclasses import field\n"
            + SPLITTER.format(name="Two").replace("int = 2", "int = field(default_factory=lambda: 1 // 0)"),
            "has parameters that cannot be read: ZeroDivisionError: integer division or modulo by zero",
        ),
        (
            SPLITTER.format(name="Two").replace("int = 2", "'Nowhere' = 2"),
            "the types of Two's parameters cannot be read: name 'Nowhere' is not defined",
        ),
    ],
)
def test_case_p01_broken_plugin_says_why_and_harms_no_other(
    install: Install, source: str, reason: str
) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One"])
    install("pack_b", source, splitters=["two = pack_b:Two"])
    install("pack_c", SPLITTER.format(name="Three"), splitters=["three = pack_c:Three"])
    assert registry.load("splitter", "one").__name__ == "One"
    assert registry.load("splitter", "three").__name__ == "Three"
    assert {"one", "two", "three"} <= set(names())
    with pytest.raises(PluginError) as caught:
        registry.load("splitter", "two")
    assert str(caught.value).startswith("splitter 'two' of package pack_b")
    assert str(caught.value).endswith(reason)


def test_plugin_that_leaves_a_method_out_is_refused_when_loaded(install: Install) -> None:
    source = (
        "from dataclasses import dataclass\nfrom treeforge.plugin import Pruner\n"
        "@dataclass(frozen=True)\nclass Two(Pruner):\n    pass\n"
    )
    install("pack_b", source, pruners=["two = pack_b:Two"])
    with pytest.raises(PluginError, match="does not say how to 'prune'"):
        registry.load("pruner", "two")


def test_unknown_kind_lists_the_kinds() -> None:
    with pytest.raises(PluginError, match=r"there is no plugin kind 'spliter'; did you mean 'splitter'\?"):
        registry.entries("spliter")
