"""Splitter kernels compiled by Numba: its view of the structs, and the capsule that the loop takes.

A kernel is a function at the level of a module, compiled by ``numba.cfunc(PROPOSE)``. Pointers are whole
numbers there: ``at(address, kind)`` is what stands at an address, ``at(address, kind, i)`` the i-th of
several, and ``put(address, kind, i, value)`` writes it. Kinds are ``"Node"``, ``"Split"``, ``"Column"``,
``"Counts"`` (records, whose fields can be read and set), or numbers: ``"f8"``, ``"i4"``, ``"u1"``, ``"u2"``,
``"u4"``, ``"u8"``. What the fields mean stands in ``treeforge/core/kernel.pxd``.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from treeforge.core.capsule import sizes, splitter_capsule
from treeforge.core.declarations import declarations, record
from treeforge.errors import PluginError

#: signature of ``propose(params, node, attribute, out)``; it returns 0, or a number below 0 to end growing
PROPOSE = types.int32(types.uintp, types.uintp, types.int32, types.uintp)

_NUMBERS = {
    "f8": types.float64, "i4": types.int32, "u1": types.uint8, "u2": types.uint16, "u4": types.uint32,
    "u8": types.uint64,
}  # fmt: skip
_RECORDS = {name: numba.from_dtype(record(name)) for name in declarations().structs}

for _name, _size in sizes().items():
    if record(_name).itemsize != _size:  # the package was installed in parts
        raise PluginError(
            f"{_name} has {_size} bytes in the core and {record(_name).itemsize} in kernel.pxd: install again"
        )


def at(address: int, kind: str, place: int = 0) -> Any:
    """What stands at an address; for compiled functions only."""
    raise TypeError("at() is for functions that Numba compiles")


def put(address: int, kind: str, place: int, value: float) -> None:
    """Write a number to an address; for compiled functions only."""
    raise TypeError("put() is for functions that Numba compiles")


def _element(builder: Any, address: Any, place: Any, size: int, pointer: Any) -> Any:
    """Pointer to the element at a place."""
    offset = builder.mul(place, ir.Constant(place.type, size))
    return builder.inttoptr(builder.add(address, offset), pointer)


def _reader(kind: str) -> Any:
    """The function that reads one kind: a record is looked at where it stands, a number is fetched."""
    is_record = kind in _RECORDS
    found = _RECORDS[kind] if is_record else _NUMBERS[kind]
    size = record(kind).itemsize if is_record else np.dtype(kind).itemsize

    @intrinsic
    def read(typing: Any, address: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            value = context.get_value_type(found)
            if is_record:
                return _element(builder, *arguments, size, value)
            return builder.load(_element(builder, *arguments, size, value.as_pointer()))

        return found(types.uintp, types.intp), generate

    return read


def _writer(kind: str) -> Any:
    found, size = _NUMBERS[kind], np.dtype(kind).itemsize

    @intrinsic
    def write(typing: Any, address: Any, place: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start, place, value = arguments
            builder.store(value, _element(builder, start, place, size, value.type.as_pointer()))
            return context.get_dummy_value()

        return types.void(types.uintp, types.intp, found), generate

    return write


_READERS = {kind: _reader(kind) for kind in (*_RECORDS, *_NUMBERS)}
_WRITERS = {kind: _writer(kind) for kind in _NUMBERS}


@overload(at, prefer_literal=True)
def _at(address: Any, kind: Any, place: Any = 0) -> Any:
    if not isinstance(kind, types.StringLiteral) or kind.literal_value not in _READERS:
        return None
    read = _READERS[kind.literal_value]

    def compiled(
        address: Any, kind: Any, place: Any = 0
    ) -> Any:  # Numba wants the same names and annotations
        return read(address, place)

    return compiled


@overload(put, prefer_literal=True)
def _put(address: Any, kind: Any, place: Any, value: Any) -> Any:
    if not isinstance(kind, types.StringLiteral) or kind.literal_value not in _WRITERS:
        return None
    write = _WRITERS[kind.literal_value]

    def compiled(address: Any, kind: Any, place: Any, value: Any) -> Any:
        return write(address, place, value)

    return compiled


@intrinsic
def _call(typing: Any, function: Any, node: Any, attribute: Any, split: Any) -> Any:
    """Call a function of the node at its address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, number = context.get_value_type(types.uintp), context.get_value_type(types.int32)
        kind = ir.FunctionType(ir.VoidType(), [word, number, word])
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), list(arguments[1:]))
        return context.get_dummy_value()

    return types.void(types.uintp, types.uintp, types.int32, types.uintp), generate


@numba.njit
def score(node: int, attribute: int, out: int) -> None:
    """Have the loop score a split: it counts the classes, applies ``min_branch`` and asks the criterion."""
    _call(at(node, "Node").score, node, attribute, out)


@numba.njit
def set_threshold(out: Any, cut: float) -> None:
    """Two branches: value <= cut, value > cut."""
    out.n_branches = 2
    out.n_cuts = 1
    out.closed_left = 0
    out.identity = 1
    out.settle = 0
    put(out.cuts, "f8", 0, cut)


@numba.njit
def uniform(node: Any) -> float:
    """A number in [0, 1) from the tree's random stream."""
    state = at(node.random, "u8") + np.uint64(0x9E3779B97F4A7C15)
    put(node.random, "u8", 0, state)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return float((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def make_splitter(
    propose: Any,
    params: np.ndarray[Any, Any] | None = None,
    *,
    max_cuts: int = 1,
    needs_rows: bool = True,
    needs_numbers: bool = False,
    counts_suffice: bool = False,
) -> object:
    """The capsule of a kernel.

    Parameters
    ----------
    propose : what ``numba.cfunc(PROPOSE)`` made of a function
        Kept by its module: the capsule knows its address only.
    params : ndarray, optional
        Copied; the kernel finds it at the address ``params``.
    max_cuts : int
        The most cuts that a numeric split has: at most 65,533, since branches are 16-bit numbers.
    needs_rows : bool
        Whether it reads ``node.rows``, and plain values through them.
    needs_numbers : bool
        Whether it takes columns of many values as they are (``node.numbers``): nothing is sorted then.
    counts_suffice : bool
        Whether it reads columns of few values through ``node.count`` or ``node.score`` alone: ``node.bytes`` of some
        two-valued ones is 0 then.
    """
    data = b"" if params is None else np.ascontiguousarray(params).tobytes()
    constants = declarations().constants
    needs = constants["NEEDS_ROWS"] * needs_rows + constants["NEEDS_NUMBERS"] * needs_numbers
    needs += constants["COUNTS_SUFFICE"] * counts_suffice
    return splitter_capsule(propose.address, 0, max_cuts, needs, data)
