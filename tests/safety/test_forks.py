"""Child processes of every kind compute right results and end normally, whatever their parent has run."""

from __future__ import annotations

import os

import pytest

from tests.helpers.processes import LAYERS, on_layer, run_code, run_program
from tests.helpers.seeds import scale

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

METHODS = scale(["fork"], ["fork", "spawn", "forkserver"])

# There is no case of a child on omp: fastops does not know of a fork before its import, and GNU OpenMP ends the child.
FIRSTS = [
    (layer, first) for layer in LAYERS for first in ("fastops", "numba", "child") if (layer, first) != ("omp", "child")
]
SOME = [("omp", "numba"), ("workqueue", "child"), *[(layer, "fastops") for layer in LAYERS if layer != "omp"]]


@pytest.mark.parametrize(("layer", "first"), scale(SOME, FIRSTS))
def test_children_of_a_parent_that_has_run_parallel_work(layer: str, first: str) -> None:
    methods = METHODS if first != "child" or scale(short=False, long=True) else []
    environment = {**on_layer(layer), "NUMBA_NUM_THREADS": "2"}
    done = run_program("forks", first, scale(3, 300), *methods, seconds=300, PYTHONWARNINGS="ignore", **environment)
    # TBB prints lines for each fork at which it could not stop its threads, before or after the lines of Python.
    assert done.returncode == 0, done.stderr
    assert layer in done.stdout.splitlines()


WORKERS = """
import dask
from joblib import Parallel, delayed
from fastops._runtime._threads import threading_layer
from tests.safety.programs._operators import check_all
check_all()
for backend in ("loky", "threading", "multiprocessing"):
    Parallel(2, backend=backend)(delayed(check_all)() for _ in range(4))
dask.compute(*[dask.delayed(check_all)() for _ in range(4)], scheduler="threads")
check_all()
print(threading_layer())
"""


@pytest.mark.parametrize("layer", LAYERS)
def test_workers_of_joblib_and_dask(layer: str) -> None:
    pytest.importorskip("joblib", reason="joblib and dask are installed by tox -e torture")
    assert run_code(WORKERS, seconds=300, PYTHONWARNINGS="ignore", **on_layer(layer)) == f"{layer}\n"
