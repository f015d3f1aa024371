"""A pipeline file -> Pipeline: frozen dataclasses that remember where each thing stands.

Only the form is checked here; names become objects in ``build``. Both add to the same list of faults, so that
a user sees all of them at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treeforge import report
from treeforge.pipeline import matrix
from treeforge.pipeline.override import override
from treeforge.pipeline.yaml import Faults, Node, Place, read
from treeforge.plugin.parameters import nearest

#: the version of the format that this program reads
FORMAT = 1

#: key -> what it is for; the order is that of the documentation
KEYS: dict[str, str] = {
    "treeforge": "version of this format",
    "name": "name of the study",
    "seed": "every random choice follows from it",
    "datasets": "files, globs and generators",
    "algorithms": "name -> what is trained",
    "matrix": "a grid of algorithms",
    "evaluation": "how cases are split into training and test parts",
    "metrics": "what is measured in each cell",
    "comparisons": "statistical tests, declared before the run",
    "report": "formats of the report",
    "time_limit": "seconds that one cell may take",
}
FORMATS = ("terminal", *report.FORMATS)
DEFAULT_METRICS = (
    "accuracy",
    "macro_f1",
    "kappa",
    "leaves",
    "size",
    "depth",
    "fit_seconds",
    "predict_seconds",
)


@dataclass(frozen=True)
class DatasetEntry:
    """One entry of ``datasets``: a path or glob, or a source that makes rows."""

    place: Place
    pattern: str = ""
    test_pattern: str = ""  # given test file, for `evaluation: train_test`
    name: str = ""
    class_name: str = ""
    class_place: Place | None = None
    dropped: tuple[Node, ...] = ()  # attributes to leave out
    source: Node | None = None  # name of a source plugin
    parameters: Node | None = None  # what it is given


@dataclass(frozen=True)
class AlgorithmEntry:
    """One algorithm: an entry of ``algorithms``, or a point of ``matrix`` with its factors."""

    place: Place
    name: str
    words: Node
    factors: Mapping[str, str] | None = None


@dataclass(frozen=True)
class EvaluationEntry:
    place: Place
    scheme: str = "cross_validation"
    options: Node | None = None


@dataclass(frozen=True)
class ComparisonEntry:
    """One entry of ``comparisons``: a test, a metric, and the test's parameters."""

    place: Place
    test: Node
    metric: str
    metric_place: Place
    parameters: Node


@dataclass(frozen=True)
class Pipeline:
    """What a pipeline file says, before any name in it is looked up."""

    file: str
    text: str
    name: str
    seed: int
    datasets: tuple[DatasetEntry, ...]
    algorithms: tuple[AlgorithmEntry, ...]
    evaluation: EvaluationEntry
    metrics: tuple[Node, ...]
    comparisons: tuple[ComparisonEntry, ...]
    report: tuple[str, ...]
    time_limit: float | None
    plain: Mapping[str, Any]  # as resolved: settings from the command line are in it
    faults: Faults = field(default_factory=Faults)

    @property
    def folder(self) -> Path:
        """What relative paths in the file start from."""
        return Path(self.file).parent

    @property
    def text_hash(self) -> str:
        return "sha256:" + hashlib.sha256(self.text.encode()).hexdigest()


def load(path: str | Path, settings: Sequence[str] = ()) -> Pipeline:
    """The pipeline of a file, with ``KEY=VALUE`` settings put in.

    Faults of form are kept in ``Pipeline.faults``; only a file that is no YAML mapping at all raises.
    """
    file = str(path)
    faults = Faults()
    start = Place(file, 1, 1)
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as wrong:
        raise Place(file, 0, 0).error(f"cannot be read: {wrong.strerror}") from None
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        raise Place(file, line, 1).error("this is no UTF-8 text") from None
    node = read(text, file, faults)
    if node is not None and not node.is_mapping:
        faults.add(
            node.place, f"a pipeline is a mapping with the keys {', '.join(KEYS)}; this is {node.kind}"
        )
        node = None
    if node is None:
        faults.stop()
        raise start.error("the file is empty")
    return interpret(override(node, settings), text, file, faults)


