"""SPRINT and improved SPRINT (Wang et al. 2016): what is claimed, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verdicts import Claim, absent, runs, saving

TITLE = "SPRINT and improved SPRINT (Wang et al. 2016)"
PAPER = """\
J. Shafer, R. Agrawal, M. Mehta, SPRINT: a scalable parallel classifier for data mining, VLDB 1996; Z. Wang
et al., A searching method of candidate segmentation point in SPRINT classification, J. Electrical and
Computer Engineering 2016, doi:10.1155/2016/2168478. The second compares itself with the first on data of
the Quest generator (Agrawal's functions) of five growing sizes, in curves without figures. The sizes and
the three functions are ours: 10,000 to 160,000 rows, functions 2, 5 and 7, 5 % perturbation; ten folds;
pruned by MDL."""
SIZES = (10_000, 20_000, 40_000, 80_000, 160_000)
FUNCTIONS = (2, 5, 7)
BOTH = ("SPRINT", "improved SPRINT")


def claims(measured: Mapping[str, Any]) -> list[Claim]:
    (run,) = runs(measured, "papers-sprint")
    found = []
    for size in SIZES:
        sets = [f"f{f}-{size}" for f in FUNCTIONS]
        time, score = (
            f"{size:,} rows: less time than SPRINT",
            f"{size:,} rows: accuracy equal or slightly better",
        )
        if not all(run.has(d, *BOTH) for d in sets):
            found += [absent(time, "less", run), absent(score, "equal or better", run)]
            continue
        old, new = (sum(run.mean(d, a, "fit_seconds") for d in sets) for a in BOTH)
        measured_time = f"{old:.3g} s to {new:.3g} s over the three functions: {100 * (new / old - 1):+.0f} %"
        found.append(Claim(time, "less", measured_time, saving(old, new, None), f"{run.name}: fit_seconds"))
        pairs = {
            f: run.pair("corrected_t", "accuracy", *reversed(BOTH), d)
            for f, d in zip(FUNCTIONS, sets, strict=True)
        }
        each = "; ".join(
            f"function {f}: {100 * pair['estimate']['value']:+.2f} (p = {pair['adjusted_p']:.2g})"
            for f, pair in pairs.items()
        )
        worse = any(pair["better"] == "SPRINT" for pair in pairs.values())
        equal = all(pair["estimate"]["low"] >= 0 or pair["better"] == BOTH[1] for pair in pairs.values())
        said = "does not hold" if worse else "holds" if equal else "cannot be told"
        found.append(Claim(score, "equal or better", each, said, f"{run.name}: corrected_t, accuracy"))
    return found


def remarks(measured: Mapping[str, Any]) -> str:
    (run,) = runs(measured, "papers-sprint")
    sets = [f"f{f}-{size}" for f in FUNCTIONS for size in SIZES]
    if not all(run.has(d, *BOTH) for d in sets):
        return ""
    leaves = [sum(run.mean(d, a, "leaves") for d in sets) / len(sets) for a in BOTH]
    return f"""\
Differences in accuracy are improved SPRINT's less SPRINT's, in points; significantly worse on one function
decides the line. Leaves, on average: SPRINT {leaves[0]:.0f}, improved SPRINT {leaves[1]:.0f}. Cuts in the widest gaps
between values need not be where the classes change, and SPRINT's own search is one pass over counts here."""
