"""Forks wait for who compiles in another thread: a child could never take the lock that Numba compiles under."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers.processes import run_code, run_python

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

# A fork beside `thread`, whose child compiles a kernel or loads it.
FORK = """
child = os.fork()
if child == 0:
    os._exit(0 if fo.range(0, 4, 1, "i32").tolist() == [0, 1, 2, 3] else 1)
assert os.waitpid(child, 0)[1] == 0
thread.join()
print("both live")
"""

FORK_WHILE_A_KERNEL_IS_COMPILED = """
import threading, time
from fastops._runtime import _kernels
thread = threading.Thread(target=lambda: _kernels.compile_kernel("fill_range"))
thread.start()
while "fastops.kernels._range" not in sys.modules:
    time.sleep(0.001)
time.sleep({seconds})
"""


@pytest.mark.parametrize("seconds", [0, 1])
def test_a_fork_while_another_thread_compiles(seconds: float, tmp_path: Path) -> None:
    code = FORK_WHILE_A_KERNEL_IS_COMPILED.format(seconds=seconds)
    assert run_code(code + FORK, NUMBA_CACHE_DIR=str(tmp_path)) == "both live\n"


FORK_WHILE_CODE_OF_THE_USERS_IS_COMPILED = """
import threading, time
import numba
stop = threading.Event()
def work():
    while not stop.is_set():
        @numba.njit
        def sort(x):
            return np.sort(x), x.sum()
        sort(np.arange(5.0))
assert fo.slice(np.arange(5), [1], [2]).tolist() == [1, 2]
thread = threading.Thread(target=work)
thread.start()
time.sleep(0.5)
threading.Timer(0.2, stop.set).start()
"""


def test_a_fork_while_another_thread_compiles_code_of_the_users() -> None:
    assert run_code(FORK_WHILE_CODE_OF_THE_USERS_IS_COMPILED + FORK) == "both live\n"


FORK_THAT_IS_WAITED_FOR = """
import threading
from fastops._runtime import _compile_lock
_compile_lock._MOST_SECONDS = 1
taken, forked = threading.Event(), threading.Event()
def keep():
    with _compile_lock.COMPILER_LOCK:
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
"""


def test_a_fork_that_who_compiles_waits_for_goes_on() -> None:
    assert run_code(FORK_THAT_IS_WAITED_FOR + FORK) == "both live\n"


FORK_WITH_THE_LOCK = """
import threading
from fastops._runtime._compile_lock import COMPILER_LOCK
thread = threading.Thread(target=lambda: None)
thread.start()
with COMPILER_LOCK:
    child = os.fork()
    if child == 0:
        os._exit(0 if fo.slice(np.arange(5), [1], [2]).tolist() == [1, 2] else 1)
    assert os.waitpid(child, 0)[1] == 0
other = threading.Thread(target=lambda: fo.slice(np.arange(5), [1], [2]), daemon=True)
other.start()
other.join(60)
assert not other.is_alive()
"""


def test_who_has_the_lock_may_fork() -> None:
    assert run_code(FORK_WITH_THE_LOCK + FORK) == "both live\n"


# A child has the lock of its parent's fork, and releases it: any of its threads may take it.
FIRST_USE_IN_A_THREAD = """
import os, threading
import fastops as fo
{before}
child = os.fork()
if not child:
    results = []
    thread = threading.Thread(target=lambda: results.append(fo.range(0, 3, 1, "i32").tolist()), daemon=True)
    thread.start()
    thread.join(60)
    os._exit(0 if results == [[0, 1, 2]] else 1)
assert os.waitpid(child, 0)[1] == 0
print("the thread has ended")
"""


@pytest.mark.parametrize("before", ["", "fo.slice([1, 2, 3], [0], [2])"])
def test_threads_of_a_child_compile(before: str) -> None:
    done = run_python("-c", FIRST_USE_IN_A_THREAD.format(before=before))
    assert (done.returncode, done.stdout) == (0, "the thread has ended\n"), done.stderr


# Forks wait from the first use on, which is amid a fork here.
FIRST_USE_IN_A_HOOK = """
import os
def use():
    import fastops as fo
    assert fo.range(0, 3, 1, "i32").tolist() == [0, 1, 2]
os.register_at_fork({when}=use)
import fastops
for _ in range(2):
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
