"""What more threads gain: the same work with one, two and more."""

from __future__ import annotations

from typing import ClassVar

from benchmarks.cases import CASES, MIB, shown_bytes
from benchmarks.suite import CaseSuite, take_threads

# Of outputs: inside of the cache, and beyond it.
_SIZES = {shown_bytes(size): size for size in (4 * MIB, 64 * MIB)}


class Threads(CaseSuite):
    """Some cases with numbers of threads, those skipped that are more than Numba has."""

    params = (
        ["crop_f32", "horizontal_flip_f32", "pad_reflect_f32", "qkv_split_f32"],
        list(_SIZES),
        [1, 2, 4, 8, 16],
    )
    param_names: ClassVar = ["case", "output", "threads"]

    def setup(self, name: str, output: str, threads: int) -> None:
        """Make data and the caller's output, and set how many threads there are."""
        take_threads(threads)
        case = CASES[name]
        self.set_call(case, case.small if self.is_small else case.resized(_SIZES[output]))

    def time_out(self, _name: str, _output: str, _threads: int) -> None:
        """Write into the caller's output."""
        self.call(out=self.out)
