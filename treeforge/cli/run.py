"""``treeforge run``, ``plan``, ``verify``, ``validate`` and ``schema``: a pipeline file and what to do with it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from treeforge.pipeline.run import Run

pipeline_argument = click.argument("pipeline", type=click.Path(path_type=Path))
out_option = click.option("--out", type=click.Path(path_type=Path), help="Folder of the results [runs/NAME].")
set_option = click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Put a value into the file."
)
only_option = click.option(
    "--only",
    multiple=True,
    metavar="GLOB",
    help="Only cells whose data set, algorithm or DATASET/ALGORITHM matches.",
)
workers_option = click.option(
    "--workers", type=click.IntRange(1), default=1, show_default=True, help="How many cells at a time."
)
engine_option = click.option(
    "--engine", metavar="threads|processes|dask:ADDRESS", help="Who computes [what each algorithm can]."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a line, and nothing else."
)


#: More than these are summed up on the terminal; the report has them all.
MOST_VERDICTS = 15


@click.command()
@pipeline_argument
@out_option
@workers_option
@engine_option
@set_option
@only_option
@click.option("--fresh", is_flag=True, help="Forget the results that are there.")
@click.option("--retry-failed", is_flag=True, help="Try cells again that failed before.")
@json_option
@click.option("--quiet", is_flag=True, help="Say nothing but what goes wrong.")
def run(pipeline: Path, as_json: bool, quiet: bool, **options: Any) -> None:
    """Run a pipeline file: data sets x algorithms x folds, statistics, report.

    What the folder of results holds already is not computed again. Status 1 when a cell failed.
    """
    from treeforge.cli.progress import watching
    from treeforge.pipeline.run import run as run_pipeline

    try:
        with watching(as_json=as_json, quiet=quiet) as watch:
            done = run_pipeline(
                pipeline,
                options["out"],
                settings=options["settings"],
                workers=options["workers"],
                engine=options["engine"],
                only=options["only"],
                fresh=options["fresh"],
                retry_failed=options["retry_failed"],
                watch=watch,
                command=shlex.join(["treeforge", *sys.argv[1:]]),
            )
    except KeyboardInterrupt:
        again = shlex.join(["treeforge", *(word for word in sys.argv[1:] if word != "--fresh")])
        print(f"stopped; what is finished is kept. To go on: {again}", file=sys.stderr)
        raise click.exceptions.Exit(130) from None
    if as_json:
        click.echo(json.dumps(_summary(done), ensure_ascii=False))
    elif not quiet:
        _show(done)
    if done.n_failed:
        print(
            f"{done.n_failed} of {len(done.results)} cells failed; {done.folder}/results.csv has the reasons",
            file=sys.stderr,
        )
        raise click.exceptions.Exit(1)


def _summary(done: Run) -> dict[str, Any]:
    """The last line of ``--json``."""
    return {
        "event": "finished",
        "folder": str(done.folder),
        "cells": len(done.results),
        "failed": done.n_failed,
        "comparisons": [comparison.to_dict() for comparison in done.comparisons],
        "warnings": list(done.warnings),
        "reports": [str(path) for path in done.reports],
    }


def _show(done: Run) -> None:
    from treeforge.report import write

    if "terminal" in done.study.pipeline.report:
        write(done.folder, ["terminal"])
        for comparison in done.comparisons:
            click.echo(f"\n{comparison.title}, {comparison.metric}")
            verdicts = [v.sentence for v in comparison.verdicts]
            if len(verdicts) > MOST_VERDICTS:
                verdicts = [comparison.summary]
            for line in (*verdicts, *comparison.warnings, *comparison.notes):
                click.echo(f"  {line}")
        click.echo()
    for warning in done.warnings:
        click.echo(f"warning: {warning}")
    click.echo(f"results: {done.folder / 'results.csv'}")
    for path in done.reports:
        click.echo(f"report:  {path}")


@click.command()
@pipeline_argument
@out_option
@workers_option
@set_option
@only_option
@json_option
def plan(
    pipeline: Path,
    out: Path | None,
    workers: int,
    settings: tuple[str, ...],
    only: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the cells that a run would compute, and which are done already; nothing is run."""
    from treeforge.cli.progress import duration
    from treeforge.pipeline.run import plan as plan_pipeline

    _, found = plan_pipeline(pipeline, out, settings=settings, workers=workers, only=only)
    if as_json:
        click.echo(json.dumps(found.to_dict(), ensure_ascii=False))
        return
    for dataset, row in found.by_pair().items():
        for algorithm, count in row.items():
            click.echo(f"{dataset} / {algorithm}: {count} {'cells' if count != 1 else 'cell'} to compute")
    total = found.n_done + found.n_failed + len(found.missing)
    time = "" if found.seconds is None or not found.missing else f", about {duration(found.seconds)}"
    click.echo(
        f"{total} cells: {found.n_done} done, {found.n_failed} failed, {len(found.missing)} to compute{time}"
    )
    for line in found.anew:
        click.echo(line)
    for line in (*found.broken, *found.warnings):
        click.echo(f"warning: {line}")


