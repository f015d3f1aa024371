"""``{names} treeforge.data``: a module's public names with their docstrings, each on the first page that has it."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

#: the order in which a name that several modules promise finds its page
MODULES = (
    "treeforge",
    "treeforge.errors",
    "treeforge.data",
    "treeforge.explain",
    "treeforge.compare",
    "treeforge.experiment",
    "treeforge.report",
    "treeforge.plugin",
)


def public(module: str) -> list[str]:
    """What a module promises: ``__all__``, or else the classes that it defines."""
    found = importlib.import_module(module)
    own = [name for name, value in vars(found).items() if getattr(value, "__module__", "") == module]
    return list(getattr(found, "__all__", [name for name in own if inspect.isclass(getattr(found, name))]))


def owned(module: str) -> list[str]:
    """The names of a module that no module before it has."""
    taken = {
        id(value_of(earlier, name))
        for earlier in MODULES[: MODULES.index(module)]
        for name in public(earlier)
    }
    return [name for name in public(module) if id(value_of(module, name)) not in taken]


def value_of(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


class Names(SphinxDirective):
    """``{names} MODULE``"""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (module,) = self.arguments
        lines: list[str] = []
        for name in owned(module):
            value = value_of(module, name)
            if inspect.isclass(value):
                lines += [f".. autoclass:: {module}.{name}", "   :members:", ""]
            elif inspect.isroutine(value):
                lines += [f".. autofunction:: {module}.{name}", ""]
            else:
                keys = ", ".join(f"``{key}``" for key in value)
                lines += [f".. py:data:: {module}.{name}", "", f"   A mapping of {keys}.", ""]
        return self.parse_text_to_nodes("```{eval-rst}\n" + "\n".join(lines) + "\n```\n")


def skipped(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """scikit-learn puts ``set_fit_request`` and its like into every estimator."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("names", Names)
    app.connect("autodoc-skip-member", skipped)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
