"""Many windows in one call, crops that are cast and normalised, and pads in users' compiled code."""

from __future__ import annotations

from typing import ClassVar

import fastops
from benchmarks.cases import (
    COMPILED_CALLS,
    COMPILED_CASES,
    COMPILED_PAD,
    NORMALIZE_CASES,
    WINDOWS_CASES,
    compiled_data,
    compiled_pad,
)
from benchmarks.suite import Suite, take_threads


class Windows(Suite):
    """Each call, into an output that exists."""

    params: ClassVar = list(WINDOWS_CASES)
    param_names: ClassVar = ["windows"]

    def setup(self, name: str) -> None:
        """Make the arguments, and load the kernel by a first call."""
        self.call = WINDOWS_CASES[name].call(fastops, is_small=self.is_small)
        self.call()

    def time_out(self, _name: str) -> None:
        """Write all windows."""
        self.call()


class Normalize(Suite):
    """Each crop, or batch, into an output that exists, with one thread and with two."""

    params: ClassVar = [list(NORMALIZE_CASES), [1, 2]]
    param_names: ClassVar = ["crop", "threads"]

    def setup(self, name: str, threads: int) -> None:
        """Make the arguments, and load the kernel by a first call."""
        take_threads(threads)
        self.call = NORMALIZE_CASES[name].call(fastops, is_small=self.is_small)
        self.call()

    def time_out(self, _name: str, _threads: int) -> None:
        """Cast and normalise what is moved."""
        self.call()


class Compiled(Suite):
    """A pad by reflection, called by compiled code: 100 calls, so 1 ms here is 10 us a call."""

    params: ClassVar = list(COMPILED_CASES)
    param_names: ClassVar = ["pad"]

    def setup(self, name: str) -> None:
        """Compile the function by a first call."""
        self.data, self.pad = compiled_data(name), compiled_pad(fastops)
        self.pad(self.data, COMPILED_PAD, 1)

    def time_100_fresh(self, _name: str) -> None:
        """Allocate and write each result."""
        self.pad(self.data, COMPILED_PAD, COMPILED_CALLS)
