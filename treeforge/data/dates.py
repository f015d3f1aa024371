"""Date formats in the words of ``java.text.SimpleDateFormat``: text to milliseconds since 1970, and back.

A text without a zone is UTC, whatever the zone of the machine: the same file means the same numbers
everywhere. Supported letters: ``y M d H h k K m s S a E z Z X`` and quoted text. Parsing is strict (no 31st
of February), as Weka's is. Days before 15 October 1582 count by the Julian calendar, as in Java.
"""

from __future__ import annotations

import re
from functools import cache

DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"
_MONTHS = tuple(
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_DAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())  # noqa: SIM905
#: years of two digits lie in the 100 years up to this one; Java's window moves with the day on which it runs
_LAST_SHORT_YEAR = 2046
_NUMBERS = "yMdHhkKmsS"
_LETTERS = _NUMBERS + "aEzZX"
_DAY = 24 * 60 * 60 * 1000
_LONGEST = 2.0**53  # milliseconds that a double counts exactly
_EPOCH = 2440588  # Julian day number of 1970-01-01
_FIRST_GREGORIAN = 2299161  # of 1582-10-15


class DateFormat:
    """One format, ready to use.

    Raises
    ------
    ValueError
        For a pattern that is not supported, with the reason.

    Examples
    --------
    >>> DateFormat("yyyy-MM-dd").parse("2021-02-28")
    1614470400000.0
    >>> DateFormat("yyyy-MM-dd").format(1614470400000.0)
    '2021-02-28'
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._fields = _fields(pattern)
        if not any(count for _, count in self._fields):
            raise ValueError(f"the date format '{pattern}' has no field")
        pieces = [
            _piece(letter, count, following) if count else re.escape(letter)
            for (letter, count), following in zip(self._fields, [*self._fields[1:], ("", 0)], strict=True)
        ]
        self._match = re.compile("".join(pieces), re.ASCII | re.IGNORECASE).fullmatch

    def parse(self, text: str) -> float:
        """Milliseconds since 1970 UTC; ValueError when the text is not a date of this format."""
        match = self._match(text)
        if match is None:
            raise ValueError(text)
        part: dict[str, int] = {}
        letters = ((letter, count) for letter, count in self._fields if count)
        for (letter, count), found in zip(letters, match.groups(), strict=True):
            letter = "zone" if letter in "zZX" else letter
            value = _value(letter, count, found)
            if part.setdefault(letter, value) != value:
                raise ValueError(text)
        day = _day_number(part.get("y", 1970), part.get("M", 1), part.get("d", 1))
        hour, minute, second, fraction = _hour(part), part.get("m", 0), part.get("s", 0), part.get("S", 0)
        if hour > 23 or minute > 59 or second > 59 or fraction > 999 or part.get("E", day % 7) != day % 7:
            raise ValueError(text)
        minutes = (day - _EPOCH) * 24 * 60 + hour * 60 + minute - part.get("zone", 0)
        value = (minutes * 60 + second) * 1000 + fraction
        if abs(value) > _LONGEST:
            raise ValueError(text)
        return float(value)

    def format(self, value: float) -> str:
        """The text of a moment. What the format leaves out is lost: see ``can_hold``."""
        days, milliseconds = divmod(int(value), _DAY)
        year, month, day = _civil(days + _EPOCH)
        hour, milliseconds = divmod(milliseconds, 3600 * 1000)
        minute, milliseconds = divmod(milliseconds, 60 * 1000)
        second, fraction = divmod(milliseconds, 1000)
        numbers = {"y": year, "M": month, "d": day, "H": hour, "k": hour or 24, "K": hour % 12}
        numbers |= {"h": hour % 12 or 12, "m": minute, "s": second, "S": fraction}
        words = {"M": _MONTHS[month - 1], "E": _DAYS[(days + _EPOCH) % 7], "a": "PM" if hour >= 12 else "AM"}
        words |= {"z": "UTC", "Z": "+0000", "X": "Z"}

        def text(letter: str, count: int) -> str:
            if count == 0:
                return letter
            if letter == "y" and count == 2:
                return f"{year % 100:02}"
            if letter in "ME" and (count == 3 or (letter == "E" and count < 3)):
                return words[letter][:3]
            if letter in numbers and not (letter == "M" and count > 3):
                return f"{numbers[letter]:0{count}}"
            return words[letter]

        return "".join(text(letter, count) for letter, count in self._fields)

    def can_hold(self, value: float) -> bool:
        """Whether a moment, written in this format and read again, is the same."""
        try:
            return self.parse(self.format(value)) == value
        except (ValueError, OverflowError):
            return False


@cache
def date_format(pattern: str) -> DateFormat:
    """The format of a pattern, made once; ValueError for one that is not supported."""
    return DateFormat(pattern)


# ------------------------------------------------------------------------------------------------- patterns


def _fields(pattern: str) -> list[tuple[str, int]]:
    """``(letter, count)`` of each field, ``(text, 0)`` between them."""
    found: list[tuple[str, int]] = []
    for match in re.finditer(r"''|'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z]", pattern, re.DOTALL):
        if match[2]:
            if match[2] not in _LETTERS:
                raise ValueError(
                    f"the letter '{match[2]}' of the date format is not supported (supported: {_LETTERS})"
                )
            found.append((match[2], len(match[0])))
            continue
        if match[0] == "'":
            raise ValueError("a quote in the date format is never closed")
        text = "'" if match[0] == "''" else match[0] if match[1] is None else match[1].replace("''", "'")
        if found and found[-1][1] == 0:
            text = found.pop()[0] + text
        found.append((text, 0))
    return found


def _piece(letter: str, count: int, following: tuple[str, int]) -> str:
    """What a field may look like; Java passes over blanks before it."""
    if letter == "M" and count >= 3:
        wanted = "|".join(name for month in _MONTHS for name in (month, month[:3]))
    elif letter in _NUMBERS:
        # a number directly followed by another has exactly the width of its letters
        abutting = (
            following[1] > 0 and following[0] in _NUMBERS and not (following[0] == "M" and following[1] > 2)
        )
        wanted = rf"\d{{{count}}}" if abutting else r"\d{1,9}"
    else:
        wanted = {
            "a": "AM|PM",
            "E": "|".join(name for day in _DAYS for name in (day, day[:3])),
            "z": r"(?:UTC|GMT)(?:[+-]\d\d?:\d\d)?|[+-]\d\d:?\d\d",
            "Z": r"[+-]\d{4}",
            "X": {1: r"Z|[+-]\d\d", 2: r"Z|[+-]\d{4}"}.get(count, r"Z|[+-]\d\d:\d\d"),
        }[letter]
    return rf"[ \t]*({wanted})"


# ---------------------------------------------------------------------------------------------------- parts


def _value(letter: str, count: int, found: str) -> int:
    """A field as a number: months from 1, days of the week from Monday 0, PM 1, zones in minutes."""
    start = found[:3].capitalize()
    if letter == "M" and count >= 3:
        return [month[:3] for month in _MONTHS].index(start) + 1
    if letter == "E":
        return [day[:3] for day in _DAYS].index(start)
    if letter == "a":
        return int(start == "Pm")
    if letter == "zone":
        return _offset(found)
    if letter == "y" and count <= 2 and len(found) == 2:
        return _LAST_SHORT_YEAR - (_LAST_SHORT_YEAR - int(found)) % 100
    return int(found)


def _hour(part: dict[str, int]) -> int:
    """Hour of the day from whichever letters gave it; more than 23 when they cannot."""
    half = 12 * part.get("a", 0)
    if "H" in part:
        return part["H"]
    if "k" in part:
        return part["k"] % 24 if 1 <= part["k"] <= 24 else 24
    if "K" in part:
        return part["K"] + half if part["K"] <= 11 else 24
    if "h" in part:
        return part["h"] % 12 + half if 1 <= part["h"] <= 12 else 24
    return half


def _offset(text: str) -> int:
    """Minutes east of Greenwich."""
    digits = re.sub(r"[^0-9]", "", text)
    hours, minutes = (digits, "0") if len(digits) <= 2 else (digits[:-2], digits[-2:])
    if int(hours or 0) > 23 or int(minutes) > 59:
        raise ValueError(text)
    return (-1 if "-" in text else 1) * (60 * int(hours or 0) + int(minutes))


def _day_number(year: int, month: int, day: int) -> int:
    """Julian day number of a date; ValueError for one that no calendar has."""
    shift = (14 - month) // 12
    y, m = year + 4800 - shift, month + 12 * shift - 3
    number = day + (153 * m + 2) // 5 + 365 * y + y // 4
    number -= 32083 if (year, month, day) < (1582, 10, 15) else y // 100 - y // 400 + 32045
    if year < 1 or _civil(number) != (year, month, day):
        raise ValueError((year, month, day))
    return number


def _civil(number: int) -> tuple[int, int, int]:
    """Year, month and day of a Julian day number (E. G. Richards, in the Explanatory Supplement, 2013)."""
    f = number + 1401
    if number >= _FIRST_GREGORIAN:
        f += (4 * number + 274277) // 146097 * 3 // 4 - 38
    e = 4 * f + 3
    h = 5 * (e % 1461 // 4) + 2
    month = (h // 153 + 2) % 12 + 1
    return e // 1461 - 4716 + (14 - month) // 12, month, h % 153 // 5 + 1
