"""``treeforge plugins list|info|check|new``."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from treeforge.plugin import catalogue
from treeforge.plugin.parameters import without_parameters
from treeforge.plugin.registry import KINDS

kind_option = click.option("--kind", type=click.Choice(list(KINDS)), help="Look at this kind only.")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON value, and nothing else.")


@click.group()
def plugins() -> None:
    """List, inspect, check or start plugins."""


@plugins.command("list")
@kind_option
@click.option("--check", is_flag=True, help="Look at parameters and documentation too; status 1 on a fault.")
@click.option("--traceback", is_flag=True, help="Show where a plugin that cannot be loaded failed.")
@json_option
def list_(kind: str | None, check: bool, traceback: bool, as_json: bool) -> None:
    """Every installed plugin: kind, name, package, version, what it does; or why it cannot be used."""
    found = catalogue.listing([kind] if kind else [], check=check)
    if as_json:
        click.echo(json.dumps([listed.to_dict() for listed in found], indent=2, ensure_ascii=False))
    else:
        for line in _table(found):
            click.echo(line)
    if traceback:
        for listed in found:
            click.echo(listed.details, nl=False, err=True)
    if check and any(listed.faults for listed in found):
        raise click.exceptions.Exit(1)


def _table(found: list[catalogue.Listed]) -> list[str]:
    if not found:
        return ["no plugin is installed"]
    rows = [(e.kind, e.name, f"{e.package} {e.version}") for e in (listed.entry for listed in found)]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = []
    for row, listed in zip(rows, found, strict=True):
        start = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(
            f"{start}  {listed.summary}".rstrip() if listed.cls else f"{start}  BROKEN: {listed.faults[0]}"
        )
        if listed.cls:
            lines.extend(f"{' ' * len(start)}  FAULT: {fault}" for fault in listed.faults)
    return lines


@plugins.command()
@click.argument("name")
@kind_option
@json_option
def info(name: str, kind: str | None, as_json: bool) -> None:
    """A plugin's documentation, and its parameters with types and defaults."""
    cards = [catalogue.card(entry) for entry in catalogue.named(name, kind)]
    if as_json:
        click.echo(json.dumps(cards, indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join(_card(card) for card in cards))


@plugins.command()
@click.argument("name")
@kind_option
@click.option("--traceback", is_flag=True, help="Show where a check failed.")
@json_option
def check(name: str, kind: str | None, traceback: bool, as_json: bool) -> None:
    """Run the contract of its kind on a plugin; status 1 when something does not hold."""
    from treeforge.plugin import checks

    outcomes = [
        (entry, outcome)
        for entry in catalogue.named(name, kind)
        for plugin in checks.instances(entry.load(), entry.name)
        for outcome in checks.check(plugin)
    ]
    for entry, outcome in outcomes:
        facts = {
            "kind": entry.kind,
            "name": entry.name,
            "plugin": outcome.plugin,
            "check": outcome.check.name,
            "demand": outcome.check.demand,
            "status": outcome.status,
            "message": outcome.message,
        }
        if as_json:
            click.echo(json.dumps(facts, ensure_ascii=False))
        elif outcome.status != "passed":
            click.echo(f"{outcome.status.upper()} {outcome.plugin} {outcome.check.name}: {outcome.message}")
        if traceback:
            click.echo(outcome.trace, nl=False, err=True)
    counts = Counter(outcome.status for _, outcome in outcomes)
    if not as_json:
        told = ", ".join(
            f"{counts[status]} {status}" for status in ("passed", "waived", "failed") if counts[status]
        )
        click.echo(f"{name}: {told}")
    if counts["failed"]:
        raise click.exceptions.Exit(1)


def _card(card: dict[str, Any]) -> str:
    lines = [
        f"{card['kind']} {card['name']}  ({card['package']} {card['version']}, meaning {card['meaning']})",
        f"    {card['object']}" + (", releases the GIL" if card["releases_gil"] else ""),
        "",
        *(f"    {line}".rstrip() for line in without_parameters(card["doc"]).splitlines()),
        "",
        "parameters" if card["parameters"] else "no parameters",
    ]
    for parameter in card["parameters"]:
        default = f" = {json.dumps(parameter['default'])}" if "default" in parameter else ", has to be given"
        lines.append(f"    {parameter['name']}: {parameter['type']}{default}")
        if parameter["doc"]:
            lines.append(f"        {parameter['doc']}")
    return "\n".join(lines)


@plugins.command()
@click.argument("name")
@click.option("--kind", type=click.Choice(list(KINDS)), default="splitter", show_default=True)
@click.option(
    "--language", type=click.Choice(["python", "cython", "c", "numba"]), default="python", show_default=True
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path(), help="Where its folder is made [here]."
)
def new(name: str, kind: str, language: str, out: Path) -> None:
    """Start a package with a plugin of this name: it installs, meets its contract and has CI at once."""
    from treeforge.plugin.scaffold import new as scaffold

    written = scaffold(name, kind, language, out)
    for path in written:
        click.echo(path)
    click.echo(f"next: cd {written[0].parent} && less README.md")
