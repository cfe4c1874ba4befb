"""``threads N SECONDS``: Python threads, a user's parallel function, and a thread with little stack call operators.

N threads make the first calls at the same time. The program prints the layer, and the number of fastops' warnings.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
from numba import njit, objmode, prange

import fastops as fo
from fastops._runtime._threads import threading_layer
from tests.safety.programs._operators import check, check_all, every_operator

DATA = np.arange(1 << 18).reshape(512, 512)


def flipped(k: int) -> int:
    """Return the first element of a large flip."""
    return int(fo.strided_slice(DATA[k:], [0, -1], [2000, -2000], [1, -1])[0, 0])


@njit(parallel=True)
def firsts_of(n):  # type: ignore[no-untyped-def]
    """Call fastops from each turn of a parallel loop."""
    firsts = np.zeros(n, np.int64)
    for k in prange(n):
        with objmode(first="int64"):
            first = flipped(k)
        firsts[k] = first
    return firsts


def run_beside(n: int, work: Callable[[int], None], beside: Callable[[], None]) -> None:
    """Run ``work`` in n threads, and ``beside`` in this one as long as they run; raise what any of them raises."""
    with ThreadPoolExecutor(n) as pool:
        running = [pool.submit(work, k) for k in range(n)]
        while not all(each.done() for each in running):
            beside()
    for each in running:
        each.result()


def main(threads: int, seconds: float) -> None:
    """Run the threads."""
    calls, barrier = every_operator(), threading.Barrier(threads)

    def work(k: int) -> None:
        # All threads load or compile the same kernels at the same time, and meet the same warnings.
        barrier.wait()
        end = time.monotonic() + seconds
        for call in Random(k).sample(calls, len(calls)) if k % 2 else calls:
            check(call)
        while time.monotonic() < end:
            check(Random().choice(calls))

    def check_own() -> None:
        if firsts_of(64).tolist() != [512 * k + 511 for k in range(64)]:
            raise ValueError("a nested call is wrong")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run_beside(threads, work, lambda: time.sleep(0.001))
        run_beside(4, lambda _: check_all(), check_own)
    check_own()
    threading.stack_size(64 << 10)
    run_beside(1, lambda _: check_all(), lambda: None)
    print(threading_layer(), sum(str(each.message).startswith("fastops: ") for each in caught))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
