"""measured.json -> docs/papers.md, claim by claim.

python docs/papers/page.py           # writes docs/papers.md
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import claims_amsd
import claims_msd
import claims_sprint
import claims_vfc45
import figures
from verdicts import RULES, Claim, table

PAPERS = (claims_amsd, claims_msd, claims_vfc45, claims_sprint)
PAGE = figures.HERE.parent / "papers.md"

HEAD = """\
# What the papers claim, and what comes out

Four papers whose methods TreeForge has, claim by claim: the printed figure, ours, and whether the claim holds.
The experiments are the files of `pipelines/papers/`. They name data sets of the folder `shared` beside the
checkout (`ln -s /where/it/is ../shared`); a file that is not there is named before anything runs.

```sh
for paper in amsd amsd-forest msd vfc45 sprint; do
    treeforge run pipelines/papers/$paper.yaml   # minutes each
done
python docs/papers/costs.py                      # whole fits, for the claims of seconds
python docs/papers/figures.py runs/papers-*      # runs -> docs/papers/measured.json
python docs/papers/page.py                       # -> this page
```

The last command makes this page. Every measured figure is in `docs/papers/measured.json`, with the data's
hashes, seed, splits, versions and date. The printed figures of VFC4.5 are in `docs/papers/vfc45-printed.csv`,
the others in `docs/papers/claims_*.py`. Accuracies are per cent, means over the folds.

## When a claim holds

"""


def page(measured: Mapping[str, Any]) -> str:
    """The whole page."""
    papers = [(paper, paper.claims(measured)) for paper in PAPERS]
    parts = [HEAD + RULES + "\n", "## At a glance\n\n" + _glance(papers) + "\n"]
    for paper, claims in papers:
        remarks = paper.remarks(measured)
        parts.append(
            f"## {paper.TITLE}\n\n{paper.PAPER}\n\n{table(claims)}\n" + (f"\n{remarks}\n" if remarks else "")
        )
    parts.append("## Where the figures come from\n\n" + _provenance(measured) + "\n")
    return "\n".join(parts)


def _glance(papers: list[tuple[Any, list[Claim]]]) -> str:
    verdicts = ("holds", "does not hold", "cannot be told")
    lines = [f"| paper | claims | {' | '.join(verdicts)} |", "|---|---:|---:|---:|---:|"]
    for paper, claims in papers:
        count = Counter(claim.verdict for claim in claims)
        lines.append(f"| {paper.TITLE} | {len(claims)} | {' | '.join(str(count[v]) for v in verdicts)} |")
    return "\n".join(lines)


def _provenance(measured: Mapping[str, Any]) -> str:
    runs = {name: entry for name, entry in measured.items() if "pipeline_hash" in entry}
    lines = [
        "| run | evaluation | seed | cells | failed | versions | day | pipeline |",
        "|---|---|---:|---:|---:|---|---|---|",
    ]
    for name, entry in runs.items():
        cells = [a for d in entry["results"].values() for a in d.values()]
        scheme = ", ".join(
            f"{k} {v}" for k, v in entry["evaluation"].items() if k in ("folds", "repeats", "folds_like")
        )
        versions = ", ".join(f"{k} {v}" for k, v in entry["versions"].items())
        done, failed = sum(a["cells"] for a in cells), sum(a["failed"] for a in cells)
        ending = (versions, entry["started"][:10], entry["pipeline_hash"].removeprefix("sha256:")[:12])
        lines.append(
            "| " + " | ".join([name, scheme, str(entry["seed"]), str(done), str(failed), *ending]) + " |"
        )
    if "costs" in measured:
        entry = measured["costs"]
        rounds = {m["rounds"] for d in entry["results"].values() for m in d.values()}
        lines.append(
            f"| costs | medians of {max(rounds)} whole fits, forests {min(rounds)} | 1 | | | treeforge "
            f"{entry['versions']['treeforge']} | {entry['started'][:10]} | `docs/papers/costs.py` |"
        )
    lines += ["", "| data set | rows | SHA-256 of the data begins |", "|---|---:|---|"]
    sets = {
        (name, d["rows"], d["hash"][:12]) for entry in runs.values() for name, d in entry["datasets"].items()
    }
    lines += [f"| {name} | {rows:,} | {digest} |" for name, rows, digest in sorted(sets)]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(figures.load()))
