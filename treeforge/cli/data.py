"""``treeforge data``: look at data files, and turn one form into another."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from treeforge.cli.reading import read, reading_options


@click.group()
def data() -> None:
    """Show, summarise, convert or generate data files."""


_reading = reading_options("The class; by default the last.")
_json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")


@data.command()
@click.argument("paths", nargs=-1, required=True, metavar="DATA...")
@_reading
@_json_option
def show(paths: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """A file's whole content."""
    from treeforge.data.show import json_chunks, text_chunks

    for path in paths:
        dataset = read(path, options)
        sys.stdout.writelines(json_chunks(dataset) if as_json else text_chunks(dataset))


@data.command()
@click.argument("paths", nargs=-1, required=True, metavar="DATA...")
@_reading
@_json_option
def info(paths: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """A summary: kinds, unknown and distinct values, classes, skewness."""
    from treeforge.data.summary import summarize, summary_lines

    for place, path in enumerate(paths):
        dataset = read(path, options)
        if as_json:
            click.echo(json.dumps(summarize(dataset).to_dict(), ensure_ascii=False))
        else:
            click.echo(("\n" if place else "") + "\n".join(summary_lines(dataset)))


@data.command()
@click.argument("source", metavar="A")
@click.argument("target", metavar="B")
@_reading
@click.option("--drop", "dropped", multiple=True, metavar="ATTRIBUTE", help="Leave this attribute out.")
@click.option("--drop-weights", is_flag=True, help="Where the form of B cannot hold case weights.")
def convert(source: str, target: str, dropped: tuple[str, ...], drop_weights: bool, **options: Any) -> None:
    """Write the data A in the form that the ending of B says.

    ARFF, CSV, TSV (with or without .gz), Parquet, C4.5's .names/.data/.test; A may also be sklearn:NAME or
    openml:NUMBER. What B cannot hold is refused, never dropped. With --class, that attribute goes last in B.
    """
    from dataclasses import replace

    from treeforge.cli.output import spare
    from treeforge.data import write_dataset
    from treeforge.data.files import class_last, files_read, files_written

    for path in files_written(target):
        spare(files_read(source), path, "B")
    dataset = read(source, options, dropped)
    if options["class_attribute"] is not None:
        dataset = class_last(dataset)
    if drop_weights:
        dataset = replace(dataset, weights=None)
    write_dataset(dataset, target)


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
