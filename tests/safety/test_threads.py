"""Threads call at once, on each of Numba's layers, beside its other users and within their regions."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numba
import numpy as np
import pytest

import fastops as fo
from fastops._runtime import _kernels, _launches, _threading_layers
from tests.helpers.processes import LAYERS, on_layer, run_code, run_program, run_python
from tests.helpers.torture import scale
from tests.safety.programs._operators import every_operator


@pytest.mark.parametrize("cache", scale(["as it is"], ["as it is", "empty"]))
@pytest.mark.parametrize("layer", LAYERS)
def test_threads_call_every_operator_at_once(layer: str, cache: str, tmp_path: Path) -> None:
    seconds = scale(1, 60)
    environment = {"NUMBA_THREADING_LAYER": layer} | ({"NUMBA_CACHE_DIR": str(tmp_path)} if cache == "empty" else {})
    done = run_program("threads", 16, seconds, seconds=200 + seconds, **environment)
    assert done.returncode == 0, done.stderr
    printed, calls, warned = done.stdout.split()
    assert printed == layer
    assert int(calls) >= 16 * len(every_operator())
    assert int(warned) == (layer == "workqueue"), "each warning is one, however many threads meet it at once"


@pytest.mark.parametrize("layer", LAYERS)
def test_threads_call_beside_a_parallel_function_of_the_user(layer: str) -> None:
    seconds = scale(1, 20)
    done = run_program("threads_beside_numba", seconds, seconds=200 + seconds, **on_layer(layer))
    assert (done.returncode, done.stdout) == (0, f"{layer}\n"), done.stderr


@pytest.mark.parametrize("layer", LAYERS)
def test_calls_within_a_parallel_region_of_the_user(layer: str) -> None:
    done = run_program("nested", **on_layer(layer))
    assert (done.returncode, done.stdout) == (0, f"{layer}\n"), done.stderr


WARNED = """
import threading, warnings
from fastops._runtime import _threading_layers
data = np.zeros((1024, 1024))
def flip():
    fo.strided_slice(data, [0, -1], [2000, -2000], [1, -1])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    flip()
    print(len(caught), end=" ")
    wait = threading.Event()
    other = threading.Thread(target=wait.wait)
    other.start()
    flip(); flip()
    wait.set()
    print(len(caught), *[each.message for each in caught])
"""


# Numba holds its lock while it asks what `table` is, and another thread's first call waits for that lock.
CALL_WHILE_NUMBA_COMPILES = """
import threading, time
import numba
from numba.extending import overload
asked, done = threading.Event(), []
def table():
    raise NotImplementedError
@overload(table)
def _():
    asked.set()
    time.sleep(0.5)
    n = int(fo.range(0, 3, 1, "i32")[2])
    return lambda: n
@numba.njit
def user():
    return table()
threads = [threading.Thread(target=lambda: done.append(user()), daemon=True)]
threads.append(threading.Thread(target=lambda: done.append(fo.slice(np.arange(5), [1], [1])[0]), daemon=True))
threads[0].start()
asked.wait()
threads[1].start()
[thread.join(60) for thread in threads]
print(sorted(done))
"""


def test_code_that_runs_while_numba_compiles_may_call_anything() -> None:
    assert run_code(CALL_WHILE_NUMBA_COMPILES).replace("np.int64(1)", "1") == "[1, 2]\n"


IMPORT_BESIDE_FIRST_USE = """
import threading, time
import fastops as fo
barrier, done = threading.Barrier(2), []
def load():
    barrier.wait()
    import {module}
    done.append("imported")
def use():
    barrier.wait()
    time.sleep({seconds})
    done.append({use})
