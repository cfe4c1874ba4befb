"""What the gate knows of `smoothing`, besides the benchmarks."""

from types import ModuleType

# The package, and what an installed commit is made of.
PACKAGE = "smoothing"
SOURCES = (PACKAGE, "pyproject.toml")

# What the report names the versions of.
DEPENDENCIES = ("numpy",)

# Variables of the environment that processes do not inherit, by how their names begin, and those of them that they do.
VARIABLES = ("SMOOTHING_", "PYTHON")
KEPT_VARIABLES = ()

# Where a process finds a directory for what it compiles, and what a process that counts finds besides.
KERNELS_VARIABLE = "SMOOTHING_CACHE"
COUNTING_VARIABLES: dict[str, str] = {}


def take_threads(threads: int | None) -> None:
    """Have so many threads from now on; `smoothing` has one."""


def refusals(_library: ModuleType) -> tuple[type[Exception], ...]:
    """Return by which exceptions an older version refuses a call that a newer one takes."""
    return (TypeError,)
