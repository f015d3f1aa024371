"""A pipeline file -> Pipeline.

Only the form is checked here; names become objects in ``build``. Both add to the same list of faults, so that
a user sees all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeforge import report
from treeforge.errors import nearest
from treeforge.pipeline import matrix
from treeforge.pipeline.entries import (
    AlgorithmEntry,
    ComparisonEntry,
    DatasetEntry,
    EvaluationEntry,
    Pipeline,
)
from treeforge.pipeline.forms import (
    as_list,
    as_names,
    as_seconds,
    as_text,
    as_whole,
    as_words,
    known_keys,
    refuse,
)
from treeforge.pipeline.override import override
from treeforge.pipeline.yaml import Faults, Node, Place, read

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
DEFAULT_REPORT = ("terminal", "html")
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
        name=as_text(part.get("name"), "name", faults) or Path(file).stem,
        seed=as_whole(part.get("seed"), "seed", 1, faults),
        datasets=tuple(_datasets(part.get("datasets"), faults)),
        algorithms=tuple(algorithms),
        evaluation=_evaluation(part.get("evaluation"), node.place, faults),
        metrics=tuple(as_names(part.get("metrics"), DEFAULT_METRICS, "metrics", node.place, faults)),
        comparisons=tuple(_comparisons(part.get("comparisons"), faults)),
        report=tuple(_report(part.get("report"), node.place, faults)),
        time_limit=as_seconds(part.get("time_limit"), faults),
        plain=node.plain(),
        faults=faults,
    )


def _report(node: Node | None, place: Place, faults: Faults) -> list[str]:
    names = as_names(node, DEFAULT_REPORT, "report", place, faults)
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
    if node is not None and not as_list(node):
        faults.add(node.place, "datasets: at least one file, glob or generator is expected")
    return [entry for item in as_list(node) if (entry := _dataset(item, faults))]


def _dataset(item: Node, faults: Faults) -> DatasetEntry | None:
    if isinstance(item.value, str) and item.value:
        return DatasetEntry(item.place, pattern=item.value)
    if not item.is_mapping:
        refuse(item, "datasets", "a path, or a mapping with 'path' or 'generate',", faults)
        return None
    part: dict[str, Node] = item.value
    common: dict[str, Any] = {
        "name": as_text(part.get("name"), "name", faults),
        "class_name": as_text(part.get("class"), "class", faults),
        "class_place": part["class"].place if "class" in part else None,
        "dropped": tuple(as_names(part.get("drop"), (), "drop", item.place, faults, empty=True)),
    }
    if "generate" in part:
        rest = [key for key in part if key not in ("generate", "name", "class", "drop")]
        parameters = Node({k: part[k] for k in rest}, item.place, {k: item.keys[k] for k in rest})
        if not as_text(part["generate"], "generate", faults):
            return None
        return DatasetEntry(item.place, source=part["generate"], parameters=parameters, **common)
    keys = ("path", "class", "drop", "name", "test", "unknown", "decimal", "encoding", "generate")
    known_keys(item, keys, "a data set", faults)
    if "path" not in part:
        faults.add(item.place, "a data set has a 'path' or says what to 'generate'")
        return None
    pattern = as_text(part["path"], "path", faults)
    if not pattern:
        return None
    return DatasetEntry(
        item.place,
        pattern=pattern,
        test_pattern=as_text(part.get("test"), "test", faults),
        told=_told(part, faults),
        **common,
    )


def _told(part: Mapping[str, Node], faults: Faults) -> dict[str, Any]:
    """What an entry says of how its files are to be read."""
    told: dict[str, Any] = {}
    if "unknown" in part:
        told["unknown"] = as_words(part["unknown"], "unknown", faults)
    if "decimal" in part:
        if part["decimal"].value in (".", ","):
            told["decimal"] = part["decimal"].value
        else:
            refuse(part["decimal"], "decimal", "'.' or ','", faults)
    if "encoding" in part:
        told["encoding"] = as_text(part["encoding"], "encoding", faults)
    return told


def _algorithms(node: Node | None, faults: Faults) -> list[AlgorithmEntry]:
    if node is None:
        return []
    if not node.is_mapping or not node.value:
        refuse(node, "algorithms", "a mapping of names to algorithms", faults)
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
            refuse(words, f"algorithm '{name}'", "a mapping such as {splitter: c45}", faults)
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
        refuse(node, "evaluation", "one scheme such as {cross_validation: {folds: 10}}", faults)
        return EvaluationEntry(node.place)
    ((scheme, options),) = node.items()
    if options.value is not None and not options.is_mapping:
        refuse(options, scheme, "a mapping of options", faults)
        return EvaluationEntry(node.keys[scheme], scheme)
    return EvaluationEntry(node.keys[scheme], scheme, options if options.is_mapping else None)


def _comparisons(node: Node | None, faults: Faults) -> list[ComparisonEntry]:
    found = []
    for item in as_list(node):
        if not item.is_mapping:
            refuse(item, "comparisons", "a mapping such as {test: wilcoxon, metric: accuracy}", faults)
            continue
        part: dict[str, Node] = item.value
        if "test" not in part:
            faults.add(item.place, "a comparison names its 'test', for example {test: wilcoxon}")
            continue
        if not as_text(part["test"], "test", faults):
            continue
        metric = as_text(part.get("metric"), "metric", faults) or "accuracy"
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
