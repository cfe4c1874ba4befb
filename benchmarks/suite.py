"""What the suites have in common."""

from __future__ import annotations

from typing import ClassVar

import fastops
from benchmarks.cases import CASES, Case, Size


def case_to_time(name: str) -> Case:
    """Return a case; skip the benchmark, as asv documents it, where the package has not got the operator yet."""
    case = CASES[name]
    if not hasattr(fastops, case.operator):
        raise NotImplementedError(case.operator)
    return case


class CaseSuite:
    """A call of each case, ready to be timed."""

    param_names: ClassVar = ["case"]
    timeout = 300
    # Tests set it to True, to run every benchmark quickly.
    is_small = False

    def setup(self, name: str) -> None:
        """Make data and the caller's output, by a first call, which also loads the kernel."""
        case = case_to_time(name)
        self.call = case.call(fastops, self.size_of(case))
        self.out = self.call()

    def size_of(self, case: Case) -> Size:
        """Return the size to run a case in."""
        return case.small if self.is_small else case.full
