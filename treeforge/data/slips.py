"""What in a column of texts looks like a slip: a word for a gap, or a few words among numbers.

Nothing is changed for it, since only the owner of the data knows. It is said once a file, with what to write.
"""

from __future__ import annotations

import json
import re
import shlex
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.data.schema import Attribute
from treeforge.errors import DataWarning

#: words for a gap that are also ordinary categories: no slip among words, but one among numbers
_ORDINARY = frozenset({"nil", "none", "missing", "unknown", "not available", "not applicable"})
#: words that people and programs write where a value is missing, in lower case
GAPS = _ORDINARY | {
    "", "?", "??", "???", "-", "--", "---", ".", "..", "...", "na", "n/a", "n.a.", "n.a", "#n/a", "#na", "<na>",
    "nan", "-nan", "null", "<null>", "(null)", "\\n",
}  # fmt: skip
#: unknown without quotes: as categories they were put in quotes, which is how a user says that they are meant
_IN_QUOTES = {"?", "NA"}
#: what R's row names and pandas' index are called in a file
_NO_NAME = {"", "Unnamed: 0"}
#: numbers by what parts their decimals
_NUMBER = {
    sign: re.compile(
        rf"\s*[+-]?((\d+{point}?\d*|{point}\d+)(e[+-]?\d+)?|inf(inity)?)\s*", re.ASCII | re.IGNORECASE
    )
    for sign, point in ((".", r"\."), (",", ","))
}
#: kinds of slips where numbers have this sign, though the other one was taken to part decimals
_SIGNS = {"commas", "points"}
_NUMBERS_A_WORD = 10  # as many different numbers as this for each word make a column one of numbers
_MOST_SHOWN = 4


@dataclass(frozen=True)
class Slip:
    """What is odd about a column.

    Parameters
    ----------
    column : str
    kind : {'numbers', 'commas', 'points', 'gap', 'rows'}
        Numbers but for these words; numbers with commas, where decimals have points; the reverse; a category that
        looks like a gap; names of rows.
    counts : tuple of (str, int)
        The words, with how many values each is; of numbers with another sign one of them, and the gaps.
    """

    column: str
    kind: str
    counts: tuple[tuple[str, int], ...]

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """Columns that share it are told together."""
        words = tuple(word for word, _ in self.counts)
        return self.kind, words[1:] if self.kind in _SIGNS else words


def slip(attribute: Attribute, column: NDArray[Any], decimal: str = ".") -> Slip | None:
    """What is odd about a column that was read from texts; None for most.

    Parameters
    ----------
    attribute : Attribute
    column : ndarray, shape [n_rows]
        Codes of a nominal attribute, where -1 is unknown; or numbers.
    decimal : {'.', ','}
        What numbers were written with, as far as that was known.

    Examples
    --------
    >>> slip(Attribute("age", "nominal", ("31", "n/a", "40")), np.array([0, 1, 2, 1]))
    Slip(column='age', kind='numbers', counts=(('n/a', 2),))
    """
    if attribute.name in _NO_NAME and len(column) > 2 and len(np.unique(column)) == len(column):
        return Slip(attribute.name, "rows", ())
    if not attribute.is_nominal:
        return None
    categories = attribute.categories
    gaps = [c for c in categories if c.strip().casefold() in GAPS]
    words, others = _not_numbers(categories, gaps, decimal)
    n_numbers = len(categories) - len(gaps) - len(words)
    kind = "gap"
    if others and not words:
        kind, gaps = "commas" if decimal == "." else "points", [others[0], *gaps]
    elif n_numbers and n_numbers >= _NUMBERS_A_WORD * len(words):
        kind, gaps = "numbers", [*gaps, *words]
    else:
        meant = _IN_QUOTES | ({"-"} if "+" in categories else set())  # + and - are a pair of signs
        gaps = [c for c in gaps if c.strip().casefold() not in _ORDINARY and c not in meant]
    if not gaps:
        return None
    n_values = np.bincount(column[column >= 0], minlength=len(categories))
    return Slip(attribute.name, kind, tuple((c, int(n_values[attribute.code(c)])) for c in gaps))


