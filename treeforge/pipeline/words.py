"""The words of one algorithm from command line options, in the same form as in a pipeline file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treeforge.learn.build import PLUGINS, usual
from treeforge.pipeline.override import override
from treeforge.pipeline.yaml import Node, Place

PLACE = Place("command line", 0, 0)


def words(*, settings: Sequence[str] = (), **given: Any) -> dict[str, Any]:
    """What ``learner`` takes: the options that were given, and what ``settings`` make of them.

    ``settings`` are ``KEY=VALUE``, for example ``pruner.confidence=0.1`` or ``laplace=true``. A parameter of a
    plugin that nobody named belongs to the usual one.

    Examples
    --------
    >>> words(splitter="cart", min_branch=None, settings=["pruner.folds=5"])
    {'splitter': 'cart', 'pruner': {'cost_complexity': {'folds': 5}}}
    """
    named = {key: value for key, value in given.items() if value is not None}
    inner = [setting for setting in settings if "." in setting.partition("=")[0]]
    whole: dict[str, Any] = override(_node(named), [s for s in settings if s not in inner]).plain()
    for kind in PLUGINS:
        if kind not in whole and any(setting.startswith(f"{kind}.") for setting in inner):
            if kind == "splitter":  # an ensemble's own criterion goes with its own splitter
                whole.setdefault("criterion", usual("criterion", whole))
            whole[kind] = usual(kind, whole)
    found: dict[str, Any] = override(_node(whole), inner).plain()
    return found


def _node(value: Any) -> Node:
    """A value as if it had been read."""
    if isinstance(value, dict):
        return Node({key: _node(inner) for key, inner in value.items()}, PLACE, dict.fromkeys(value, PLACE))
    if isinstance(value, list):
        return Node([_node(inner) for inner in value], PLACE)
    return Node(value, PLACE)
