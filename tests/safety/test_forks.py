"""Children of every kind compute what they should and end as they should, whatever their parent has run."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest

import fastops as fo
from tests.helpers.processes import LAYERS, on_layer, run_code, run_program
from tests.helpers.torture import scale

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

METHODS = scale(["fork"], ["fork", "spawn", "forkserver"])
ROUNDS = scale(1, 3)


# Not a child on omp: fastops does not know of a fork before it was imported, and GNU OpenMP ends the child. Children
# that import fastops take three times as long as others, so that a short run has those of one layer.
IMPORTED_BY_CHILDREN = [(layer, "child") for layer in scale(["workqueue"], LAYERS) if layer != "omp"]
FIRSTS = [*[(layer, first) for layer in LAYERS for first in ("fastops", "numba")], *IMPORTED_BY_CHILDREN]


@pytest.mark.parametrize(("layer", "first"), FIRSTS)
def test_children_of_a_parent_that_has_run_parallel_work(layer: str, first: str) -> None:
    done = run_program("forks", first, ROUNDS, *METHODS, seconds=300, PYTHONWARNINGS="ignore", **on_layer(layer))
    assert (done.returncode, done.stdout) == (0, f"{layer}\n"), done.stderr


@pytest.mark.parametrize("layer", LAYERS)
def test_workers_of_joblib_and_dask(layer: str) -> None:
    pytest.importorskip("joblib", reason="joblib and dask are installed by tox -e torture")
    done = run_program("workers", seconds=300, PYTHONWARNINGS="ignore", **on_layer(layer))
    assert (done.returncode, done.stdout) == (0, f"{layer}\n"), done.stderr


WARNED = """
import threading, warnings
data = np.zeros((1024, 1024))
fo.slice(data, [0, 0], [1024, 1024])
done = threading.Event()
others = [threading.Thread(target=done.wait) for _ in range({others})]
[thread.start() for thread in others]
child = os.fork()
if child == 0:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            fo.slice(data, [0, 0], [1024, 1024])
    print(*[str(warning.message).removeprefix("fastops: ") for warning in caught], sep="\\n", flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
done.set()
"""


@pytest.mark.parametrize(
    ("layer", "others", "is_warned"),
    [("omp", 0, True), ("omp", 1, True), ("tbb", 0, False), ("tbb", 1, True), ("workqueue", 0, False)],
)
def test_a_child_whose_regions_might_not_run_is_warned_of_serial_work_once(
    layer: str, others: int, is_warned: bool
) -> None:
    if layer not in LAYERS:
        pytest.skip("TBB's wheel is for x86-64 only")
    printed = run_code(WARNED.format(others=others), **on_layer(layer))
    message = f"large work is done by one thread here. On Numba's threading layer {layer} it is serial in a process "
    assert printed.count(message) == printed.count("large work") == is_warned


FORK_AMID = """
import threading
data = np.arange(1 << 18).reshape(512, 512)
stop = threading.Event()
def flip():
    return np.array_equal(fo.strided_slice(data, [0, -1], [2000, -2000], [1, -1]), data[:, ::-1])
def work():
    while not stop.is_set():
        flip()
threads = [threading.Thread(target=work) for _ in range(3)]
flip()
[thread.start() for thread in threads]
for _ in range({rounds}):
    child = os.fork()
    if child == 0:
        os._exit(0 if flip() else 1)
    assert os.waitpid(child, 0)[1] == 0
stop.set()
[thread.join() for thread in threads]
print("all ended")
"""


@pytest.mark.parametrize("layer", LAYERS)
def test_forks_while_other_threads_are_in_parallel_work(layer: str) -> None:
    code = FORK_AMID.format(rounds=scale(5, 300))
    # TBB adds a line for each fork at which it could not stop its threads.
    assert "all ended\n" in run_code(code, seconds=200, NUMBA_THREADING_LAYER=layer, PYTHONWARNINGS="ignore")


UNPICKLED = """
import pickle, sys, numpy as np
plan, range_plan = pickle.load(sys.stdin.buffer)
print(plan(np.arange(8)).tolist(), range_plan("u8").tolist())
"""


def test_plans_run_in_a_process_that_has_got_them_only() -> None:
    plans = (fo.plan.slice((8,), [2], [3]), fo.plan.range(0, 3, 1, "i32"))
    done = subprocess.run([sys.executable, "-c", UNPICKLED], input=pickle.dumps(plans), capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"[2, 3, 4] [0, 1, 2]\n"), done.stderr
