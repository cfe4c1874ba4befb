"""``forks FIRST ROUNDS METHODS``: fork children of a process that has run parallel kernels, and print the layer.

FIRST says what starts Numba's threads: ``fastops``; ``numba``, a parallel function of the user before fastops is
imported; ``child``, the same function, and children import fastops before their parent does. In the last case, children
have no children of their own, and the layer is not omp, because fastops does not know of a fork before it was imported.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numba
import numpy as np


@numba.njit(parallel=True)
def doubled(values):  # type: ignore[no-untyped-def]
    """Return twice the values."""
    result = np.empty_like(values)
    for i in numba.prange(len(values)):
        result[i] = 2 * values[i]
    return result


def work(_: int = 0) -> int:
    """Call every operator; return how many warnings say that large work is serial."""
    from tests.safety.programs._operators import check_all

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_all()
    said = f"fastops: large work is done by one thread here. On Numba's threading layer {numba.threading_layer()} "
    return sum(str(each.message).startswith(said) for each in caught)


def check_fork(work: Callable[[], Any], expected: int | None, leave: Callable[[int], Any] = os._exit) -> None:
    """Fork a child that works and then leaves; its work must return the expected value."""
    child = os.fork()
    if child == 0:
        is_right = False
        try:
            is_right = work() == expected
        finally:
            leave(not is_right)
    status = os.waitpid(child, 0)[1]
    if status:
        raise ValueError(f"a forked child ended with status {status}")


def beside_threads(n: int, target: Callable[[], Any], run: Callable[[], Any]) -> None:
    """Run ``run`` beside n threads that run ``target``, and join them."""
    threads = [threading.Thread(target=target) for _ in range(n)]
    for thread in threads:
        thread.start()
    run()
    for thread in threads:
        thread.join()


def check_children(first: str, rounds: int) -> None:
    """Fork children of a process with no other thread, with one that waits, and with some that do parallel work."""
    # Where parallel regions might not run, each child warns once.
    alone, beside_others = {"omp": (1, 1), "tbb": (0, 1)}.get(numba.threading_layer(), (0, 0))
    if first == "child":
        check_fork(work, 0)
        return

    def work_and_fork(said: int) -> int:
        check_fork(work, said)
        return work() + work()

    check_fork(lambda: work_and_fork(alone), alone)
    # Leave as programs do: the interpreter and the layer shut down.
    check_fork(work, alone, sys.exit)
    waiting, done = threading.Event(), threading.Event()

    def check_beside() -> None:
        check_fork(lambda: work_and_fork(beside_others), beside_others)
        waiting.set()

    beside_threads(1, waiting.wait, check_beside)

    from tests.safety.programs._operators import check, every_operator

    flip = every_operator()[0]

    def flip_until_done() -> None:
        while not done.is_set():
            check(flip)

    def check_amid() -> None:
        for _ in range(rounds):
            check_fork(lambda: check(flip), None)
        done.set()

    beside_threads(3, flip_until_done, check_amid)


def main(first: str, rounds: int, methods: list[str]) -> None:
    """Run parallel work, then children of every kind."""
    if first != "fastops":
        doubled(np.arange(1 << 18))
    if first != "child":
        from fastops._runtime._kernels import count_workers

        if work() or count_workers() != 2:
            raise ValueError("large work is serial")
    check_children(first, rounds)
    for method in methods:
        context = get_context(method)
        with context.Pool(2) as pool:
            pool.map(work, range(4))
        with ProcessPoolExecutor(2, context) as executor:
            list(executor.map(work, range(4)))
    work()
    print(numba.threading_layer())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
