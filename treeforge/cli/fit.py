"""``treeforge fit`` and ``evaluate``: one algorithm on files, without a pipeline."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treeforge.cli.j48 import KnowsJ48
from treeforge.cli.reading import read, reading_options
from treeforge.errors import TreeForgeError

if TYPE_CHECKING:
    from treeforge.data import Dataset


def algorithm_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that name an algorithm, in the words of the pipeline file."""
    options: list[Callable[[Any], Any]] = [
        click.argument("files", nargs=-1, required=True, metavar="DATA...", type=click.Path(path_type=Path)),
        click.option("--splitter", metavar="NAME", help="How attributes are tested [c45]."),
        click.option("--criterion", metavar="NAME", help="How tests are scored [the splitter's own]."),
        click.option("--pruner", metavar="NAME", help="How the tree is made smaller [the splitter's own]."),
        click.option("--ensemble", metavar="NAME", help="How several trees are grown [none]."),
        click.option("--min-branch", type=float, metavar="W", help="Least weight of a branch [2]."),
        click.option(
            "--set", "settings", multiple=True, metavar="KEY=VALUE", help="E.g. pruner.confidence=0.1."
        ),
        click.option("--seed", type=click.IntRange(0), default=1, show_default=True),
        reading_options("The class [the last attribute]."),
        click.option(
            "--drop",
            "dropped",
            multiple=True,
            metavar="ATTRIBUTE",
            help="Leave it out: a text, a number of cases ...",
        ),
        click.option("--json", "as_json", is_flag=True, help="One JSON object a file, and nothing else."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def each(files: tuple[Path, ...], work: Callable[[Path], str]) -> None:
    """Do the work for each file and print what it says; an error is one line, and the next file has its turn."""
    failed = False
    for path in files:
        try:
            click.echo(work(path))
        except TreeForgeError as wrong:
            failed = True
            line = str(wrong).replace("\n", " ")
            print(line if str(path) in line else f"{path}: {line}", file=sys.stderr)
    if failed:
        raise click.exceptions.Exit(1)


def _learner(options: dict[str, Any]) -> Any:
    from treeforge.learn.build import learner
    from treeforge.pipeline.words import words

    names = ("splitter", "criterion", "pruner", "ensemble", "min_branch", "settings")
    return learner(words(**{name: options[name] for name in names}))


@click.command(cls=KnowsJ48)
@algorithm_options
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Threads.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), metavar="MODEL", help="Save the model (one file only)."
)
def fit(files: tuple[Path, ...], as_json: bool, out: Path | None, jobs: int, **options: Any) -> None:
    """Train on each file and print the tree."""
    from treeforge.cli.output import spare
    from treeforge.data.files import files_read
    from treeforge.export.text import to_text

    if out is not None and len(files) > 1:
        raise click.UsageError("-o takes the model of one file; several are given")
    spare(files_read(files[0]), out)
    learner = _learner(options)

    def work(path: Path) -> str:
        data = read(path, options, options["dropped"])
        start = time.thread_time()
        model = learner.fit(data, seed=options["seed"], n_threads=jobs)
        seconds = time.thread_time() - start
        if out is not None:
            from treeforge.export import json as models

            models.write(models.Document(model.schema, model.fitted, model.algorithm), out)
        text = to_text(model)
        told = _out_of_bag(model)
        if not as_json:
            text = "\n\n".join([text.rstrip("\n"), *_in_words(told)])
            return f"{data.name}\n\n{text}\n" if len(files) > 1 else text
        counts = model.measures()
        facts = {
            "data": data.name,
            "path": str(path),
            "rows": data.n_rows,
            **{name: counts.get(name) for name in ("leaves", "size", "depth")},
            "fit_seconds": round(seconds, 6),
            "classes": list(data.schema.classes),
            "confusion": _confusion(model, data),
            **told,
            "text": text,
        }
        return json.dumps(facts, ensure_ascii=False)

    each(files, work)


def _out_of_bag(model: Any) -> dict[str, Any]:
    """What an ensemble measured on the cases that trees did not train on, if it was asked to."""
    details = getattr(model.fitted, "details", {})
    return {name: value for name, value in details.items() if name.startswith("out_of_bag")}


