"""The run that the report's tests render."""

from __future__ import annotations

from pathlib import Path

import fake_run as fake
import pytest

from treeforge.report import ReportData, load


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the fake run."""
    return fake.write_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="session")
def data(folder: Path) -> ReportData:
    """The fake run as a report sees it."""
    return load(folder)


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> ReportData:
    """A run whose every name is an attack on some format (cases X01 and E04)."""
    rows = fake.rows([*fake.HOSTILE, "x" * 300, ".."], fake.HOSTILE)
    return load(fake.write_run(tmp_path_factory.mktemp("hostile"), rows, fake.run(rows, "</script><b>")))
