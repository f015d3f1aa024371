"""The plot: what the SVG shows, drawn by matplotlib; without it a line says what to install."""

import builtins

import numpy as np
import pytest
from build_trees import Leaf, Test, tree
from export_cases import FORESTS, SCHEMA, SINGLES, random_tree

from treeforge.core.model import TreeModel
from treeforge.data import Attribute, Schema
from treeforge.errors import ModelError
from treeforge.export.layout import layout
from treeforge.export.nodes import nodes
from treeforge.export.palette import colour
from treeforge.export.plot import MOST_LEAVES, plot
from treeforge.export.subject import Subject

SCHEMA_XY = Schema((Attribute("x"), Attribute("y", "nominal", ("a", "b"))), 1)
TWO = tree(Test(0, [Leaf([90, 0]), Leaf([0, 10])], cuts=[1.0]))
BIG = Subject(SCHEMA, TreeModel(random_tree(np.random.default_rng(3), depth=4)))


@pytest.fixture(autouse=True)
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.mark.parametrize("model", [*SINGLES, BIG])
def test_every_node_and_branch_is_drawn(model):
    from matplotlib.patches import PathPatch

    ax = plot(model)
    texts = [text.get_text() for text in ax.texts]
    for node in nodes(model.tree, SCHEMA):
        assert any(text.startswith(node.title[:30]) for text in texts)
    assert sum(isinstance(patch, PathPatch) for patch in ax.patches) == model.tree.n_nodes - 1
    ax.figure.canvas.draw()


def test_places_and_colours_are_those_of_the_svg():
    ax = plot(TWO, SCHEMA_XY)
    drawn = layout(list(nodes(TWO, SCHEMA_XY)), SCHEMA_XY.classes)
    assert ax.get_xlim() == (0, drawn.width)
    links, bars = ax.patches[2:4], ax.patches[4:]
    assert [link.get_linewidth() for link in links] == pytest.approx([18 * 0.75, 2 * 0.75])
    from matplotlib.colors import to_hex

    assert [to_hex(bar.get_facecolor()).upper() for bar in bars] == [colour(0), colour(1)]


@pytest.mark.parametrize("model", [SINGLES[0], BIG])
def test_no_text_lies_on_another(model):
    ax = plot(model)
    ax.figure.canvas.draw()
    boxes = [(text.get_window_extent(), text.get_text()) for text in ax.texts]
    for i, (one, said) in enumerate(boxes):
        for other, also in boxes[:i]:
            if one.y0 + 4 < other.y1 and other.y0 + 4 < one.y1:
                assert one.x0 >= other.x1 - 1 or other.x0 >= one.x1 - 1, (said, also)


def test_picture_fits_into_axes_that_are_there(pyplot):
    figure, axes = pyplot.subplots(1, 2)
    assert plot(BIG, ax=axes[0]) is axes[0]
    assert plot(TWO, SCHEMA_XY, ax=axes[1]) is axes[1]
    figure.canvas.draw()
    for own in axes:
        assert own.texts[-1].get_window_extent().x1 <= own.get_window_extent().x1 + 1
    assert axes[0].texts[-1].get_fontsize() < axes[1].texts[-1].get_fontsize()


def test_what_cannot_be_plotted_is_refused():
    with pytest.raises(ModelError, match="several trees"):
        plot(FORESTS[0])
    n = MOST_LEAVES + 1
    wide = tree(Test(0, [Leaf([1, 0])] * n, cuts=list(range(n - 1))))
    with pytest.raises(ModelError, match="2001 leaves"):
        plot(wide, SCHEMA_XY)


def test_estimator_and_model_have_the_method(pyplot):
    from treeforge.estimators import TreeClassifier

    fitted = TreeClassifier().fit([[0.0], [1.0]] * 5, ["a", "b"] * 5)
    _, ax = pyplot.subplots()
    assert fitted.plot(ax) is ax
    assert fitted.model_.plot().texts


def test_without_matplotlib_a_line_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **others):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **others)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModelError, match=r"pip install 'treeforge\[plot\]'"):
        plot(SINGLES[0])
