"""``treeforge plugins list`` and ``info``: everything installed, the broken with its reason."""

from __future__ import annotations

import json

from plugin_packages import SPLITTER, Install

from treeforge.cli import main
from treeforge.plugin import catalogue

ONE = SPLITTER.format(name="One")
UNDOCUMENTED = """
from dataclasses import dataclass
from treeforge.plugin import Splitter

@dataclass(frozen=True)
class Two(Splitter):
    parts: int = 2
"""


def listed(name: str, *, check: bool = False) -> catalogue.Listed:
    return next(one for one in catalogue.listing(["splitter"], check=check) if one.entry.name == name)


def test_case_p01_list_shows_the_broken_one_with_its_reason(install: Install, capsys) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One"])
    install("pack_b", "import gone_with_the_wind", splitters=["two = pack_b:Two"])
    assert main(["plugins", "list", "--kind", "splitter"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[1] == "one" and line.endswith("Splits somewhere.") for line in lines)
    broken = next(line for line in lines if line.split()[1] == "two")
    assert "BROKEN: " in broken
    assert "No module named 'gone_with_the_wind'" in broken


def test_traceback_of_a_broken_plugin_can_be_had(install: Install, capsys) -> None:
    install("pack_b", "import gone_with_the_wind", splitters=["two = pack_b:Two"])
    main(["plugins", "list", "--traceback"])
    assert 'pack_b.py", line 1, in <module>' in capsys.readouterr().err


def test_check_finds_what_can_be_said_without_running_it(install: Install) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One"])
    install("pack_b", UNDOCUMENTED, splitters=["two = pack_b:Two"])
    assert listed("one", check=True).faults == ()
    assert listed("two", check=True).faults == (
        "it has no docstring",
        "the parameter 'parts' is not documented",
    )


def test_default_that_lies_about_its_type_is_shown_as_broken(install: Install) -> None:
    install("pack_a", ONE.replace("= 2", "= 'many'"), splitters=["one = pack_a:One"])
    assert listed("one").faults == (
        "splitter 'one' of package pack_a: the default does not fit its own type: "
        "parts: a whole number is expected, not the text 'many'",
    )


def test_check_names_both_who_claim_a_name(install: Install) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One"])
    install("pack_b", ONE, splitters=["one = pack_b:One"])
    assert listed("one", check=True).faults == ("the name is claimed by pack_a and pack_b",)
    assert main(["plugins", "list", "--check"]) == 1


def test_json_is_one_value_with_everything(install: Install, capsys) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One"])
    main(["plugins", "list", "--json"])
    found = next(one for one in json.loads(capsys.readouterr().out) if one["name"] == "one")
    assert found == {
        "kind": "splitter",
        "name": "one",
        "package": "pack_a",
        "version": "1.2",
        "object": "pack_a:One",
        "summary": "Splits somewhere.",
        "ok": True,
        "faults": [],
    }


def test_info_shows_parameters_with_types_defaults_and_docs(install: Install, capsys) -> None:
    install("pack_a", ONE, splitters=["one = pack_a:One"])
    assert main(["plugins", "info", "one"]) == 0
    text = capsys.readouterr().out
    assert "splitter one  (pack_a 1.2, meaning 1)" in text
    assert "    parts: a whole number = 2\n        How many parts.\n" in text
    main(["plugins", "info", "one", "--json"])
    (card,) = json.loads(capsys.readouterr().out)
    assert card["parameters"] == [
        {"name": "parts", "type": "a whole number", "default": 2, "doc": "How many parts."}
    ]


def test_info_on_an_unknown_name_is_one_line_with_the_nearest(install: Install, capsys) -> None:
    install("pack_a", ONE, splitters=["one_of_all = pack_a:One"])
    assert main(["plugins", "info", "one_of_al"]) == 1
    assert "no plugin is called 'one_of_al'; did you mean 'one_of_all'?" in capsys.readouterr().err


def test_info_on_a_broken_plugin_gives_its_reason(install: Install, capsys) -> None:
    install("pack_b", "1 / 0", splitters=["two = pack_b:Two"])
    assert main(["plugins", "info", "two"]) == 1
    expected = "splitter 'two' of package pack_b cannot be loaded: ZeroDivisionError: division by zero\n"
    assert capsys.readouterr().err == expected


def test_check_runs_the_contract(install: Install, capsys) -> None:
    assert main(["plugins", "check", "gain_ratio"]) == 0
    assert capsys.readouterr().out.endswith("passed\n")
    install("pack_b", UNDOCUMENTED.replace('"many"', "2"), splitters=["two = pack_b:Two"])
    assert main(["plugins", "check", "two"]) == 1
    out = capsys.readouterr().out
    assert "FAILED Two(parts=2) parameters_are_documented: Two has no docstring\n" in out
    assert (
        "FAILED Two(parts=2) row_order: NotImplementedError: Two has neither 'propose' nor 'kernel'\n" in out
    )
    assert main(["plugins", "check", "two", "--json"]) == 1
    assert {"passed", "failed"} == {
        json.loads(line)["status"] for line in capsys.readouterr().out.splitlines()
    }
