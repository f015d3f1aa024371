"""One comparison on a terminal of any width, and as plain text."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from treeforge.compare import ScoreTable, compare
from treeforge.report.comparison import print_comparison

SCORES = np.column_stack([0.7 + np.arange(12) / 100, np.full(12, 0.7), 0.7 + np.resize([0.01, -0.01], 12)])
TABLE = ScoreTable(tuple(f"d{i}" for i in range(12)), ("A", "evil\x1b[31m", "C"), SCORES, "accuracy")


def printed(spec: dict[str, object], width: int | None = None) -> str:
    out = StringIO()
    console = Console(file=out, force_terminal=width is not None, width=width or 80, color_system=None)
    print_comparison(compare(TABLE, spec), console)
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 140])
def test_terminal_output_fits_its_width(width: int) -> None:
    text = printed({"test": "wilcoxon"}, width)
    assert max(map(len, text.splitlines())) <= width
    assert ("interval" in text) == (width == 140)
    assert "better" in text


def test_plain_text_has_every_column_whatever_the_width() -> None:
    text = printed({"test": "wilcoxon"})
    assert text.count("w/t/l") == 1
    assert "95 % interval" in text
    assert "none found" in text


def test_names_cannot_steer_the_terminal() -> None:
    assert "\x1b[31m" not in printed({"test": "friedman", "posthoc": "nemenyi"}, 100)
    assert "\x1b" not in printed({"test": "bayesian_signed_rank", "samples": 500})


def test_columns_without_content_are_left_out() -> None:
    assert "interval" not in printed({"test": "friedman", "posthoc": "nemenyi"})
    assert "P(equal)" in printed({"test": "bayesian_signed_rank", "samples": 500})
