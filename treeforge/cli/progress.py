"""What a user sees while a run goes on: a bar on a terminal, plain lines in a log, events for scripts."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import TextIO

from treeforge.experiment.runner import Event

Watch = Callable[[Event], None]


@contextmanager
def watching(*, as_json: bool = False, quiet: bool = False) -> Iterator[Watch]:
    """The way to show a run that fits where the output goes."""
    if as_json:
        yield _say_event
    elif quiet:
        yield lambda event: None
    elif is_terminal(sys.stderr):
        with _bar() as watch:
            yield watch
    else:
        yield _Lines(sys.stderr)


def _say_event(event: Event) -> None:
    # line and line end in one piece: what an interrupt leaves in the buffer is still written, and whole
    sys.stdout.write(json.dumps(event.to_dict(), ensure_ascii=False) + "\n")
    sys.stdout.flush()


def is_terminal(file: TextIO) -> bool:
    """Whether somebody sits in front of it who wants a bar: a dumb terminal does not."""
    return file.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


class _Lines:
    """A line for each twentieth part of a run, each minute, and each kind of failure; nothing is overwritten."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.told: set[tuple[str, str, str]] = set()
        self.next_share = 0.0
        self.next_time = 0.0

    def __call__(self, event: Event) -> None:
        if event.kind == "start":
            self.next_share, self.next_time = event.done + event.total / 20, time.monotonic() + 60
            done = f", {event.done} of them are done already" if event.done else ""
            self._say(f"{event.total} cells{done}")
        if event.text:
            self._say(event.text)
        r = event.result
        if r is None:
            return
        if not r.ok and (failure := (r.dataset, r.algorithm, r.reason)) not in self.told:
            self.told.add(failure)
            self._say(f"FAILED {r.dataset} / {r.algorithm}, repeat {r.repeat} fold {r.fold}: {r.reason}")
        if event.done >= self.next_share or time.monotonic() > self.next_time or event.done == event.total:
            self.next_share, self.next_time = event.done + event.total / 20, time.monotonic() + 60
            left = (
                f", {duration(event.seconds_left)} left"
                if event.seconds_left and event.done < event.total
                else ""
            )
            self._say(f"{event.done}/{event.total} {r.dataset} / {r.algorithm}{left}")

    def _say(self, text: str) -> None:
        # a name may hold anything; a log gets one line of it
        print("".join(c if c.isprintable() else " " for c in text), file=self.file, flush=True)


@contextmanager
def _bar() -> Iterator[Watch]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.text import Text

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("cells", left="", total=None)

        def watch(event: Event) -> None:
            left = "" if event.seconds_left is None else f"{duration(event.seconds_left)} left"
            progress.update(task, completed=event.done, total=event.total, left=left)
            if event.text:
                console.print(Text(event.text))
            if event.result is not None:
                progress.update(task, description=Text(event.result.dataset).plain[:30].ljust(20))
                if not event.result.ok:
                    r = event.result
                    console.print(
                        Text(f"FAILED {r.dataset} / {r.algorithm}, fold {r.fold}: {r.reason}", "red")
                    )

        yield watch


def duration(seconds: float) -> str:
    """Seconds as people say them.

    Examples
    --------
    >>> duration(5), duration(65), duration(7300), duration(200_000)
    ('5 s', '1 min 5 s', '2 h 1 min', '2 d 7 h')
    """
    whole = max(0, round(seconds))
    units = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))
    for (name, size), (smaller, part) in pairwise(units):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {name} {rest} {smaller}" if rest else f"{whole // size} {name}"
    return f"{whole} s"
