"""What tables and sentences of docs/ name between backticks exists: algorithms, options, arguments, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import treeforge
from treeforge.cli.fit import _learner, evaluate
from treeforge.learn.build import PLUGINS, SETTINGS, learner
from treeforge.pipeline.yaml import Faults, read

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))
LINKING = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES, *sorted((ROOT / "plugins").rglob("*.md"))]
FENCED = re.compile(r"^( *)(```+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
KEYS = {*PLUGINS, *SETTINGS, "estimator", "parameters"}
ESTIMATORS = ("TreeClassifier", "ForestClassifier", "ExtraTreesClassifier", "C45Classifier", "AMSDClassifier")


def prose(page: Path) -> str:
    """A page without its blocks; line numbers stay."""
    return FENCED.sub(lambda block: "\n" * block[0].count("\n"), page.read_text(encoding="utf-8"))


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def columns(page: Path) -> Iterator[tuple[str, int, str]]:
    """Title of the column, line and text of each cell of each table."""
    titles: list[str] = []
    for number, line in enumerate(prose(page).splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            titles = []
        elif not titles:
            titles = cells
        else:
            yield from ((title, number, cell) for title, cell in zip(titles, cells, strict=False))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_algorithm_between_backticks_can_be_made(page: Path) -> None:
    made = re.findall(r"treeforge plugins new (\w+)", page.read_text(encoding="utf-8"))  # on the page itself
    for code in CODE.findall(prose(page)):
        if any(name in code for name in made):
            continue
        faults = Faults()
        node = read(code, page.name, faults) if ":" in code else None
        words = node.plain() if node is not None and not faults.found else None
        if (
            isinstance(words, dict)
            and set(words) <= KEYS
            and any(value is not None for value in words.values())
        ):
            learner(words)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_option_of_a_table_is_taken(page: Path) -> None:
    for title, number, cell in columns(page):
        for code in CODE.findall(cell) if title == "on the command line" else ():
            words = re.findall(r"'([^']*)'|(\S+)", code.replace("treeforge evaluate ", ""))
            context = evaluate.make_context("evaluate", ["x.arff", *(a or b for a, b in words)])
            assert _learner(context.params), f"{page.name}:{number}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_argument_of_a_table_makes_an_estimator(page: Path) -> None:
    for title, _, cell in columns(page):
        for code in CODE.findall(cell) if title in ESTIMATORS else ():
            call = code if code.startswith(ESTIMATORS) else f"{title}({code})"
            estimator = eval(call, {name: getattr(treeforge, name) for name in ESTIMATORS})
            assert estimator._learner()


LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", LINKING, ids=name_of)
def test_every_link_between_files_resolves(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{page.name}: there is no {target}"
        if anchor and found.suffix == ".md":
            assert anchor in set(anchors(found)), f"{page.name}: {path or page.name} has no heading #{anchor}"


def anchors(page: Path) -> Iterator[str]:
    """What GitHub, and the documentation pages, call the headings of a file."""
    for title in re.findall(r"^#+ +(.+)$", prose(page), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", title.replace("`", "").lower()).strip().replace(" ", "-")
