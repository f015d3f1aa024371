"""What a model file is made of: JSON's own types, checked one by one when they are read."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeforge.errors import ModelError


def plain(value: Any, where: str) -> Any:
    """JSON's own types for a value made of dicts, sequences, arrays and numbers; NaN becomes null."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item, where) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item, f"{where}.{key}") for key, item in value.items()}
    raise ModelError(f"{where} holds a {type(value).__name__}, which a model file cannot keep")


def compact(value: Any) -> str:
    """A value on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


def numbers(array: NDArray[Any]) -> list[Any]:
    """An array as a list. Whole doubles become 50, not 50.0: most weights are whole, and the text is half as long."""
    flat = array.ravel()
    if flat.dtype.kind != "f":
        whole: list[Any] = flat.tolist()
        return whole
    if not np.isfinite(flat).all():
        raise ModelError("a model with a number that is not finite cannot be saved")
    short = (flat == np.floor(flat)) & (np.abs(flat) < 2**53) & ~((flat == 0) & np.signbit(flat))
    return [int(x) if s else x for x, s in zip(flat.tolist(), short.tolist(), strict=True)]


def get(owner: dict[str, Any], name: str, kind: type[Any], where: str) -> Any:
    """What stands under a key, which must be of that type."""
    value = owner.get(name)
    if type(value) is not kind:
        what = "is missing" if name not in owner else f"is no {kind.__name__}"
        raise ModelError(f"'{name}' of {where} {what}")
    return value


def array(listed: list[Any], kind: type[Any], where: str) -> NDArray[Any]:
    """A list as an array; every item must be a number of that kind that fits."""
    allowed = {int, float} if kind is np.float64 else {int}
    if not set(map(type, listed)) <= allowed:
        wrong = next(x for x in listed if type(x) not in allowed)
        raise ModelError(
            f"{where} holds {wrong!r:.40} where a{' whole' if allowed == {int} else ''} number is expected"
        )
    try:
        found = np.array(listed, dtype=kind if kind is np.float64 else np.int64)
    except OverflowError:
        raise ModelError(f"{where} holds a number that is too large") from None
    if kind is np.float64:
        if not np.isfinite(found).all():
            raise ModelError(f"{where} holds a number that is not finite")
    elif found.size and (found.min() < np.iinfo(kind).min or found.max() > np.iinfo(kind).max):
        raise ModelError(f"{where} holds a number that is too large")
    return found.astype(kind, copy=False)