def interpret(node: Node, text: str, file: str, faults: Faults) -> Pipeline:
    """The pipeline that a mapping stands for."""
    known_keys(node, KEYS, "", faults)
    part: dict[str, Node] = {key: value for key, value in node.items() if key in KEYS}
    if "treeforge" in part and part["treeforge"].value != FORMAT:
        faults.add(
            part["treeforge"].place,
            f"this program reads version {FORMAT} of the format, not {part['treeforge'].value!r}",
        )
    algorithms = _algorithms(part.get("algorithms"), faults)
    if "matrix" in part:
        algorithms += [
            AlgorithmEntry(point.place, point.name, point.words, point.factors)
            for point in matrix.expand(part["matrix"], faults)
        ]
    _unique(algorithms, faults)
    for key, found in (
        ("datasets", "datasets" in part),
        ("algorithms", "algorithms" in part or "matrix" in part),
    ):
        if not found:
            faults.add(node.place, f"the key '{key}' is missing: {KEYS[key]}")
    return Pipeline(
        file=file,
        text=text,
        name=_text(part.get("name"), "name", faults) or Path(file).stem,
        seed=_whole(part.get("seed"), "seed", 1, faults),
        datasets=tuple(_datasets(part.get("datasets"), faults)),
        algorithms=tuple(algorithms),
        evaluation=_evaluation(part.get("evaluation"), node.place, faults),
        metrics=tuple(_names(part.get("metrics"), DEFAULT_METRICS, "metrics", node.place, faults)),
        comparisons=tuple(_comparisons(part.get("comparisons"), faults)),
        report=tuple(_report(part.get("report"), node.place, faults)),
        time_limit=_seconds(part.get("time_limit"), faults),
        plain=node.plain(),
        faults=faults,
    )


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


def _expected(node: Node, what: str, expected: str, faults: Faults) -> None:
    shown = f" {node.value!r}" if isinstance(node.value, (str, int, float)) else ""
    faults.add(node.place, f"{what}: {expected} is expected, not {node.kind}{shown}")


def _text(node: Node | None, what: str, faults: Faults) -> str:
    if node is None:
        return ""
    if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return str(node.value)  # `name: 2024` is a name, too
    if not isinstance(node.value, str) or not node.value:
        _expected(node, what, "text", faults)
        return ""
    return node.value


def _whole(node: Node | None, what: str, default: int, faults: Faults) -> int:
    if node is None:
        return default
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        _expected(node, what, "a whole number from 0", faults)
        return default
    return value


def _seconds(node: Node | None, faults: Faults) -> float | None:
    if node is None or node.value is None:
        return None
    if isinstance(node.value, bool) or not isinstance(node.value, (int, float)) or not node.value > 0:
        _expected(node, "time_limit", "a number of seconds above 0", faults)
        return None
    return float(node.value)


def _list(node: Node | None, what: str, faults: Faults) -> list[Node]:
    """The items of a list; a single item may stand without brackets."""
    if node is None or node.value is None:
        return []
    if isinstance(node.value, list):
        return node.value
    return [node]


def _names(node: Node | None, default: Sequence[str], what: str, place: Place, faults: Faults) -> list[Node]:
    """Names in a list, each of them once, in their order."""
    if node is None:
        return [Node(name, place) for name in default]
    found: dict[str, Node] = {}
    for item in _list(node, what, faults):
        name = _text(item, what, faults)
        if name and name in found:
            faults.add(
                item.place, f"{what}: '{name}' stands twice: in line {found[name].place.line} and here"
            )
        elif name:
            found[name] = item
    return list(found.values())


def _report(node: Node | None, place: Place, faults: Faults) -> list[str]:
    names = _names(node, ("terminal",), "report", place, faults)
    for item in names:
        if item.value not in FORMATS:
            known = list(FORMATS)
            faults.add(
                item.place,
                f"there is no report format '{item.value}'{nearest(str(item.value), known)} "
                f"(formats: {', '.join(known)})",
            )
    return [str(item.value) for item in names if item.value in FORMATS]


def _datasets(node: Node | None, faults: Faults) -> list[DatasetEntry]:
    if node is not None and not _list(node, "datasets", faults):
        faults.add(node.place, "datasets: at least one file, glob or generator is expected")
    return [entry for item in _list(node, "datasets", faults) if (entry := _dataset(item, faults))]


