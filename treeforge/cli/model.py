"""``treeforge predict``, ``show`` and ``explain``: what a saved model says, is, and why."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click

from treeforge.cli.reading import read, reading_options, refuse_without_data
from treeforge.errors import nearest

MODEL = click.argument("model", type=click.Path(path_type=Path))
DATA = click.argument("data", type=click.Path(path_type=Path))
OUT = click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Write to this file, not to the screen.",
)

# form -> (module below treeforge.export, function)
FORMS: dict[str, tuple[str, str]] = {
    "text": ("text", "to_text"),
    "rules": ("rules", "to_rules"),
    "dot": ("dot", "to_dot"),
    "svg": ("svg", "to_svg"),
    "html": ("html", "to_html"),
    "json": ("json", "to_json"),
    "table": ("table", "to_csv"),
    "sql": ("sql", "to_sql"),
    "python": ("code", "to_python"),
    "c": ("code", "to_c"),
    "java": ("code", "to_java"),
    "javascript": ("code", "to_javascript"),
    "pmml": ("pmml", "to_pmml"),
    "onnx": ("onnx", "to_onnx"),
}


class Form(click.Choice):  # type: ignore[type-arg]  # generic since Click 8.2
    """One of the forms; an error says which one is near."""

    def convert(self, value: str, param: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            return super().convert(value, param, context)
        except click.BadParameter as wrong:
            near = nearest(value, map(str, self.choices))
            raise click.BadParameter(wrong.message.rstrip(".") + near, context, param) from None


@click.command()
@MODEL
@DATA
@OUT
@reading_options()
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line, instead of CSV.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Threads.")
def predict(model: Path, data: Path, out: Path | None, as_json: bool, jobs: int, **options: Any) -> None:
    """Class and class probabilities of each row of DATA, as CSV.

    Attributes are found by name; a category that the model has not seen is unknown. A row that the model
    cannot say anything about has no prediction and probabilities of 0.
    """
    from treeforge.data.matching import match
    from treeforge.model_files import load_model

    _spare(out, model, data)
    fitted = load_model(model)
    dataset = match(read(data, options, used=fitted.schema.names), fitted.schema)
    probabilities = fitted.predict_proba(dataset, n_threads=jobs)
    classes = fitted.schema.classes
    labels = [classes[code] if code >= 0 else None for code in fitted.decide(probabilities).tolist()]
    with _output(out) as stream:
        if as_json:
            for number, (label, row) in enumerate(zip(labels, probabilities.tolist(), strict=True)):
                answer = {
                    "row": number,
                    "prediction": label,
                    "probabilities": dict(zip(classes, row, strict=True)),
                }
                stream.write(json.dumps(answer, ensure_ascii=False) + "\n")
            return
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["row", "prediction", *(f"probability of {name}" for name in classes)])
        for number, (label, row) in enumerate(zip(labels, probabilities.tolist(), strict=True)):
            writer.writerow([number, "" if label is None else label, *row])


@click.command()
@MODEL
@OUT
@click.option(
    "--as",
    "form",
    type=Form(list(FORMS)),
    default="text",
    show_default=True,
    help="What to show it as.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="text: thresholds to the last digit, not to six decimals as Weka prints them.",
)
@click.option("--table", default="data", show_default=True, help="sql: the table to predict.")
@click.option(
    "--form", "variant", help="sql: case, cte or plain; pmml: exact or tree; rules: text, json or html."
)
@click.option(
    "--training",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="rules: those of C4.5rules, made of the tree with the cases that it was grown on.",
)
@click.option(
    "--data", type=click.Path(path_type=Path), help="rules: measure them on this file, too: held-out cases."
)
@reading_options()
@click.option("--name", help="c: prefix of the functions; java: name of the class.")
def show(
    model: Path,
    out: Path | None,
    form: str,
    exact: bool,
    table: str,
    variant: str | None,
    training: Path | None,
    data: Path | None,
    name: str | None,
    **options: Any,
) -> None:
    """Print a model: as text, rules, a picture, a query, a function in another language ...

    Every form answers as 'predict' does, unknown values included, or says what it cannot express.
    """
    from treeforge.model_files import load_model

    words: dict[str, Any] = {}
    if form == "text":
        words["exact"] = exact
    if form == "sql":
        words["table"] = table
    if form in ("sql", "pmml") and variant:
        words["form"] = variant
    if form in ("c", "java") and name:
        words["prefix" if form == "c" else "name"] = name
    if form != "rules" and (training or data):
        raise click.UsageError("--training and --data are for rules: add --as rules")
    if training is None and data is None:
        refuse_without_data(options)
    _spare(out, model, training, data)
    if data is not None:
        words["data"] = read(data, options)
    shown = load_model(model)
    if training is not None:
        shown = _generalised(shown, read(training, options))
    found = _exporter(form)(shown, **words)
    if isinstance(found, bytes):
        _write_bytes(found, out, form)
        return
    text: str = _rules_as(variant or "text", found) if form == "rules" else found
    with _output(out) as stream:
        stream.write(text if text.endswith("\n") else text + "\n")


@click.command()
@MODEL
@DATA
@OUT
@reading_options()
@click.option("--row", default=0, show_default=True, type=click.IntRange(0), help="Which row, from 0.")
@click.option(
    "--trees",
    default=3,
    show_default=True,
    type=click.IntRange(0),
    help="Of an ensemble: of how many trees, the first ones, to tell the paths; 0: of none.",
)
@click.option(
    "--as",
    "form",
    type=Form(["text", "json", "svg"]),
    default="text",
    show_default=True,
    help="What to show it as.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --as json.")
def explain(
    model: Path,
    data: Path,
    out: Path | None,
    row: int,
    trees: int,
    form: str,
    as_json: bool,
    **options: Any,
) -> None:
    """The path, or with unknown values the paths, that a row takes, and what would change the answer.

    Of an ensemble: how its trees vote, which inputs they test most, and the paths of the first trees.
    """
    from treeforge.explain import explain as explained
    from treeforge.model_files import load_model

    _spare(out, model, data)
    fitted = load_model(model)
    found = explained(fitted, read(data, options, used=fitted.schema.names), row, max_trees=trees)
    if as_json or form == "json":
        text = json.dumps(found.to_dict(), ensure_ascii=False) + "\n"
    else:
        text = found.to_svg() if form == "svg" else found.to_text()
    with _output(out) as stream:
        stream.write(text)


def _generalised(model: Any, training: Any) -> Any:
    """The rules that C4.5rules makes of a tree; what is odd about the cases is said on standard error."""
    import warnings

    from treeforge.learn.rules import rules_from_tree

    with warnings.catch_warnings(record=True) as odd:
        warnings.simplefilter("always")
        rules = rules_from_tree(model, training)
    for warning in odd:
        print(f"warning: {warning.message}", file=sys.stderr)
    return rules


def _rules_as(variant: str, found: Any) -> str:
    """A list of rules in one of its forms."""
    made = {"text": found.to_text, "json": found.to_json, "html": found.to_html}
    if variant not in made:
        raise click.UsageError(f"rules have no form '{variant}' (forms: {', '.join(made)})")
    text: str = made[variant]()
    return text


def _spare(out: Path | None, model: Path, *data: Path | None) -> None:
    """Refuse an output file that is the model or one of the data files."""
    from treeforge.cli.output import spare
    from treeforge.data.files import files_read

    spare([model, *(file for path in data if path is not None for file in files_read(path))], out)


def _exporter(form: str) -> Callable[..., Any]:
    from importlib import import_module

    module, function = FORMS[form]
    found: Callable[..., Any] = getattr(import_module(f"treeforge.export.{module}"), function)
    return found


@contextmanager
def _output(path: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file."""
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    try:
        with open(path, "w", encoding="utf-8", newline="") as stream:
            yield stream
    except OSError as fault:
        raise _cannot_write(path, fault) from None


def _write_bytes(content: bytes, path: Path | None, form: str) -> None:
    """To a file, or to a standard output that is no screen."""
    if path is None and sys.stdout.isatty():
        raise click.UsageError(f"{form} is not text: write it to a file with -o")
    if path is None or str(path) == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        path.write_bytes(content)
    except OSError as fault:
        raise _cannot_write(path, fault) from None


def _cannot_write(path: Path, fault: OSError) -> click.ClickException:
    return click.ClickException(f"{path}: cannot be written: {fault.strerror}")
