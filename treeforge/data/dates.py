"""Date formats in the words of ``java.text.SimpleDateFormat``: text to milliseconds since 1970, and back.

A text without a zone is UTC, whatever the zone of the machine: the same file means the same numbers
everywhere. Supported letters: ``y M d H h k K m s S a E z Z X`` and quoted text. Parsing is strict (no 31st
of February), as Weka's is. Dates before 15 October 1582 are refused: Java counts those by the Julian
calendar.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache

DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_DAY = datetime(1582, 10, 15, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_MONTHS = tuple(
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_DAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())  # noqa: SIM905
#: years of two digits lie in the 100 years up to this one; Java uses the day on which it runs
_LAST_SHORT_YEAR = 2045
_NUMBERS = "yMdHhkKmsS"
_LETTERS = _NUMBERS + "aEzZX"


def _runs(pattern: str) -> list[tuple[str, int]]:
    """``(letter, count)`` of each field, ``(text, 0)`` between them; ValueError for what is not supported."""
    found: list[tuple[str, int]] = []

    def text(piece: str) -> None:
        if found and found[-1][1] == 0:
            piece = found.pop()[0] + piece
        found.append((piece, 0))

    for match in re.finditer(r"''|'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z]", pattern):
        if match[0] == "''":
            text("'")
        elif match[1] is not None:
            text(match[1].replace("''", "'"))
        elif match[0] == "'":
            raise ValueError("a quote in the date format is never closed")
        elif match[2]:
            if match[2] not in _LETTERS:
                raise ValueError(
                    f"the letter '{match[2]}' of the date format is not supported (supported: {_LETTERS})"
                )
            found.append((match[2], len(match[0])))
        else:
            text(match[0])
    return found


class DateFormat:
    """One format, ready to use.

    Examples
    --------
    >>> DateFormat("yyyy-MM-dd").parse("2021-02-28")
    1614470400000.0
    >>> DateFormat("yyyy-MM-dd").format(1614470400000.0)
    '2021-02-28'
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._fields = _runs(pattern)
        pieces = []
        for place, (letter, count) in enumerate(self._fields):
            following = self._fields[place + 1] if place + 1 < len(self._fields) else ("", 0)
            pieces.append(re.escape(letter) if count == 0 else f"({self._piece(letter, count, following)})")
        self._match = re.compile("".join(pieces), re.ASCII | re.IGNORECASE).fullmatch

    @staticmethod
    def _piece(letter: str, count: int, following: tuple[str, int]) -> str:
        if letter == "M" and count >= 3:
            return "|".join(name for month in _MONTHS for name in (month, month[:3]))
        if letter in _NUMBERS:
            # a number directly followed by another has exactly the width of its letters
            abutting = (
                following[1] > 0
                and following[0] in _NUMBERS
                and not (following[0] == "M" and following[1] > 2)
            )
            return rf"\d{{{count}}}" if abutting else r"\d{1,9}"
        return {
            "a": "AM|PM",
            "E": "|".join(name for day in _DAYS for name in (day, day[:3])),
            "z": r"(?:UTC|GMT)(?:[+-]\d\d?:\d\d)?|[+-]\d\d:?\d\d",
            "Z": r"[+-]\d{4}",
            "X": {1: r"Z|[+-]\d\d", 2: r"Z|[+-]\d{4}"}.get(count, r"Z|[+-]\d\d:\d\d"),
        }[letter]

    def parse(self, text: str) -> float:
        """Milliseconds since 1970 UTC; ValueError when the text is not a date of this format."""
        match = self._match(text)
        if match is None:
            raise ValueError
        part = {"y": 1970, "M": 1, "d": 1}
        zone = timedelta()
        weekday = None
        groups = iter(match.groups())
        for letter, count in self._fields:
            if count == 0:
                continue
            found = next(groups)
            if letter == "M" and count >= 3:
                value = [m[:3].lower() for m in _MONTHS].index(found[:3].lower()) + 1
            elif letter == "y" and count == 2 and len(found) == 2:
                value = _LAST_SHORT_YEAR - (_LAST_SHORT_YEAR - int(found)) % 100
            elif letter == "a":
                value = int(found.lower() == "pm")
            elif letter == "E":
                weekday = [d[:3].lower() for d in _DAYS].index(found[:3].lower())
                continue
            elif letter in "zZX":
                zone = _offset(found)
                continue
            else:
                value = int(found)
            if part.setdefault(letter, value) != value and letter not in "yMd":
                raise ValueError
            part[letter] = value
        moment = datetime(part["y"], part["M"], part["d"], _hour(part), tzinfo=UTC)
        if weekday is not None and weekday != moment.weekday():
            raise ValueError
        minute, second, fraction = part.get("m", 0), part.get("s", 0), part.get("S", 0)
        if minute > 59 or second > 59 or fraction > 999:
            raise ValueError
        moment += timedelta(minutes=minute, seconds=second, milliseconds=fraction) - zone
        if moment < _FIRST_DAY:
            raise ValueError
        return float((moment - _EPOCH) // _MILLISECOND)

    def format(self, value: float) -> str:
        """The text of a moment. What the format leaves out is left out: see ``can_hold``."""
        moment = _EPOCH + timedelta(milliseconds=value)
        write: dict[str, Callable[[int], str]] = {
            "y": lambda n: f"{moment.year % 100:02}" if n == 2 else f"{moment.year:0{n}}",
            "M": lambda n: (
                _MONTHS[moment.month - 1]
                if n > 3
                else _MONTHS[moment.month - 1][:3]
                if n == 3
                else f"{moment.month:0{n}}"
            ),
            "d": lambda n: f"{moment.day:0{n}}",
            "H": lambda n: f"{moment.hour:0{n}}",
            "k": lambda n: f"{moment.hour or 24:0{n}}",
            "K": lambda n: f"{moment.hour % 12:0{n}}",
            "h": lambda n: f"{moment.hour % 12 or 12:0{n}}",
            "m": lambda n: f"{moment.minute:0{n}}",
            "s": lambda n: f"{moment.second:0{n}}",
            "S": lambda n: f"{moment.microsecond // 1000:0{n}}",
            "a": lambda n: "PM" if moment.hour >= 12 else "AM",
            "E": lambda n: _DAYS[moment.weekday()] if n > 3 else _DAYS[moment.weekday()][:3],
            "z": lambda n: "UTC",
            "Z": lambda n: "+0000",
            "X": lambda n: "Z",
        }
        return "".join(letter if count == 0 else write[letter](count) for letter, count in self._fields)

    def can_hold(self, value: float) -> bool:
        """Whether a moment, written in this format and read again, is the same."""
        try:
            return self.parse(self.format(value)) == value
        except (ValueError, OverflowError):
            return False


def _hour(part: dict[str, int]) -> int:
    """Hour of the day, 0 to 23, from whichever letters gave it."""
    if "H" in part:
        return part["H"]
    if "k" in part:
        return part["k"] % 24 if 1 <= part["k"] <= 24 else -1
    half = part.get("a", 0)
    if "K" in part:
        return part["K"] + 12 * half if part["K"] <= 11 else -1
    if "h" in part:
        return part["h"] % 12 + 12 * half if 1 <= part["h"] <= 12 else -1
    return 12 * half


def _offset(text: str) -> timedelta:
    digits = re.sub(r"[^0-9]", "", text)
    if not digits:
        return timedelta()
    hours, minutes = (int(digits), 0) if len(digits) <= 2 else (int(digits[:-2]), int(digits[-2:]))
    if hours > 23 or minutes > 59:
        raise ValueError
    return (-1 if "-" in text else 1) * timedelta(hours=hours, minutes=minutes)


@cache
def date_format(pattern: str) -> DateFormat:
    """The format of a pattern; ValueError for one that is not supported."""
    return DateFormat(pattern)
