"""The summary as CSV: one row for each data set, algorithm and metric."""

from __future__ import annotations

import csv
import io

from treeforge.report.data import ReportData

COLUMNS = ("dataset", "algorithm", "metric", "mean", "sd", "folds", "undefined", "failed", "rank")


def render(data: ReportData) -> str:
    """Full precision, empty where there is no value; ``folds`` is what the mean is taken over."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for table in data.tables:
        for dataset in data.datasets:
            for algorithm in data.algorithms:
                score = table.scores[dataset, algorithm]
                rank = table.ranks.get((dataset, algorithm))
                writer.writerow(
                    [
                        dataset,
                        algorithm,
                        table.metric.name,
                        "" if score.mean is None else repr(score.mean),
                        "" if score.sd is None else repr(score.sd),
                        score.n,
                        len(score.undefined),
                        len(score.failed),
                        "" if rank is None else f"{rank:g}",
                    ]
                )
    return text.getvalue()
