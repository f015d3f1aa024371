"""ARFF once more, character by character: slow, short, from Weka's rules alone, to judge the fast reader by.

``StreamTokenizer`` as Weka sets it up: characters up to the blank, and commas, part tokens; ``%`` starts a remark;
quotes hold escapes; braces are tokens. Where Weka would lose something this reader refuses, too.
"""

from __future__ import annotations

import math
import re
from typing import Any

Token = tuple[str, str]  # the text, and how it stands: "word", "quoted" or "brace"
NUMBER = re.compile(r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|Infinity)[fFdD]?")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class Refused(Exception):  # noqa: N818
    """The file is not ARFF, or would be read with a loss."""


def read(content: bytes) -> dict[str, Any]:
    """Relation, attributes, rows and weights, as ``treeforge data show --json`` has them."""
    if content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
    lines = [tokens(line) for line in re.split(rb"\r\n|\r|\n", content)]
    place = 0
    relation = None
    attributes: list[dict[str, Any]] = []
    keel = False
    while True:
        if place == len(lines):
            raise Refused("no @data")
        line = opened(lines[place])
        place += 1
        if not line or line == [("", "commas")]:
            continue
        keyword = text(line[0]).lower() if line[0][1] == "word" else ""
        if relation is None:
            if keyword != "@relation" or len(line) != 2 or line[1][1] == "brace":
                raise Refused("@relation")
            relation = text(line[1])
        elif keyword == "@attribute":
            attributes.append(declaration(line))
        elif keyword in ("@input", "@inputs", "@output", "@outputs"):
            [text(token) for token in line[1:] if keyword.startswith("@output")]
            keel = True
        elif keyword == "@data":
            break
        else:
            raise Refused("keyword")
    names = [attribute["name"] for attribute in attributes]
    if not names or len(set(names)) < len(names):
        raise Refused("names")
    rows, weights = [], []
    for unopened in [line[1:], *lines[place:]]:
        line = opened(unopened)
        if line == [("", "commas")]:
            raise Refused("a row of empty fields")
        if line:
            row, weight = parsed_row(line, attributes, keel)
            rows.append(row)
            weights.append(weight)
    return {"relation": relation, "attributes": attributes, "rows": rows, "weights": weights}


def tokens(raw: bytes) -> list[Token] | Refused:
    """The tokens of a line, or what is wrong with it: that counts when its turn comes."""
    try:
        return split(raw.decode("utf-8", "surrogateescape"))
    except Refused as fault:
        return fault


def opened(line: list[Token] | Refused) -> list[Token]:
    if isinstance(line, Refused):
        raise line
    return list(line)


def split(line: str) -> list[Token]:
    found: list[Token] = []
    i = 0
    commas = False
    while i < len(line):
        c = line[i]
        if c <= " " or c == ",":
            commas |= c == ","
            i += 1
        elif c == "%":
            break
        elif c in "{}":
            found.append((c, "brace"))
            i += 1
        elif c in "'\"":
            value = ""
            i += 1
            while True:
                if i >= len(line):
                    raise Refused("unclosed")
                if line[i] == c:
                    break
                if line[i] == "\\":
                    if i + 1 >= len(line):
                        raise Refused("unclosed")
                    octal = re.match(r"[0-3][0-7][0-7]|[0-7][0-7]?", line[i + 1 :])
                    if octal:
                        value += chr(int(octal[0], 8))
                        i += 1 + len(octal[0])
                    else:
                        value += ESCAPES.get(line[i + 1], line[i + 1])
                        i += 2
                else:
                    value += line[i]
                    i += 1
            i += 1
            if i < len(line) and not (line[i] <= " " or line[i] in ",%{}"):
                raise Refused("glued")
            found.append((value, "quoted"))
        else:
            start = i
            while i < len(line) and line[i] > " " and line[i] not in ",%{}'\"":
                i += 1
            if i < len(line) and line[i] in "'\"":
                raise Refused("glued")
            found.append((line[start:i], "word"))
    return found or ([("", "commas")] if commas else [])


