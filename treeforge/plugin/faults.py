"""What is wrong with somebody's plugin, in a line that names it and not TreeForge."""

from __future__ import annotations

import sys
import traceback
from importlib.metadata import entry_points

from treeforge.plugin import registry


def in_words(fault: BaseException) -> str:
    """An exception that is no word of TreeForge's own: its kind and text, after the package whose plugin raised it.

    The package is that of the innermost frame that lies in a module of an announced plugin that is not ours.
    """
    text = " ".join(f"{type(fault).__name__}: {fault}".split())
    packages = _packages()
    for frame, line in reversed(list(traceback.walk_tb(fault.__traceback__))):
        module = frame.f_globals.get("__name__", "")
        if package := packages.get(module.partition(".")[0]):
            return f"package {package}: {text} ({module}, line {line})"
    return text


def _packages() -> dict[str, str]:
    """Top module -> package, of the plugins of others that have been imported; all metadata is read once."""
    announced = entry_points()
    points = [point for group, _ in registry.KINDS.values() for point in announced.select(group=group)]
    tops = {point.module.partition(".")[0]: point.dist.name for point in points if point.dist is not None}
    return {top: package for top, package in tops.items() if package != "treeforge" and top in sys.modules}
