"""LaTeX: escaped whatever the names are, and compiled where there is a TeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import fake_run as fake
import pytest

from treeforge.report import ReportData, latex
from treeforge.report.build import build
from treeforge.report.tex import breakable, escape


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>tight</b>", r"\textless{}b\textgreater{}tight\textless{}/b\textgreater{}"),
        ('loose & "free"', r"loose \& \textquotedbl{}free\textquotedbl{}"),
        ("a--b", "a{-}{-}b"),
        ("[x]", "{[}x{]}"),
        ("\\end{document}", r"\textbackslash{}end\{document\}"),
        ("line\nbreak\x1b", "line break "),
        ("Šé", r"\v{S}\'{e}"),
        ("ï α 10⁻³", r"\"{\i} \ensuremath{\alpha} 10\textsuperscript{-}\textsuperscript{3}"),
        ("日", r"\tfunicode{65E5}"),
        ("\u202e\ufeff", ""),
    ],
)
def test_text_is_set_as_it_stands(text: str, expected: str) -> None:
    assert escape(text) == expected


def test_long_word_can_be_broken() -> None:
    assert breakable("abcdef ghi", 3) == r"abc\allowbreak{}def\allowbreak{} ghi\allowbreak{}"


def test_tables_have_the_same_number_of_columns_in_every_row(hostile: ReportData) -> None:
    text = latex.render(hostile)
    tables = re.findall(r"\\begin\{longtable\}(.*?)\\end\{longtable\}", text, flags=re.S)
    assert len(tables) > 6
    for table in tables:
        rows = [line for line in table.split("\n") if line.endswith(r"\\")]
        assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1


def test_document_has_the_rules_of_booktabs_and_cites_every_source(data: ReportData) -> None:
    text = latex.render(data)
    assert text.count(r"\toprule") == text.count(r"\bottomrule") > 6
    assert set(re.findall(r"\\cite\{(\w+)\}", text)) == set(re.findall(r"\\bibitem\{(\w+)\}", text))
    assert r"\begin{tikzpicture}" in text


def test_table_of_many_algorithms_becomes_several() -> None:
    rows = fake.rows(["d", "e"], [f"algorithm {i}" for i in range(12)], 3)
    text = latex.render(build(rows, {}))
    headings = re.findall(r"\{Data set\}(.*?) \\\\\n\\midrule", text)
    per_table = [line.count("&") for line in headings[:2]]
    assert sum(per_table) == 12 or len(headings) > 2
    assert max(per_table) <= 8


def _finds(file: str) -> bool:
    return subprocess.run(["kpsewhich", file], capture_output=True, check=False).returncode == 0


def compiled(text: str, folder: Path, engine: str) -> str:
    """The log of a compilation; fails where there is no document."""
    if shutil.which(engine) is None:
        pytest.skip(f"there is no {engine} here (Debian: texlive-latex-extra texlive-pictures)")
    if engine == "lualatex" and not _finds("luaotfload-main.lua"):
        pytest.skip("lualatex is here without its fonts (Debian: texlive-luatex)")
    folder.mkdir(exist_ok=True)
    (folder / "report.tex").write_text(text, encoding="utf-8")
    for _ in range(2):  # longtable and \cite need a second run
        run = subprocess.run(
            [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        assert run.returncode == 0, run.stdout[-2000:]
    assert (folder / "report.pdf").stat().st_size > 10_000
    return (folder / "report.log").read_text(errors="replace")


def check_log(log: str) -> None:
    """Nothing sticks out of the page or the column by more than a letter, nothing is referred to in vain."""
    assert max((float(w) for w in re.findall(r"Overfull .hbox .([\d.]+)pt", log)), default=0.0) < 8.0
    assert "undefined" not in log


@pytest.mark.slow
def test_report_compiles(data: ReportData, tmp_path: Path) -> None:
    check_log(compiled(latex.render(data), tmp_path, "pdflatex"))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_report_with_hostile_names_compiles(hostile: ReportData, tmp_path: Path, engine: str) -> None:
    """Case X01."""
    check_log(compiled(latex.render(hostile), tmp_path, engine))


@pytest.mark.slow
def test_grid_and_failures_compile(tmp_path: Path) -> None:
    names = {f"{s} {p}": {"splitter": s, "pruner": p} for s in ("c45", "m_d") for p in ("none", "e&b")}
    rows = fake.rows(algorithms=list(names))
    run = fake.run(rows)
    run["algorithms"] = [{"name": n, "factors": f} for n, f in names.items()]
    run["comparisons"].append(fake.comparison(rows, test="friedman"))
    compiled(latex.render(build(rows, run)), tmp_path / "grid", "pdflatex")
