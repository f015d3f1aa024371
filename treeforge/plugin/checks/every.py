"""What holds for a plugin of any kind: parameters, documentation, identity."""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import pickle

from treeforge.errors import ParameterError
from treeforge.plugin.interfaces import Plugin
from treeforge.plugin.parameters import describe, make, schema


def parameters_are_documented(plugin: Plugin) -> None:
    """The class has a docstring, and each parameter a word in its 'Parameters' section."""
    cls = type(plugin)
    text = inspect.getdoc(cls) or ""
    assert text, f"{cls.__name__} has no docstring"
    assert not text.startswith(f"{cls.__name__}("), f"{cls.__name__} has no docstring"
    for parameter in describe(cls):
        assert parameter.doc, f"the parameter '{parameter.name}' is not documented"


def parameters_make_it_again(plugin: Plugin) -> None:
    """Its parameters, written as JSON and read again, make an equal plugin."""
    text = json.dumps(plugin.parameters(), allow_nan=False)
    again = make(type(plugin), json.loads(text), "it")
    assert again == plugin, f"{plugin!r} became {again!r}"
    assert again.parameters() == plugin.parameters()


def parameters_have_a_schema(plugin: Plugin) -> None:
    """Each field has a type that JSON Schema can say, and every example fits it."""
    found = schema(type(plugin))
    assert set(plugin.parameters()) == set(found["properties"]), "parameters and fields differ"


def wrong_parameters_are_refused(plugin: Plugin) -> None:
    """Unknown names, other types and NaN are refused with a ParameterError."""
    good = plugin.parameters()
    wrong: list[dict[str, object]] = [{"no_such_parameter": 1}]
    for name, value in good.items():
        wrong.append({name: {"a": "mapping"}})
        if isinstance(value, float):
            wrong.append({name: math.nan})
    for change in wrong:
        try:
            make(type(plugin), {**good, **change}, "it")
        except ParameterError:
            continue
        raise AssertionError(f"{type(plugin).__name__} took {change}")


def it_cannot_be_changed(plugin: Plugin) -> None:
    """Its fields are frozen, so that what was recorded is what was used."""
    for field in dataclasses.fields(plugin):  # type: ignore[arg-type]
        try:
            setattr(plugin, field.name, getattr(plugin, field.name))
        except dataclasses.FrozenInstanceError:
            continue
        raise AssertionError(f"'{field.name}' can be set")


def it_travels(plugin: Plugin) -> None:
    """It can be sent to another process and is equal there."""
    there = pickle.loads(pickle.dumps(plugin))
    assert there == plugin
    assert repr(there) == repr(plugin)


def its_meaning_has_a_number(plugin: Plugin) -> None:
    """``meaning`` is a whole number from 1, which ``name@number`` pins."""
    assert isinstance(plugin.meaning, int), f"meaning is {plugin.meaning!r}"
    assert plugin.meaning >= 1, f"meaning is {plugin.meaning}"


def what_is_waived_exists(plugin: Plugin) -> None:
    """Every check that it waives is one of its kind, and has a reason."""
    from treeforge.plugin.checks.contract import checks

    known = {check.name for check in checks(plugin.kind)}
    for name, reason in plugin.waived.items():
        assert name in known, f"it waives '{name}', which is no check of a {plugin.kind}"
        assert reason.strip(), f"it waives '{name}' without a reason"
