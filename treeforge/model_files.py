"""Models on disk: what goes in comes out, as the same kind of object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from treeforge.export.json import Document, read, write
from treeforge.export.subject import subject
from treeforge.learn.model import Model


def save(model: Any, path: str | Path) -> None:
    """Write a model or a fitted estimator as JSON (compressed if the name ends in ``.gz``).

    The same model always gives the same bytes. The format is documented in ``treeforge/export/model.schema.json``.
    """
    found = subject(model)
    estimator = model.to_document() if hasattr(model, "to_document") else {}
    write(Document(found.schema, found.fitted, found.algorithm, estimator), path)


def load(path: str | Path, *, verify: bool = True) -> Any:
    """Read what ``save`` wrote: an estimator if one was saved, otherwise a Model. Nothing in the file is run.

    Parameters
    ----------
    path : path
    verify : bool
        False reads a file whose checksum does not fit, such as one edited by hand.

    Raises
    ------
    ModelError
        In one line, for a file that is damaged, altered, of another version, or no model.
    """
    found = read(path, verify=verify)
    if found.estimator:
        from treeforge.estimators import (
            from_document,
        )  # scikit-learn is heavy, and not needed for a plain model

        return from_document(found)
    return model_of(found)


def load_model(path: str | Path, *, verify: bool = True) -> Model:
    """The model alone, also where an estimator was saved around it."""
    return model_of(read(path, verify=verify))


def model_of(document: Document) -> Model:
    """The model in a document."""
    return Model(document.schema, document.fitted, document.algorithm)
