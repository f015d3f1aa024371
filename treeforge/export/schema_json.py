"""A schema in a model file."""

from __future__ import annotations

from typing import Any

from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.values import get


def schema_out(schema: Schema) -> dict[str, Any]:
    """The schema as JSON values."""
    attributes = []
    for attribute in schema.attributes:
        entry: dict[str, Any] = {"name": attribute.name, "kind": attribute.kind}
        if attribute.is_nominal:
            entry["categories"] = list(attribute.categories)
        if attribute.date_format is not None:
            entry["date_format"] = attribute.date_format
        attributes.append(entry)
    return {"relation": schema.relation, "class": schema.class_index, "attributes": attributes}


def schema_in(found: dict[str, Any]) -> Schema:
    """The schema; ModelError unless it is one with a nominal class."""
    attributes = []
    for number, entry in enumerate(get(found, "attributes", list, "schema"), 1):
        where = f"attribute {number}"
        if not isinstance(entry, dict):
            raise ModelError(f"{where} is no dict")
        kind = get(entry, "kind", str, where)
        if kind not in ("numeric", "nominal", "date", "string"):
            raise ModelError(f"{where} has the unknown kind '{kind:.20}'")
        categories = get(entry, "categories", list, where) if kind == "nominal" else []
        date_format = entry.get("date_format")
        if not all(isinstance(c, str) for c in categories) or not isinstance(date_format, str | None):
            raise ModelError(f"{where}: categories and date format are texts")
        attributes.append(Attribute(get(entry, "name", str, where), kind, tuple(categories), date_format))
    place = get(found, "class", int, "schema")
    if not 0 <= place < len(attributes) or not attributes[place].is_nominal:
        raise ModelError(
            f"the class of the schema is attribute {place}, which is not one of its nominal attributes"
        )
    return Schema(tuple(attributes), place, get(found, "relation", str, "schema"))
