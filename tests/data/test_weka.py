"""Weka reads what we write, and we read what Weka reads. Needs Java, and weka.jar in the folder TREEFORGE_WEKA."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from fuzz_arff import FRAGMENTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import datasets

from treeforge.data import Dataset, read_arff, write_arff
from treeforge.data.show import json_chunks

pytestmark = pytest.mark.slow


class Weka:
    """A JVM that reads files and says what is in them."""

    def __init__(self, jars: str, classes: Path) -> None:
        path = os.pathsep.join([os.path.join(jars, "*"), str(classes)])
        dump = Path(__file__).parent / "weka" / "Dump.java"
        subprocess.run(["javac", "-cp", path, "-d", str(classes), str(dump)], check=True)
        self.process = subprocess.Popen(
            ["java", "-cp", path, "Dump"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def read(self, path: Path) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


@pytest.fixture(scope="module")
def weka(tmp_path_factory: pytest.TempPathFactory) -> Any:
    jars = os.environ.get("TREEFORGE_WEKA", "")
    if shutil.which("javac") is None or not (Path(jars) / "weka.jar").exists():
        pytest.skip("no Java, or no weka.jar in the folder that TREEFORGE_WEKA names")
    found = Weka(jars, tmp_path_factory.mktemp("classes"))
    yield found
    found.process.kill()


def ours(dataset: Dataset) -> Any:
    return json.loads("".join(json_chunks(dataset)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(dataset=datasets())
def test_weka_reads_what_was_written(tmp_path: Path, weka: Weka, dataset: Dataset) -> None:
    write_arff(dataset, tmp_path / "any.arff")
    assert weka.read(tmp_path / "any.arff") == ours(dataset)


numbers = st.floats(allow_nan=False).map(repr) | st.from_regex(
    r"[+-]?[0-9]{0,20}\.?[0-9]{0,20}(e[+-]?[0-9]{1,3})?[dDfF]?", fullmatch=True
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(words=st.lists(numbers.filter(lambda word: any(c.isdigit() for c in word)), min_size=1, max_size=20))
def test_numbers_are_those_of_weka(tmp_path: Path, weka: Weka, words: list[str]) -> None:
    path = tmp_path / "numbers.arff"
    path.write_text("@relation r\n@attribute a numeric\n@data\n" + "\n".join(words) + "\n")
    found = weka.read(path)
    if "weka_error" not in found:
        assert [value for [value] in found["rows"]] == read_arff(path).columns[0].tolist()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=1000)
@given(parts=st.lists(st.sampled_from([f for f in FRAGMENTS if f.isascii()]), max_size=12))
def test_what_we_read_weka_reads_to_the_same(tmp_path: Path, weka: Weka, parts: list[bytes]) -> None:
    """The other way round there are differences: what Weka loses, we refuse."""
    path = tmp_path / "fragments.arff"
    head = b"@relation r\n@attribute a numeric\n@attribute b {x,a,'a b'}\n@attribute c string\n@data\n1,x,q\n"
    path.write_bytes(head + b"".join(parts) + b"\n")
    try:
        found = ours(read_arff(path))
    except Exception:
        return
    assert weka.read(path) == found


def test_shared_cases_and_data_sets(weka: Weka, shared: Path) -> None:
    paths = [*(shared / "cases").glob("*.arff"), *(shared / "datasets").glob("*.arff")]
    for path in sorted(paths):
        wanted = weka.read(path)
        if "weka_error" not in wanted:
            assert wanted == ours(read_arff(path)), path.name
