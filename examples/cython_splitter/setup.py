"""Compiles the kernel against the declarations of the TreeForge that is installed."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

try:
    import treeforge

    include = treeforge.get_include()
except ImportError:  # an isolated build does not see it: the declarations that this package was started with
    include = "include"
    if not Path(include).is_dir():
        raise SystemExit("TreeForge is not in sight: pip install --no-build-isolation") from None

setup(
    ext_modules=cythonize(
        [Extension("treeforge_random_cut_cython._kernel", ["src/treeforge_random_cut_cython/_kernel.pyx"], include_dirs=[include])],
        include_path=[include],
        compiler_directives={"language_level": 3, "cdivision": True},
    )
)
