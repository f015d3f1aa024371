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
