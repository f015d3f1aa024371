"""``--set KEY=VALUE``: values are read as in a pipeline file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click


def settings(texts: Iterable[str]) -> dict[str, Any]:
    """The values by key; wrong usage when one has no ``=``."""
    from treeforge.pipeline.yaml import Faults, read

    found: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise click.UsageError(f"--set wants KEY=VALUE, not '{text}'")
        faults = Faults()
        node = read(value, f"--set {key}", faults)
        faults.stop()
        found[key] = node.plain() if node is not None else ""
    return found
