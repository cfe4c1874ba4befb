"""``forks FIRST ROUNDS METHODS``: children of a process that has run parallel kernels. Prints the layer.

FIRST is who starts Numba's threads: ``fastops``; ``numba``, a parallel function of the user's, before fastops is
imported; ``child``, the same, with fastops imported only in the children. These have no children of their own then,
and the layer is not omp: fastops does not know of a fork before it was imported.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numba
import numpy as np


@numba.njit(parallel=True)
def doubled(values):  # type: ignore[no-untyped-def]
    """Return twice the values."""
    result = np.empty_like(values)
    for i in numba.prange(len(values)):
        result[i] = 2 * values[i]
    return result


def work(_: int = 0) -> bool:
    """Call every operator."""
    from tests.safety.programs._operators import check_all

    check_all()
    return True


def work_and_exit() -> None:
    """Call every operator, and end with a status that says if all were right."""
    os._exit(0 if work() else 1)


def check_fork(*, grandchild: bool) -> None:
    """Fork a child that works, and another one of it that does; both must end as they should."""
    child = os.fork()
    if child == 0:
        try:
            if grandchild:
                check_fork(grandchild=False)
            work_and_exit()
        finally:
            os._exit(2)
    status = os.waitpid(child, 0)[1]
    if status:
        raise ValueError(f"a forked child ended with status {status}")


def check_leaving() -> None:
    """Fork a child that works and leaves as programs do: the interpreter and the layer shut down in it."""
    child = os.fork()
    if child == 0:
        work()
        sys.exit(0)
    status = os.waitpid(child, 0)[1]
    if status:
        raise ValueError(f"a forked child that left normally ended with status {status}")


def main(first: str, rounds: str, methods: list[str]) -> None:
    """Run parallel work, then children of every kind."""
    if first == "fastops":
        work()
    else:
        doubled(np.arange(1 << 18))
    if first == "numba":
        work()
    for _ in range(int(rounds)):
        check_fork(grandchild=first != "child")
    check_leaving()
    for method in methods:
        context = get_context(method)
        process = context.Process(target=work)
        process.start()
        process.join()
        if process.exitcode:
            raise ValueError(f"a child by {method} ended with {process.exitcode}")
        with context.Pool(2) as pool:
            if not all(pool.map(work, range(4))):
                raise ValueError(f"a pool by {method} is wrong")
        with ProcessPoolExecutor(2, context) as executor:
            if not all(executor.map(work, range(4))):
                raise ValueError(f"an executor by {method} is wrong")
    work()
    print(numba.threading_layer())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