def _in_words(told: dict[str, Any]) -> list[str]:
    """The out-of-bag estimate in a line."""
    if not told:
        return []
    error, cases, left = (told[f"out_of_bag_{name}"] for name in ("error", "cases", "without_vote"))
    if error is None:
        return ["out-of-bag error: not available, as every tree trained on every case"]
    others = f"; {left} are in every bag" if left else ""
    return [f"out-of-bag error: {error:.4f} ({cases} cases{others})"]


def _confusion(model: Any, data: Dataset) -> list[list[float]]:
    """Weight of the training cases of each class by predicted class; cases of unknown class are left out."""
    import numpy as np

    from treeforge.experiment.outcome import count, plain

    codes = data.class_codes
    rows = np.flatnonzero(codes >= 0).astype(np.int32)
    weights = np.ones(len(rows)) if data.weights is None else data.weights[rows]
    found: list[list[float]] = plain(
        count(codes[rows], model.predict_proba(data, rows), weights, getattr(model, "decide", None))[
            "confusion"
        ]
    )
    return found


@click.command(cls=KnowsJ48)
@algorithm_options
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True)
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True)
@click.option("--folds-like", type=click.Choice(["sklearn", "weka"]), default="sklearn", show_default=True)
def evaluate(
    files: tuple[Path, ...], as_json: bool, folds: int, repeats: int, folds_like: str, **options: Any
) -> None:
    """Cross-validate on each file."""
    import numpy as np

    from treeforge.experiment.cell import run_cell
    from treeforge.experiment.experiment import Experiment, Task
    from treeforge.experiment.folds import CrossValidation
    from treeforge.experiment.outcome import plain

    learner = _learner(options)
    scheme = CrossValidation(folds, repeats, folds_like=folds_like)  # type: ignore[arg-type]

    def work(path: Path) -> str:
        data = read(path, options, options["dropped"])
        experiment = Experiment((Task(data.name, data),), {"it": learner}, scheme, seed=options["seed"])
        for warning in experiment.warnings:
            print(f"warning: {warning}", file=sys.stderr)
        results = [run_cell(cell) for cell in experiment.cells]
        for result in results:
            if not result.ok:
                raise TreeForgeError(
                    f"repeat {result.repeat} fold {result.fold}: {result.reason}", file=str(path)
                )
        confusion = np.sum([result.confusion for result in results], axis=0)
        total = confusion.sum() + np.sum([result.unclassified for result in results])
        facts = {
            "data": data.name,
            "path": str(path),
            "folds": folds,
            **({"repeats": repeats} if repeats > 1 else {}),
            "seed": options["seed"],
            "accuracy": float(np.trace(confusion) / total) if total else None,
            "classes": list(data.schema.classes),
            "confusion": plain(confusion),
            "leaves": [result.measures.get("leaves") for result in results],
            "fit_seconds": [round(result.times["fit_seconds"], 6) for result in results],
        }
        return json.dumps(facts, ensure_ascii=False) if as_json else _table(facts)

    each(files, work)


def _table(facts: dict[str, Any]) -> str:
    """Accuracy and the table of true against predicted classes, in words."""
    accuracy = "undefined" if facts["accuracy"] is None else f"{facts['accuracy']:.4f}"
    repeats = f", {facts['repeats']} repeats" if "repeats" in facts else ""
    lines = [f"{facts['data']}: accuracy {accuracy} ({facts['folds']} folds{repeats}, seed {facts['seed']})"]
    known = [leaves for leaves in facts["leaves"] if leaves is not None]
    if known:
        lines.append(f"leaves: {sum(known) / len(known):.1f} on average, {min(known)} to {max(known)}")
    cells = [[f"{value:g}" for value in row] for row in facts["confusion"]]
    width = max((len(cell) for row in cells for cell in row), default=1)
    lines.append("true class below, predicted across in the same order")
    names = max(len(name) for name in facts["classes"])
    for name, row in zip(facts["classes"], cells, strict=True):
        lines.append(f"  {name:<{names}}  " + " ".join(cell.rjust(width) for cell in row))
    return "\n".join(lines)
