"""Entry-point name -> class, loaded on first use. A broken plugin harms only the run that names it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from treeforge.errors import PluginError
from treeforge.plugin import interfaces
from treeforge.plugin.parameters import nearest

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


@dataclass(frozen=True)
class Entry:
    """A plugin as its package announces it; nothing of it has been imported."""

    kind: str
    name: str
    package: str
    version: str
    point: EntryPoint

    def load(self) -> type[Any]:
        """Import the plugin; PluginError with the reason when that fails."""
        try:
            found = self.point.load()
        except (Exception, SystemExit) as fault:
            reason = f"{type(fault).__name__}: {fault}".splitlines()[0]
            raise PluginError(f"{self.kind} '{self.name}' of package {self.package} cannot be loaded: {reason}") from fault
        base = KINDS[self.kind][1]
        if not (isinstance(found, type) and issubclass(found, base)):
            raise PluginError(
                f"{self.kind} '{self.name}' of package {self.package} is no {base.__name__}: {self.point.value}"
            )
        return found


@cache
def entries(kind: str) -> tuple[Entry, ...]:
    """All announced plugins of a kind, by name and package. Reads metadata only."""
    if kind not in KINDS:
        raise PluginError(f"there is no plugin kind '{kind}'{nearest(kind, list(KINDS))} (kinds: {', '.join(KINDS)})")
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
    """The one plugin that a name means: ``c45``, ``c45@1`` or ``package:c45``."""
    plain, _, pinned = name.partition("@")
    package, colon, short = plain.rpartition(":")
    matches = [e for e in entries(kind) if e.name == short and (not colon or e.package == package)]
    if not matches:
        names = [e.name for e in entries(kind)]
        raise PluginError(
            f"no {kind} is called '{plain}'{nearest(short, names)} (installed: {', '.join(names) or 'none'})"
        )
    if len(matches) > 1:
        claims = " and ".join(f"{e.package}:{e.name}" for e in matches)
        raise PluginError(f"{kind} '{plain}' is claimed by two packages: write {claims.replace(' and ', ' or ')}")
    if pinned:
        meaning = matches[0].load().meaning
        if pinned != str(meaning):
            raise PluginError(f"{kind} '{plain}' is installed with meaning {meaning}, not {pinned}")
    return matches[0]


def load(kind: str, name: str) -> type[Any]:
    """The class that a name means."""
    return find(kind, name).load()
