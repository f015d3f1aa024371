"""A model as a function in another language: Python, C, Java, JavaScript, without dependencies.

Each file is the arrays of ``flat`` and a walk over them that does what ``core.tree`` does, operation for
operation: unknown values go down every branch by their shares, and the probabilities are the same bits. The
walk keeps its own stack, so trees may be as deep as they like.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any

from treeforge.errors import ModelError
from treeforge.export.flat import Flat, flatten
from treeforge.export.numbers import shortest
from treeforge.export.subject import subject
from treeforge.export.text import to_text

_DOUBLES = ("cuts", "share", "answers", "weights")
_WHOLES = (
    "roots",
    "attribute",
    "first_child",
    "n_branches",
    "closed_left",
    "cut_start",
    "cell_start",
    "branch_of",
    "empty",
    "answer",
)


def to_python(model: Any, schema: Any = None) -> str:
    """A Python module with ``predict(case)`` and ``predict_proba(case)``; a case is a mapping by name."""
    flat = flatten(model, schema)
    lines = [f"{name.upper()} = {_row(values)}" for name, values in _arrays(flat)]
    lines.append(f"INPUTS = {_python_words(a.name for a in flat.inputs)}")
    lines.append(f"CLASSES = {_python_words(flat.classes)}")
    groups = (f"    {_python_words(a.categories) if a.is_nominal else None},\n" for a in flat.inputs)
    lines.append("CATEGORIES = (\n" + "".join(groups) + ")")
    lines += [f"SINGLE_TREE = {flat.single}", f"VOTES = {flat.votes}"]
    return _fill("python", "# ", model, schema, DATA="\n".join(lines))


def to_javascript(model: Any, schema: Any = None) -> str:
    """A script for browsers and Node.js; cases are objects, Maps or arrays."""
    flat = flatten(model, schema)
    lines = [f"const {name.upper()} = {_row(values)};" for name, values in _arrays(flat)]
    lines.append(f"const INPUTS = {_script([a.name for a in flat.inputs])};")
    lines.append(f"const CLASSES = {_script(list(flat.classes))};")
    groups = [list(a.categories) if a.is_nominal else None for a in flat.inputs]
    lines.append(f"const CATEGORIES = {_script(groups)};")
    lines.append(f"const SINGLE_TREE = {_lower(flat.single)}, VOTES = {_lower(flat.votes)};")
    return _fill("javascript", "// ", model, schema, DATA="\n".join(lines))


def to_c(model: Any, schema: Any = None, *, prefix: str = "tree") -> str:
    """A C99 file; ``PREFIX_predict(x, probabilities)`` and ``PREFIX_code(input, category)``.

    ``x`` has one double an input: a number, or the code of a category; NaN, or a code below 0, is unknown.
    """
    _identifier(prefix, "a C prefix")
    flat = flatten(model, schema)
    lines = []
    for name, values in _arrays(flat):
        kind = "double" if name in _DOUBLES else "int32_t"
        lines.append(f"static const {kind} {name}[] = {{{_wrapped(values or [0])}}};")
    lines.append(f"static const char *const input_names[] = {{{_c_words(a.name for a in flat.inputs)}}};")
    lines.append(f"static const char *const class_names[] = {{{_c_words(flat.classes)}}};")
    for place, attribute in enumerate(flat.inputs):
        if attribute.categories:
            lines.append(
                f"static const char *const categories_{place}[] = {{{_c_words(attribute.categories)}}};"
            )
    tables = (f"categories_{i}" if a.categories else "NULL" for i, a in enumerate(flat.inputs))
    lines.append(f"static const char *const *const categories[] = {{{', '.join(tables) or 'NULL'}}};")
    counts = [len(a.categories) if a.is_nominal else -1 for a in flat.inputs]
    lines.append(f"static const int32_t n_categories[] = {{{_wrapped(counts or [0])}}};")
    return _fill(
        "c",
        "// ",
        model,
        schema,
        DATA="\n".join(lines),
        PREFIX=prefix,
        N_INPUTS=str(len(flat.inputs)),
        N_CLASSES=str(len(flat.classes)),
        N_TREES=str(len(flat.roots)),
        DEPTH=str(flat.depth + 1),
        SINGLE_TREE=str(int(flat.single)),
        VOTES=str(int(flat.votes)),
    )


def to_java(model: Any, schema: Any = None, *, name: str = "TreeModel") -> str:
    """A Java class (8 or later); ``predict`` and ``predictProba`` take an array or a Map by name."""
    _identifier(name, "a Java class")
    flat = flatten(model, schema)
    lines = []
    for field, values in _arrays(flat):
        kind, reader = ("double", "doubles") if field in _DOUBLES else ("int", "ints")
        lines.append(f"    private static final {kind}[] {field.upper()} = {reader}({_java_chunks(values)});")
    lines.append(f"    private static final String[] INPUTS = {_java_words(a.name for a in flat.inputs)};")
    lines.append(f"    private static final String[] CLASSES = {_java_words(flat.classes)};")
    groups = (_java_words(a.categories) if a.is_nominal else "null" for a in flat.inputs)
    lines.append(
        "    private static final String[][] CATEGORIES = {\n        "
        + ",\n        ".join(groups)
        + "\n    };"
    )
    lines.append(
        f"    private static final boolean SINGLE_TREE = {_lower(flat.single)}, VOTES = {_lower(flat.votes)};"
    )
    return _fill("java", "// ", model, schema, DATA="\n".join(lines), NAME=name)


def _fill(language: str, comment: str, model: Any, schema: Any, **parts: str) -> str:
    """The language's template with its parts; the printed tree of a small model stands in the head."""
    template = files("treeforge.export").joinpath(f"templates/{language}.txt").read_text(encoding="utf-8")
    found = subject(model, schema)
    head = ["Generated by TreeForge. Unknown values go down every branch by their shares."]
    if sum(tree.n_nodes for tree in found.trees) <= 200:
        head += ["", *to_text(found).splitlines()]
    text = template.replace("@HEAD@", "\n".join((comment + _quiet(line)).rstrip() for line in head))
    for key, value in parts.items():
        text = text.replace(f"@{key}@", value) if key != "DATA" else text
    return text.replace("@DATA@", parts["DATA"])  # last: names in it may look like a part


