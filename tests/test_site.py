"""The documentation as pages: built without a warning, whole, and complete in themselves.

Needs the extra ``docs``; ``.ci/run`` builds the pages without a network and names their folder in ``TREEFORGE_SITE``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

for needed in ("sphinx", "myst_parser", "furo", "latex2mathml"):
    pytest.importorskip(needed, reason="the extra docs is not installed")

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page loads, links to, and can be linked to at."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.ids.add(found.get("id", ""))
        if tag in LOADED and found.get(LOADED[tag]):
            self.loads.append(found[LOADED[tag]])
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    """The built pages."""
    folder = Path(os.environ.get("TREEFORGE_SITE") or tmp_path_factory.mktemp("site"))
    if "TREEFORGE_SITE" not in os.environ:
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-b",
            "html",
            ROOT / "docs",
            folder,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return {path: Page(path) for path in sorted(folder.rglob("*.html"))}


def test_every_page_of_docs_is_there(site: dict[Path, Page]) -> None:
    built = {path.stem for path in site}
    assert {page.stem for page in (ROOT / "docs").rglob("*.md")} <= built


def test_every_link_between_pages_resolves(site: dict[Path, Page]) -> None:
    lost = []
    for path, page in site.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.exists() or (anchor and target in site and anchor not in site[target].ids):
                lost.append(f"{path.name}: {link}")
    assert not lost


def test_pages_load_nothing_from_elsewhere(site: dict[Path, Page]) -> None:
    elsewhere = {load for page in site.values() for load in page.loads if urlsplit(load).netloc}
    assert not elsewhere
    folder = next(iter(site)).parent
    for style in folder.rglob("*.css"):
        assert "url(http" not in style.read_text(encoding="utf-8")


def test_formulas_are_drawn_by_the_browser_itself(site: dict[Path, Page]) -> None:
    (c45,) = [page for path, page in site.items() if path.name == "c45.html"]
    assert c45.text.count("<math") > 10
    assert "MathJax" not in c45.text


def test_every_plugin_stands_on_some_page(site: dict[Path, Page]) -> None:
    from treeforge.plugin import registry

    ids = set().union(*(page.ids for page in site.values()))
    entries = [entry for kind in registry.KINDS for entry in registry.entries(kind)]
    assert not [entry.name for entry in entries if f"{entry.kind}-{entry.name}".replace("_", "-") not in ids]
