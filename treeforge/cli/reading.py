"""What a user says about a data file, the same for every command; and what is odd about it, said back."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from treeforge.data import Dataset

#: what ``read`` needs of a command's options
NAMES = ("class_attribute", "unknown", "decimal", "encoding")


def reading_options(
    class_help: str = "The class, where DATA has it elsewhere.",
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options that say how data are to be read."""
    options = [
        click.option("--class", "class_attribute", metavar="ATTRIBUTE", help=class_help),
        click.option(
            "--unknown",
            multiple=True,
            metavar="WORD",
            help="CSV: a word that means unknown, as an empty field, ? and NA do.",
        ),
        click.option("--decimal", type=click.Choice([".", ","]), help="CSV: what parts decimals [.]."),
        click.option("--encoding", metavar="NAME", help="Of a text file, such as latin-1 [utf-8]."),
    ]

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def refuse_without_data(options: Mapping[str, Any]) -> None:
    """A usage error where it is said how data are to be read, and there are none."""
    said = [name for name in NAMES if options[name]]
    if said:
        words = " and ".join(f"--{name.removesuffix('_attribute')}" for name in said)
        raise click.UsageError(f"{words}: there are no data to read (--data or --training)")


def read(
    path: str | os.PathLike[str],
    options: Mapping[str, Any],
    dropped: Iterable[str] = (),
    used: Container[str] | None = None,
) -> Dataset:
    """The data as the options say, without the dropped attributes; warnings go to standard error, a line each.

    Those about columns that nothing uses are not told; without ``used`` all that are left may be.
    """
    from treeforge.data import read_dataset
    from treeforge.data.slips import listening

    with listening() as heard:
        data = read_dataset(path, **{name: options[name] for name in NAMES})
    data = data.without(dropped)
    told = [name for name in data.schema.names if used is None or name in used]
    for warning in heard:
        if any(column in told for column in warning.columns):
            print(f"warning: {warning}", file=sys.stderr)
    return data
