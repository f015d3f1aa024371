"""A mapping -> a checked dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from treeforge.errors import ParameterError
from treeforge.plugin.parameters import check, describe, make, problems, schema


@dataclass(frozen=True)
class Thing:
    """A thing.

    Parameters
    ----------
    size : int
        How large
        it is.
    share, rest : float
        Parts of it.

    Notes
    -----
    colour : is not described here
    """

    size: int
    share: float = 0.5
    rest: float | None = None
    colour: Literal["red", "blue"] = "red"
    cuts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"size must be at least 1, not {self.size}")


def test_values_take_the_declared_type() -> None:
    thing = make(Thing, {"size": 1e2, "share": 1, "rest": None, "cuts": [1, 2.5]}, "thing")
    assert thing == Thing(100, 1.0, None, "red", (1.0, 2.5))
    assert type(thing.size) is int
    assert type(thing.share) is float


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"size": 1, "shaer": 1},
            "thing has no parameter 'shaer'; did you mean 'share'? "
            "(parameters: size, share, rest, colour, cuts)",
        ),
        ({"size": "3"}, "thing.size: a whole number is expected, not the text '3'"),
        ({"size": 2.5}, "thing.size: a whole number is expected, not 2.5"),
        ({"size": True}, "thing.size: a whole number is expected, not true"),
        ({"size": None}, "thing.size: a whole number is expected, not nothing"),
        ({"size": 1, "rest": "x"}, "thing.rest: a number or nothing is expected, not the text 'x'"),
        ({"size": 1, "colour": "green"}, "thing.colour: one of red, blue is expected, not the text 'green'"),
        ({"size": 1, "cuts": ["a"]}, "thing.cuts: a list of numbers is expected, not a list"),
        ({}, "thing needs the parameter 'size' (a whole number)"),
        ({"size": 0}, "thing: size must be at least 1, not 0"),
    ],
)
def test_what_does_not_fit_is_said_in_words(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make(Thing, parameters, "thing")
    assert str(caught.value) == message


def test_every_problem_is_found() -> None:
    assert [p.name for p in problems(Thing, {"share": "x", "b": 1, "cuts": 3}, "thing")] == [
        "share",
        "b",
        "cuts",
        "",
    ]


def test_parameters_describe_themselves() -> None:
    described = {p.name: p for p in describe(Thing)}
    assert described["size"].required
    assert described["size"].doc == "How large it is."
    assert described["share"].doc == described["rest"].doc == "Parts of it."
    assert described["colour"].type == "one of red, blue"
    assert described["colour"].doc == ""
    assert described["cuts"].default == ()


def test_json_schema_has_types_defaults_and_docs() -> None:
    found = schema(Thing)
    assert found["required"] == ["size"]
    assert found["additionalProperties"] is False
    assert found["properties"]["size"] == {"type": "integer", "description": "How large it is."}
    assert found["properties"]["colour"]["enum"] == ["red", "blue"]
    assert found["properties"]["cuts"]["default"] == []


def test_text_off_is_no_truth_value() -> None:
    with pytest.raises(ParameterError, match="true or false is expected, not the text 'off'"):
        check(bool, "off", "pruning")
