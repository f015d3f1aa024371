"""J48's options, and the same in the words of a pipeline."""

from __future__ import annotations

from typing import Any

#: J48's option string -> the words of an algorithm
OPTIONS: dict[str, dict[str, Any]] = {
    "": {},
    "-U": {"pruner": "none"},
    "-C 0.1 -M 5": {"pruner": {"error_based": {"confidence": 0.1}}, "min_branch": 5},
    "-S": {"pruner": {"error_based": {"subtree_raising": False}}},
    "-B": {"splitter": {"c45": {"binary": True}}},
    "-O": {"pruner": {"error_based": {"collapse": False}}},
    "-J": {"splitter": {"c45": {"mdl_correction": False}}},
    "-doNotMakeSplitPointActualValue": {"splitter": {"c45": {"actual_value": False}}},
    "-A": {"laplace": True},
    "-U -O": {"pruner": {"none": {"collapse": False}}},
    "-B -U -A -M 1": {
        "splitter": {"c45": {"binary": True}},
        "pruner": "none",
        "laplace": True,
        "min_branch": 1,
    },
    "-C 0.01 -M 1": {"pruner": {"error_based": {"confidence": 0.01}}, "min_branch": 1},
    "-C 0.5 -M 3 -O -J": {
        "splitter": {"c45": {"mdl_correction": False}},
        "pruner": {"error_based": {"confidence": 0.5, "collapse": False}},
        "min_branch": 3,
    },
    "-C 0.8": {"pruner": {"error_based": {"confidence": 0.8}}},
    "-M 25 -S -J": {
        "splitter": {"c45": {"mdl_correction": False}},
        "pruner": {"error_based": {"subtree_raising": False}},
        "min_branch": 25,
    },
    "-R": {"pruner": {"reduced_error": {"folds": 3}}},
    "-R -N 5 -Q 7 -M 1 -B": {
        "splitter": {"c45": {"binary": True}},
        "pruner": {"reduced_error": {"folds": 5}},
        "min_branch": 1,
    },
}

#: the seed that goes with an option string; 1 otherwise
SEEDS = {"-R -N 5 -Q 7 -M 1 -B": 7}


def tree_lines(text: str) -> list[str]:
    """The lines of a printed tree, without Weka's headings and counts."""
    skip = ("J48 ", "------", "Number of Leaves", "Size of the tree")
    return [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith(skip)]
