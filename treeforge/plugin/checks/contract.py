"""Which checks there are for a kind, and how they are run: one after the other, or as tests of pytest."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from treeforge.errors import PluginError
from treeforge.plugin import registry
from treeforge.plugin.checks import (
    criterion,
    discretizer,
    ensemble,
    every,
    growing,
    metric,
    pruner,
    rooms,
    source,
    splitter,
    test,
)
from treeforge.plugin.interfaces import Plugin
from treeforge.plugin.parameters import make

#: kind -> modules whose public functions are its checks, beside those of every plugin
_MODULES: dict[str, tuple[ModuleType, ...]] = {
    "splitter": (rooms, growing, splitter),
    "criterion": (growing, criterion),
    "pruner": (pruner,),
    "ensemble": (ensemble,),
    "discretizer": (discretizer,),
    "source": (source,),
    "metric": (metric,),
    "test": (test,),
}


@dataclass(frozen=True)
class Check:
    """One demand on a plugin.

    Parameters
    ----------
    name : str
    demand : str
        What must hold, in a sentence.
    run : callable
        Raises AssertionError when it does not.
    """

    name: str
    demand: str
    run: Callable[[Any], None]

    def __call__(self, plugin: Plugin) -> str:
        """Run it. The reason why it was not, when the plugin waives it; else an empty text."""
        reason = plugin.waived.get(self.name, "")
        if not reason:
            self.run(plugin)
        return reason

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Outcome:
    """What a check came to.

    Parameters
    ----------
    check : Check
    plugin : str
        The instance, with its parameters.
    status : {'passed', 'waived', 'failed'}
    message : str
        What does not hold, or why it need not.
    """

    check: Check
    plugin: str
    status: Literal["passed", "waived", "failed"]
    message: str = ""
    trace: str = ""


def checks(kind: str) -> tuple[Check, ...]:
    """All checks of a kind, those of every plugin first."""
    return tuple(
        Check(name, (inspect.getdoc(function) or "").partition("\n")[0], function)
        for module in (every, *_MODULES[kind])
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
    )


def instances(cls: type[Plugin], name: str = "") -> list[Plugin]:
    """The plugin with each of its ``examples`` as parameters."""
    return [make(cls, example, name or cls.__name__) for example in cls.examples]


def check(plugin: Plugin) -> list[Outcome]:
    """Run all checks of a plugin's kind on one instance; what does not hold is an outcome, not an error.

    A compiled splitter that does not keep to its rooms is not tried any further: outside of the guard it would
    write into memory of others.
    """
    if not __debug__:
        raise PluginError("the checks are assertions, which 'python -O' leaves out: run them without it")
    found = []
    for each in checks(plugin.kind):
        try:
            reason = each(plugin)
            found.append(Outcome(each, repr(plugin), "waived" if reason else "passed", reason))
        except Exception as fault:
            text = str(fault) if isinstance(fault, AssertionError) else f"{type(fault).__name__}: {fault}"
            first = text.strip().partition("\n")[0] or "it does not hold"
            found.append(Outcome(each, repr(plugin), "failed", first, traceback.format_exc()))
            if each.run is rooms.it_keeps_to_its_rooms:
                break
    return found


def contract(*names: str, kind: str | None = None) -> Any:
    """Decorate a test function of ``plugin`` and ``check``: it is run for every instance and every check.

    Parameters
    ----------
    names : str
        Names of registered plugins, or none for all (of one ``kind``).
    """
    import pytest

    found = [
        pytest.param(plugin, _skipping(each), id=f"{entry.kind}-{entry.name}{number}-{each.name}")
        for entry in _entries(names, kind)
        for number, plugin in _numbered(instances(entry.load(), entry.name))
        for each in checks(entry.kind)
    ]
    return pytest.mark.parametrize(("plugin", "check"), found)


def _skipping(each: Check) -> Callable[[Plugin], None]:
    """The check as a test: one that is waived is skipped, visibly."""

    def run(plugin: Plugin) -> None:
        import pytest

        if reason := each(plugin):
            pytest.skip(f"waived: {reason}")

    return run


def _numbered(plugins: list[Plugin]) -> Iterable[tuple[str, Plugin]]:
    return [("" if len(plugins) == 1 else f".{n}", plugin) for n, plugin in enumerate(plugins, 1)]


def _entries(names: tuple[str, ...], kind: str | None) -> list[registry.Entry]:
    kinds = [kind] if kind else list(registry.KINDS)
    everything = [entry for each in kinds for entry in registry.entries(each)]
    if not names:
        return everything
    found = [entry for entry in everything if entry.name in names]
    missing = set(names) - {entry.name for entry in found}
    if missing:
        registry.find(kind or "splitter", sorted(missing)[0])  # says what there is
    return found
