"""The results of a run as a table: one row a cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, overload

from treeforge.experiment.result import Result
from treeforge.experiment.store import KEY_COLUMNS

if TYPE_CHECKING:
    import pandas

Row = Mapping[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class ResultTable(Sequence[Row]):
    """Rows by number, columns by name.

    Parameters
    ----------
    columns : tuple of str
    rows : tuple of mapping
        An undefined measure is None.

    Examples
    --------
    >>> table = ResultTable(("dataset", "accuracy"), ({"dataset": "iris", "accuracy": 0.96},))
    >>> table[0]["accuracy"], table.column("dataset")
    (0.96, ['iris'])
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, results: Sequence[Result], metrics: Sequence[str]) -> ResultTable:
        """The table of these metrics."""
        rows = [
            {name: getattr(r, name) for name in KEY_COLUMNS} | {metric: r.value(metric) for metric in metrics}
            for r in results
        ]
        return cls((*KEY_COLUMNS, *metrics), tuple(rows))

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        return self.rows[place]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def column(self, name: str) -> list[Any]:
        """One column from top to bottom."""
        return [row[name] for row in self.rows]

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame (needs pandas)."""
        import pandas

        return pandas.DataFrame(list(self.rows), columns=list(self.columns))

    def __repr__(self) -> str:
        return f"<ResultTable: {len(self)} rows, columns {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """The first rows, for a notebook."""
        shown = self.rows[:20]
        head = "".join(f"<th>{escape(column)}</th>" for column in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_shown(row[c]))}</td>" for c in self.columns) + "</tr>"
            for row in shown
        )
        more = f"<p>{len(self) - len(shown)} more rows</p>" if len(self) > len(shown) else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
