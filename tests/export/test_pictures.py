"""DOT, SVG, HTML and the table: well formed, safe, complete, and looked at by a browser."""

import csv
import io
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from build_trees import Leaf, Test, deep_tree, tree
from export_cases import FORESTS, SCHEMA, SINGLES, random_tree

from treeforge.core.model import TreeModel
from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.dot import to_dot
from treeforge.export.html import to_html
from treeforge.export.palette import colour, ink
from treeforge.export.subject import Subject
from treeforge.export.svg import to_svg
from treeforge.export.table import to_csv, to_table

X01 = Schema(
    (
        Attribute('gap <mm> & "play"'),
        Attribute("fit", "nominal", ("<b>tight</b>", 'loose & "free"', "&amp; plain\\n")),
    ),
    1,
)
X01_TREE = tree(Test(0, [Leaf([3, 0, 0]), Leaf([0, 3, 0]), Leaf([0, 0, 3])], cuts=[3.0, 9.0]))
X01_WORDS = ['gap <mm> & "play"', "<b>tight</b>", 'loose & "free"', "&amp; plain\\n"]
DEEP = Subject(
    Schema((Attribute("x"), Attribute("y", "nominal", ("a", "b"))), 1), TreeModel(deep_tree(10_000))
)
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return ["".join(e.itertext()) for e in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("model", SINGLES)
def test_svg_is_sound_xml_that_names_every_leaf(model):
    svg = to_svg(model)
    shown = texts(svg)
    for code, leaf in zip(model.tree.majority, model.tree.attribute < 0, strict=True):
        if leaf:
            assert any(t.startswith(model.classes[code][:30]) for t in shown)
    assert len(ET.fromstring(svg).findall(f"{SVG}path")) == model.tree.n_nodes - 1


def test_markup_in_names_is_shown_as_text():
    svg, html = to_svg(X01_TREE, X01), to_html(X01_TREE, X01)
    for word in X01_WORDS:
        assert any(word in t for t in texts(svg))

    class Reader(HTMLParser):
        seen, tags = "", set()

        def handle_data(self, data):
            self.seen += data

        def handle_starttag(self, tag, attrs):
            self.tags.add(tag)

    reader = Reader()
    reader.feed(html)
    assert all(word in reader.seen for word in X01_WORDS)
    assert reader.tags <= {"style", "div", "details", "summary", "span", "b", "small"}
    assert "<b>tight" not in html


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("number", range(len(SINGLES) + 1))
def test_dot_is_read_by_graphviz_and_shows_names_as_they_are(number):
    found, schema = (SINGLES[number].tree, SCHEMA) if number < len(SINGLES) else (X01_TREE, X01)
    done = subprocess.run(
        ["dot", "-Tsvg"], input=to_dot(found, schema), capture_output=True, text=True, check=True
    )
    assert not done.stderr
    shown = texts(done.stdout)
    if schema is X01:
        assert set(X01_WORDS) <= set(shown)
    assert len(re.findall('class="node"', done.stdout)) == found.n_nodes


def test_width_of_a_branch_follows_its_cases():
    found = tree(Test(0, [Leaf([90, 0]), Leaf([0, 10])], cuts=[1.0]))
    schema = Schema((Attribute("x"), Attribute("y", "nominal", ("a", "b"))), 1)
    widths = [float(p.get("stroke-width")) for p in ET.fromstring(to_svg(found, schema)).iter(f"{SVG}path")]
    assert widths == [18.0, 2.0]
    assert re.findall(r"penwidth=([\d.]+)", to_dot(found, schema)) == ["7.30", "1.70"]


def test_ink_can_be_read_on_every_colour():
    assert {ink(colour(c)) for c in range(8)} == {"#000000", "#FFFFFF"}
    assert ink("#F0E442") == "#000000"
    assert ink("#0072B2") == "#FFFFFF"


def test_ten_thousand_levels():
    assert to_dot(DEEP).count("->") == 20_000
    assert len(to_table(DEEP)) == 20_001
    assert to_svg(DEEP).count("<path") == 20_000
    assert "deeper levels are left out" in to_html(DEEP)


def test_table_has_a_row_for_each_node_and_its_csv_reads_back():
    rows = to_table(SINGLES[0])
    assert len(rows) == SINGLES[0].tree.n_nodes
    assert sorted(row["node"] for row in rows) == list(range(len(rows)))
    read = list(csv.DictReader(io.StringIO(to_csv(SINGLES[0]))))
    assert [row["branch"] for row in read] == [row["branch"] for row in rows]
    assert [float(row["weight"]) for row in read] == [row["weight"] for row in rows]


@pytest.mark.parametrize("make", [to_dot, to_svg])
def test_several_trees_are_refused(make):
    with pytest.raises(ModelError, match="several trees that vote"):
        make(FORESTS[0])
    assert to_html(FORESTS[0]).count("Tree ") == 5


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.slow
@pytest.mark.skipif(chromium() is None, reason="no Chromium is installed")
@pytest.mark.parametrize("depth", [2, 9])
def test_no_text_of_the_picture_lies_on_another_or_outside(tmp_path, depth):
    found = random_tree(np.random.default_rng(3), depth=depth)
    page = tmp_path / "tree.html"
    page.write_text(
        "<!doctype html><meta charset=utf-8>"
        + to_svg(found, SCHEMA)
        + """<script>
        const svg = document.querySelector('svg'), frame = svg.getBoundingClientRect();
        const boxes = [...svg.querySelectorAll('text')].map((t) => [t.getBoundingClientRect(), t.textContent]);
        const wrong = [];
        for (const [b, t] of boxes) if (b.right > frame.right + 1 || b.left < frame.left || b.bottom > frame.bottom)
          wrong.push('outside: ' + t);
        for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
          const [a, b] = [boxes[i][0], boxes[j][0]];
          if (a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
            wrong.push(boxes[i][1] + ' on ' + boxes[j][1]);
        }
        document.title = JSON.stringify([boxes.length, wrong]);
        </script>""",
        encoding="utf-8",
    )
    said = dump(page, tmp_path)
    count, wrong = re.search(r"<title>\[(\d+),\[(.*?)\]\]</title>", said).groups()
    assert int(count) > 3
    assert wrong == ""


def dump(page: Path, folder: Path) -> str:
    """The page's document after its script has run."""
    flags = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    )
    done = subprocess.run(
        [
            chromium(),
            *flags.split(),
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={folder / 'profile'}",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


# in a notebook


def nodes_shown(page):
    return page.count("<details") + page.count('class="tf-leaf"')


def test_notebook_shows_the_upper_levels_of_a_large_tree_and_says_so():
    grown = Subject(SCHEMA, TreeModel(random_tree(np.random.default_rng(3), depth=6)))
    assert grown.tree.n_nodes > 200
    assert nodes_shown(to_html(grown)) == grown.tree.n_nodes
    short = to_html(grown, most_nodes=100)
    assert 20 < nodes_shown(short) <= 100
    assert "deeper levels are left out" in short


def test_notebook_shows_the_first_trees_of_a_forest_and_counts_the_others():
    first = FORESTS[0].trees[0].n_nodes
    page = to_html(FORESTS[0], most_nodes=first)
    assert page.count("<summary>Tree ") == 1
    assert "4 more trees are left out" in page
    assert to_html(FORESTS[0], most_nodes=10**6) == to_html(FORESTS[0])


def test_model_shows_itself_in_a_notebook(repository):
    from treeforge.data import read_arff
    from treeforge.learn.build import learner

    model = learner({}).fit(read_arff(repository / "arff_data" / "weather.arff"))
    assert "humidity &lt;= 75" in model._repr_html_()


def test_outline_of_each_tree_of_several_folds():
    """Its mark stands to the left of the summary: it shows only where something around it leaves room."""
    outline = to_html(FORESTS[0].fitted, SCHEMA)
    n_trees = len(FORESTS[0].fitted.trees)
    assert outline.count('<div class="tf-outline"><details><summary>Tree ') == n_trees
    assert ".tf-outline details" in outline.partition("</style>")[0]
