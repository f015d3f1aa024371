"""The forms that values of a pipeline file have: each is returned in Python's terms, or added to the faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from treeforge.errors import nearest
from treeforge.pipeline.yaml import Faults, Node, Place


def known_keys(
    node: Node, known: Iterable[str], what: str, faults: Faults, hint: Callable[[str], str] = lambda key: ""
) -> None:
    """Add a fault for each key that is not known, with a hint, or the nearest one that is."""
    names = list(known)
    of = f" of {what}" if what else ""
    for key, place in node.keys.items():
        if key not in names:
            near = hint(key) or nearest(key, names)
            faults.add(place, f"there is no key '{key}'{of}{near} (keys: {', '.join(names)})")


def refuse(node: Node, what: str, expected: str, faults: Faults) -> None:
    """Add the fault that something else should stand here."""
    shown = f" {node.value!r}" if isinstance(node.value, (str, int, float)) else ""
    faults.add(node.place, f"{what}: {expected} is expected, not {node.kind}{shown}")


def as_text(node: Node | None, what: str, faults: Faults) -> str:
    """A text that is not empty; a number is one, too, as it is written. Empty where there is none."""
    if node is None:
        return ""
    if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return node.written or str(node.value)  # `name: 2024` is a name, too, and `unknown: -99.00` a word
    if not isinstance(node.value, str) or not node.value:
        refuse(node, what, "text", faults)
        return ""
    return node.value


def as_words(node: Node, what: str, faults: Faults) -> tuple[str, ...]:
    """The words of a list, as they would stand in a data file: an empty one is one, too."""
    return tuple(str(word.value) for word in as_names(node, (), what, node.place, faults, empty=True))


def as_whole(node: Node | None, what: str, default: int, faults: Faults) -> int:
    """A whole number from 0 that 64 bits hold."""
    if node is None:
        return default
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        refuse(node, what, "a whole number from 0", faults)
        return default
    return value


def as_seconds(node: Node | None, faults: Faults) -> float | None:
    """A number of seconds above 0, or None: no limit."""
    if node is None or node.value is None:
        return None
    if isinstance(node.value, bool) or not isinstance(node.value, (int, float)) or not node.value > 0:
        refuse(node, "time_limit", "a number of seconds above 0", faults)
        return None
    return float(node.value)


def as_list(node: Node | None) -> list[Node]:
    """The items of a list; a single item may stand without brackets."""
    if node is None or node.value is None:
        return []
    if isinstance(node.value, list):
        return node.value
    return [node]


def as_names(
    node: Node | None,
    default: Sequence[str],
    what: str,
    place: Place,
    faults: Faults,
    *,
    empty: bool = False,
) -> list[Node]:
    """Names in a list, each of them once, in their order; ``empty``: the empty text is one, too."""
    if node is None:
        return [Node(name, place) for name in default]
    found: dict[str, Node] = {}
    for item in as_list(node):
        is_empty = empty and item.value == ""
        name = "" if is_empty else as_text(item, what, faults)
        if name in found:
            faults.add(
                item.place, f"{what}: '{name}' stands twice: in line {found[name].place.line} and here"
            )
        elif name or is_empty:
            found[name] = Node(name, item.place)
    return list(found.values())
