"""The faults of a scan are numbers in Cython and names in Python: two lists of the same."""

from __future__ import annotations

import re
from pathlib import Path

from treeforge.data._arff.faults import FAULTS


def test_names_stand_in_the_order_of_the_numbers(repository: Path) -> None:
    text = (repository / "treeforge" / "data" / "_arff" / "faults.pxd").read_text()
    members = re.findall(r"[A-Z_]+(?: = \d+)?", text.partition("cdef enum:")[2])
    assert members[0] == "UNCLOSED = 1"
    numbered = [member.removesuffix(" = 1").replace("_", " ").lower() for member in members]
    found_without_a_scan = ("not utf-8", "endless")
    assert ("", *numbered, *found_without_a_scan) == FAULTS