def _arrays(flat: Flat) -> list[tuple[str, list[Any]]]:
    return [(name, getattr(flat, name)) for name in (*_WHOLES, *_DOUBLES)]


def _row(values: list[Any]) -> str:
    return "[" + ",".join(shortest(v) if isinstance(v, float) else str(v) for v in values) + "]"


def _wrapped(values: list[Any], width: int = 20) -> str:
    texts = [shortest(v) if isinstance(v, float) else str(v) for v in values]
    return ",\n".join(",".join(texts[i : i + width]) for i in range(0, len(texts), width))


def _lower(value: bool) -> str:
    return str(value).lower()


def _quiet(line: str) -> str:
    """A line that cannot end, open or continue anything in a comment of any of the languages."""
    plain = "".join(c if c.isprintable() else "·" for c in line)
    return (
        plain.replace("\\", "⧵").replace("?", "？").replace("</", "<⧸").replace("-->", "→").replace("@", "＠")
    )


def _identifier(name: str, what: str) -> None:
    if not (name.isascii() and name.isidentifier()):
        raise ModelError(f"{what} cannot be called '{name}': letters, digits and _ only, a letter first")


def _python_words(words: Iterable[str]) -> str:
    items = [ascii(word) for word in words]
    return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"


def _script(value: Any) -> str:
    """JSON that may stand between script tags."""
    return json.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e")


def _c_words(words: Iterable[str]) -> str:
    def quoted(word: str) -> str:
        safe = {*range(32, 127)} - {ord('"'), ord("\\"), ord("?")}
        return '"' + "".join(chr(b) if b in safe else f"\\{b:03o}" for b in word.encode()) + '"'

    return ", ".join(map(quoted, words)) or '""'


def _java_text(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\"}

    def one(unit: int) -> str:
        char = chr(unit)
        if " " <= char <= "~":
            return escapes.get(char, char)
        # \\u000a would be read as the end of the line, before anything else is
        return f"\\{unit:03o}" if unit < 128 else f"\\u{unit:04x}"

    raw = text.encode("utf-16-be", "surrogatepass")
    return '"' + "".join(one(raw[i] << 8 | raw[i + 1]) for i in range(0, len(raw), 2)) + '"'


def _java_words(words: Iterable[str]) -> str:
    """Texts as the template's ``words`` reads them: lengths in UTF-16 units, chunks below 64 KB."""
    together = "".join(f"{len(word.encode('utf-16-be', 'surrogatepass')) // 2}:{word}" for word in words)
    chunks = (_java_text(together[i : i + 10_000]) for i in range(0, len(together), 10_000))
    return f"words({', '.join(chunks)})"


def _java_chunks(values: list[Any]) -> str:
    """Numbers as texts of less than 64 KB, the most that a Java constant may have."""
    texts = [shortest(v) if isinstance(v, float) else str(v) for v in values]
    join: Callable[[list[str]], str] = ",".join
    return ", ".join(f'"{join(texts[i : i + 2000])}"' for i in range(0, len(texts), 2000)) or '""'
