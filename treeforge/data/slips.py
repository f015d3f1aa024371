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
#: numbers by what parts their decimals
_NUMBER = {
    sign: re.compile(
        rf"\s*[+-]?((\d+{point}?\d*|{point}\d+)(e[+-]?\d+)?|inf(inity)?)\s*", re.ASCII | re.IGNORECASE
    )
    for sign, point in ((".", r"\."), (",", ","))
}
_NUMBERS_A_WORD = 10  # as many different numbers as this for each word make a column one of numbers
_MOST_SHOWN = 4


@dataclass(frozen=True)
class Slip:
    """What is odd about a column.

    Parameters
    ----------
    column : str
    kind : {'numbers', 'commas', 'gap'}
        Numbers but for these words; numbers with a decimal comma; a category that looks like a gap.
    counts : tuple of (str, int)
        The words, with how many values each is.
    """

    column: str
    kind: str
    counts: tuple[tuple[str, int], ...]

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """Columns that share it are told together."""
        return self.kind, tuple(word for word, _ in self.counts)


def slip(attribute: Attribute, codes: NDArray[np.int32], decimal: str = ".") -> Slip | None:
    """What is odd about a nominal column that was read from texts; None for most.

    Parameters
    ----------
    attribute : Attribute
    codes : ndarray of int32, shape [n_rows]
        -1 is unknown.
    decimal : {'.', ','}
        What numbers were written with, as far as that was known.

    Examples
    --------
    >>> slip(Attribute("age", "nominal", ("31", "n/a", "40")), np.array([0, 1, 2, 1]))
    Slip(column='age', kind='numbers', counts=(('n/a', 2),))
    """
    categories = attribute.categories
    gaps = [c for c in categories if c.strip().casefold() in GAPS]
    words, commas = _not_numbers(categories, gaps, decimal)
    n_numbers = len(categories) - len(gaps) - len(words)
    kind = "gap"
    if commas and not words:
        kind, gaps = "commas", [*commas, *gaps]
    elif n_numbers and n_numbers >= _NUMBERS_A_WORD * len(words):
        kind, gaps = "numbers", [*gaps, *words]
    else:
        meant = _IN_QUOTES | ({"-"} if "+" in categories else set())  # + and - are a pair of signs
        gaps = [c for c in gaps if c.strip().casefold() not in _ORDINARY and c not in meant]
    if not gaps:
        return None
    n_values = np.bincount(codes[codes >= 0], minlength=len(categories))
    return Slip(attribute.name, kind, tuple((c, int(n_values[attribute.code(c)])) for c in gaps))


def _not_numbers(categories: Sequence[str], gaps: Sequence[str], decimal: str) -> tuple[list[str], list[str]]:
    """The categories that are neither numbers nor gaps, and those that a decimal comma makes numbers.

    It gives up where there are too many words for a column of numbers: a column of names has millions of them.
    """
    most = max(1, len(categories) // _NUMBERS_A_WORD)
    words: list[str] = []
    commas: list[str] = []
    gap = set(gaps)
    for category in categories:
        if category in gap or _NUMBER[decimal].fullmatch(category):
            continue
        (commas if _NUMBER[","].fullmatch(category) else words).append(category)
        if len(words) > most:
            return list(categories), []
    return words, commas


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
    if kind == "commas":
        return (
            f"{columns} {verb} nominal, but the values are numbers with a decimal comma, such as '{words[0]}': "
            "to read them as numbers, --decimal=, (in a pipeline file decimal: ',', in Python decimal=',')"
        )
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
    return f"{columns} {what}. {_advice(words[:_MOST_SHOWN])}"


def _columns(names: Sequence[str]) -> tuple[str, str]:
    """The columns in words, and the verb that fits."""
    if len(names) == 1:
        return f"column '{names[0]}'", "is"
    some = ", ".join(f"'{name}'" for name in names[:_MOST_SHOWN])
    return (
        f"columns {some}{f' and {len(names) - _MOST_SHOWN} more' if len(names) > _MOST_SHOWN else ''}",
        "are",
    )


def _advice(words: Sequence[str]) -> str:
    options = " ".join(f"--unknown={shlex.quote(word)}" for word in words)
    listed = json.dumps(list(words), ensure_ascii=False)
    return (
        f"If that means unknown: {options} (in a pipeline file unknown: {listed}, in Python unknown={listed})"
    )
