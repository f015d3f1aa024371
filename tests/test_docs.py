"""Every ``console`` and ``python`` block of README.md and docs/ runs, and says what it says there.

A console block has commands behind ``$ `` and below them what they print; ``...`` stands for anything. Blocks of
another language (``text``, ``yaml``, ``sh``) are not run. What sets an environment up is run by ``.ci/run``. Blocks
marked ``console outside`` install packages: they run in a new environment that has the wheel in it. A block
marked ``python needs PACKAGE ...`` stands by itself, and is skipped where a package is missing.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from outside import Place

from treeforge.plugin.scaffold import new

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
ELSEWHERE = ("python3 -m venv", "git clone", ".ci/run", "pip install")
FENCE = re.compile(r"^```(\w+(?: outside| needs [\w ]+)?)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass
class Step:
    """A command, or a piece of Python, with what it is said to print."""

    language: str
    line: int
    code: str
    output: list[str] = field(default_factory=list)


def steps(page: Path) -> Iterator[Step]:
    text = page.read_text()
    for block in FENCE.finditer(text):
        line = text.count("\n", 0, block.start()) + 2
        if block[1].startswith("python"):
            yield Step(block[1], line, block[2])
        elif block[1].startswith("console"):
            current: Step | None = None
            for offset, written in enumerate(block[2].splitlines()):
                if written.startswith("$ "):
                    if current:
                        yield current
                    current = Step(block[1], line + offset, written[2:])
                elif current and current.code.endswith("\\"):
                    current.code = current.code[:-1] + written.strip()
                elif current:
                    current.output.append(written)
            if current:
                yield current


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a checkout, with this environment's commands in reach."""
    for name in ("arff_data", "pipelines"):
        shutil.copytree(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"])
    for name, value in (("NO_COLOR", "1"), ("COLUMNS", "100"), ("TERM", "dumb")):
        monkeypatch.setenv(name, value)
    return tmp_path


def check(said: list[str], found: str, where: str) -> None:
    """What is said must be found, with ``...`` for anything; nothing said means: anything."""
    wanted = "\n".join(line.rstrip() for line in said).strip()
    printed = "\n".join(line.rstrip() for line in found.splitlines()).strip()
    if not wanted:
        return
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    good = doctest.OutputChecker().check_output(wanted + "\n", printed + "\n", options)
    assert good, f"{where} says\n{wanted}\nbut it prints\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_a_page_runs(page: Path, workshop: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for step in steps(page):
        where = f"{page.name}:{step.line}"
        if step.language == "python":
            _python(step, names, where)
        elif step.language == "console" and not any(word in step.code for word in ELSEWHERE):
            _console(step, workshop, where)


NEEDY = [(page, step) for page in PAGES for step in steps(page) if step.language.startswith("python needs")]


@pytest.mark.parametrize(
    ("page", "step"), NEEDY, ids=lambda what: getattr(what, "stem", None) or f"line-{what.line}"
)
def test_every_block_that_needs_other_packages_runs(page: Path, step: Step, workshop: Path) -> None:
    for package in step.language.split()[2:]:
        pytest.importorskip(package)
    _python(step, {"__name__": "__main__"}, f"{page.name}:{step.line}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if "```console outside" in page.read_text()],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_every_block_for_a_new_environment_runs_there(page: Path, place: Place, tmp_path: Path) -> None:
    ran = 0
    for step in steps(page):
        if step.language == "console outside":
            _console(step, tmp_path, f"{page.name}:{step.line}", place.environment())
            ran += 1
    assert ran


def test_plugins_page_shows_what_plugins_new_writes(tmp_path: Path) -> None:
    new("my_parts", folder=tmp_path)
    (written,) = (tmp_path / "treeforge-my-parts" / "src").rglob("*.py")
    shown = next(step for step in steps(ROOT / "docs" / "plugins.md") if step.language == "python")
    assert shown.code.strip() in written.read_text()


def _console(step: Step, folder: Path, where: str, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        ["bash", "-c", step.code], cwd=folder, capture_output=True, text=True, timeout=300, env=environment
    )
    # a command that is shown to fail shows its error
    assert done.returncode == 0 or done.stderr.strip() in "\n".join(step.output), f"{where}: {done.stderr}"
    check(step.output, done.stdout + (done.stderr if done.returncode else ""), where)


def _python(step: Step, names: dict[str, object], where: str) -> None:
    """A script, or a session with ``>>>``; one page is one namespace."""
    if step.code.lstrip().startswith(">>>"):
        test = doctest.DocTestParser().get_doctest(step.code, names, where, where, step.line)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        report = io.StringIO()
        runner.run(test, out=report.write, clear_globs=False)
        names.update(test.globs)
        assert not runner.failures, report.getvalue()
    else:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile("\n" * (step.line - 1) + step.code, where, "exec"), names)


def test_this_environment_has_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "treeforge", "--version"], capture_output=True, text=True)
    assert done.returncode == 0
