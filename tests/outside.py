"""A new environment outside the source tree, with the wheel in it: what a user has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


class Place:
    """A new environment with the wheel in it. What else is needed is borrowed from this one."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=True, symlinks=True)
        self.bin = folder / "env" / "bin"
        site = next((folder / "env" / "lib").glob("python3*/site-packages"))
        # dependencies only: a path file does not bring the editable install that the tests may run from
        borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        for path in Path(sysconfig.get_path("purelib")).glob("*.pth"):
            borrowed |= {
                line for line in path.read_text().splitlines() if line.startswith("/") and Path(line) != ROOT
            }
        (site / "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n")
        # what builds the examples comes from the index: the tests' environment need not hold a compiler of Cython
        build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
        self.pip("install", *build)
        self.install(str(wheel))

    def pip(self, *arguments: str) -> None:
        self.run(str(self.bin / "python"), "-m", "pip", *arguments, "-q")

    def install(self, what: str) -> None:
        self.pip("install", "--no-deps", "--no-build-isolation", "--no-index", "--force-reinstall", what)

    def run(self, *command: str) -> str:
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, env=self.environment(), timeout=900
        )
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def treeforge(self, *arguments: str) -> str:
        return self.run(str(self.bin / "treeforge"), *arguments)

    def environment(self) -> dict[str, str]:
        """The variables of a shell in which the environment is active."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL"))}
        return {**kept, "PATH": f"{self.bin}{os.pathsep}{kept['PATH']}"}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The wheel is built from a copy of the sources: nothing of the checkout can be reached by accident."""
    folder = tmp_path_factory.mktemp("outside")
    source = folder / "source"
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "build", "*.so", "*.egg-info", "__pycache__", ".*_cache", "runs", "_*.c", "_*.cpp"
    )
    shutil.copytree(ROOT, source, ignore=ignored)
    options = ["--no-deps", "-q", "-w", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(source)], check=True, timeout=1800)
    (wheel,) = folder.glob("*.whl")
    return Place(folder, wheel)
