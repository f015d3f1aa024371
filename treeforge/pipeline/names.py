"""A name with its parameters -> an object, or a fault at the very word that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treeforge.errors import TreeForgeError
from treeforge.pipeline.yaml import Faults, Node, Place
from treeforge.plugin import registry
from treeforge.plugin.parameters import make, problems


def plugin(kind: str, node: Node, faults: Faults) -> Any:
    """The plugin that ``name`` or ``{name: {parameters}}`` means; None when something is wrong with it."""
    named = _named(kind, node, faults)
    if named is None:
        return None
    name, place, parameters = named
    cls = trying(place, faults, lambda: registry.load(kind, name))
    return None if cls is None else made(cls, name, place, parameters, faults)


def _named(kind: str, node: Node, faults: Faults) -> tuple[str, Place, Node] | None:
    nothing = Node({}, node.place)
    if isinstance(node.value, str) and node.value:
        return node.value, node.place, nothing
    if not node.is_mapping or len(node.value) != 1:
        found = "a mapping of several names" if node.is_mapping and node.value else node.kind
        faults.add(node.place, f"{kind}: a name is expected, or one name with its parameters, not {found}")
        return None
    ((name, parameters),) = node.items()
    if parameters.value is None:
        parameters = nothing
    if not parameters.is_mapping:
        faults.add(parameters.place, f"{name}: a mapping of parameters is expected, not {parameters.kind}")
        return None
    return name, node.keys[name], parameters


def made(cls: type[Any], name: str, place: Place, parameters: Node, faults: Faults) -> Any:
    """An instance, or None after a fault for each parameter that does not fit."""
    before = len(faults.found)
    values = parameters.plain()
    for problem in problems(cls, values, name):
        if problem.unknown:
            where = parameters.keys[problem.name]
        else:
            where = parameters.value[problem.name].place if problem.name else place
        faults.add(where, problem.message)
    if len(faults.found) > before:
        return None
    try:
        return make(cls, values, name)
    except TreeForgeError as wrong:
        # a plugin's own check begins with the parameter that it is about, if with any
        first = wrong.message.removeprefix(f"{name}: ").partition(" ")[0].strip("':")
        faults.add(parameters.value[first].place if first in values else place, wrong.message)
        return None


def trying(place: Place, faults: Faults, action: Callable[[], Any]) -> Any:
    """What an action returns, or None after its error was told at a place."""
    try:
        return action()
    except TreeForgeError as wrong:
        faults.add(place, wrong.message)
        return None
