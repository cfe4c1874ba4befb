"""Children of every kind compute what they should and end as they should, whatever their parent has run."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import fastops as fo
from tests._torture import scale
from tests.safety._processes import LAYERS, on_layer, run_code, run_program, run_python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

METHODS = scale(["fork"], ["fork", "spawn", "forkserver"])


@pytest.mark.parametrize("first", ["fastops", "numba", "child"])
@pytest.mark.parametrize("layer", LAYERS)
def test_children_of_a_parent_that_has_run_parallel_work(layer: str, first: str) -> None:
    done = run_program("forks", first, *METHODS, seconds=300, PYTHONWARNINGS="ignore", **on_layer(layer))
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


# A fork beside `thread`, whose child runs a kernel.
FORK = """
child = os.fork()
if child == 0:
    os._exit(0 if fo.range(0, 4, 1, "i32").tolist() == [0, 1, 2, 3] else 1)
assert os.waitpid(child, 0)[1] == 0
thread.join()
print("both live")
"""

FORK_WHILE = """
import threading, time
from fastops import _runtime
thread = threading.Thread(target=lambda: _runtime.compile_kernel("fill_range"))
thread.start()
while {waits}:
    time.sleep(0.001)
"""


@pytest.mark.parametrize("waits", ['"numba" not in sys.modules', '"fastops.kernels._range" not in sys.modules'])
def test_a_fork_while_another_thread_compiles(waits: str, tmp_path: Path) -> None:
    assert run_code(FORK_WHILE.format(waits=waits) + FORK, NUMBA_CACHE_DIR=str(tmp_path)) == "both live\n"


# The child cannot ask Numba, whose lock a thread of its parent has, to compile for it.
FORK_BESIDE_THE_USERS_COMPILATION = """
import os, threading, time
import numba, numpy as np, fastops as fo
stop = threading.Event()
def work():
    while not stop.is_set():
        @numba.njit
        def sort(x):
            return np.sort(x), x.sum()
        sort(np.arange(5.0))
{before}
thread = threading.Thread(target=work)
thread.start()
time.sleep(0.5)
threading.Timer(0.2, stop.set).start()
"""


@pytest.mark.parametrize("before", ["fo.slice(np.arange(5), [1], [2])", ""])
def test_a_fork_while_another_thread_compiles_code_of_the_users(before: str) -> None:
    done = run_python("-c", FORK_BESIDE_THE_USERS_COMPILATION.format(before=before) + FORK)
    assert (done.returncode, done.stdout) == (0, "both live\n"), done.stderr


FORK_THAT_IS_WAITED_FOR = """
import threading
from fastops import _fork_lock
_fork_lock._MOST_SECONDS = 1
taken, forked = threading.Event(), threading.Event()
def keep():
    with _fork_lock.compiler_lock().taken():
        taken.set()
        forked.wait()
thread = threading.Thread(target=keep)
thread.start()
taken.wait()
child = os.fork()
if not child:
    os._exit(0)
forked.set()
assert os.waitpid(child, 0)[1] == 0
thread.join()
assert fo.slice(np.arange(5), [1], [2]).tolist() == [1, 2]
child = os.fork()
if not child:
    os._exit(0 if fo.range(0, 3, 1, "i32").tolist() == [0, 1, 2] else 1)
assert os.waitpid(child, 0)[1] == 0
print("went on")
"""


def test_a_fork_that_who_compiles_waits_for_goes_on() -> None:
    assert run_code(FORK_THAT_IS_WAITED_FOR) == "went on\n"


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


FORK_BEFORE = """
import threading, time
from fastops import _fork_lock
real = _fork_lock.import_module
def slow(name):
    if name == "logging":
        time.sleep(1)
    return real(name)
_fork_lock.import_module = slow
thread = threading.Thread(target=lambda: fo.range(0, 4, 1, "i32"))
thread.start()
time.sleep(0.5)
"""


def test_a_fork_before_forks_are_watched() -> None:
    assert run_code(FORK_BEFORE + FORK) == "both live\n"


FORK_BESIDE_FIRST_USE = """
import threading, time
def use():
    {use}
thread = threading.Thread(target=use)
thread.start()
time.sleep({seconds})
"""


@pytest.mark.parametrize("use", ['fo.range(0, 4, 1, "i32")', "import fastops.plan as plan; plan.slice([3], [0], [2])"])
@pytest.mark.parametrize("seconds", scale([0, 0.02], [0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.08, 0.1, 0.2]))
def test_a_fork_while_another_thread_uses_a_name_for_the_first_time(use: str, seconds: float) -> None:
    assert run_code(FORK_BESIDE_FIRST_USE.format(use=use, seconds=seconds) + FORK) == "both live\n"


FIRST_USE_IN_A_HOOK = """
import os, sys
def use():
    import fastops as fo
    assert fo.range(0, 3, 1, "i32").tolist() == [0, 1, 2]
os.register_at_fork({when}=use)
import fastops
child = os.fork()
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print("both live")
"""


@pytest.mark.parametrize("when", ["before", "after_in_parent", "after_in_child"])
def test_a_first_use_in_the_fork_hook_of_another_library(when: str) -> None:
    done = run_python("-c", FIRST_USE_IN_A_HOOK.format(when=when), seconds=60)
    assert (done.returncode, done.stdout) == (0, "both live\n"), done.stderr


FORK_BESIDE_AN_IMPORT_THAT_LOGS = """
import sys, threading, time
assert "logging" not in sys.modules
import logging
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "fastops._attributes":
            time.sleep(1)
            logging.getLogger(name)
sys.meta_path.insert(0, Finder())
thread = threading.Thread(target=lambda: fo.slice)
thread.start()
time.sleep(0.5)
"""


def test_a_fork_beside_an_import_that_logs() -> None:
    code = "import os, sys\nimport fastops as fo\n" + FORK_BESIDE_AN_IMPORT_THAT_LOGS + FORK
    done = run_python("-c", code, seconds=60)
    assert (done.returncode, done.stdout) == (0, "both live\n"), done.stderr


FORK_INTERRUPTED = """
import signal, threading, time
from fastops._fork_lock import compiler_lock
signal.signal(signal.{name}, signal.default_int_handler)
fo.range(0, 4, 1, "i32")
def keep():
    with compiler_lock().taken():
        time.sleep(2)
thread = threading.Thread(target=keep)
thread.start()
time.sleep(0.2)
threading.Timer(0.5, signal.pthread_kill, (threading.get_ident(), signal.{name})).start()
child = 0
try:
    child = os.fork()
    if child == 0:
        os._exit(0 if fo.slice(np.arange(5), [1], [2]).tolist() == [1, 2] else 1)
except KeyboardInterrupt:
    pass
if child:
    assert os.waitpid(child, 0)[1] == 0
thread.join()
assert fo.slice(np.arange(5), [1], [2]).tolist() == [1, 2]
print("both live")
"""


# Ctrl-C waits for the fork, others do not.
@pytest.mark.parametrize("name", ["SIGINT", "SIGUSR1"])
def test_an_interrupt_while_a_fork_waits_for_a_compilation(name: str) -> None:
    assert run_code(FORK_INTERRUPTED.format(name=name)) == "both live\n"