@click.command()
@click.argument("folder", metavar="RUN_DIR", type=click.Path(path_type=Path))
@click.option("--sample", type=click.IntRange(1), default=20, show_default=True, help="How many cells.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which ones.")
@workers_option
@engine_option
@json_option
def verify(folder: Path, sample: int, seed: int, workers: int, engine: str | None, as_json: bool) -> None:
    """Compute a sample of a run's cells again and compare. Status 1 when one is not the same."""
    from treeforge.pipeline.run import verify as verify_run

    done = verify_run(folder, sample=sample, seed=seed, workers=workers, engine=engine)
    different = [check for check in done.checks if check.differences]
    if as_json:
        for check in done.checks:
            click.echo(json.dumps(check.to_dict(), ensure_ascii=False))
    else:
        for check in different:
            r = check.stored
            for difference in check.differences:
                click.echo(f"{r.dataset} / {r.algorithm}, repeat {r.repeat} fold {r.fold}: {difference}")
        for warning in done.warnings:
            click.echo(f"warning: {warning}")
        if done.n_without:
            click.echo(
                f"{done.n_without} of {done.n_cells} cells have no result to compare: not computed, failed, or "
                "of other data, parameters, code or versions"
            )
        same = "all the same" if not different else f"{len(different)} not the same"
        click.echo(f"{len(done.checks)} cells computed again: {same}")
    if different or not done.checks:
        raise click.exceptions.Exit(1)


@click.command()
@pipeline_argument
@set_option
@json_option
def validate(pipeline: Path, settings: tuple[str, ...], as_json: bool) -> None:
    """Check a pipeline file: every error at once, each with its line and column."""
    from treeforge.errors import PipelineError
    from treeforge.pipeline.build import build
    from treeforge.pipeline.document import load

    try:
        study = build(load(pipeline, settings))
    except PipelineError as wrong:
        if not as_json:
            raise
        for error in wrong.errors or (wrong,):
            fault = {"file": error.file, "line": error.line, "column": error.column, "message": error.message}
            click.echo(json.dumps(fault, ensure_ascii=False))
        raise click.exceptions.Exit(1) from None
    experiment = study.experiment
    if not as_json:
        click.echo(
            f"{pipeline}: good; {len(experiment.tasks)} data sets, {len(experiment.learners)} algorithms, "
            f"{len(experiment.cells)} cells, {len(study.comparisons)} comparisons"
        )
        for warning in experiment.warnings:
            click.echo(f"warning: {warning}")


@click.command()
def schema() -> None:
    """Print the JSON Schema of the pipeline file, installed plugins' parameters included."""
    from treeforge.pipeline.schema import schema as pipeline_schema

    click.echo(json.dumps(pipeline_schema(), indent=2, ensure_ascii=False))
