"""Launches that a test makes serial or parallel, whatever earlier launches have lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from fastops._runtime._kernels import load_entry, load_parallel
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

    def run_kernel(name: str, total_bytes: int, *args: Any) -> None:
        try:
            for launch, is_serial in enumerate(sequence):
                decide(is_serial)
                run_launch(name, *args, workers=workers, launch=launch, launches=len(sequence))
        finally:
            _regions.forget_launches()

    return run_kernel


def run_launch(name: str, *args: Any, workers: int, launch: int = 0, launches: int = 1) -> None:
    """Run one launch of a kernel, by the calling thread alone or by several."""
    if workers == 1:
        load_entry(name)(*args, launch, launches)
        return
    run = load_parallel(name)
    assert run is not None
    run(*args, workers, launch, launches)
