"""``treeforge compare``: the statistics alone, on a table from anywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from treeforge.cli.settings import settings as read_settings


@click.command()
@click.argument("results", metavar="RESULTS.csv", type=click.Path(path_type=Path))
@click.option(
    "--test", "tests", multiple=True, default=["wilcoxon"], show_default=True, help="May be repeated."
)
@click.option("--metric", "metrics", multiple=True, help="Column of a long table (may be repeated).")
@click.option("--control", help="Compare only with this algorithm.")
@click.option("--correction", help="holm, hommel, hochberg, shaffer, bonferroni, benjamini_hochberg or none.")
@click.option("--alpha", type=float, help="Chance of a false claim in the whole family.")
@click.option("--lower-is-better", is_flag=True, help="As for errors; known metrics say it themselves.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Any other parameter of the test; TEST.KEY=VALUE with several tests.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a comparison and line, and nothing else."
)
def compare(
    results: Path,
    tests: tuple[str, ...],
    metrics: tuple[str, ...],
    control: str | None,
    correction: str | None,
    alpha: float | None,
    lower_is_better: bool,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compare algorithms over the data sets of a CSV file.

    Rows are data sets and columns algorithms; or the file is the results.csv of a run, whose folds are
    averaged. An empty field or ? is undefined.

    \b
    treeforge compare accuracies.csv
    treeforge compare run/results.csv --metric size --control C4.5
    treeforge compare accuracies.csv --test friedman --set posthoc=nemenyi
    """
    from treeforge.compare.read import read_scores

    words: dict[str, Any] = {"control": control, "correction": correction, "alpha": alpha}
    parameters = {key: value for key, value in words.items() if value is not None} | read_settings(settings)
    testers = [_tester(name, _meant(name, tests, parameters)) for name in tests]
    tables = read_scores(results, metrics, lambda metric: not lower_is_better and _direction(metric))
    for table in tables:
        for tester in testers:
            comparison = tester.compare(table)
            if as_json:
                line = {"file": str(results), **comparison.to_dict()}
                click.echo(json.dumps(line, ensure_ascii=False, allow_nan=False))
            else:
                _print(comparison, first=table is tables[0] and tester is testers[0])


def _tester(name: str, parameters: dict[str, Any]) -> Any:
    from treeforge.plugin import registry
    from treeforge.plugin.parameters import make

    return make(registry.load("test", name), parameters, name)


def _meant(test: str, tests: tuple[str, ...], parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of one test: ``posthoc`` is for all of them, ``friedman.posthoc`` for that one."""
    found = {}
    for key, value in parameters.items():
        owner, dot, name = key.rpartition(".")
        if dot and owner not in tests:
            raise click.UsageError(f"--set {key}: no --test is called '{owner}'")
        if not dot or owner == test:
            found[name] = value
    return found


def _direction(metric: str) -> bool | None:
    """What the metric plugin of that name says; otherwise more is better."""
    from treeforge.errors import PluginError
    from treeforge.plugin import registry

    try:
        better: bool | None = registry.load("metric", metric).larger_is_better
    except PluginError:
        return True
    return better


def _print(comparison: Any, first: bool) -> None:
    from rich.console import Console

    from treeforge.report.comparison import print_comparison

    console = Console(highlight=False)
    if not first:
        console.print()
    print_comparison(comparison, console)
