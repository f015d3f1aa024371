"""Write the examples anew: they are what ``treeforge plugins new`` gives."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from treeforge.plugin.scaffold import new

HERE = Path(__file__).resolve().parent
#: folder -> (name, language)
EXAMPLES = {
    "python_splitter": ("equal_parts", "python"),
    "cython_splitter": ("random_cut_cython", "cython"),
    "c_splitter": ("random_cut_c", "c"),
    "numba_splitter": ("random_cut_numba", "numba"),
}


def make(folder: Path) -> None:
    """Write all four below a folder."""
    for place, (name, language) in EXAMPLES.items():
        shutil.rmtree(folder / place, ignore_errors=True)
        new(name, "splitter", language, folder, root=place)
        # an example is built beside an installed TreeForge, and takes its declarations from there
        shutil.rmtree(folder / place / "include", ignore_errors=True)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
