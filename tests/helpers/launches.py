"""Launches that a test makes serial or parallel, whatever earlier launches have lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from fastops._runtime._kernels import compile_kernel
from fastops.kernels._intrinsics import _regions
from fastops.kernels._launches import WORDS

#: Each sequence of serial (True) and parallel launches, for 1 to 3 launches of a call.
SEQUENCES = [sequence for n in (1, 2, 3) for sequence in product((True, False), repeat=n)]


def decide(is_serial: bool) -> None:
    """Let the next launch run serially, or in parallel."""
    _regions.forget_launches()
    if is_serial:
        # The first word of each history: for how many ticks work is serial.
        _regions._histories[::WORDS] = [1 << 62] * len(_regions._histories[::WORDS])


def run_kernel_by(sequence: Sequence[bool], workers: int) -> Callable[..., None]:
    """Return a stand-in for `fastops._runtime._kernels.run_kernel` that makes these launches, serial or parallel."""

    def run_kernel(name: str, needs: int, total_bytes: int, *args: Any) -> None:
        kernel = compile_kernel(name, needs)
        try:
            for launch, is_serial in enumerate(sequence):
                decide(is_serial)
                kernel.run(*args, workers, launch, len(sequence))
        finally:
            _regions.forget_launches()

    return run_kernel
