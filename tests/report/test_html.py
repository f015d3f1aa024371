"""The page: complete, self-contained, escaped, accessible in its structure."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise

import fake_run as fake
import pytest

from treeforge.report import ReportData, html
from treeforge.report.build import build

VOID = {"meta", "wbr", "link", "br", "img", "circle"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; fails where elements are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def page(data: ReportData) -> Page:
    return Page(html.render(data))


def test_page_has_every_section(page: Page) -> None:
    sections = [a["id"] for a in page.all("section")]
    assert sections == [
        "summary", "results", "comparisons", "cost", "folds", "trees", "failures", "methods", "reproduce",
    ]  # fmt: skip
    assert "VFC4.5 has the best mean rank" in page.text
    assert "mean over 8 of 10 folds; failed in folds 1, 2" in page.text
    assert "time limit: the cell ran longer than 60 s" in page.text
    assert "sha256:" + "1f" * 32 in page.text


def test_page_fetches_nothing_and_runs_nothing(page: Page) -> None:
    assert page.all("script") == []
    assert [a["href"] for a in page.all("link")] == ["data:,"]
    assert [a for a in page.all("img") if not str(a["src"]).startswith("data:")] == []
    assert [a for a in page.all("a") if not str(a["href"]).startswith("#")] == []
    assert "default-src 'none'" in str(page.all("meta")[2]["content"])
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)


def test_structure_is_that_of_an_accessible_page(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    for landmark in ("header", "nav", "main", "footer", "h1"):
        assert len(page.all(landmark)) == 1
    headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(headings))
    assert all(a.get("scope") in ("row", "col") for a in page.all("th"))
    assert all(a.get("role") == "img" and a.get("aria-labelledby") for a in page.all("svg"))
    scrolling = [a for tag, a in page.tags if a.get("class") == "scroll"]
    assert scrolling
    assert all(a.get("tabindex") == "0" and a.get("role") == "region" for a in scrolling)


def test_every_link_leads_somewhere_and_every_id_is_unique(page: Page) -> None:
    ids = Counter(a["id"] for _, a in page.tags if "id" in a)
    assert [i for i, count in ids.items() if count > 1] == []
    assert {str(a["href"])[1:] for a in page.all("a")} <= set(ids)
    for _, attributes in page.tags:
        assert set((attributes.get("aria-labelledby") or "").split()) <= set(ids)


def test_hostile_names_are_text_everywhere(hostile: ReportData) -> None:
    """Cases X01 and E04."""
    page = Page(html.render(hostile))
    assert page.all("b") == []
    assert page.all("script") == []
    for name in [*fake.HOSTILE, "x" * 300, "</script><b>", "<script>alert('x')</script> & more"]:
        assert name in page.text
    assert "&lt;" not in page.text
    assert "&amp;" not in page.text


def test_svg_of_a_tree_is_an_image_and_cannot_run() -> None:
    run = {"trees": [{"dataset": "d", "algorithm": "a", "svg": "<svg onload='alert(1)'></svg>"}]}
    text = html.render(build(fake.rows(["d"], ["a", "b"], 3), run))
    assert "onload" not in text
    assert 'src="data:image/svg+xml;base64,' in text


@pytest.mark.parametrize(
    ("datasets", "algorithms", "folds"),
    [(["d"], ["a"], 1), (["d"], ["a", "b"], 10), (["p", "q"], ["a"], 2), (["d"], ["a", "b"], 40)],
)
def test_small_runs_render_too(datasets: list[str], algorithms: list[str], folds: int) -> None:
    Page(html.render(build(fake.rows(datasets, algorithms, folds), {})))


def test_run_in_which_everything_failed_renders() -> None:
    rows = [
        {**r, "status": "failed", "reason": "no luck", **dict.fromkeys(fake.METRICS, "")}
        for r in fake.rows(["d", "e"], ["a", "b"], 2)
    ]
    page = Page(html.render(build(rows, {})))
    assert "failed in all 2 folds" in page.text


def test_run_without_any_result_renders() -> None:
    assert "There are no results yet." in Page(html.render(build([], {}))).text


def test_grid_shows_each_factor_with_the_others_held_fixed() -> None:
    names = {
        f"{s} {p}": {"splitter": s, "pruner": p} for s in ("c45", "msd") for p in ("none", "error_based")
    }
    del names["msd none"]
    rows = fake.rows(algorithms=list(names))
    run = fake.run(rows)
    run["algorithms"] = [{"name": n, "factors": f} for n, f in names.items()]
    data = build(rows, run)
    page = Page(html.render(data))
    assert "factors" in [a["id"] for a in page.all("section")]
    factor = next(f for f in data.factors if f.factor == "splitter" and f.metric == "accuracy")
    assert factor.levels == ("c45", "msd")
    assert [r.label for r in factor.rows] == ["pruner none", "pruner error_based"]
    assert set(factor.rows[0].means) == {"c45"}
    assert factor.rows[1].pairs["msd"].right == "c45 error_based"
    assert "not run" in page.text