threads = [threading.Thread(target=target) for target in (load, use)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sorted(map(str, done)))
"""


@pytest.mark.parametrize(
    ("module", "use"), [("numpy", "fo.plan.slice([3], [0], [2]).shape"), ("numba", 'fo.range(0, 3, 1, "i32").tolist()')]
)
@pytest.mark.parametrize("seconds", scale([0.03], [0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.2]))
def test_a_first_use_beside_an_import_of_what_it_needs(module: str, use: str, seconds: float) -> None:
    done = run_python("-c", IMPORT_BESIDE_FIRST_USE.format(module=module, use=use, seconds=seconds))
    expected = ["(2,)", "imported"] if module == "numpy" else ["[0, 1, 2]", "imported"]
    assert (done.stdout, done.stderr) == (f"{expected}\n", "")


def test_serial_work_on_workqueue_is_warned_of_once() -> None:
    printed = run_code(WARNED, NUMBA_THREADING_LAYER="workqueue")
    assert printed.startswith(
        "0 1 fastops: large work is done by one thread here. On Numba's threading layer workqueue "
    )


def test_nobody_is_warned_where_threads_always_run() -> None:
    assert run_code(WARNED, NUMBA_THREADING_LAYER=LAYERS[-1]) == "0 0\n"


def test_workqueue_runs_in_parallel_while_there_is_one_thread() -> None:
    code = (
        "fo.slice(np.zeros(9), [0], [9])\nfrom fastops._runtime._launches import count_workers\nprint(count_workers())"
    )
    assert run_code(code, NUMBA_THREADING_LAYER="workqueue", NUMBA_NUM_THREADS="2") == "2\n"


PLAIN = dict.fromkeys(["NUMBA_THREADING_LAYER", "NUMBA_THREADING_LAYER_PRIORITY", "LD_LIBRARY_PATH"])

needs_tbb = pytest.mark.skipif("tbb" not in LAYERS, reason="there is no wheel of TBB for this machine")


@needs_tbb
def test_threads_run_on_tbb_in_a_plain_installation() -> None:
    done = run_python("-m", "fastops", "info", **PLAIN)
    lines = [line for line in done.stdout.splitlines() if line.startswith("threading layer ")]
    assert "  tbb (libtbb.so." in lines[0]


@needs_tbb
@pytest.mark.parametrize("modules", ["fastops, numba", "numba, fastops"])
@pytest.mark.parametrize("code", ["numba.get_num_threads()", "numba.njit(parallel=True)(lambda a: a + a)(np.ones(4))"])
def test_threads_run_on_tbb_where_code_of_the_user_asks_for_them_first(modules: str, code: str) -> None:
    done = run_python("-c", f"import {modules}\nimport numpy as np\n{code}\nprint(numba.threading_layer())", **PLAIN)
    assert (done.stdout, done.stderr) == ("tbb\n", "")


def test_a_thread_may_have_a_stack_of_64_kib() -> None:
    code = """
import threading
from tests.safety.programs._operators import check_all
check_all()
threading.stack_size(64 << 10)
thread = threading.Thread(target=lambda: print(check_all()))
thread.start()
thread.join()
"""
    assert run_code(code, PYTHONWARNINGS="ignore") == "None\n"


def test_the_gil_is_released() -> None:
    size = 1 << 26
    fo.range(0, 8, 1, "f8e4m3")  # compile before the clock runs
    done = threading.Event()

    def work() -> None:
        fo.range(0, size, 1, "f8e4m3")
        done.set()

    worker = threading.Thread(target=work)
    start = time.perf_counter()
    worker.start()
    longest, last = 0.0, time.perf_counter()
    while not done.is_set():
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    worker.join()
    assert longest < 0.5 * (last - start), "this thread stood still while the kernel ran"


def test_small_work_is_serial_and_large_work_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    small = np.zeros(64)
    fo.slice(small, [0], [64])  # what is called for the first time is checked in Python
    workers = []
    real = _kernels.compile_kernel("gather")

    def spy(*args: object) -> None:
        workers.append(args[-3])
        real.run(*args)

    spied = _kernels.CompiledKernel(spy, real.dispatcher, real.from_cache)
    monkeypatch.setitem(_kernels._compiled, ("gather", 0), spied)
    monkeypatch.setattr(_launches, "runs_regions", lambda: True)
    fo.slice(small, [0], [64])  # by the guarded kernel, which has no threads
    fo.slice(np.zeros(1 << 14), [0], [1 << 14])
    fo.slice(np.zeros(1 << 20), [0], [1 << 20])
    assert workers == [1, numba.get_num_threads()]
    assert workers[1] == _threading_layers.read_thread_count()


def test_the_number_of_threads_is_that_of_the_calling_thread() -> None:
    fo.range(0, 4, 1, "i32")
    numba.set_num_threads(1)
    try:
        assert _threading_layers.read_thread_count() == 1
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
