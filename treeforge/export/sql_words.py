"""Names, texts and numbers in SQL, as SQLite, DuckDB, PostgreSQL and others read them alike."""

from __future__ import annotations

import math

from treeforge.errors import ModelError
from treeforge.export.numbers import shortest


def most_probable(classes: tuple[str, ...], owner: str) -> str:
    """The first of the most probable classes; NULL when all are 0."""
    lines = []
    for c in classes:
        own = owner + probability(c)
        tests = [f"{own} > 0"] + [f"{own} >= {owner}{probability(o)}" for o in classes if o != c]
        lines.append(f"    WHEN {' AND '.join(tests)} THEN {literal(c)}")
    return "  CASE\n" + "\n".join(lines) + "\n  END"


def probability(class_name: str) -> str:
    """The column with the probability of a class."""
    return quoted(f"probability of {class_name}")


def quoted(name: str) -> str:
    """The name of a column or a table."""
    if "\0" in name or not name:
        raise ModelError("a column without a name, or with a NUL character in it, cannot be written in SQL")
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text."""
    if "\0" in text:
        raise ModelError("a category with a NUL character in it cannot be written in SQL")
    return "'" + text.replace("'", "''") + "'"


def double(value: float) -> str:
    """A literal that is a double everywhere: without an exponent DuckDB takes it for a decimal."""
    text = shortest(value)
    return text if "e" in text else (text if "." in text else text + ".0") + "e0"


def threshold(value: float) -> str:
    """A threshold, exact to the last bit in databases that read only 15 digits exactly, as SQLite does."""
    digits = shortest(abs(value)).split("e")[0].replace(".", "").strip("0")
    if len(digits) <= 15 and (value == 0 or 1e-15 <= abs(value) < 1e22):
        return double(value)
    mantissa, exponent = math.frexp(value)
    whole, power = int(mantissa * 2**53), exponent - 53
    while whole % 2 == 0 and power < 0:
        whole, power = whole // 2, power + 1
    factors = [2 ** min(abs(power) - done, 49) for done in range(0, abs(power), 49)]
    text = f"{whole}.0e0"
    for factor in factors:
        text += f" {'*' if power > 0 else '/'} {factor}.0e0"
    return f"({text})"


def commas(items: list[str], indent: int = 0) -> str:
    """A list over several lines."""
    return (",\n" + " " * indent).join(items)
