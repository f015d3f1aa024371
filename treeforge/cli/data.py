"""``treeforge data``: look at data files, and turn one form into another."""

from __future__ import annotations

import sys

import click


@click.group()
def data() -> None:
    """Show, summarise, convert or generate data files."""


_class_option = click.option(
    "--class", "class_attribute", metavar="ATTRIBUTE", help="The class; by default the last."
)
_json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")


@data.command()
@click.argument("paths", nargs=-1, required=True, metavar="DATA...")
@_class_option
@_json_option
def show(paths: tuple[str, ...], class_attribute: str | None, as_json: bool) -> None:
    """A file's whole content."""
    from treeforge.data import read_dataset
    from treeforge.data.show import json_chunks, text_chunks

    for path in paths:
        dataset = read_dataset(path, class_attribute)
        sys.stdout.writelines(json_chunks(dataset) if as_json else text_chunks(dataset))


@data.command()
@click.argument("name", metavar="GENERATOR")
@click.option("--rows", type=click.IntRange(min=0), help="How many rows.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other seeds give other rows.")
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="A parameter of the generator.")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False),
    help="An .arff or .arff.gz file; by default standard output.",
)
def generate(name: str, rows: int | None, seed: int, pairs: tuple[str, ...], out: str | None) -> None:
    """Write made-up rows, as many as you like: see `treeforge plugins list source`."""
    from treeforge.cli.settings import settings
    from treeforge.data import ArffWriter
    from treeforge.plugin import registry
    from treeforge.plugin.parameters import make

    parameters = settings(pairs) | ({} if rows is None else {"rows": rows})
    source = make(registry.load("source", name), parameters, name)
    blocks = iter(source.blocks(seed))
    first = next(blocks)
    with ArffWriter(out or sys.stdout.buffer, first.schema, [first.source]) as writer:
        writer.write(first)
        for block in blocks:
            writer.write(block)
