"""What a pipeline file says: frozen dataclasses that remember where each thing stands."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treeforge.pipeline.yaml import Faults, Node, Place


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
    told: Mapping[str, Any] = field(
        default_factory=dict
    )  # how the files are to be read, as read_dataset takes it
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
    """``evaluation``: a scheme and its options."""

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
