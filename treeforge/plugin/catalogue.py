"""What is installed: every announced plugin with its documentation, or with what is wrong with it."""

from __future__ import annotations

import dataclasses
import inspect
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from treeforge.errors import PluginError, TreeForgeError, nearest
from treeforge.plugin import registry
from treeforge.plugin.parameters import describe
from treeforge.plugin.registry import KINDS, Entry


@dataclass(frozen=True)
class Listed:
    """One plugin on the list.

    Parameters
    ----------
    entry : Entry
    summary : str
        First line of its docstring.
    faults : tuple of str
        Why it cannot be used, or what it leaves undone; empty when all is well.
    details : str
        The traceback behind the first fault, where there is one.
    """

    entry: Entry
    summary: str = ""
    faults: tuple[str, ...] = ()
    details: str = ""
    cls: type[Any] | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "kind": self.entry.kind,
            "name": self.entry.name,
            "package": self.entry.package,
            "version": self.entry.version,
            "object": self.entry.point.value,
            "summary": self.summary,
            "ok": not self.faults,
            "faults": list(self.faults),
        }


def listing(kinds: Iterable[str] = (), *, check: bool = False) -> list[Listed]:
    """All plugins of some kinds (of all, without any), by kind and name.

    A broken plugin is on the list with its reason and disturbs no other. With ``check``, what can be said
    of a plugin without running it is said, too: names claimed twice, parameters without a type or a word.
    """
    chosen = list(kinds) or list(KINDS)
    return [_listed(entry, check) for kind in chosen for entry in registry.entries(kind)]


def named(name: str, kind: str | None = None) -> list[Entry]:
    """The plugins that a name means, in any kind or in one; PluginError when there is none."""
    if kind is not None:
        return [registry.find(kind, name)]
    found, reasons = [], []
    for each in KINDS:
        try:
            found.append(registry.find(each, name))
        except PluginError as wrong:
            if any(e.name == name.partition("@")[0].rpartition(":")[2] for e in registry.entries(each)):
                reasons.append(wrong)
    if not found:
        if reasons:
            raise reasons[0]
        names = sorted({e.name for each in KINDS for e in registry.entries(each)})
        raise PluginError(
            f"no plugin is called '{name}'{nearest(name, names)}; 'treeforge plugins list' has all"
        )
    return found


def _listed(entry: Entry, check: bool) -> Listed:
    try:
        cls = entry.load()
    except PluginError as wrong:
        details = "".join(traceback.format_exception(wrong.__cause__)) if wrong.__cause__ else ""
        return Listed(entry, faults=(wrong.message,), details=details)
    summary = (inspect.getdoc(cls) or "").partition("\n")[0]
    return Listed(entry, summary, tuple(_complaints(entry, cls)) if check else (), cls=cls)


def _complaints(entry: Entry, cls: type[Any]) -> Iterable[str]:
    twins = [e for e in registry.entries(entry.kind) if e.name == entry.name]
    if len(twins) > 1:
        yield f"the name is claimed by {' and '.join(sorted({e.package for e in twins}))}"
    if not (cls.__doc__ or "").strip() or (cls.__doc__ or "").startswith(f"{cls.__name__}("):
        yield "it has no docstring"
    try:
        parameters = describe(cls)
        for parameter in parameters:
            if not parameter.doc:
                yield f"the parameter '{parameter.name}' is not documented"
        if not any(p.required for p in parameters):
            cls()
    except TreeForgeError as wrong:
        yield wrong.message
    except Exception as fault:
        yield f"it cannot be made with its defaults: {type(fault).__name__}: {fault}"


def card(entry: Entry) -> dict[str, Any]:
    """All that ``plugins info`` shows: documentation, parameters with types and defaults, where it comes from."""
    cls = entry.load()
    return {
        "kind": entry.kind,
        "name": entry.name,
        "package": entry.package,
        "version": entry.version,
        "object": entry.point.value,
        "meaning": cls.meaning,
        "releases_gil": cls.releases_gil,
        "doc": inspect.getdoc(cls) or "",
        "parameters": [
            {
                "name": p.name,
                "type": p.type,
                **({} if p.required else {"default": _jsonable(p.default)}),
                "doc": p.doc,
            }
            for p in describe(cls)
        ],
    }


def _jsonable(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return list(value) if isinstance(value, tuple) else value
