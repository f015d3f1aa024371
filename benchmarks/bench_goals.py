#!/usr/bin/env python3
"""All goals in one table: what the other scripts of this folder print, one after the other.

    python benchmarks/bench_goals.py [--only SCRIPT ...]

It takes most of an hour; the scripts themselves have options that make them shorter.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from data import HERE
from table import HEAD

SCRIPTS = ("trees", "suite", "predict", "methods", "arff")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--only", nargs="*", choices=SCRIPTS, default=list(SCRIPTS))
    args = arguments.parse_args()
    print(HEAD, flush=True)
    failed = [script for script in args.only if not lines_of(script)]
    if failed:
        sys.exit(f"not finished: {', '.join(failed)}")


def lines_of(script: str) -> bool:
    """Print the lines of a script's table as they come; whether it came to its end."""
    command = [sys.executable, HERE / f"bench_{script}.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("| ") and line.rstrip() not in HEAD:
                print(line, end="", flush=True)
    return process.returncode == 0


if __name__ == "__main__":
    main()
