"""MSD-Splitting (Rim, Liu 2020): what is claimed, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verdicts import Claim, Run, absent, better, percent, runs, saving

TITLE = "MSD-Splitting (Rim, Liu 2020)"
PAPER = """\
P. Rim, E. Liu, Optimizing the C4.5 decision tree algorithm using MSD-splitting, IJACSA 11(10), 2020,
doi:10.14569/IJACSA.2020.0111006. Census Income and Heart Disease, five-fold cross-validation; the figures
are those of the abstract. It does not say how many classes Heart Disease had, nor whether trees were
pruned: all four readings are here."""
#: mean accuracy of C4.5 over both data sets, and what MSD adds, in per cent
PRINTED_MEAN, PRINTED_GAIN = 75.72, 5.11
HEARTS = {"clevheart": "two classes", "heart-cleveland": "five classes"}
PRUNING = {"": "pruned", " unpruned": "unpruned"}


def claims(measured: Mapping[str, Any]) -> list[Claim]:
    run, costs = runs(measured, "papers-msd", "costs")
    found = []
    for dataset, name in {"adult": "Census", **{h: f"Heart, {c}" for h, c in HEARTS.items()}}.items():
        for suffix, pruned in PRUNING.items():
            text = f"{name}, {pruned}: MSD is more accurate than C4.5"
            found.append(better(run, dataset, f"MSD{suffix}", f"C4.5{suffix}", "better", text))
    for heart, classes in HEARTS.items():
        for suffix, pruned in PRUNING.items():
            found.append(_mean_gain(run, heart, suffix, f"Heart with {classes}, {pruned}"))
    text = "Census: seconds to train, C4.5 to MSD"
    if costs.has("adult", "C4.5", "MSD"):
        old, new = (costs.mean("adult", a, "seconds") for a in ("C4.5", "MSD"))
        times = f"{old:.3g} s to {new:.3g} s: {100 * (new / old - 1):+.1f} %"
        source = "costs: adult, C4.5 and MSD"
        found.append(Claim(text, "1541.57 s, -96.72 %", times, saving(old, new, 0.9672), source))
    else:
        found.append(absent(text, "1541.57 s, -96.72 %", costs))
    for heart, classes in HEARTS.items():
        found.append(_heart_time(run, heart, classes))
    return found


def _mean_gain(run: Run, heart: str, suffix: str, reading: str) -> Claim:
    """The abstract's one figure of accuracy: the mean over both data sets."""
    text = f"C4.5's mean accuracy over both, and MSD's gain ({reading})"
    printed = f"{PRINTED_MEAN}, +{PRINTED_GAIN}"
    old, new = f"C4.5{suffix}", f"MSD{suffix}"
    if not (run.has("adult", old, new) and run.has(heart, old, new)):
        return absent(text, printed, run)
    pairs = [run.pair("corrected_t", "accuracy", new, old, d)["estimate"] for d in ("adult", heart)]
    value, high = (50 * sum(p[k] for p in pairs) for k in ("value", "high"))
    base = 50 * sum(run.mean(d, old, "accuracy") for d in ("adult", heart))
    measured = f"{base:.2f}, {value:+.2f} (at most {high:+.2f} where both intervals end)"
    said = "does not hold" if high < PRINTED_GAIN else "holds" if value >= PRINTED_GAIN else "cannot be told"
    return Claim(text, printed, measured, said, f"{run.name}: adult and {heart}, {old} and {new}")


def _heart_time(run: Run, heart: str, classes: str) -> Claim:
    text, printed = f"Heart, {classes}: seconds to train, C4.5 to MSD", "50.54 s, -46.38 %"
    if not run.has(heart, "C4.5", "MSD"):
        return absent(text, printed, run)
    old, new = (run.mean(heart, a, "fit_seconds") for a in ("C4.5", "MSD"))
    measured = f"{old:.2g} s to {new:.2g} s: {100 * (new / old - 1):+.0f} %"
    source = f"{run.name}: {heart}, fit_seconds"
    return Claim(text, printed, measured, saving(old, new, 0.4638), source)


def remarks(measured: Mapping[str, Any]) -> str:
    run, costs = runs(measured, "papers-msd", "costs")
    four = ("C4.5", "MSD", "C4.5 unpruned", "MSD unpruned")
    if not (run.has("adult", *four) and costs.has("adult", "C4.5", "MSD")):
        return ""
    old, new = (costs.mean("adult", a, "seconds") for a in ("C4.5", "MSD"))
    accuracies = ", ".join(f"{a} {percent(run, 'adult', a)}" for a in four)
    leaves = ", ".join(f"{run.mean('adult', a, 'leaves'):,.0f}" for a in four)
    return f"""\
Where C4.5's search costs little, there is little to save: a whole C4.5 tree of Census takes {old:.2g} s here,
{1541.57 / old:,.0f} times less than the printed 1541.57 s, and MSD's takes {new:.2g} s. A search for a midpoint
needs the same counts by value as the moments do. On Census: {accuracies}; leaves, in the same order, {leaves}."""
