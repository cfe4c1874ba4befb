"""What the gate knows of the library that it measures, besides the benchmarks."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

#: What is imported, and the directory of its sources, which every commit must have.
PACKAGE = "fastops"

#: What an installed commit is made of: commits that agree in these share an environment.
SOURCES = (PACKAGE, "hatch_build.py", "pyproject.toml", "LICENSE", "README.md")

#: What decides the speed besides the library itself; the report names their versions.
DEPENDENCIES = ("numba", "llvmlite", "numpy", "ml_dtypes")

#: Variables that change what is measured, by how their names begin: the processes inherit none of them.
VARIABLES = ("FASTOPS_", "NUMBA_", "PYTHON")

#: Of these, those that say how many threads there are, and of which kind.
KEPT_VARIABLES = ("NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER")

#: Where a process finds the directory of its kernels.
KERNELS_VARIABLE = "NUMBA_CACHE_DIR"

#: What a process that counts finds besides: more threads than one even where there is one core, and as many everywhere.
COUNTING_VARIABLES = {"NUMBA_NUM_THREADS": "2"}


def take_threads(threads: int | None) -> None:
    """Have so many threads in this process from now on, or as many as there are for None."""
    numba = import_module("numba")
    numba.set_num_threads(threads or numba.config.NUMBA_NUM_THREADS)


def refusals(library: ModuleType) -> tuple[type[Exception], ...]:
    """Return by which exceptions a version of the library refuses a call that others take."""
    return (TypeError, library.FastopsError)
