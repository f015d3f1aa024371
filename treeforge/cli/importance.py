"""``treeforge importance``: how much each attribute counts in a saved model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treeforge.cli.reading import read, reading_options

if TYPE_CHECKING:
    from treeforge.learn.model import Model

#: measure -> heading of its column
COLUMNS = {"impurity": "impurity", "out_of_bag": "out of bag", "permutation": "permutation", "sd": "+-"}


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("data", required=False, type=click.Path(path_type=Path))
@reading_options()
@click.option(
    "--repeats", type=click.IntRange(1), default=10, show_default=True, help="Shuffles an attribute."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Threads.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, attributes in the model's order.")
def importance(
    model: Path,
    data: Path | None,
    repeats: int,
    seed: int,
    jobs: int,
    as_json: bool,
    **options: Any,
) -> None:
    """How much each attribute counts in MODEL, the one that counts most first.

    impurity: the part of the attribute in the impurity that all tests take away. permutation, with DATA (best
    not what the model was trained on): the accuracy lost when its values are shuffled, the mean and standard
    deviation over repeats. out of bag: the same by the cases that each tree did not train on, where the model
    was fitted with permutation_importance.
    """
    from treeforge.learn.importance import impurity_importance, permutation_importance
    from treeforge.model_files import load_model

    fitted = load_model(model)
    found: dict[str, Any] = {"impurity": impurity_importance(fitted)}
    if measured := getattr(fitted.fitted, "details", {}).get("permutation_importance"):
        found["out_of_bag"] = measured
    if data is not None:
        dataset = read(data, options)
        lost = permutation_importance(fitted, dataset, repeats=repeats, seed=seed, n_threads=jobs)
        found |= {"permutation": lost.mean(axis=1), "sd": lost.std(axis=1)}
    click.echo(_json(fitted, found) if as_json else _table(fitted, found))


def _json(model: Model, found: dict[str, Any]) -> str:
    names = [attribute.name for attribute in model.schema.inputs]
    rows = [dict(zip(found, map(float, values), strict=True)) for values in zip(*found.values(), strict=True)]
    return json.dumps(dict(zip(names, rows, strict=True)), ensure_ascii=False)


def _table(model: Model, found: dict[str, Any]) -> str:
    """Attributes in falling order of the last measure that is not a deviation."""
    key = found[next(name for name in ("permutation", "out_of_bag", "impurity") if name in found)]
    names = [attribute.name for attribute in model.schema.inputs]
    width = max(len("attribute"), *map(len, names))
    headings = [COLUMNS[name].rjust(11) for name in found]
    lines = [" ".join([f"{'attribute':<{width}}", *headings])]
    for place in sorted(range(len(names)), key=lambda i: -key[i]):
        numbers = [f"{values[place]:11.4f}" for values in found.values()]
        lines.append(" ".join([f"{names[place]:<{width}}", *numbers]))
    return "\n".join(lines)
