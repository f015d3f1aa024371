"""Every error that a user can cause: one line that says what, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class TreeForgeError(Exception):
    """Base of all errors that a user can cause.

    Parameters
    ----------
    message : str
        What was found, what was expected, what exists.
    file : str, optional
    line, column : int, optional
        Both count from 1.

    Examples
    --------
    >>> str(DataError("a number was expected, not 'red'", file="a.arff", line=7, column=3))
    "a.arff:7:3: a number was expected, not 'red'"
    """

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, column: int | None = None
    ) -> None:
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:  # errors cross process borders
        return _rebuild, (type(self), self.message, self.file, self.line, self.column)

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return ":".join([*place, " " + self.message]) if place else self.message


def _rebuild(
    kind: type[TreeForgeError], message: str, file: str | None, line: int | None, column: int | None
) -> TreeForgeError:
    return kind(message, file=file, line=line, column=column)


class DataError(TreeForgeError):
    """A data file or table cannot be read as it stands, or does not fit the model."""


class DataWarning(UserWarning):
    """Something in a data file that may not be what was meant; it was read as it stands.

    Parameters
    ----------
    message : str
        What was found, where, and what to write.
    columns : sequence of str
        The names of the columns that it is about.
    """

    def __init__(self, message: str, columns: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.columns = tuple(columns)


class InputError(DataError):
    """An input of a table does not suit a method, which counts inputs and has no names; ``named`` says which it is.

    Parameters
    ----------
    place : int
        Which input, from 0.
    fault : str
        What is said of it: ``is a number, and ...``.

    Examples
    --------
    >>> str(InputError(1, "is a number").named(["outlook", "humidity"]))
    "attribute 'humidity' is a number"
    """

    def __init__(self, place: int, fault: str) -> None:
        super().__init__(f"input {place + 1} {fault}")
        self.place = place
        self.fault = fault

    def __reduce__(self) -> tuple[object, ...]:
        return InputError, (self.place, self.fault)

    def named(self, names: Sequence[str], file: str | None = None) -> DataError:
        """The same with the attribute's name instead of its place."""
        return DataError(f"attribute '{names[self.place]}' {self.fault}", file=file)


class ParameterError(TreeForgeError):
    """A parameter has a value that it cannot have."""


class PluginError(TreeForgeError):
    """A plugin is unknown, broken, ambiguous, or was built against another interface."""


class PipelineError(TreeForgeError):
    """A pipeline file is wrong; ``errors`` holds every fault found in it."""

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        errors: tuple[TreeForgeError, ...] = (),
    ) -> None:
        super().__init__(message, file=file, line=line, column=column)
        self.errors = errors

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_pipeline, (self.message, self.file, self.line, self.column, self.errors)


def _rebuild_pipeline(
    message: str, file: str | None, line: int | None, column: int | None, errors: tuple[TreeForgeError, ...]
) -> PipelineError:
    return PipelineError(message, file=file, line=line, column=column, errors=errors)


class ModelError(TreeForgeError):
    """A model file is damaged, of another version, or cannot express what was asked."""


class ResultError(TreeForgeError):
    """A result folder or table is damaged, busy, or does not hold what was asked."""


def nearest(name: str, names: Iterable[str]) -> str:
    """``"; did you mean 'x'?"``, or nothing when no name is near.

    Examples
    --------
    >>> nearest("c54", ["c45", "msd"])
    "; did you mean 'c45'?"
    >>> nearest("acc", ["mcc", "balanced_accuracy", "accuracy"])
    "; did you mean 'accuracy'?"
    """
    import difflib  # only where something is wrong already

    lower = {n.lower(): n for n in names}
    wanted = name.lower()
    longer = [n for n in lower if wanted in n] if len(wanted) > 1 else []  # f1: macro_f1
    close = sorted(longer, key=lambda n: (not n.startswith(wanted), n)) or difflib.get_close_matches(
        wanted, list(lower), n=1, cutoff=0.5
    )
    return f"; did you mean '{lower[close[0]]}'?" if close else ""
