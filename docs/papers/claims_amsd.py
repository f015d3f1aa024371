"""Adaptive MSD-Splitting (Lee 2026): what is claimed, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verdicts import Claim, Run, absent, accuracy, better, p_value, percent, runs, saving

TITLE = "Adaptive MSD-Splitting (Lee 2026)"
PAPER = """\
J. Lee, Adaptive MSD-Splitting: enhancing C4.5 and random forests for skewed continuous attributes,
arXiv:2604.19722, 2026. Census Income, Heart Disease, Breast Cancer (WDBC), Forest Covertype (100,000 rows;
which, is not known); stratified ten-fold cross-validation. Heart is taken with two classes, since no tree
comes near 80 % with five. Small data sets have ten repeats (`amsd-forest.yaml`), the two large ones three
(`amsd.yaml`)."""
NAMES = {"clevheart": "Heart", "wdbc": "WDBC", "adult": "Census", "covertype-100k": "Covertype"}
ACCURACIES = {
    "clevheart": {"MSD": 82.2, "AMSD": 84.5, "RF-AMSD": 88.3},
    "wdbc": {"MSD": 94.5, "AMSD": 96.1, "RF-AMSD": 97.8},
}
SECONDS = {"adult": 1541.6, "covertype-100k": 4500.2}
LEAVES = {"C4.5": 345, "AMSD": 195}


def claims(measured: Mapping[str, Any]) -> list[Claim]:
    trees, forests, costs = runs(measured, "papers-amsd", "papers-amsd-forest", "costs")
    of = {d: forests if d in ACCURACIES else trees for d in NAMES}
    found = [
        accuracy(forests, dataset, algorithm, printed, f"{NAMES[dataset]}: accuracy of {algorithm}")
        for dataset, figures in ACCURACIES.items()
        for algorithm, printed in figures.items()
    ]
    for dataset, name in NAMES.items():
        found.append(
            better(of[dataset], dataset, "MSD", "C4.5", "better", f"{name}: MSD is more accurate than C4.5")
        )
    for dataset, name in NAMES.items():
        text = f"{name}: AMSD is more accurate than MSD by 2 to 4 points"
        found.append(better(of[dataset], dataset, "AMSD", "MSD", "+2 to +4", text, points=2.0))
    found.append(_leaves(trees))
    for dataset in SECONDS:
        for method in ("MSD", "AMSD"):
            found.append(_time(costs, dataset, method))
        found.append(_overhead(costs, dataset))
        found.append(_forest(costs, dataset))
    return found


def _leaves(run: Run) -> Claim:
    text, printed = "Census: leaves of the trees, C4.5 to AMSD", f"{LEAVES['C4.5']} to {LEAVES['AMSD']}"
    if not run.has("adult", "C4.5", "AMSD"):
        return absent(text, printed, run)
    old, new = (run.mean("adult", a, "leaves") for a in LEAVES)
    claimed = LEAVES["AMSD"] / LEAVES["C4.5"]
    change, printed_change = 100 * (new / old - 1), 100 * (claimed - 1)
    measured = f"{old:.0f} to {new:.0f} (mean of the folds): {change:+.0f} %, not {printed_change:+.0f} %"
    said = "holds" if new / old <= claimed + 0.05 else "does not hold"
    return Claim(text, printed, measured, said, f"{run.name}: adult, leaves")


def _time(costs: Run, dataset: str, method: str) -> Claim:
    text = f"{NAMES[dataset]}: seconds to train, C4.5 to {method}"
    printed = f"{SECONDS[dataset]} s, over -95 %"
    if not costs.has(dataset, "C4.5", method):
        return absent(text, printed, costs)
    old, new = (costs.mean(dataset, a, "seconds") for a in ("C4.5", method))
    measured = f"{old:.3g} s to {new:.3g} s: {100 * (new / old - 1):+.1f} %"
    return Claim(text, printed, measured, saving(old, new, 0.95), f"costs: {dataset}")


def _overhead(costs: Run, dataset: str) -> Claim:
    text, printed = f"{NAMES[dataset]}: AMSD takes 5 to 10 % longer than MSD, no more", "+5 to +10 %"
    if not costs.has(dataset, "MSD", "AMSD"):
        return absent(text, printed, costs)
    old, new = (costs.mean(dataset, a, "seconds") for a in ("MSD", "AMSD"))
    measured = f"{old:.3g} s to {new:.3g} s: {100 * (new / old - 1):+.1f} % (its trees are not MSD's)"
    return Claim(
        text, printed, measured, "holds" if new <= 1.1 * old else "does not hold", f"costs: {dataset}"
    )


def _forest(costs: Run, dataset: str) -> Claim:
    text = f"{NAMES[dataset]}: RF-AMSD (100 trees) trains faster than one C4.5 tree"
    if not costs.has(dataset, "C4.5", "RF-AMSD", "RF"):
        return absent(text, "faster", costs)
    one, many, exact = (costs.mean(dataset, a, "seconds") for a in ("C4.5", "RF-AMSD", "RF"))
    measured = f"{many:.3g} s, {many / one:.0f} times C4.5's {one:.3g} s; the exact forest {exact:.3g} s"
    return Claim(text, "faster", measured, "holds" if many < one else "does not hold", f"costs: {dataset}")


def remarks(measured: Mapping[str, Any]) -> str:
    trees, forests = runs(measured, "papers-amsd", "papers-amsd-forest")
    said = []
    cover = "covertype-100k"
    if trees.has(cover, "C4.5", "MSD", "AMSD"):
        found = [
            trees.pair("corrected_t", "accuracy", a, "C4.5", cover)["estimate"]["value"]
            for a in ("MSD", "AMSD")
        ]
        leaves = ", ".join(f"{trees.mean(cover, a, 'leaves'):,.0f}" for a in ("C4.5", "MSD", "AMSD"))
        said.append(
            f"On Covertype MSD is {100 * found[0]:+.2f} points and AMSD {100 * found[1]:+.2f} points from C4.5's\n"
            f"{percent(trees, cover, 'C4.5')}; the leaves of C4.5, MSD and AMSD there: {leaves}."
        )
    five = "heart-cleveland"
    if forests.has(five, "C4.5", "MSD", "AMSD", "RF-AMSD"):
        each = ", ".join(f"{a} {percent(forests, five, a)}" for a in ("C4.5", "MSD", "AMSD", "RF-AMSD"))
        said.append(f"With all five classes of Heart: {each}.")
    if all(forests.has(d, "RF-AMSD", "RF") for d in ACCURACIES):
        pairs = "; ".join(_forests(forests, d) for d in ACCURACIES)
        said.append(
            f"RF-AMSD beside a forest of as many trees with C4.5's own cuts, which the paper does not have: {pairs}."
        )
    return "\n".join(said)


def _forests(run: Run, dataset: str) -> str:
    pair = run.pair("corrected_t", "accuracy", "RF-AMSD", "RF", dataset)
    both = f"{percent(run, dataset, 'RF-AMSD')} against {percent(run, dataset, 'RF')}"
    return f"{NAMES[dataset]} {both} (p = {p_value(pair['adjusted_p'])})"