def text(token: Token) -> str:
    try:
        return token[0].encode("utf-8", "surrogateescape").decode()
    except UnicodeDecodeError:
        raise Refused("not UTF-8") from None


def declaration(line: list[Token]) -> dict[str, Any]:
    if len(line) < 3 or line[1][1] == "brace":
        raise Refused("declaration")
    name = text(line[1])
    if line[2] == ("{", "brace"):
        if ("}", "brace") not in line[3:]:
            raise Refused("open list")
        end = line.index(("}", "brace"), 3)
        if any(token[1] == "brace" for token in line[3:end]):
            raise Refused("brace in list")
        values = [text(token) for token in line[3:end]]
        if len(set(values)) < len(values):
            raise Refused("twice")
        rest = line[end + 1 :]
        if rest and rest[0] != ("{", "brace"):
            raise Refused("behind the list")
        check_attribute_weight(rest)
        return {"name": name, "type": "nominal", "values": values}
    if line[2][1] == "brace":
        raise Refused("type")
    kind = text(line[2]).split("[")[0].lower()
    if kind in ("numeric", "real", "integer", "string"):
        check_attribute_weight(line[3:])
        return {"name": name, "type": "string" if kind == "string" else "numeric"}
    raise Refused("type")


def check_attribute_weight(rest: list[Token]) -> None:
    if rest and rest[0] == ("{", "brace"):
        if len(rest) < 3 or rest[1][1] == "brace" or rest[2] != ("}", "brace"):
            raise Refused("weight")
        number(text(rest[1]))


def parsed_row(line: list[Token], attributes: list[dict[str, Any]], keel: bool) -> tuple[list[Any], float]:
    if line[0] == ("{", "brace"):
        row = []
        line.pop(0)
        given: dict[int, Any] = {}
        while True:
            if not line:
                raise Refused("open row")
            index = line.pop(0)
            if index == ("}", "brace"):
                break
            if index[1] != "word" or not re.fullmatch("[0-9]+", index[0]) or not line:
                raise Refused("index")
            i = int(index[0])
            if i >= len(attributes) or (given and i <= max(given)):
                raise Refused("index")
            given[i] = parsed_value(line.pop(0), attributes[i], keel)
        for i, attribute in enumerate(attributes):
            if i in given:
                row.append(given[i])
            elif attribute["type"] == "string" or attribute.get("values") == []:
                raise Refused("omitted")
            else:
                row.append(0 if attribute["type"] == "numeric" else attribute["values"][0])
    else:
        if len(line) < len(attributes):
            raise Refused("short")
        row = [parsed_value(line.pop(0), attribute, keel) for attribute in attributes]
    weight = 1.0
    if line and line[0] == ("{", "brace"):
        if len(line) < 3 or line[1][1] == "brace" or line[2] != ("}", "brace"):
            raise Refused("weight")
        weight = number(text(line[1]))
        if not 0 <= weight < math.inf:
            raise Refused("weight")
        del line[:3]
    if line:
        raise Refused("surplus")
    return row, weight


def parsed_value(token: Token, attribute: dict[str, Any], keel: bool) -> Any:
    if token[1] in ("brace", "commas"):
        raise Refused("no value")
    if token == ("?", "word"):
        return None
    if keel and token == ("<null>", "word") and "<null>" not in attribute.get("values", ()):
        return None
    value = text(token)
    if attribute["type"] == "nominal":
        if value not in attribute["values"]:
            raise Refused("undeclared")
        return value
    if attribute["type"] == "string":
        return value
    found = number(value)
    return None if math.isnan(found) else found


def number(value: str) -> float:
    value = value.strip("".join(map(chr, range(33))))
    if re.fullmatch("[+-]?NaN", value):
        return math.nan
    if re.fullmatch(r"[+-]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFdD]?", value):
        try:
            return float.fromhex(value.rstrip("fFdD"))
        except OverflowError:
            return -math.inf if value[0] == "-" else math.inf
    if not NUMBER.fullmatch(value):
        raise Refused("number")
    return float(value.rstrip("fFdD"))
