"""``nested``: fastops called from within a parallel region of the user's own. Prints the layer."""

from __future__ import annotations

import numpy as np
from numba import njit, objmode, prange

import fastops as fo
from fastops._runtime._threading_layers import threading_layer

DATA = np.arange(1 << 18).reshape(512, 512)


def flipped(k: int) -> int:
    """Return the first element of a large flip."""
    return int(fo.strided_slice(DATA[k:], [0, -1], [2000, -2000], [1, -1])[0, 0])


@njit(parallel=True)
def work(n):  # type: ignore[no-untyped-def]
    """Call fastops from each turn of a parallel loop."""
    firsts = np.zeros(n, np.int64)
    for k in prange(n):
        with objmode(first="int64"):
            first = flipped(k)
        firsts[k] = first
    return firsts


def main() -> None:
    """Run it twice, before and after fastops has run on its own."""
    for _ in range(2):
        if work(64).tolist() != [512 * k + 511 for k in range(64)]:
            raise ValueError("a nested call is wrong")
        flipped(0)
    print(threading_layer())


if __name__ == "__main__":
    main()
