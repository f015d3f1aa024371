"""Weka, where it is at hand: its class path, and Java programs of the tests compiled against it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import pytest


def class_path() -> str:
    """Weka's jars; the test skips, visibly, without them or without Java.

    ``TREEFORGE_WEKA`` names their folder or a class path, or the package python-weka-wrapper3 brings them.
    """
    if shutil.which("java") is None or shutil.which("javac") is None:
        pytest.skip("needs Java's runtime and compiler")
    named = os.environ.get("TREEFORGE_WEKA", "")
    if named and not Path(named).is_dir():
        return named
    package = importlib.util.find_spec("weka")
    places = [Path(place) / "lib" for place in (package and package.submodule_search_locations) or ()]
    for folder in [Path(named)] if named else places:
        if (folder / "weka.jar").exists():
            return os.pathsep.join(str(jar) for jar in sorted(folder.glob("*.jar")) if "src" not in jar.name)
    pytest.skip("needs Weka: its folder in TREEFORGE_WEKA, or the package python-weka-wrapper3")


def run(source: Path, folder: Path, lines: list[str], timeout: float = 3600) -> list[str]:
    """Compile a Java program into a folder and run it: lines to its standard input, lines from its standard output."""
    classes = class_path()
    subprocess.run(["javac", "-cp", classes, "-d", str(folder), str(source)], check=True)
    # thousands of small jobs: the quick compiler and one thread for its memory are enough
    options = ["-Xss64m", "-Xmx1500m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    command = ["java", *options, "-cp", os.pathsep.join([classes, str(folder)]), source.stem]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True, timeout=timeout
    )
    return done.stdout.splitlines()
