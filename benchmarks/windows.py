"""Many windows in one call, crops that are cast and normalised, and pads in users' compiled code."""

from __future__ import annotations

from typing import ClassVar

import fastops
from benchmarks import cases
from benchmarks.suite import Suite, take_threads


class Windows(Suite):
    """Each call, into an output that exists."""

    params: ClassVar = list(cases.WINDOWS_CASES)
    param_names: ClassVar = ["windows"]

    def setup(self, name: str) -> None:
        """Make the arguments, and load the kernel by a first call."""
        self.call = cases.WINDOWS_CASES[name].call(fastops, is_small=self.is_small)
        self.call()

    def time_out(self, _name: str) -> None:
        """Write all windows."""
        self.call()


class Normalize(Suite):
    """Each crop, or batch, into an output that exists, with one thread and with two."""

    params: ClassVar = [list(cases.NORMALIZE_CASES), [1, 2]]
    param_names: ClassVar = ["crop", "threads"]

    def setup(self, name: str, threads: int) -> None:
        """Make the arguments, and load the kernel by a first call."""
        take_threads(threads)
        self.call = cases.NORMALIZE_CASES[name].call(fastops, is_small=self.is_small)
        self.call()

    def time_out(self, _name: str, _threads: int) -> None:
        """Cast and normalise what is moved."""
        self.call()


class Compiled(Suite):
    """A pad by reflection, called by compiled code: 100 calls, so 1 ms here is 10 us a call."""

    params: ClassVar = list(cases.COMPILED_CASES)
    param_names: ClassVar = ["pad"]

    def setup(self, name: str) -> None:
        """Compile the function by a first call."""
        self.data, self.pad = cases.compiled_data(name), cases.compiled_pad(fastops)
        self.pad(self.data, cases.COMPILED_PAD, 1)

    def time_100_fresh(self, _name: str) -> None:
        """Allocate and write each result."""
        self.pad(self.data, cases.COMPILED_PAD, cases.COMPILED_CALLS)
