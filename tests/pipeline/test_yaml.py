"""Scalars of YAML 1.2, places, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from treeforge.pipeline.yaml import MAX_DEPTH, Faults, read


def plain(text: str) -> object:
    faults = Faults()
    node = read(text, "f.yaml", faults)
    faults.stop()
    assert node is not None
    return node.plain()


def faults_of(text: str) -> list[str]:
    faults = Faults()
    read(text, "f.yaml", faults)
    return [str(fault) for fault in faults.found]


def test_case_y01_every_spelling_of_a_number_is_a_number(shared: Path) -> None:
    numbers = plain((shared / "cases" / "Y01_numbers.yaml").read_text())
    assert numbers == {
        "splitter": {"alpha": 0.001, "beta": 0.001, "gamma": 0.5, "delta": 1000, "eps": 0.00001}
    }


def test_case_y02_a_key_that_stands_twice_is_refused_with_both_lines(shared: Path) -> None:
    (fault,) = faults_of((shared / "cases" / "Y02_duplicate_key.yaml").read_text())
    assert fault == "f.yaml:4:1: the key 'tree' stands twice: in line 1 and in line 4"


def test_case_y03_no_on_and_off_are_texts(shared: Path) -> None:
    assert plain((shared / "cases" / "Y03_booleans.yaml").read_text()) == {
        "positive_class": "no",
        "classes": ["no", "yes", "maybe"],
        "grid": {"on": 3, "off": 4},
        "pruning": "off",
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0o17", 15),
        ("0x1F", 31),
        ("017", 17),
        ("1_000", "1_000"),
        ("2001-01-01", "2001-01-01"),
        ("12:30:45", "12:30:45"),
        ("+.5e-3", 0.0005),
        ("1.", 1.0),
        ("-.inf", float("-inf")),
        ("'1'", "1"),
        ("!!str 1", "1"),
        ("~", None),
        ("True", True),
        ("y", "y"),
        ("=", "="),
        ("<<", "<<"),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: object) -> None:
    found = plain(f"k: {text}")
    assert found == {"k": value}
    assert type(found["k"]) is type(value)


def test_keys_are_text_as_written() -> None:
    assert plain("1: a\nno: b\n1.0: c\nnull: d") == {"1": "a", "no": "b", "1.0": "c", "null": "d"}


def test_every_value_and_key_knows_its_place() -> None:
    node = read("a:\n  - {b: 1,\n     c: x}\n", "f.yaml", Faults())
    inner = node.value["a"].value[0]
    assert (inner.keys["c"].line, inner.keys["c"].column) == (3, 6)
    assert (inner.value["c"].place.line, inner.value["c"].place.column) == (3, 9)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "f.yaml:1:1: the file is empty"),
        ("# nothing", "f.yaml:1:1: the file is empty"),
        ("a: 1\n---\nb: 2", "f.yaml:2:1: a second document begins; a pipeline is one document"),
        ("a: *b", "f.yaml:1:4: the alias '*b' names nothing above it"),
        ("a: &x [*x]", "f.yaml:1:8: the alias '*x' stands inside what it names"),
        ("? [1]\n: 2", "f.yaml:1:3: a key is text, not a list"),
        ("- !!python/object/apply:os.system [ls]", "f.yaml:1:3: the tag "),
        ("a: [1,", "f.yaml:1:7: this is no YAML: "),
        ("a: \x01", "f.yaml:1:4: this is no YAML: "),
        ("a: !!int x", "f.yaml:1:4: 'x' is no int"),
        ("[" * 10_000, f"f.yaml:1:{MAX_DEPTH + 1}: more than {MAX_DEPTH} collections"),
    ],
)
def test_what_is_refused_and_where(text: str, fault: str) -> None:
    (found,) = faults_of(text)
    assert found.startswith(fault)


def test_aliases_cannot_blow_a_small_file_up() -> None:
    lines = ["a: &a [" + ",".join("1" * 10) + "]"]
    for last, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{name}: &{name} [" + ",".join([f"*{last}"] * 10) + "]")
    (fault,) = faults_of("\n".join(lines))
    assert "values once the aliases are spelled out" in fault


def test_alias_stands_for_what_it_names() -> None:
    assert plain("a: &x {p: 1}\nb: *x") == {"a": {"p": 1}, "b": {"p": 1}}
