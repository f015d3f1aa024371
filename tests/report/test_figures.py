"""Figures: what they show, that labels are readable, and that nothing leaves the picture."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import fake_run as fake
import pytest

from treeforge.report.drawing import Dots, Drawing, shorten, svg, text_width
from treeforge.report.drawing import Path as Line
from treeforge.report.figures.critical_difference import critical_difference
from treeforge.report.figures.interaction import interaction
from treeforge.report.figures.scatter import Dot, scatter, unbeaten
from treeforge.report.figures.strip import StripRow, strip, swarm
from treeforge.report.figures.three_parts import Tally, posterior, win_tie_loss
from treeforge.report.scale import Scale, around, tick_text


def check_labels(drawing: Drawing) -> None:
    """No two labels overlap, none leaves the picture."""
    for label in drawing.labels:
        left, top, right, bottom = label.extent
        assert left >= -1, label
        assert right <= drawing.width + 1, label
        assert top >= -1, label
        assert bottom <= drawing.height + 1, label
    for a, b in combinations(drawing.labels, 2):
        one, two = a.extent, b.extent
        apart = one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] + 1 or two[3] <= one[1] + 1
        assert apart, (a, b)


@pytest.mark.parametrize("width", [330.0, 440.0, 660.0])
def test_overlapping_groups_are_two_bars_at_different_heights(shared: Path, width: float) -> None:
    """Case S08."""
    case = json.loads((shared / "cases" / "S08_groups.json").read_text())
    drawing = critical_difference(case["ranks"], [tuple(g) for g in case["not_different"]], width)
    bars = [s for s in drawing.shapes if isinstance(s, Line) and s.style == "bar"]
    assert len(bars) == 2
    (first, second) = bars
    assert first.points[0][1] != second.points[0][1]
    assert second.points[0][0] < first.points[1][0]  # the ranges do overlap
    members = [s for s in drawing.shapes if isinstance(s, Dots) and s.style == "member"]
    assert [len(m.points) for m in members] == [3, 3]
    assert {"m1", "m2", "m3", "m4", "m5", "m6"} <= {label.text for label in drawing.labels}
    check_labels(drawing)


@pytest.mark.parametrize("width", [330.0, 660.0])
@pytest.mark.parametrize("count", [2, 3, 8, 25])
def test_any_number_of_algorithms_with_long_names_fits_the_diagram(count: int, width: float) -> None:
    names = [f"{'an algorithm with a very long name ' * 2}{i}" for i in range(count)]
    ranks = {name: 1 + i * (count - 1) / count for i, name in enumerate(names)}
    check_labels(critical_difference(ranks, [tuple(names[: count // 2 + 1])], width))


def test_critical_difference_is_drawn_to_the_scale_of_the_ranks() -> None:
    drawing = critical_difference({"a": 1.5, "b": 2.0, "c": 2.5}, [], 660, distance=1.0)
    lines = [s for s in drawing.shapes if isinstance(s, Line) and s.style == "axis"]
    axis, mark = lines[0], lines[-1]
    assert mark.points[3][0] - mark.points[0][0] == pytest.approx((axis.points[1][0] - axis.points[0][0]) / 2)
    check_labels(drawing)


def test_equal_ranks_and_hostile_names_fit_the_diagram() -> None:
    drawing = critical_difference(dict.fromkeys(fake.HOSTILE, 3.0), [tuple(fake.HOSTILE)])
    check_labels(drawing)
    ElementTree.fromstring(svg(drawing, "x"))


def test_svg_is_well_formed_and_names_are_text(data: object) -> None:
    """Case X01: a name shows as it is, not as markup and not as an entity."""
    drawing = win_tie_loss([Tally(name, 3, 1, 2, "better") for name in fake.HOSTILE], "<b>", 660)
    root = ElementTree.fromstring(svg(drawing, "x"))
    texts = {t.text for t in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"<b>tight</b>", 'loose & "free"', "</script>"} <= texts
    assert not list(root.iter("{http://www.w3.org/2000/svg}b"))


@pytest.mark.parametrize("width", [330.0, 440.0])
def test_labels_of_points_that_lie_together_do_not_overlap(width: float) -> None:
    near = [Dot(f"algorithm {i}", 100 + i * 0.5, 80 + i * 0.02, i) for i in range(8)]
    far = [Dot("small", 10.0, 70.0, 8), Dot("large", 900.0, 85.0, 9)]
    drawing = scatter([*near, *far], "size", "accuracy", log=True, width=width)
    check_labels(drawing)
    assert {d.name for d in near} <= {label.text for label in drawing.labels}


def test_front_holds_what_nothing_beats_in_both_measures() -> None:
    dots = [Dot("small", 1, 5, 0), Dot("good", 4, 9, 1), Dot("worse", 5, 8, 2), Dot("same", 1, 5, 3)]
    assert [d.name for d in unbeaten(dots)] == ["small", "good", "same"]
    assert [d.name for d in unbeaten(dots, y_up=False)] == ["small", "same"]


def test_one_point_and_equal_points_are_drawn() -> None:
    check_labels(scatter([Dot("only", 5, 5, 0)], "size", "accuracy", log=True))
    check_labels(scatter([Dot("a", 5, 0.0, 0), Dot("b", 5, 0.0, 1)], "size", "accuracy", log=False))


def test_few_folds_are_dots_and_many_a_box() -> None:
    few = strip("d", [StripRow("a", (0.1, 0.2, 0.2), 0.16)])
    assert [len(s.points) for s in few.shapes if isinstance(s, Dots)] == [3]
    values = tuple(i / 50 for i in range(50))
    many = strip("d", [StripRow("a", values, 0.5, (0, 0.25, 0.5, 0.75, 0.98))])
    assert [len(s.points) for s in many.shapes if isinstance(s, Dots)] == [1]  # the mean


def test_row_without_a_value_says_why() -> None:
    drawing = strip("d", [StripRow("a", (0.1, 0.4), 0.25), StripRow("b" * 80, (), None, (), "failed")])
    assert "failed" in {label.text for label in drawing.labels}
    check_labels(drawing)
    check_labels(strip("d", [StripRow("a", (), None, (), "undefined")]))


def test_dots_that_would_hide_one_another_move_apart() -> None:
    places = swarm([10, 10, 10.5, 30], 100)
    assert len({y for _, y in places[:3]}) == 3
    assert places[3] == (30, 100)


def test_counts_stand_in_their_bars_and_add_up() -> None:
    drawing = win_tie_loss([Tally("a", 8, 1, 3), Tally("b", 0, 12, 0, "worse")], "c", 660)
    assert {"8", "1", "3", "12", "▼"} <= {label.text for label in drawing.labels}
    check_labels(drawing)


def test_lines_of_an_interaction_are_named_apart_even_where_they_end_together() -> None:
    lines = [(f"pruner {i}", {"c45": 0.8 + i / 1000, "msd": 0.8}) for i in range(6)]
    drawing = interaction(["c45", "msd"], [*lines, ("gap", {"c45": 0.7})], "accuracy", 330)
    check_labels(drawing)


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        (Scale(0.1, 1.0, 0, 1), [0.2, 0.4, 0.6, 0.8, 1.0]),
        (Scale(0.003, 4000, 0, 1, log=True), [0.01, 0.1, 1, 10, 100, 1000]),
        (Scale(18, 45, 0, 1, log=True), [20, 30]),
        (Scale(5.0, 5.0, 0, 1), [5.0]),
    ],
)
def test_ticks_are_round_and_inside(scale: Scale, expected: list[float]) -> None:
    assert scale.ticks(6) == pytest.approx(expected)


def test_scale_keeps_values_inside_with_air() -> None:
    scale = around([1.0, 100.0], 0, 10, log=True)
    assert 0 < scale(1.0) < scale(100.0) < 10
    assert around([3.0], 0, 10)(3.0) == 5


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5"), (-2.0, "−2"), (1e7, "10⁷"), (2e-6, "2·10⁻⁶"), (0.0, "0"), (1000.0, "1000")],
)
def test_tick_text(value: float, text: str) -> None:
    assert tick_text(value) == text


def test_long_name_is_cut_in_the_middle_and_kept_whole_in_its_title() -> None:
    assert shorten("splitter=c45 pruner=none", 100).endswith("one")
    assert text_width(shorten("m" * 300, 90)) <= 90
    drawing = Drawing(100, 20, "t", "d")
    drawing.label(0, 12, "m" * 300, room=90)
    assert "m" * 300 in svg(drawing, "x")


@pytest.mark.parametrize("width", [330.0, 440.0])
def test_many_points_get_numbers_and_a_key(width: float) -> None:
    dots = [Dot(f"splitter {i % 6} pruner {i // 6}", 50 + i * 3, 70 + (i * 7) % 11, i) for i in range(24)]
    drawing = scatter(dots, "size", "accuracy", log=True, width=width)
    check_labels(drawing)
    texts = [label.text for label in drawing.labels]
    assert texts.count("24") == 2
    assert all(d.name in [label.full or label.text for label in drawing.labels] for d in dots)


def test_probabilities_stand_in_bars_of_one_length() -> None:
    drawing = posterior([("a", 0.7, 0.2, 0.1), ("b", 0.0, 1.0, 0.0)], "c", 660)
    check_labels(drawing)
    assert {"0.70", "0.20", "0.10", "1.00", "practically equal"} <= {label.text for label in drawing.labels}
