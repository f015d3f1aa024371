"""Fixtures that several rooms share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from outside import place

__all__ = ["place", "repository", "shared"]

# how fast examples are made says something of the machine's other work, not of the code
settings.register_profile("treeforge", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("treeforge")

ROOT = Path(__file__).resolve().parent.parent


def _shared() -> Path | None:
    path = Path(os.environ.get("TREEFORGE_SHARED", ROOT.parent / "shared"))
    return path if (path / "datasets").is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data sets, references and cases; the test skips, visibly, where it is absent."""
    path = _shared()
    if path is None:
        pytest.skip("the shared folder (data sets, references, cases) is not here")
    return path


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout itself, for its own data sets and pipelines."""
    return ROOT
