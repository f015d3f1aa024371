"""Entry-point name -> class, loaded on first use. A broken plugin harms only the run that names it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from treeforge.errors import PluginError, TreeForgeError, nearest
from treeforge.plugin import interfaces
from treeforge.plugin.defaults import lying_default
from treeforge.plugin.parameters import make

#: kind -> (entry-point group, base class)
KINDS: dict[str, tuple[str, type[interfaces.Plugin]]] = {
    "splitter": ("treeforge.splitters", interfaces.Splitter),
    "criterion": ("treeforge.criteria", interfaces.Criterion),
    "pruner": ("treeforge.pruners", interfaces.Pruner),
    "ensemble": ("treeforge.ensembles", interfaces.Ensemble),
    "discretizer": ("treeforge.discretizers", interfaces.Discretizer),
    "source": ("treeforge.sources", interfaces.Source),
    "metric": ("treeforge.metrics", interfaces.Metric),
    "test": ("treeforge.tests", interfaces.Test),
}


#: what other programs call our plugins, where the names have nothing in common
ELSEWHERE = {"j48": "c45", "entropy": "information_gain", "t_test": "corrected_t", "rep": "reduced_error"}


@dataclass(frozen=True)
class Entry:
    """A plugin as its package announces it; nothing of it has been imported."""

    kind: str
    name: str
    package: str
    version: str
    point: EntryPoint

    @property
    def title(self) -> str:
        """How messages name it."""
        return f"{self.kind} '{self.name}' of package {self.package}"

    def load(self) -> type[Any]:
        """Import the plugin; PluginError with the reason when that fails, or when it is no plugin at all."""
        try:
            found = self.point.load()
        except (Exception, SystemExit) as fault:
            reason = f"{type(fault).__name__}: {fault}".splitlines()[0]
            raise PluginError(f"{self.title} cannot be loaded: {reason}") from fault
        base = KINDS[self.kind][1]
        if not (isinstance(found, type) and issubclass(found, base)):
            raise PluginError(f"{self.title} is no {base.__name__}: {self.point.value}")
        if not (dataclasses.is_dataclass(found) and found.__dataclass_params__.frozen):
            raise PluginError(f"{self.title} is no frozen dataclass: {self.point.value}")
        if missing := sorted(getattr(found, "__abstractmethods__", ())):
            raise PluginError(f"{self.title} does not say how to '{missing[0]}': {self.point.value}")
        if lie := self._lying_default(found):
            raise PluginError(f"{self.title}: {lie}")
        return found

    def _lying_default(self, found: Any) -> str:
        """As ``lying_default`` says; PluginError when a type cannot be read or a default cannot be made."""
        try:
            return lying_default(found)
        except TreeForgeError as wrong:
            raise PluginError(f"{self.title}: {wrong.message}") from wrong
        except (Exception, SystemExit) as fault:
            reason = f"{type(fault).__name__}: {fault}".splitlines()[0]
            raise PluginError(f"{self.title} has parameters that cannot be read: {reason}") from fault


@cache
def entries(kind: str) -> tuple[Entry, ...]:
    """All announced plugins of a kind, by name and package. Reads metadata only."""
    if kind not in KINDS:
        raise PluginError(
            f"there is no plugin kind '{kind}'{nearest(kind, list(KINDS))} (kinds: {', '.join(KINDS)})"
        )
    found = {
        (point.name, point.value): Entry(
            kind,
            point.name,
            point.dist.name if point.dist else "?",
            point.dist.version if point.dist else "?",
            point,
        )
        for point in entry_points(group=KINDS[kind][0])
    }
    return tuple(found[key] for key in sorted(found))


def find(kind: str, name: str) -> Entry:
    """The one plugin that a name means: ``c45``, ``c45@1`` or ``package:c45``. Only ``@`` imports it.

    Raises PluginError for a name that nobody claims, that two packages claim, or that means another thing.
    """
    plain, at, pinned = name.partition("@")
    package, colon, short = plain.rpartition(":")
    matches = [e for e in entries(kind) if e.name == short and (not colon or _same(e.package, package))]
    if not matches:
        names = [e.name for e in entries(kind)]
        known = list(dict.fromkeys(names))
        elsewhere = ELSEWHERE.get(short.lower(), short)  # not near in letters, but the same thing
        kinds = [k for k in KINDS if any(e.name == short for e in entries(k))]
        hint = f"; '{short}' is of kind {kinds[0]}" if kinds else nearest(elsewhere, known)
        raise PluginError(f"no {kind} is called '{plain}'{hint} (installed: {', '.join(known) or 'none'})")
    if len(matches) > 1:
        packages = list(dict.fromkeys(e.package for e in matches))
        if len(packages) == 1:
            raise PluginError(f"{kind} '{plain}' is claimed twice by package {packages[0]}")
        claims = [f"{package}:{short}" for package in packages]
        raise PluginError(
            f"{kind} '{plain}' is claimed by the packages {' and '.join(packages)}: "
            f"write {' or '.join(claims)}"
        )
    if at:
        meaning = matches[0].load().meaning
        if pinned != str(meaning):
            raise PluginError(f"{kind} '{plain}' is installed with meaning {meaning}, not {pinned or 'none'}")
    return matches[0]


def _same(one: str, other: str) -> bool:
    """Whether two spellings name one package, as pip sees it."""
    return one.lower().replace("_", "-").replace(".", "-") == other.lower().replace("_", "-").replace(
        ".", "-"
    )


def load(kind: str, name: str) -> type[Any]:
    """The class that a name means."""
    return find(kind, name).load()


def create(kind: str, name: str, parameters: Mapping[str, Any] | None = None) -> Any:
    """The plugin that a name and parameters mean."""
    return make(load(kind, name), parameters or {}, name)
