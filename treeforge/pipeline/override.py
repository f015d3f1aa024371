"""``--set KEY=VALUE``: a value of the document replaced from the command line."""

from __future__ import annotations

from collections.abc import Sequence

from treeforge.pipeline.yaml import Faults, Node, Place, read

#: keys of an algorithm whose value is a plugin's name, or one name with parameters
PLUGIN_KEYS = ("splitter", "criterion", "pruner", "ensemble", "discretizer")


def override(document: Node, settings: Sequence[str]) -> Node:
    """The document with each ``KEY=VALUE`` put in its place.

    A key is a path of names and list positions with dots between them. A name that itself has dots is
    found where it exists (``algorithms.C4.5.min_branch``), and can always be quoted
    (``algorithms."C4.5".min_branch``). The value is YAML: ``datasets='[a.arff, b.arff]'``.

    Examples
    --------
    >>> document = read("algorithms: {C4.5: {splitter: c45}}", "a.yaml", Faults())
    >>> override(document, ["algorithms.C4.5.min_branch=5"]).plain()
    {'algorithms': {'C4.5': {'splitter': 'c45', 'min_branch': 5}}}
    """
    for setting in settings:
        place = Place(f"--set {setting}", 0, 0)
        key, equals, text = setting.partition("=")
        if not equals or not key.strip():
            raise place.error("KEY=VALUE is expected")
        document = _replaced(document, _names(key.strip(), place), _value(text, place), place)
    return document


def _value(text: str, place: Place) -> Node:
    if not text.strip():
        return Node(None, place)
    faults = Faults()
    node = read(text, place.file, faults)
    if node is None or faults.found:
        raise place.error(f"the value {faults.found[0].message.removeprefix('this ')}")
    return _moved(node, place)


def _moved(node: Node, place: Place) -> Node:
    """The same value, with the setting as the place of everything in it."""
    value = node.value
    if isinstance(value, dict):
        value = {key: _moved(inner, place) for key, inner in value.items()}
    elif isinstance(value, list):
        value = [_moved(inner, place) for inner in value]
    return Node(value, place, dict.fromkeys(node.keys, place))


def _names(key: str, place: Place) -> list[str]:
    """The parts of a path; quoted parts keep their dots."""
    names: list[str] = []
    rest = key
    while True:
        if rest[:1] in ("'", '"'):
            end = rest.find(rest[0], 1)
            if end < 0:
                raise place.error(f"the quote in '{key}' is not closed")
            names.append(rest[1:end])
            rest = rest[end + 1 :]
            if not rest:
                return names
            if rest[0] != ".":
                raise place.error(f"a dot is expected behind {key[: len(key) - len(rest)]}")
            rest = rest[1:]
        else:
            name, dot, rest = rest.partition(".")
            names.append(name)
            if not dot:
                return names


def _replaced(node: Node, names: list[str], value: Node, place: Place, above: tuple[str, ...] = ()) -> Node:
    """``node`` with the value put at the path; ``above`` are the names that led here."""
    if not names:
        return value
    if isinstance(node.value, list):
        if not (names[0].isdigit() and int(names[0]) < len(node.value)):
            raise place.error(f"'{names[0]}' is no place in a list of {len(node.value)} (they count from 0)")
        items = list(node.value)
        items[int(names[0])] = _replaced(items[int(names[0])], names[1:], value, place, (*above, names[0]))
        return Node(items, node.place)
    if len(above) == 2 and above[0] == "algorithms" and isinstance(node.value, str):
        node = Node({"splitter": node}, node.place, {"splitter": node.place})  # `C4.5: c45` in full
    if above and above[-1] in PLUGIN_KEYS:
        node, names = _plugin(node, names)
    if node.value is None:
        node = Node({}, node.place)
    if not isinstance(node.value, dict):
        raise place.error(f"'{names[0]}' cannot be set in {node.kind} (line {node.place.line})")
    # the longest name that exists: names of algorithms have dots
    n = next((n for n in range(len(names), 0, -1) if ".".join(names[:n]) in node.value), 1)
    name = ".".join(names[:n])
    inner = _replaced(node.value.get(name, Node(None, place)), names[n:], value, place, (*above, name))
    return Node({**node.value, name: inner}, node.place, {**node.keys, name: node.keys.get(name, place)})


def _plugin(node: Node, names: list[str]) -> tuple[Node, list[str]]:
    """``splitter.binary`` means ``splitter.c45.binary`` where the splitter is ``c45`` or ``{c45: ...}``."""
    if isinstance(node.value, str):
        node = Node({node.value: Node(None, node.place)}, node.place, {node.value: node.place})
    if isinstance(node.value, dict) and len(node.value) == 1:
        (only,) = node.value
        if names[0] != only:
            names = [only, *names]
    return node, names
