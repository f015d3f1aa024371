"""The extension modules, nothing else: every .pyx below treeforge/ and plugins/ is one."""

import os
import runpy
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("TREEFORGE_DEBUG") == "1"  # bounds checks on, for the whole test-suite
# no contraction to fused multiply-add: the same input must give the same bits on every machine
FLAGS = ["-O1", "-g"] if DEBUG else ["-O3"]
FLAGS += ["-ffp-contract=off", "-fno-math-errno"]
SANITIZE = os.environ.get("TREEFORGE_SANITIZE")  # e.g. address,undefined
if SANITIZE:
    FLAGS += [f"-fsanitize={SANITIZE}", "-fno-omit-frame-pointer"]


def extensions() -> list[Extension]:
    found = []
    for root in (Path("treeforge"), Path("plugins")):
        for path in sorted(root.rglob("*.pyx")):
            parts = path.with_suffix("").parts
            name = ".".join(parts[1:] if parts[0] == "plugins" else parts)
            found.append(
                Extension(
                    name,
                    [str(path)],
                    include_dirs=["treeforge/core/include", numpy.get_include()],
                    depends=[
                        *(str(p) for p in Path("treeforge/core").rglob("*.[hp]*")),
                        *(str(p) for p in path.parent.glob("*.h")),
                    ],
                    extra_compile_args=FLAGS,
                    extra_link_args=[f"-fsanitize={SANITIZE}"] if SANITIZE else [],
                    define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")]
                    + ([("TREEFORGE_DEBUG", "1")] if DEBUG else []),
                )
            )
    return found


# what kernel.pxd declares, for those who write C
runpy.run_path("treeforge/core/declarations.py")["write_header"](Path("treeforge/core"))

setup(
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    ext_modules=cythonize(
        extensions(),
        include_path=["."],
        nthreads=os.cpu_count() or 1,
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": DEBUG,
            "freethreading_compatible": True,
        },
    ),
)
