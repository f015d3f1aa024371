"""The words of one algorithm from command line options, in the same form as in a pipeline file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treeforge.pipeline.override import override
from treeforge.pipeline.yaml import Node, Place
from treeforge.plugin import registry


def words(
    *,
    splitter: str | None = None,
    criterion: str | None = None,
    pruner: str | None = None,
    ensemble: str | None = None,
    min_branch: float | None = None,
    settings: Sequence[str] = (),
) -> dict[str, Any]:
    """What ``learner`` takes; what is left out follows from the ensemble, or the splitter, or is C4.5's.

    ``settings`` are ``KEY=VALUE``, for example ``pruner.confidence=0.1`` or ``laplace=true``.
    """
    group = registry.load("ensemble", ensemble) if ensemble else None
    splitter = splitter or (group and group.default_splitter) or "c45"
    chosen = registry.load("splitter", splitter)
    found = {
        "splitter": splitter,
        "criterion": criterion or chosen.default_criterion,
        "pruner": pruner or (group and group.default_pruner) or chosen.default_pruner,
    }
    if ensemble:
        found["ensemble"] = ensemble
    place = Place("command line", 0, 0)
    node = Node({key: Node(name, place) for key, name in found.items()}, place, dict.fromkeys(found, place))
    plain: dict[str, Any] = override(node, settings).plain()
    if min_branch is not None:
        plain["min_branch"] = min_branch
    return plain
