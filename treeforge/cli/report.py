"""``treeforge report``: a run's report again, from its results alone."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("run_dir", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "latex", "markdown", "csv", "weka"]),
    default="html",
    show_default=True,
    help="What to write; weka is a result file for Weka's Experimenter.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, allow_dash=True),
    default=None,
    help="Where to; '-' is standard output.  [default: report.html, .tex, .md, .csv or .arff in RUN_DIR]",
)
def report(run_dir: Path, form: str, out: Path | None) -> None:
    """Write a run's report again from its results alone.

    RUN_DIR is the folder that 'treeforge run' wrote, or a result file of Weka's Experimenter (.arff).
    """
    from treeforge.cli.output import spare
    from treeforge.report import write
    from treeforge.report.run_folder import files_read

    spare(files_read(run_dir), out)
    for path in write(run_dir, [form], out):
        click.echo(str(path))
