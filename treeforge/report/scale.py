"""From numbers to places on an axis, and the ticks that people like to read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Maps ``low .. high`` onto ``start .. stop``; with ``log`` equal ratios are equal lengths."""

    low: float
    high: float
    start: float
    stop: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value."""
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.stop - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Round values inside the range, at most ``most``; on a log scale 1, 2, 5 of each decade, or decades."""
        if self.log:
            return _log_ticks(self.low, self.high, most)
        return _linear_ticks(self.low, self.high, most)


def around(
    values: Sequence[float], start: float, stop: float, *, log: bool = False, margin: float = 0.06
) -> Scale:
    """A scale with all values inside, and air around them."""
    low, high = min(values), max(values)
    if log and low > 0:
        ratio = max((high / low) ** margin, 1.05)
        return Scale(low / ratio, high * ratio, start, stop, True)
    air = (high - low) * margin or abs(high) * 0.01 or 0.5
    return Scale(low - air, high + air, start, stop)


def _linear_ticks(low: float, high: float, most: int) -> list[float]:
    if not high > low:
        return [low]
    raw = (high - low) / max(most, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [float(f"{i * step:.12g}") for i in range(first, last + 1)]


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for digits in ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{d * 10.0**p:.12g}") for p in powers for d in digits if low <= d * 10.0**p <= high]
        if 1 < len(ticks) <= most:
            return ticks
    decades = [10.0**p for p in powers if low <= 10.0**p <= high]
    if len(decades) > most:
        return decades[:: math.ceil(len(decades) / most)]
    return decades if len(decades) > 1 else _linear_ticks(low, high, most)


def tick_text(value: float) -> str:
    """A tick's label without needless digits."""
    if value and not 1e-4 <= abs(value) < 1e6:
        mantissa, power = f"{value:.0e}".split("e")
        digits = {"-": "⁻", **{str(i): "⁰¹²³⁴⁵⁶⁷⁸⁹"[i] for i in range(10)}}
        raised = "".join(digits[c] for c in str(int(power)))
        return f"{'' if mantissa == '1' else mantissa + '·'}10{raised}"
    return f"{value:.10g}".replace("-", "−")
