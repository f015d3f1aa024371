"""JSON Schema of the pipeline file, for editors; the parameters of installed plugins are in it."""

from __future__ import annotations

from typing import Any

from treeforge.errors import PluginError
from treeforge.experiment.folds import SCHEMES
from treeforge.learn import build as learn
from treeforge.pipeline.document import FORMAT, FORMATS, KEYS
from treeforge.plugin import catalogue, parameters, registry

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The schema. A plugin that cannot be loaded is left out: a file that names it is wrong here."""
    words = _algorithm()
    properties: dict[str, Any] = {
        "treeforge": {"const": FORMAT},
        "name": {"type": ["string", "number"]},
        "seed": {"type": "integer", "minimum": 0},
        "datasets": _one_or_more(_dataset()),
        "algorithms": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"anyOf": [words, _names("splitter")]},
        },
        "matrix": _matrix(words),
        "evaluation": _evaluation(),
        "metrics": _one_or_more(_plugin("metric")),
        "comparisons": _one_or_more(_comparison()),
        "report": _one_or_more({"enum": list(FORMATS)}),
        "time_limit": {"type": ["number", "null"], "exclusiveMinimum": 0},
    }
    assert list(properties) == list(KEYS)
    for key, value in properties.items():
        value["description"] = KEYS[key]
    return {
        "$schema": DRAFT,
        "title": "TreeForge pipeline",
        "type": "object",
        "properties": properties,
        "required": ["datasets"],
        "anyOf": [{"required": ["algorithms"]}, {"required": ["matrix"]}],
        "additionalProperties": False,
    }


def _one_or_more(item: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [item, {"type": "array", "items": item}]}


def _names(kind: str) -> dict[str, Any]:
    """Any name of a plugin; listed for completion, open for ``package:name`` and ``name@1``."""
    names = [entry.name for entry in registry.entries(kind)]
    return {"anyOf": [{"enum": sorted(set(names))}, {"type": "string", "pattern": "[:@]"}]}


def _plugin(kind: str) -> dict[str, Any]:
    """A name, or one name with its parameters."""
    return {"anyOf": [*_names(kind)["anyOf"], _with_parameters(kind)]}


def _with_parameters(kind: str) -> dict[str, Any]:
    known = {}
    for listed in catalogue.listing([kind]):
        if listed.cls is not None:
            try:
                known[listed.entry.name] = parameters.schema(listed.cls) | {"description": listed.summary}
            except PluginError:
                continue
    nothing = {"type": "null"}
    return {
        "type": "object",
        "properties": {name: {"anyOf": [found, nothing]} for name, found in known.items()},
        "patternProperties": {"[:@]": {"type": ["object", "null"]}},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }


def _algorithm() -> dict[str, Any]:
    tree = {key: _plugin(key) for key in learn.PLUGINS}
    settings = {key: parameters.type_schema(hint) for key, hint in learn.SETTINGS.items()}
    outside = {"estimator": {"type": "string"}, "parameters": {"type": "object"}}
    return {
        "anyOf": [
            {"type": "object", "properties": {**tree, **settings}, "additionalProperties": False},
            {
                "type": "object",
                "properties": outside,
                "required": ["estimator"],
                "additionalProperties": False,
            },
        ]
    }


def _matrix(words: dict[str, Any]) -> dict[str, Any]:
    choices = {
        key: {"type": "array", "items": value, "minItems": 1}
        for key, value in words["anyOf"][0]["properties"].items()
    }
    return {
        "type": "object",
        "properties": {**choices, "exclude": _one_or_more({"type": "object", "minProperties": 1})},
        "additionalProperties": False,
    }


def _dataset() -> dict[str, Any]:
    common = {
        "name": {"type": "string"},
        "class": {"type": "string"},
        "drop": _one_or_more({"type": "string"}),
    }
    files = {
        "path": {"type": "string"},
        "test": {"type": "string"},
        "unknown": _one_or_more({"type": ["string", "number"]}),
        "decimal": {"enum": [".", ","]},
        "encoding": {"type": "string"},
        **common,
    }
    generated = []
    for listed in catalogue.listing(["source"]):
        if listed.cls is not None:
            found = parameters.schema(listed.cls)
            found["properties"] = {"generate": {"const": listed.entry.name}, **common, **found["properties"]}
            found["required"] = ["generate", *found.get("required", [])]
            generated.append(found | {"description": listed.summary})
    return {
        "anyOf": [
            {"type": "string"},
            {"type": "object", "properties": files, "required": ["path"], "additionalProperties": False},
            *generated,
        ]
    }


def _evaluation() -> dict[str, Any]:
    schemes = {name: {"anyOf": [parameters.schema(cls), {"type": "null"}]} for name, cls in SCHEMES.items()}
    return {
        "anyOf": [
            {"enum": list(SCHEMES)},
            {"type": "object", "properties": schemes, "additionalProperties": False, "maxProperties": 1},
        ]
    }


def _comparison() -> dict[str, Any]:
    tests = []
    for listed in catalogue.listing(["test"]):
        if listed.cls is not None:
            found = parameters.schema(listed.cls)
            head = {"test": {"const": listed.entry.name}, "metric": {"type": "string"}}
            found["properties"] = {**head, **found["properties"]}
            found["required"] = ["test", *found.get("required", [])]
            tests.append(found | {"description": listed.summary})
    return {"anyOf": tests}
