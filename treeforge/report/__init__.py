"""Papers: one file a format, from results alone."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from treeforge.errors import ResultError
from treeforge.report.data import ReportData
from treeforge.report.run_folder import load

__all__ = ["FORMATS", "ReportData", "load", "render", "write"]

#: format -> the ending of its file; each is a module here with ``render(data) -> str``; weka is the Experimenter's
FORMATS = {"html": ".html", "latex": ".tex", "markdown": ".md", "csv": ".csv", "weka": ".arff"}


def render(data: ReportData, form: str) -> str:
    """The report as text in one format."""
    if form not in FORMATS:
        raise ResultError(f"no report format is called '{form}'; there are: {', '.join(FORMATS)}")
    text: str = importlib.import_module(f"treeforge.report.{form}").render(data)
    return text


def write(folder: Path | str, forms: Sequence[str] = ("html",), out: Path | str | None = None) -> list[Path]:
    """Render a run folder again, as ``report.html`` ... in it or as ``out``; the files that were written.

    ``terminal`` among the formats prints to standard output; so does ``out`` = ``-``.
    """
    data = load(folder)
    written = []
    for form in forms:
        if form == "terminal":
            from treeforge.report import terminal

            terminal.show(data)
            continue
        text = render(data, form)
        if str(out) == "-":
            sys.stdout.write(text)
            continue
        path = Path(out) if out is not None else _place(Path(folder), FORMATS[form])
        replace(path, text)
        written.append(path)
    return written


def _place(source: Path, ending: str) -> Path:
    """``report.*`` in a run folder; beside a result file, under its name."""
    if source.is_dir():
        return source / f"report{ending}"
    return source.with_name(f"{source.name.split('.')[0]}.report{ending}")


def replace(path: Path, text: str) -> None:
    """Write a file in one step: a reader sees the old report or the new one, never half of it."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(text, encoding="utf-8", newline="\n")
        half.replace(path)
    except OSError as wrong:
        with contextlib.suppress(OSError):
            half.unlink()
        raise ResultError(f"cannot be written: {wrong.strerror}", file=str(path)) from None
