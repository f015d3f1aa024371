"""A model of rules in a model file: flat arrays over rules and over their tests."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treeforge.core.rule_model import RuleModel
from treeforge.core.rules import Rules, starts
from treeforge.data import Schema
from treeforge.errors import ModelError
from treeforge.export.values import array, get, numbers

#: What rules are stored as: name in the file -> type of its numbers. Starts, and what is nominal, follow.
ARRAYS: dict[str, type[np.generic]] = {
    "classes": np.int32,
    "n_tests": np.int32,
    "attribute": np.int32,
    "closed_left": np.uint8,
    "n_cuts": np.int32,
    "n_cells": np.int32,
    "cuts": np.float64,
    "admitted": np.uint8,
    "error": np.float64,
    "covered": np.float64,
    "decided": np.float64,
}


def rules_lines(model: RuleModel) -> list[str]:
    """The lines between the brackets of ``"rules": {...}``."""
    rules = model.rules
    parts: dict[str, Any] = {
        **rules.arrays(),
        "n_tests": np.diff(rules.start),
        "n_cuts": np.diff(rules.cut_start),
        "n_cells": np.diff(rules.cell_start),
        "error": model.error,
        "covered": model.covered,
        "decided": model.decided,
    }
    lines = [f'"{name}": {json.dumps(numbers(parts[name]), separators=(",", ":"))},' for name in ARRAYS]
    return [*lines[:-1], lines[-1].removesuffix(",")]


def rules_in(found: dict[str, Any], default: int, details: dict[str, Any], schema: Schema) -> RuleModel:
    """The model; ModelError unless the arrays are sound rules of the schema."""
    arrays = {
        name: array(get(found, name, list, "rules"), kind, f"'{name}' of rules")
        for name, kind in ARRAYS.items()
    }
    _check(arrays, default, schema)
    n_rules, n_classes = len(arrays["classes"]), len(schema.classes)
    nominal = np.array([attribute.is_nominal for attribute in schema.inputs], dtype=np.uint8)
    rules = Rules(
        classes=arrays["classes"],
        start=starts(arrays["n_tests"]),
        attribute=arrays["attribute"],
        nominal=nominal[arrays["attribute"]],
        closed_left=arrays["closed_left"],
        cut_start=starts(arrays["n_cuts"]),
        cell_start=starts(arrays["n_cells"]),
        cuts=arrays["cuts"],
        admitted=arrays["admitted"],
    )
    return RuleModel(
        rules,
        default,
        arrays["error"],
        arrays["covered"].reshape(n_rules, n_classes),
        arrays["decided"].reshape(n_rules + 1, n_classes),
        details,
    )


def _check(arrays: dict[str, NDArray[Any]], default: int, schema: Schema) -> None:
    """Every size, range and kind, before rules are made."""
    n_rules, n_tests, n_classes = len(arrays["classes"]), len(arrays["attribute"]), len(schema.classes)
    for name in ("n_tests", "n_cuts", "n_cells", "covered", "decided", "error"):
        if (arrays[name] < 0).any():
            _refuse(f"'{name}' holds a negative number")
    sizes = {
        "n_tests": n_rules,
        "error": n_rules,
        "covered": n_rules * n_classes,
        "decided": (n_rules + 1) * n_classes,
        "attribute": _sum(arrays["n_tests"]),
        "closed_left": n_tests,
        "n_cuts": n_tests,
        "n_cells": n_tests,
        "cuts": _sum(arrays["n_cuts"]),
        "admitted": _sum(arrays["n_cells"]),
    }
    for name, size in sizes.items():
        if arrays[name].size != size:
            _refuse(f"'{name}' has {arrays[name].size} numbers where {n_rules} rules need {size}")
    for name, most in (("classes", n_classes), ("attribute", len(schema.inputs))):
        wrong = (arrays[name] < 0) | (arrays[name] >= most)
        if wrong.any():
            _refuse(f"'{name}' holds {arrays[name][wrong][0]} of {most}")
    if not 0 <= default < n_classes:
        _refuse(f"the default is class {default} of {n_classes}")
    if (arrays["error"] > 1).any():
        _refuse("'error' holds a rate above 1")
    for name in ("closed_left", "admitted"):
        if (arrays[name] > 1).any():
            _refuse(f"'{name}' holds something other than 0 and 1")
    for test, place in enumerate(arrays["attribute"].tolist()):
        attribute, cuts, cells = schema.inputs[place], arrays["n_cuts"][test], arrays["n_cells"][test]
        fits = cells == len(attribute.categories) and cuts == 0 if attribute.is_nominal else cells == cuts + 1
        if not (fits and (attribute.is_nominal or attribute.is_numeric)):
            _refuse(f"the cells or cuts of test {test} do not fit '{attribute.name}'")
    owner = np.repeat(np.arange(n_tests), arrays["n_cuts"])
    wrong = (np.diff(arrays["cuts"]) <= 0) & (owner[1:] == owner[:-1])
    if wrong.any():
        _refuse(f"the cuts of test {int(owner[np.flatnonzero(wrong)[0]])} do not ascend")


def _sum(sizes: NDArray[Any]) -> int:
    return int(sizes.sum(dtype=np.int64))


def _refuse(what: str) -> NoReturn:
    raise ModelError(f"these are no sound rules: {what}")
