"""The entries of ``datasets:`` -> data sets with names that no two of them share."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from treeforge.data import Dataset, read_dataset
from treeforge.data.files import ENDINGS
from treeforge.data.slips import listening
from treeforge.errors import TreeForgeError, nearest
from treeforge.experiment.experiment import Task
from treeforge.pipeline.entries import DatasetEntry, Pipeline
from treeforge.pipeline.matrix import label
from treeforge.pipeline.names import plugin
from treeforge.pipeline.yaml import Faults, Node, Place


def read(pipeline: Pipeline, faults: Faults, *, needs_test: bool = False) -> list[Task]:
    """All data sets of a pipeline, in the order of the file; a glob's in the order of their names."""
    found: list[tuple[DatasetEntry, Path | None, Task]] = []
    seen: dict[tuple[Path, str], DatasetEntry] = {}
    for entry in pipeline.datasets:
        if entry.source is not None:
            made = _generated(entry, pipeline.seed, faults)
            if made is not None:
                found.append((entry, None, Task(made.name, made)))
            continue
        for path in _files(entry, entry.pattern, pipeline.folder, faults):
            first = seen.setdefault((path.resolve(), entry.class_name), entry)
            if first is not entry and not entry.name:  # two globs may overlap
                _same_told(path, first, entry, faults)
                continue
            warnings: list[str] = []
            data = _file(path, entry, faults, warnings)
            test = _test(entry, pipeline.folder, faults, warnings, needed=needs_test)
            if data is not None:
                found.append((entry, path, Task(data.name, data, test, tuple(warnings))))
    names = _distinct([(entry, path, task.dataset) for entry, path, task in found])
    return [replace(task, name=name) for name, (_, _, task) in zip(names, found, strict=True)]


def _same_told(path: Path, first: DatasetEntry, entry: DatasetEntry, faults: Faults) -> None:
    """Add a fault where two entries have a file in common, and what the second one says would not apply."""
    before, now = (
        {"drop": {name.value for name in each.dropped}, "test": each.test_pattern, **each.told}
        for each in (first, entry)
    )
    other = [key for key in {**before, **now} if before.get(key) != now.get(key)]
    if other:
        where = f"line {first.place.line}" if first.place.line else "another entry"
        faults.add(
            entry.place,
            f"'{path.name}' is a data set by {where} already, which says otherwise of "
            f"{' and '.join(other)}: leave it out there or here, or give it a name here to have both",
        )


def _base(place: Place, folder: Path) -> Path:
    """Relative paths start from the file that they stand in; those of ``--set`` from where the user is."""
    return folder if place.line else Path()


def _files(entry: DatasetEntry, pattern: str, folder: Path, faults: Faults) -> list[Path]:
    base = _base(entry.place, folder)
    full = os.path.join(base, os.path.expanduser(pattern))
    if not glob.has_magic(full) or Path(full).exists():
        if Path(full).is_dir():
            faults.add(
                entry.place, f"'{pattern}' is a folder; '{pattern.rstrip('/')}/*' means the files in it"
            )
            return []
        if not Path(full).exists():
            near = nearest(Path(full).name, _names_in(Path(full).parent))
            faults.add(entry.place, f"there is no file '{pattern}'{near}")
            return []
        return [Path(full)]
    matches = sorted(Path(match) for match in glob.glob(full, recursive=True))
    found = [path for path in matches if path.name.lower().endswith(ENDINGS) and path.is_file()]
    if not found:
        what = f"none of the {len(matches)} files that match" if matches else "no file matches"
        faults.add(
            entry.place, f"{what} '{pattern}'{' is a data file' if matches else ''} ({', '.join(ENDINGS)})"
        )
    return found


def _names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def _file(path: Path, entry: DatasetEntry, faults: Faults, warnings: list[str]) -> Dataset | None:
    """The data of a file; what is odd about the columns that are kept is added to the warnings."""
    with listening() as heard:
        data = _checked(entry, faults, lambda: _with_class(path, entry))
    kept = set() if data is None else data.schema.names.keys()
    warnings += dict.fromkeys(str(odd) for odd in heard if not kept.isdisjoint(odd.columns))
    return data


