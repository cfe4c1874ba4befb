"""``workers``: fastops in the workers of joblib (processes and threads) and of dask (threads). Prints the layer."""

from __future__ import annotations

import dask
from joblib import Parallel, delayed

from fastops._runtime._threading_layers import threading_layer
from tests.safety.programs._operators import check_all


def work(_: int) -> bool:
    """Call every operator."""
    check_all()
    return True


def main() -> None:
    """Run work here, in each kind of worker, and here again."""
    work(0)
    for backend in ("loky", "threading", "multiprocessing"):
        if not all(Parallel(2, backend=backend)(delayed(work)(k) for k in range(4))):
            raise ValueError(f"joblib's workers by {backend} are wrong")
    if not all(dask.compute(*[dask.delayed(work)(k) for k in range(4)], scheduler="threads")):
        raise ValueError("dask's threads are wrong")
    work(0)
    print(threading_layer())


if __name__ == "__main__":
    main()
