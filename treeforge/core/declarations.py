"""``kernel.pxd`` for those who do not write Cython: as a C header, and as NumPy's record types.

The structs are written down once, in ``kernel.pxd``. ``setup.py`` turns them into ``kernel.h`` when the package is
built; Numba gets them as record types, with pointers as whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

HERE = Path(__file__).resolve().parent
PREFIX = "Tf"

_STRUCT = re.compile(r"cdef struct (\w+)(:?)")
_ENUM = re.compile(r"cdef enum( \w+)?:")
_TYPEDEF = re.compile(r"ctypedef (.+?)(?: noexcept nogil)?\s*(?:#.*)?$")
_FUNCTION = re.compile(r"(.+?)\(\*(\w+)\)\((.*)\)(?: noexcept nogil)?$")
_NUMBERS = {
    "int": "i4", "double": "f8", "int32_t": "i4", "uint8_t": "u1", "uint16_t": "u2", "uint32_t": "u4",
    "uint64_t": "u8", "index_t": "i4", "size_t": "u8",
}  # fmt: skip


def get_include() -> str:
    """The folder for compilers: ``cimport treeforge.core.kernel``, ``#include "treeforge/core/kernel.h"``."""
    return str(HERE.parent.parent)


@dataclass(frozen=True)
class Field:
    """One field of a struct: its type as C writes it, its name, and what is said of it."""

    type: str
    name: str
    comment: str = ""

    @property
    def is_pointer(self) -> bool:
        return "*" in self.type or self.type.endswith("_function") or "(" in self.type


@dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[Field, ...]
    comment: str = ""


@dataclass(frozen=True)
class Declarations:
    """What ``kernel.pxd`` declares, in its order.

    Parameters
    ----------
    lines : tuple of str
        The declarations as C, a blank line between groups.
    structs : dict of str to Struct
    constants : dict of str to int
    """

    lines: tuple[str, ...]
    structs: dict[str, Struct]
    constants: dict[str, int]


@cache
def declarations(path: Path = HERE / "kernel.pxd") -> Declarations:
    """Read the declarations; inline functions are left out."""
    source = path.read_text(encoding="utf-8").splitlines()
    names = {found[1] for line in source if (found := _STRUCT.match(line))}
    lines: list[str] = []
    structs: dict[str, Struct] = {}
    constants: dict[str, int] = {}
    for head, body in _blocks(source):
        if found := _STRUCT.match(head):
            name = f"{PREFIX}{found[1]}"
            if not found[2]:
                lines += [f"typedef struct {name} {name};", ""]
                continue
            fields, text = _fields(body, names)
            structs[found[1]] = Struct(found[1], tuple(fields), _comment(head))
            opening = (
                f"struct {name} {{"
                if f"typedef struct {name} {name};" in lines
                else f"typedef struct {name} {{"
            )
            ending = "};" if opening.startswith("struct") else f"}} {name};"
            lines += [_with(opening, _comment(head)), *text, ending, ""]
        elif _ENUM.match(head):
            values = [line.split("#")[0].split("=") for line in body if "=" in line.split("#")[0]]
            constants |= {key.strip(): int(value) for key, value in values}
            lines += [_with("enum {", _comment(head))]
            lines += [
                f"    {_with(f'TF_{key.strip()} = {int(value)},', _comment(line))}"
                for (key, value), line in zip(
                    values, [line for line in body if "=" in line.split("#")[0]], strict=True
                )
            ]
            lines += ["};", ""]
        elif found := _TYPEDEF.match(head):
            lines += [f"typedef {_c(found[1], names)};"]
        elif head.startswith("#"):
            lines += [f"/*{head[1:]} */"]
    return Declarations(tuple(lines), structs, constants)


def _blocks(source: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each line at the margin with the indented ones below it; a statement in parentheses is one line."""
    number = 0
    while number < len(source):
        head = source[number]
        number += 1
        if not head or head[0].isspace():
            continue
        while head.count("(") > head.count(")") and number < len(source):
            head += " " + source[number].strip()
            number += 1
        body = []
        while number < len(source) and (not source[number] or source[number][0].isspace()):
            body.append(source[number].strip())
            number += 1
        yield head, body


def _fields(body: list[str], names: set[str]) -> tuple[list[Field], list[str]]:
    """The fields of a struct, and their lines in C; a comment on a line of its own stays there."""
    fields, text = [], []
    for line in body:
        code, comment = line.split("#")[0].strip(), _comment(line)
        if not code:
            if comment:
                text.append(f"    /* {comment} */")
            continue
        if found := _FUNCTION.match(code):
            field = Field(_c(f"{found[1]}(*)({found[3]})", names), found[2], comment)
            declared = _c(f"{found[1]}(*{found[2]})({found[3]})", names)
        else:
            kind, _, name = code.rpartition(" ")
            field = Field(_c(kind, names), name, comment)
            declared = f"{field.type} {name}"
        fields.append(field)
        text.append(f"    {_with(declared + ';', comment)}")
    return fields, text


def _c(code: str, names: set[str]) -> str:
    """A type of Cython as C has it."""
    return re.sub(r"\b(\w+)\b", lambda m: PREFIX + m[1] if m[1] in names else m[1], code).replace(
        " noexcept nogil", ""
    )


def _comment(line: str) -> str:
    return line.partition("#")[2].strip()


def _with(code: str, comment: str) -> str:
    return f"{code}  /* {comment} */" if comment else code


def header() -> str:
    """The C header: the declarations, and the small functions of ``kernel_inline.h`` behind them."""
    return _HEADER.format("\n".join(declarations().lines))


_HEADER = """\
/* Made from kernel.pxd when TreeForge is built: what a kernel sees and answers. The meaning of every field is said
 * there; names begin with Tf here, constants with TF_. */
#ifndef TREEFORGE_KERNEL_H
#define TREEFORGE_KERNEL_H
#include <Python.h>
#include <stdint.h>
#include <string.h>

{}
#include "kernel_inline.h"
#endif
"""


def write_header(folder: Path = HERE) -> None:
    """Write ``kernel.h``, if it is not there as it should be: its time decides what is compiled again."""
    path, text = folder / "kernel.h", header()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


@cache
def record(name: str) -> np.dtype[Any]:
    """The record type of a struct, laid out as a C compiler does; pointers are whole numbers.

    Examples
    --------
    >>> record("Split").names[:3]
    ('n_branches', 'n_cuts', 'closed_left')
    """
    import numpy as np

    fields = declarations().structs[name].fields
    return np.dtype([(f.name, "u8" if f.is_pointer else _NUMBERS[f.type]) for f in fields], align=True)
