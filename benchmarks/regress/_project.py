"""What the gate knows of the library that it measures, besides the benchmarks."""

from __future__ import annotations

#: What is imported, and the directory of its sources, which every commit must have.
PACKAGE = "fastops"

#: What an installed commit is made of: commits that agree in these share an environment.
SOURCES = (PACKAGE, "pyproject.toml", "LICENSE", "README.md")

#: What decides the speed besides the library itself; the report names their versions.
DEPENDENCIES = ("numba", "llvmlite", "numpy", "ml_dtypes")

#: Variables that change what is measured, by how their names begin: the processes inherit none of them.
VARIABLES = ("FASTOPS_", "NUMBA_", "PYTHON")

#: Of these, those that say how many threads there are, and of which kind.
KEPT_VARIABLES = ("NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER")

#: Where a process finds the directory of its kernels.
KERNELS_VARIABLE = "NUMBA_CACHE_DIR"
