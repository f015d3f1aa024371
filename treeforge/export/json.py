"""Models as JSON: a documented, versioned format (``model.schema.json``) that runs nothing when it is read.

The same model is always the same bytes. Trees are stored as flat arrays over nodes, so depth does not matter.
A reader trusts nothing: sizes, links, ranges and the checksum are checked before a tree is made.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import tempfile
import zlib
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from treeforge.core.model import SoftTreeModel, TreeModel, VoteModel
from treeforge.core.rule_model import RuleModel
from treeforge.core.tree import Tree
from treeforge.data import Schema
from treeforge.data.files import ENDINGS
from treeforge.errors import ModelError, TreeForgeError
from treeforge.export.rules_json import rules_in, rules_lines
from treeforge.export.schema_json import schema_in, schema_out
from treeforge.export.subject import subject
from treeforge.export.tree_json import tree_in, tree_lines
from treeforge.export.values import array, compact, get, numbers, plain

FORMAT = "treeforge-model"
VERSION = 2
#: The version that a model of a kind is written as: the first that knows the kind, for the sake of older readers.
VERSION_OF = {"tree": 1, "vote": 1, "soft_tree": 2, "rules": 2}
#: A compressed file that unpacks to more is an attack, or a mistake.
UNPACKED_LIMIT = 1 << 30
_CHECKSUM = re.compile(rb'"checksum": "sha256:([0-9a-f]{64})"\n\}\n?$')


@dataclass(frozen=True, eq=False)
class Document:
    """What a model file holds.

    Parameters
    ----------
    schema : Schema
    fitted : TreeModel, SoftTreeModel, VoteModel or RuleModel
    algorithm : dict
        Plugins, parameters, limits, seed and versions that the model was fitted with.
    estimator : dict
        How a scikit-learn estimator is put together again around the model; empty for a plain model.
    """

    schema: Schema
    fitted: TreeModel | SoftTreeModel | VoteModel | RuleModel
    algorithm: dict[str, Any] = field(default_factory=dict)
    estimator: dict[str, Any] = field(default_factory=dict)


def to_json(model: Any, schema: Any = None) -> str:
    """A Model, estimator, TreeModel, VoteModel, RuleModel or Tree as the text of a model file."""
    found = subject(model, schema)
    return dumps(Document(found.schema, found.fitted, found.algorithm))


def dumps(document: Document) -> str:
    """The document as text; equal documents give equal text."""
    fitted = document.fitted
    model: dict[str, Any] = {"kind": "tree", "laplace": fitted.laplace}
    trees: tuple[Tree, ...] = ()
    if isinstance(fitted, TreeModel):
        trees = (fitted.tree,)
    elif isinstance(fitted, SoftTreeModel):
        trees = (fitted.tree,)
        model |= {"kind": "soft_tree", "lower": numbers(fitted.lower), "upper": numbers(fitted.upper)}
    elif isinstance(fitted, RuleModel):
        model |= {"kind": "rules", "default": fitted.default, "details": plain(fitted.details, "details")}
    else:
        trees = fitted.trees
        model["kind"] = "vote"
        model["votes"] = fitted.votes
        model["weights"] = None if fitted.weights is None else numbers(np.asarray(fitted.weights))
        model["details"] = plain(fitted.details, "details")
    head = {
        "format": FORMAT,
        "version": VERSION_OF[model["kind"]],
        "written_by": f"treeforge {_own_version()}",
        "schema": schema_out(document.schema),
        "algorithm": plain(document.algorithm, "algorithm"),
        "estimator": plain(document.estimator, "estimator"),
        "model": model,
    }
    lines = ["{"]
    lines += [f"{compact(key)}: {compact(value)}," for key, value in head.items()]
    lines.append('"trees": [')
    for number, tree in enumerate(trees):
        lines += tree_lines(tree)
        lines.append("}," if number + 1 < len(trees) else "}")
    lines.append("],")
    if isinstance(fitted, RuleModel):
        lines += ['"rules": {', *rules_lines(fitted), "},"]
    body = "\n".join(lines) + "\n"
    digest = hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
    return f'{body}"checksum": "sha256:{digest}"\n}}\n'


def loads(text: str | bytes, *, file: str | None = None, verify: bool = True) -> Document:
    """Read a document; ModelError, in one line, for everything that is not a whole and sound model.

    Parameters
    ----------
    text : str or bytes
    file : str, optional
        Named in messages.
    verify : bool
        False reads a file whose checksum does not fit, e.g. one edited by hand; all other checks are made.
    """
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        found = _parse(raw)
        _check_version(found)
        if verify:
            _check_checksum(raw)
        return _document(found)
    except ModelError as wrong:
        raise ModelError(wrong.message, file=file, line=wrong.line, column=wrong.column) from None
    except TreeForgeError as wrong:  # the schema refuses, e.g. a category that stands twice
        raise ModelError(f"this is no sound model: {wrong.message}", file=file) from None


def write(document: Document, path: str | Path) -> None:
    """Write a model file, all of it or nothing; a name that ends in ``.gz`` is compressed."""
    path = Path(path)
    raw = dumps(document).encode("utf-8", "surrogatepass")
    if path.suffix == ".gz":
        raw = gzip.compress(raw, mtime=0)  # no time stamp: the same model, the same bytes
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tree-")
    except OSError as fault:
        raise ModelError(f"cannot be written: {fault.strerror}", file=str(path)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except OSError as fault:
        os.unlink(temporary)
        raise ModelError(f"cannot be written: {fault.strerror}", file=str(path)) from None


def read(path: str | Path, *, verify: bool = True) -> Document:
    """Read a model file that ``write`` made, in this version of the program or an earlier one."""
    try:
        raw = Path(path).read_bytes()
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.GzipFile(fileobj=io.BytesIO(raw)).read(UNPACKED_LIMIT + 1)
            if len(raw) > UNPACKED_LIMIT:
                raise ModelError(f"unpacks to more than {UNPACKED_LIMIT >> 20} MB", file=str(path))
    except (OSError, EOFError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise ModelError(f"cannot be read: {reason}", file=str(path)) from None
    except zlib.error as fault:
        raise ModelError(f"is a damaged archive: {fault}", file=str(path)) from None
    if _is_data(Path(path).name, raw):
        raise ModelError("this is a data file, and a model file is wanted here", file=str(path))
    return loads(raw, file=str(path), verify=verify)


# writing


def _own_version() -> str:
    try:
        return version("treeforge")
    except PackageNotFoundError:
        return "unknown"


# reading


def _is_data(name: str, raw: bytes) -> bool:
    """Whether this looks like data, by its name or by how ARFF begins; a model begins with a brace."""
    first = raw.lstrip()[:1]
    return first != b"{" and (first in (b"%", b"@") or name.lower().endswith(ENDINGS))


def _parse(raw: bytes) -> dict[str, Any]:
    def no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for i, name in enumerate(names) if name in names[:i])
            raise ModelError(f"the key '{twice}' stands twice")
        return found

    def no_constant(word: str) -> Any:
        raise ModelError(f"{word} is no number that a model can hold")

    try:
        found = json.loads(raw, object_pairs_hook=no_twice, parse_constant=no_constant)
    except json.JSONDecodeError as wrong:
        ended = " (the file ends too early)" if not raw[wrong.pos :].strip() else ""
        raise ModelError(
            f"this is not JSON: {wrong.msg}{ended}", line=wrong.lineno, column=wrong.colno
        ) from None
    except UnicodeDecodeError:
        raise ModelError("this is no model file: it is not text in UTF-8") from None
    except RecursionError:
        raise ModelError("this is no model file: its brackets are nested too deep") from None
    except ValueError as wrong:  # an integer of thousands of digits
        raise ModelError(f"this is no model file: {wrong}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ModelError(f'this is no model file: it does not say "format": "{FORMAT}"')
    return found


def _check_version(found: dict[str, Any]) -> None:
    number, writer = found.get("version"), found.get("written_by")
    if type(number) is not int or not 1 <= number <= VERSION:
        reads = "1" if VERSION == 1 else f"1 to {VERSION}"
        raise ModelError(
            f"the model has format version {number!r:.40}, written by {writer!r:.60}; "
            f"treeforge {_own_version()} reads version {reads}: "
            "read it with the program that wrote it, or a later one"
        )


def _check_checksum(raw: bytes) -> None:
    raw = raw.replace(b"\r\n", b"\n")
    end = _CHECKSUM.search(raw)
    if end is None:
        raise ModelError("the checksum at the end of the file is missing: the file is cut off or was edited")
    if hashlib.sha256(raw[: end.start()]).hexdigest().encode() != end.group(1):
        raise ModelError(
            "the file was changed after it was written: its checksum does not fit "
            "(verify=False reads it all the same)"
        )


def _document(found: dict[str, Any]) -> Document:
    schema = schema_in(get(found, "schema", dict, "the file"))
    model = get(found, "model", dict, "the file")
    trees = get(found, "trees", list, "the file")
    kind, laplace = get(model, "kind", str, "model"), get(model, "laplace", bool, "model")
    if (kind == "rules") != (not trees) or (kind in ("tree", "soft_tree") and len(trees) != 1):
        raise ModelError(f"a model of kind '{kind:.20}' cannot have {len(trees)} trees")
    grown = tuple(tree_in(tree, schema, f"tree {number}") for number, tree in enumerate(trees, 1))
    fitted: TreeModel | SoftTreeModel | VoteModel | RuleModel
    if kind == "tree":
        fitted = TreeModel(grown[0], laplace)
    elif kind == "soft_tree":
        bounds = [
            array(get(model, name, list, "model"), np.float64, f"model.{name}") for name in ("lower", "upper")
        ]
        try:
            fitted = SoftTreeModel(grown[0], bounds[0], bounds[1], laplace)
        except ValueError as wrong:
            raise ModelError(f"the soft thresholds do not fit the tree: {wrong}") from None
    elif kind == "rules":
        default, details = get(model, "default", int, "model"), get(model, "details", dict, "model")
        fitted = rules_in(get(found, "rules", dict, "the file"), default, details, schema)
    elif kind == "vote":
        weights = None
        if model.get("weights") is not None:
            weights = array(get(model, "weights", list, "model"), np.float64, "model.weights")
            if len(weights) != len(grown):
                raise ModelError(
                    f"model.weights has {len(weights)} numbers, but there are {len(grown)} trees"
                )
        votes, details = get(model, "votes", bool, "model"), get(model, "details", dict, "model")
        fitted = VoteModel(grown, weights, votes, laplace, details)
    else:
        raise ModelError(f"there is no model kind '{kind:.20}' (kinds: {', '.join(VERSION_OF)})")
    return Document(
        schema, fitted, get(found, "algorithm", dict, "the file"), get(found, "estimator", dict, "the file")
    )
