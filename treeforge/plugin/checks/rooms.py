"""What a compiled splitter must satisfy before anything else is tried: that it keeps to the memory it is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treeforge.core.guard import guarded
from treeforge.core.table import Table
from treeforge.learn.encode import encode
from treeforge.plugin.checks import tables
from treeforge.plugin.checks.fitting import assert_same, tree
from treeforge.plugin.interfaces import Splitter


@dataclass(frozen=True)
class _Guarded(Splitter):
    """A compiled splitter whose answers are looked at before they are believed."""

    splitter: Splitter

    def kernel(self, table: Table) -> object | None:
        return guarded(self.splitter.kernel(table))

    @property
    def default_criterion(self) -> str:  # type: ignore[override]
        return self.splitter.default_criterion

    def metadata(self) -> dict[str, Any]:
        return self.splitter.metadata()


def it_keeps_to_its_rooms(plugin: Splitter) -> None:
    """A compiled one writes where it may, answers splits that make sense, and grows the same trees under guard."""
    if plugin.kernel(encode(tables.mixed(40))) is None:
        return
    for data in (tables.mixed(), tables.mixed(unknown=0.15), tables.mixed(700, seed=3)):
        watched = tree(_Guarded(plugin), data)
        assert_same(tree(plugin, data), watched, "under guard")
