"""Threads call at once and processes fork, on each of Numba's layers.

Threads also call beside other users of Numba, and within their parallel regions. Child processes of every kind compute
right results and end normally, whatever their parent has run.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import fastops as fo
from fastops._runtime import _kernels, _threads
from tests.helpers.processes import LAYERS, on_layer, run_code, run_program, run_python
from tests.helpers.seeds import scale


@pytest.mark.parametrize("cache", scale(["as it is"], ["as it is", "empty"]))
@pytest.mark.parametrize("layer", LAYERS)
def test_threads_call_every_operator_at_once_also_beside_parallel_functions(
    layer: str, cache: str, tmp_path: Path
) -> None:
    environment = on_layer(layer) | ({"NUMBA_CACHE_DIR": str(tmp_path)} if cache == "empty" else {})
    # Nontemporal stores take the most stack.
    environment |= {"FASTOPS_STREAM_BYTES": "1024"}
    done = run_program("threads", 16, scale(0, 60), seconds=260, **environment)
    # Each warning comes once, however many threads meet it at the same time.
    assert (done.returncode, done.stdout) == (0, f"{layer} {int(layer == 'workqueue')}\n"), done.stderr


# Numba holds its lock while it types `table`; another thread's first large call does not wait for that lock.
CALL_WHILE_NUMBA_COMPILES = """
import threading
import numba
from numba.extending import overload
done, large = [], np.arange(1 << 17)
def table():
    raise NotImplementedError
@overload(table)
def _():
    thread = threading.Thread(target=lambda: done.append(int(fo.slice(large, [1], [1 << 16])[0])))
    thread.start()
    thread.join()
    n = int(fo.range(0, 3, 1, "i32")[2])
    return lambda: n
print(numba.njit(lambda: table())(), done)
"""


def test_code_that_runs_while_numba_compiles_may_call_anything() -> None:
    assert run_code(CALL_WHILE_NUMBA_COMPILES) == "2 [1]\n"


@pytest.mark.skipif("tbb" not in LAYERS, reason="there is no wheel of TBB for this machine")
def test_threads_run_on_tbb_in_a_plain_installation_whoever_asks_for_them_first() -> None:
    plain = dict.fromkeys(["NUMBA_THREADING_LAYER", "NUMBA_THREADING_LAYER_PRIORITY", "LD_LIBRARY_PATH"])
    code = "import numba, fastops.__main__; numba.get_num_threads(); fastops.__main__.main(['info'])"
    done = run_python("-c", code, **plain)
    assert re.search(r"^threading layer +tbb$", done.stdout, re.MULTILINE), done.stdout


def test_the_gil_is_released() -> None:
    """At least once, this thread gets the GIL while a kernel runs in another thread; only kernels release it."""
    data, interval = np.zeros(1 << 23, np.uint8), sys.getswitchinterval()
    seen: list[bool] = []
    calls = {
        "range": lambda: fo.range(0, 1 << 23, 1, "f64"),
        "slice": lambda: fo.slice(data, [1], [1 << 23], mode="wrap"),
    }

    def is_amid(call: Callable[[], Any]) -> bool:
        seen.clear()
        thread = threading.Thread(target=lambda: seen.append(call() is None))
        thread.start()
        is_amid = not seen
        thread.join()
        return is_amid

    for name, call in calls.items():
        call()
        sys.setswitchinterval(1000)
        try:
            assert any(is_amid(call) for _ in range(100)), name
        finally:
            sys.setswitchinterval(interval)


def test_small_work_is_serial_and_large_work_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    workers: list[int] = []

    def noting(run: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: workers.append(args[-3]) or run(*args)

    monkeypatch.setitem(_kernels.load_object().entries, "execute_launch", noting(_kernels.load_entry("execute_launch")))
    monkeypatch.setattr(_kernels, "runs_regions", lambda: True)
    # The kernel `execute`, which has no threads, does small work.
    fo.slice(np.zeros(64), [0], [64])
    fo.slice(np.zeros(1 << 14), [0], [1 << 14])
    fo.slice(np.zeros(1 << 20), [0], [1 << 20])
    assert workers == [numba.get_num_threads()]
    assert workers[-1] == _threads.read_thread_count()


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

METHODS = scale(["fork"], ["fork", "spawn", "forkserver"])

# There is no case of a child on omp: fastops does not know of a fork before its import, and GNU OpenMP ends the child.
FIRSTS = [
    (layer, first) for layer in LAYERS for first in ("fastops", "numba", "child") if (layer, first) != ("omp", "child")
]
SOME = [("omp", "numba"), ("workqueue", "child"), *[(layer, "fastops") for layer in LAYERS if layer != "omp"]]


@needs_fork
@pytest.mark.parametrize(("layer", "first"), scale(SOME, FIRSTS))
def test_children_of_a_parent_that_has_run_parallel_work(layer: str, first: str) -> None:
    methods = METHODS if first != "child" or scale(short=False, long=True) else []
    environment = {**on_layer(layer), "NUMBA_NUM_THREADS": "2"}
    done = run_program("forks", first, scale(3, 300), *methods, seconds=300, PYTHONWARNINGS="ignore", **environment)
    # TBB prints lines for each fork at which it could not stop its threads, before or after the lines of Python.
    assert done.returncode == 0, done.stderr
    assert layer in done.stdout.splitlines()
