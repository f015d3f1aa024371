"""The faults of a scan are numbers in Cython, names in Python and sentences for people: three lists of the same."""

from __future__ import annotations

import re
from pathlib import Path

from treeforge.data._arff.faults import FAULTS
from treeforge.data.arff import _FAULTS


def test_names_stand_in_the_order_of_the_numbers(repository: Path) -> None:
    text = (repository / "treeforge" / "data" / "_arff" / "faults.pxd").read_text()
    members = re.findall(r"[A-Z_]+(?: = \d+)?", text.partition("cdef enum:")[2])
    assert members[0] == "UNCLOSED = 1"
    numbered = [member.removesuffix(" = 1").replace("_", " ").lower() for member in members]
    assert ("", *numbered) == FAULTS


def test_each_name_has_a_sentence() -> None:
    assert set(FAULTS[1:]) <= _FAULTS.keys()
