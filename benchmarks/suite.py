"""What the suites have in common."""

from __future__ import annotations

import os
from typing import ClassVar

import numba

import fastops
from benchmarks.cases import CASES, Case, Size

#: Set to small, benchmarks run in the sizes of the tests: their figures mean nothing, but all of their code runs.
SIZE_VARIABLE = "FASTOPS_BENCHMARK_SIZE"


@numba.njit("void()")
def _do_nothing() -> None:
    """Compiled for what Numba does once in a process, which takes it a third of a second or more.

    asv forks a process for each benchmark from one that has imported the suites: it is done once for all of them. No
    kernel of fastops is loaded by this, and no thread started.
    """


def take_threads(threads: int) -> None:
    """Set how many threads there are, or skip the benchmark where Numba has fewer."""
    if threads > numba.config.NUMBA_NUM_THREADS:
        raise NotImplementedError(f"{threads} threads")
    numba.set_num_threads(threads)


class Suite:
    """What asv reads of every benchmark.

    asv keeps results under the names of class, method and parameters, and drops those of another version. By default
    the version is a hash of the source, so that a changed comment would lose the history; this one goes up when what is
    measured changes.
    """

    version = "1"
    timeout = 300
    is_small = os.environ.get(SIZE_VARIABLE) == "small"

    def size_of(self, case: Case) -> Size:
        """Return the size to run a case in."""
        return case.small if self.is_small else case.full


class CaseSuite(Suite):
    """A call of each case, ready to be timed."""

    param_names: ClassVar = ["case"]

    def setup(self, name: str) -> None:
        """Make data and the caller's output, by a first call, which also loads the kernel."""
        self.set_call(CASES[name], self.size_of(CASES[name]))

    def set_call(self, case: Case, size: Size) -> None:
        """Keep the call of a case, and the caller's output."""
        self.call = case.call(fastops, size)
        self.out = case.copied_outputs(self.call())
