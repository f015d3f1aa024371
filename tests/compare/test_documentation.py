"""The python blocks of docs/statistics.md run, in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def test_every_block_runs() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S))
    assert len(blocks) > 5
    for block in blocks:
        line = block.string.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(PAGE), "exec", dont_inherit=True), names)
