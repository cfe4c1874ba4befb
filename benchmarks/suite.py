"""What the suites have in common."""

from __future__ import annotations

import os
from typing import Any, ClassVar

import numpy as np

import fastops
from benchmarks.cases import CASES, Case, Size

#: Set to small, benchmarks run in the sizes of the tests: their figures mean nothing, but all of their code runs.
SIZE_VARIABLE = "FASTOPS_BENCHMARK_SIZE"


def case_to_time(name: str) -> Case:
    """Return a case; skip the benchmark, as asv documents it, where the package has not got the operator yet."""
    case = CASES[name]
    if not hasattr(fastops, case.operator):
        raise NotImplementedError(case.operator)
    return case


def as_list(result: Any) -> list[Any]:
    """Return the outputs of a call, of which a split has several."""
    return result if isinstance(result, list) else [result]


class Suite:
    """What asv reads of every benchmark.

    asv keeps results under the names of class, method and parameters, and drops those of another version: the version
    goes up when what is measured changes, and not when its words do, which asv would take for the same by default.
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
        case = case_to_time(name)
        self.set_call(case, self.size_of(case))

    def set_call(self, case: Case, size: Size) -> None:
        """Keep the call of a case, and an output of its own, whose memory nothing else has."""
        self.call = case.call(fastops, size)
        outs = [np.copy(result) for result in as_list(self.call())]
        self.out = outs if case.operator == "variadic_split" else outs[0]
