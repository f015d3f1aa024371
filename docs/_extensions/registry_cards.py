"""Plugins on a page, from the registry itself: what stands there is what the code does.

``{plugin} splitter c45`` shows a plugin's documentation and its parameters with types and defaults.
``{plugins} splitter`` lists all of a kind, and shows those that no page has.
"""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.ext.napoleon.docstring import NumpyDocstring
from sphinx.util.docutils import SphinxDirective

from treeforge.plugin import catalogue, registry
from treeforge.plugin.parameters import without_parameters

PAGES = Path(__file__).resolve().parents[1]
INITIAL = re.compile(r"^(\s*[A-Z])\.", re.MULTILINE)  # "J. R. Quinlan" is no item of a list
CARD = re.compile(r"^```\{plugin\} (\w+) (\w+)$", re.MULTILINE)


@cache
def shown() -> frozenset[tuple[str, str]]:
    """Kind and name of each plugin that has a card on some page."""
    return frozenset(found for page in PAGES.rglob("*.md") for found in CARD.findall(page.read_text("utf-8")))


class PluginCard(SphinxDirective):
    """``{plugin} KIND NAME``"""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        kind, name = self.arguments
        return card(self, registry.find(kind, name))


class PluginList(SphinxDirective):
    """``{plugins} KIND``"""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()  # what other pages show decides what is shown here
        (kind,) = self.arguments
        entries = registry.entries(kind)
        rows = []
        for entry in entries:
            summary = (inspect.getdoc(entry.load()) or "").partition("\n\n")[0].replace("\n", " ")
            rows.append(f"   * - :ref:`{entry.name} <{label(entry)}>`\n     - {summary}")
        found = self.parse("\n".join([*LIST, *rows]))
        for entry in entries:
            if (kind, entry.name) not in shown():
                found += card(self, entry)
        return found

    def parse(self, text: str) -> list[nodes.Node]:
        return parsed(self, text)


LIST = [".. list-table::", "   :widths: 1 4", "   :class: plugins", ""]
TABLE = [
    ".. list-table::",
    "   :header-rows: 1",
    "   :class: parameters",
    "",
    "   * - parameter",
    "     - what is expected",
    "     - default",
    "     - what it does",
]


def card(page: SphinxDirective, entry: registry.Entry) -> list[nodes.Node]:
    """A plugin's section: documentation, then parameters."""
    facts = catalogue.card(entry)
    title = nodes.rubric("", "", nodes.literal("", entry.name), nodes.Text(f" ({entry.kind})"))
    title["ids"] = [label(entry)]
    title["classes"] = ["plugin"]
    page.env.domains.standard_domain.note_hyperlink_target(
        label(entry), page.env.docname, label(entry), entry.name
    )
    words = INITIAL.sub(r"\1\\.", without_parameters(facts["doc"]))
    text = "\n".join(NumpyDocstring(words, page.config).lines())
    found = [title, *parsed(page, text)]
    rows = [
        f"   * - ``{p['name']}``\n     - {p['type']}\n     - {default(p)}\n     - {p['doc']}"
        for p in facts["parameters"]
    ]
    if rows:
        found += parsed(page, "\n".join([*TABLE, *rows]))
    return found


def default(parameter: dict[str, Any]) -> str:
    """As it would be written in a pipeline file."""
    if "default" not in parameter:
        return "has to be given"
    value = parameter["default"]
    return "none" if value is None else f"``{value if isinstance(value, str) else json.dumps(value)}``"


def label(entry: registry.Entry) -> str:
    return f"{entry.kind}-{entry.name}".replace("_", "-")


def parsed(page: SphinxDirective, text: str) -> list[nodes.Node]:
    """Nodes of reStructuredText, which docstrings are, on a page of Markdown."""
    return page.parse_text_to_nodes(f"```{{eval-rst}}\n{text}\n```\n")


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("plugin", PluginCard)
    app.add_directive("plugins", PluginList)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