def _dataset(item: Node, faults: Faults) -> DatasetEntry | None:
    if isinstance(item.value, str) and item.value:
        return DatasetEntry(item.place, pattern=item.value)
    if not item.is_mapping:
        _expected(item, "datasets", "a path, or a mapping with 'path' or 'generate',", faults)
        return None
    part: dict[str, Node] = item.value
    common: dict[str, Any] = {
        "name": _text(part.get("name"), "name", faults),
        "class_name": _text(part.get("class"), "class", faults),
        "class_place": part["class"].place if "class" in part else None,
        "dropped": tuple(_names(part.get("drop"), (), "drop", item.place, faults)),
    }
    if "generate" in part:
        rest = [key for key in part if key not in ("generate", "name", "class", "drop")]
        parameters = Node({k: part[k] for k in rest}, item.place, {k: item.keys[k] for k in rest})
        if not _text(part["generate"], "generate", faults):
            return None
        return DatasetEntry(item.place, source=part["generate"], parameters=parameters, **common)
    known_keys(item, ("path", "class", "drop", "name", "test", "generate"), "a data set", faults)
    if "path" not in part:
        faults.add(item.place, "a data set has a 'path' or says what to 'generate'")
        return None
    pattern = _text(part["path"], "path", faults)
    if not pattern:
        return None
    return DatasetEntry(
        item.place, pattern=pattern, test_pattern=_text(part.get("test"), "test", faults), **common
    )


def _algorithms(node: Node | None, faults: Faults) -> list[AlgorithmEntry]:
    if node is None:
        return []
    if not node.is_mapping or not node.value:
        _expected(node, "algorithms", "a mapping of names to algorithms", faults)
        return []
    found = []
    for name, words in node.items():
        place = node.keys[name]
        if not name.strip():
            faults.add(place, "an algorithm needs a name")
        elif isinstance(words.value, str):  # `C4.5: c45`
            key = Node({"splitter": words}, words.place, {"splitter": words.place})
            found.append(AlgorithmEntry(place, name, key))
        elif not words.is_mapping:
            _expected(words, f"algorithm '{name}'", "a mapping such as {splitter: c45}", faults)
        else:
            found.append(AlgorithmEntry(place, name, words))
    return found


def _unique(algorithms: Sequence[AlgorithmEntry], faults: Faults) -> None:
    seen: dict[str, Place] = {}
    for entry in algorithms:
        if entry.name in seen:
            first = seen[entry.name].line
            faults.add(entry.place, f"two algorithms are called '{entry.name}': in line {first} and here")
        seen.setdefault(entry.name, entry.place)


def _evaluation(node: Node | None, place: Place, faults: Faults) -> EvaluationEntry:
    """``evaluation: {SCHEME: {options}}``, or the scheme's name alone."""
    if node is None:
        return EvaluationEntry(place)
    if isinstance(node.value, str) and node.value:
        return EvaluationEntry(node.place, node.value)
    if not node.is_mapping or len(node.value) != 1:
        _expected(node, "evaluation", "one scheme such as {cross_validation: {folds: 10}}", faults)
        return EvaluationEntry(node.place)
    ((scheme, options),) = node.items()
    if options.value is not None and not options.is_mapping:
        _expected(options, scheme, "a mapping of options", faults)
        return EvaluationEntry(node.keys[scheme], scheme)
    return EvaluationEntry(node.keys[scheme], scheme, options if options.is_mapping else None)


def _comparisons(node: Node | None, faults: Faults) -> list[ComparisonEntry]:
    found = []
    for item in _list(node, "comparisons", faults):
        if not item.is_mapping:
            _expected(item, "comparisons", "a mapping such as {test: wilcoxon, metric: accuracy}", faults)
            continue
        part: dict[str, Node] = item.value
        if "test" not in part:
            faults.add(item.place, "a comparison names its 'test', for example {test: wilcoxon}")
            continue
        if not _text(part["test"], "test", faults):
            continue
        metric = _text(part.get("metric"), "metric", faults) or "accuracy"
        rest = [key for key in part if key not in ("test", "metric")]
        found.append(
            ComparisonEntry(
                item.place,
                part["test"],
                metric,
                part["metric"].place if "metric" in part else item.place,
                Node({k: part[k] for k in rest}, item.place, {k: item.keys[k] for k in rest}),
            )
        )
    return found
