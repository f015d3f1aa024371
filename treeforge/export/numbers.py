"""Numbers on paper: as Weka prints them, and in the shortest form that restores the double."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

_SIX = Decimal("0.000001")
_WIDE = Context(prec=400)  # the largest double has 309 digits before the point


def java_double(value: float) -> str:
    """A double as Java's ``Double.toString`` writes it.

    Examples
    --------
    >>> java_double(50), java_double(2.67), java_double(1e7), java_double(0.00012)
    ('50.0', '2.67', '1.0E7', '1.2E-4')
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return format(Decimal(repr(float(value))), "f")
    sign, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    return f"{'-' * sign}{text[0]}.{text[1:] or '0'}E{exponent + len(text) - 1}"


def weka_number(value: float) -> str:
    """A threshold as Weka prints it: at most six decimals, half up from the exact binary value.

    Examples
    --------
    >>> weka_number(2.5), weka_number(10000000000000002.0), weka_number(-1e-9), weka_number(0.0000005)
    ('2.5', '10000000000000002', '-0', '0')
    """
    if not math.isfinite(value):
        return java_double(value)
    text = format(Decimal(value).quantize(_SIX, ROUND_HALF_UP, _WIDE), "f")
    return text.rstrip("0").rstrip(".")


def shortest(value: float) -> str:
    """The shortest text that a reader turns into the same double; whole numbers without a point.

    Examples
    --------
    >>> shortest(3.25e-06), shortest(5.0), shortest(0.1), shortest(float("-inf"))
    ('3.25e-06', '5', '0.1', '-inf')
    """
    text = repr(float(value))
    return text.removesuffix(".0")


def brief(value: float) -> str:
    """A number for a picture: all of it when it is short, otherwise six significant digits.

    Examples
    --------
    >>> brief(0.800000011920929), brief(3.25e-06), brief(123456789.25), brief(1.6e12)
    ('0.8', '3.25e-06', '123456789', '1600000000000')
    """
    text = shortest(value)
    if len(text) <= 9:
        return text
    return f"{value:.0f}" if 1e5 <= abs(value) < 1e15 else f"{value:.6g}"


def date(milliseconds: float) -> str:
    """A date attribute's value in ISO 8601, in UTC; midnight as the day alone.

    Examples
    --------
    >>> date(1616895000000), date(0), date(1e300)
    ('2021-03-28T01:30:00', '1970-01-01', '1e+300')
    """
    try:
        moment = datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return shortest(milliseconds)
    return moment.isoformat().removesuffix("T00:00:00")


def weka_weight(value: float) -> str:
    """A weight of cases as J48 prints it: rounded to two decimals, ``.0`` kept.

    Examples
    --------
    >>> weka_weight(50.0), weka_weight(2.666667), weka_weight(0.005)
    ('50.0', '2.67', '0.01')
    """
    return java_double(math.floor(100 * value + 0.5) / 100)
