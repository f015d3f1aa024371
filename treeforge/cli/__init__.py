"""The command line: arguments in, one call, exit code out. A command's module is imported when it is used."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Sequence

import click

from treeforge.errors import TreeForgeError, nearest

# command -> (module below treeforge.cli, one line of help); `treeforge --help` imports none of them
COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("run", "Run a pipeline file: data sets x algorithms x folds, statistics, report."),
    "plan": ("run", "List the cells a run would compute; nothing is run."),
    "validate": ("run", "Check a pipeline file: every error at once, with line and column."),
    "schema": ("run", "Print the JSON Schema of the pipeline file."),
    "verify": ("run", "Recompute a sample of a run's cells and compare."),
    "report": ("report", "Write a run's report again from its results alone."),
    "compare": ("compare", "The statistics alone, on a table from anywhere."),
    "fit": ("fit", "Train on each file and print the tree."),
    "evaluate": ("fit", "Cross-validate on each file."),
    "predict": ("model", "Class and class probabilities of each row."),
    "show": ("model", "Print a model: text, rules, dot, svg, json, sql, code."),
    "explain": ("model", "The path(s) that a row takes through a model."),
    "importance": ("importance", "How much each attribute counts in a model."),
    "data": ("data", "Show, summarise, convert or generate data files."),
    "plugins": ("plugins", "List, inspect, check or start plugins."),
}


class LazyGroup(click.Group):
    """A group that knows its commands' names and help without importing them."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"treeforge.cli.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name)
        return command

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Click knows what commands are near a name only where they are imported."""
        try:
            return super().resolve_command(context, arguments)
        except click.UsageError as wrong:
            name = arguments[0]
            near = "" if name.startswith("-") else nearest(name, COMMANDS)
            raise click.UsageError(f"No such command '{name}'{near}", context) if near else wrong from None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="treeforge")
@click.option("--traceback", "show", is_flag=True, help="Show where in the program an error arose.")
def cli(show: bool) -> None:
    """TreeForge, the laboratory for decision trees."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; an error is one line on standard error and status 1.

    ``treeforge --traceback COMMAND ...`` shows what is behind it.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = cli.main(args=given, standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except BrokenPipeError:  # the reader has seen enough, as in `treeforge ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still buffered goes nowhere, without a word
        return 0
    except Exception as error:
        if given[:1] == ["--traceback"]:
            traceback.print_exception(error)
        for line in _lines(error):
            print(line, file=sys.stderr)
        return 1
    return code if isinstance(code, int) else 0  # a command that returns nothing went well


def _lines(error: Exception) -> list[str]:
    """An error in words, a line each."""
    if isinstance(error, TreeForgeError):
        return [str(e) for e in getattr(error, "errors", ())] or [str(error)]
    if isinstance(error, OSError) and error.strerror:
        return [f"{error.filename}: {error.strerror}" if error.filename else error.strerror]
    from treeforge.plugin.faults import in_words  # the command starts faster without it

    text = in_words(error)
    whose = "" if text.startswith("package ") else "internal error: "
    return [f"{whose}{text} ('treeforge --traceback ...' shows where)"]


def script() -> None:
    """The console script."""
    sys.exit(main())
