"""``threads_beside_numba SECONDS``: fastops in threads, beside one with a parallel function of the user's own."""

from __future__ import annotations

import sys
import threading
import time

import numpy as np
from numba import njit, prange

from fastops._runtime._threading_layers import threading_layer
from tests.safety.programs._operators import check_all


@njit(parallel=True, nogil=True)
def doubled(values):  # type: ignore[no-untyped-def]
    """Return twice the values."""
    result = np.empty_like(values)
    for i in prange(len(values)):
        result[i] = 2 * values[i]
    return result


def main(seconds: float) -> None:
    """Run both."""
    values = np.arange(1 << 18)
    doubled(values)
    end = time.monotonic() + seconds
    wrong: list[Exception] = []

    def work() -> None:
        try:
            check_all()
            while time.monotonic() < end:
                check_all()
        except Exception as error:
            wrong.append(error)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        if doubled(values)[-1] != 2 * values[-1]:
            raise ValueError("the user's own function is wrong")
    if wrong:
        raise wrong[0]
    print(threading_layer())


if __name__ == "__main__":
    main(float(sys.argv[1]))