def _not_numbers(categories: Sequence[str], gaps: Sequence[str], decimal: str) -> tuple[list[str], list[str]]:
    """The categories that are neither numbers nor gaps, and those that the other sign for decimals makes numbers.

    Where one number has a point, a comma can part no decimals: those are words, too. A comma that was declared
    leaves nothing to guess: numbers with a point are such, whatever the others have.
    It gives up where there are too many words for a column of numbers: a column of names has millions of them.
    """
    most = max(1, len(categories) // _NUMBERS_A_WORD)
    words: list[str] = []
    others: list[str] = []
    other = "," if decimal == "." else "."
    n_points = 0  # numbers with a point, where that was taken to part decimals
    gap = set(gaps)
    for category in categories:
        if category in gap:
            continue
        if _NUMBER[decimal].fullmatch(category):
            n_points += decimal == "." and "." in category
        else:
            (others if _NUMBER[other].fullmatch(category) else words).append(category)
        if len(words) + (len(others) if n_points else 0) > most:
            return list(categories), []
    return (words + others, []) if n_points else (words, others)


def warn(slips: Iterable[Slip], source: str, n_rows: int) -> None:
    """A DataWarning for each sort of slip, about all the columns that have it."""
    together: dict[tuple[str, tuple[str, ...]], list[Slip]] = {}
    for found in slips:
        together.setdefault(found.key, []).append(found)
    for alike in together.values():
        columns = [found.column for found in alike]
        warnings.warn(DataWarning(f"{source}: {_sentence(alike, n_rows)}", columns), stacklevel=4)


@contextmanager
def listening() -> Iterator[list[DataWarning]]:
    """Collect the DataWarnings of the block instead of showing them; the list is full when the block has ended."""
    heard: list[DataWarning] = []
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", DataWarning)
        yield heard
    for each in found:
        if isinstance(each.message, DataWarning):
            heard.append(each.message)
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def _sentence(alike: Sequence[Slip], n_rows: int) -> str:
    kind, words = alike[0].key
    columns, verb = _columns([found.column for found in alike])
    if kind == "rows":
        name = alike[0].column
        return (
            f"{columns} has no name of its own, and each value in it occurs once, as in R's row names and pandas' "
            f"index. To leave it out: --drop={shlex.quote(name)} (in a pipeline file drop: {json.dumps(name)}, in "
            f"Python .without([{json.dumps(name)}]))"
        )
    if kind in _SIGNS:
        example = f"such as '{alike[0].counts[0][0]}'"
        start = f"{columns} {verb} nominal, but the values are numbers"
        if kind == "points":
            return (
                f"{start}, some with a point, {example}, where decimals are declared to have a comma. If the point "
                "parts decimals, write them in one way; where no column has a comma, leave out --decimal=, "
                '(decimal: "," or decimal=",")'
            )
        start += f" with a comma, {example}"
        return f"{start}. If the comma parts decimals: {_advice(words[:_MOST_SHOWN], comma=True)}"
    totals = [sum(counts) for counts in zip(*([n for _, n in found.counts] for found in alike), strict=True)]
    of = f" of {n_rows}" if len(alike) == 1 else ""
    shown = [
        f"'{word}' ({n}{of} value{'' if n == 1 and not of else 's'})"
        for word, n in zip(words, totals, strict=True)
    ][:_MOST_SHOWN]
    more = f" and {len(words) - _MOST_SHOWN} more words" if len(words) > _MOST_SHOWN else ""
    what = f"{verb} nominal only because of {', '.join(shown)}{more}; the other values are numbers"
    if kind == "gap":
        what = f"{'has' if len(alike) == 1 else 'have'} the category {', '.join(shown)}{more}"
    return f"{columns} {what}. If that means unknown: {_advice(words[:_MOST_SHOWN])}"


def _columns(names: Sequence[str]) -> tuple[str, str]:
    """The columns in words, and the verb that fits."""
    if len(names) == 1:
        return f"column '{names[0]}'", "is"
    some = ", ".join(f"'{name}'" for name in names[:_MOST_SHOWN])
    return (
        f"columns {some}{f' and {len(names) - _MOST_SHOWN} more' if len(names) > _MOST_SHOWN else ''}",
        "are",
    )


def _advice(words: Sequence[str], *, comma: bool = False) -> str:
    """The same on the command line, in a pipeline file and in Python: these words are unknown, and decimals."""
    listed = json.dumps(list(words), ensure_ascii=False)
    options = ["--decimal=,"] * comma + [f"--unknown={shlex.quote(word)}" for word in words]
    file = ['decimal: ","'] * comma + [f"unknown: {listed}"] * bool(words)
    python = ['decimal=","'] * comma + [f"unknown={listed}"] * bool(words)
    return f"{' '.join(options)} (in a pipeline file {', '.join(file)}, in Python {', '.join(python)})"