def _with_class(path: Path, entry: DatasetEntry) -> Dataset:
    name, told = entry.class_name, entry.told
    data = read_dataset(path, **told)
    if name and name in data.schema.names and not path.name.lower().endswith((".arff", ".arff.gz")):
        return read_dataset(
            path, name, **told
        )  # in CSV a column of numbers is nominal only where it is the class
    return data


def _test(
    entry: DatasetEntry, folder: Path, faults: Faults, warnings: list[str], *, needed: bool
) -> Dataset | None:
    if not entry.test_pattern:
        if needed:
            faults.add(entry.place, "evaluation: train_test needs a test file: {path: a.arff, test: b.arff}")
        return None
    if not needed:
        faults.add(entry.place, "a test file is given, but the evaluation is not train_test")
        return None
    files = _files(entry, entry.test_pattern, folder, faults)
    if len(files) > 1:
        faults.add(
            entry.place, f"'{entry.test_pattern}' matches {len(files)} files; one test file is expected"
        )
    return _file(files[0], entry, faults, warnings) if len(files) == 1 else None


def _generated(entry: DatasetEntry, seed: int, faults: Faults) -> Dataset | None:
    assert entry.source is not None
    assert entry.parameters is not None
    name = entry.source.value
    source = plugin("source", Node({name: entry.parameters}, entry.place, {name: entry.source.place}), faults)
    if source is None:
        return None
    return _checked(entry, faults, lambda: Dataset.concatenate(source.blocks(seed)))


def _checked(entry: DatasetEntry, faults: Faults, make: Callable[[], Dataset]) -> Dataset | None:
    """The data set with its class, or None after a fault. A fault of the data is shown where it is in the data."""
    try:
        data = make()
    except TreeForgeError as wrong:
        if wrong.file:
            faults.keep(wrong)
        else:
            faults.add(entry.place, wrong.message)
        return None
    if entry.class_name:
        names = list(data.schema.names)
        if entry.class_name not in names:
            place = entry.class_place or entry.place
            faults.add(
                place,
                f"{data.name} has no attribute '{entry.class_name}'{nearest(entry.class_name, names)} "
                f"(attributes: {_some(names)})",
            )
            return None
        data = data.with_class(entry.class_name)
    for name in entry.dropped:
        try:
            data = data.without([name.value])
        except TreeForgeError as wrong:
            faults.add(name.place, f"{data.name}: {wrong.message}")
            return None
    attribute = data.schema.class_attribute
    if not attribute.is_nominal:
        faults.add(
            entry.class_place or entry.place,
            f"{data.name}: the class attribute '{attribute.name}' is {attribute.kind}, not nominal",
        )
        return None
    return data


def _some(names: list[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _distinct(found: list[tuple[DatasetEntry, Path | None, Dataset]]) -> list[str]:
    """A name for each: the given one, or the file's; where two files share it, with the folder or the ending."""

    def short(entry: DatasetEntry, path: Path | None, data: Dataset) -> str:
        if path is not None:
            return data.name
        assert entry.source is not None
        return label(Node({entry.source.value: entry.parameters}, entry.place))

    several = Counter(id(entry) for entry, _, _ in found)
    names = []
    for entry, path, data in found:
        if entry.name:
            own = short(entry, path, data)
            names.append(entry.name if several[id(entry)] == 1 else f"{entry.name}/{own}")
        else:
            names.append(short(entry, path, data))
    longer: list[Callable[[Path, Dataset], str]] = [
        lambda path, data: f"{path.parent.name}/{path.name}",
        lambda path, data: str(path),
        lambda path, data: f"{path} by {data.schema.class_attribute.name}",
    ]
    for spell in longer:
        count = Counter(names)
        names = [
            spell(path, data) if count[name] > 1 and path is not None else name
            for name, (_, path, data) in zip(names, found, strict=True)
        ]
    return names
